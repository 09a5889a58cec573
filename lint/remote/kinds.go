package remote

import (
	"slices"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// kinds are the MIME types that files have in listings. It is safe for concurrent
// use.
type kinds struct {
	mu sync.Mutex
	in map[manifest.URI][]listedKind
}

// listedKind is the MIME type of a file in a listing, and which listing that is.
type listedKind struct{ place, mime string }

// listed notes the type of a file in a listing, unless it is known.
func (k *kinds) listed(u manifest.URI, place, mime string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.in == nil {
		k.in = map[manifest.URI][]listedKind{}
	}
	same := func(l listedKind) bool { return mediaType(l.mime) == mediaType(mime) }
	if mime != "" && len(k.in[u]) < maxAlike && !slices.ContainsFunc(k.in[u], same) {
		k.in[u] = append(k.in[u], listedKind{place, mime})
	}
}

// of returns the types of a file in listings.
func (k *kinds) of(u manifest.URI) []listedKind {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.in[u])
}

// judgeKind judges the MIME type that a file was read with.
func (c *check) judgeKind(e Entry, u manifest.URI, served, mime string) {
	if mime == "" {
		return // it is optional, and nothing is said
	}
	if u == e.URI && !isMarkdown(mime) {
		c.report(lint.New("skill-mime-type", "SKILL.md is read as %q: serve it as text/markdown", shorten(mime)).Served(served).Of(e.Path()))
		return
	}
	for _, l := range c.kinds.of(u) {
		if mediaType(l.mime) != mediaType(mime) && l.mime != Directory && u != e.URI {
			c.reportSome(methodRead, lint.New("mime-type-differs", "%s has it as %q, and it is read as %q: take both from one table", l.place, shorten(l.mime), shorten(mime)).Served(served).Of(e.Path()))
		}
	}
}

func isMarkdown(mime string) bool { return mediaType(mime) == "text/markdown" }

// mediaType returns a MIME type in lower case, without its parameters.
func mediaType(mime string) string {
	media, _, _ := strings.Cut(mime, ";")
	return strings.ToLower(strings.TrimSpace(media))
}
