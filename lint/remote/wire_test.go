package remote

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// FuzzParseEntry holds that whatever a server sends as an entry is an entry
// with findings, or one that can be used.
func FuzzParseEntry(f *testing.F) {
	for _, seed := range []string{
		"null", "7", `{}`, `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"A."},"resources":[{"uri":"skill://a/SKILL.md","digest":"sha256:` + strings.Repeat("0", 64) + `","size":1}]}`,
		`{"uri":"skill://a/SKILL.md","frontmatter":null,"resources":"dynamic"}`, `{"a":1,"a":2}`, `{"uri":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // what is no JSON never gets this far
		}
		e := parseEntry(raw)
		if len(e.Findings) == 0 && (e.URI.IsZero() || e.Name() == "") {
			t.Errorf("an entry without faults has no URI or name: %s", raw)
		}
		folders(e, e.URI.Parent())
	})
}

// FuzzEvents holds that a stream of events passes as it came, but for the result
// that is taken, and that whatever is cut ends.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n\n"))
	f.Add([]byte("data: a\r\ndata: b\r\n\r\n: comment\n\nid: 1\n\n"))
	f.Add([]byte("data:"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		c := &capture{swaps: true}
		out, err := io.ReadAll(newEvents(io.NopCloser(bytes.NewReader(stream)), c))
		if err != nil {
			t.Errorf("reading: %v", err)
		}
		if c.raw() == nil && !bytes.Equal(out, stream) {
			t.Errorf("nothing was taken, and %q became %q", stream, out)
		}
	})
}

func TestCaptureTake(t *testing.T) {
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}`:            `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"x","result":null}`:                 `{"jsonrpc":"2.0","id":"x","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`: "",
		`{"jsonrpc":"2.0","method":"ping","id":1}`:                 "",
		`{"jsonrpc":"1.0","id":1,"result":{}}`:                     "",
		`not JSON`:                                                 "",
	} {
		c := &capture{swaps: true}
		if want == "" {
			want = message
		}
		if got := string(c.take([]byte(message))); got != want {
			t.Errorf("take(%s) = %s, want %s", message, got, want)
		}
	}
}
