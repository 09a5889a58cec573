package serve

import (
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// protocol2026 is the first revision whose results carry resultType and the
// caching fields.
const protocol2026 = "2026-07-28"

// cacheHints are the fields of a result that can be cached.
type cacheHints struct {
	ttl   int64 // milliseconds
	scope string
}

// modern reports whether a request speaks protocol revision 2026-07-28 or later.
// Each request of those revisions says so itself.
func modern(meta map[string]any) bool {
	version, _ := meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= protocol2026
}

// result is an answer made of JSON that was written before. The SDK asks for
// its text once.
type result struct {
	mcp.ResultBase
	modern bool
	cache  *cacheHints
	parts  [][]byte // the other members of the object, joined as they are
}

// MarshalJSON returns the object; it fails only for a _meta that is no JSON.
func (r *result) MarshalJSON() ([]byte, error) {
	size := 160
	for _, p := range r.parts {
		size += len(p)
	}
	var meta []byte
	if len(r.Meta) > 0 {
		var err error
		if meta, err = marshal(r.Meta); err != nil {
			return nil, err
		}
	}
	b := append(make([]byte, 0, size+len(meta)), '{')
	if meta != nil {
		b = append(append(append(b, `"_meta":`...), meta...), ',')
	}
	if r.modern {
		b = append(b, `"resultType":"complete",`...)
		b = strconv.AppendInt(append(b, `"ttlMs":`...), r.cache.ttl, 10)
		b = append(append(append(b, `,"cacheScope":"`...), r.cache.scope...), `",`...)
	}
	for _, p := range r.parts {
		b = append(b, p...)
	}
	return append(b, '}'), nil
}
