package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/skillpack/skillpack/manifest"
)

// pages is a listing cut into pages.
type pages struct {
	first    *page
	byCursor map[string]*page // the others
}

// page is one page as JSON: its parts make `"key":[item,item],"nextCursor":…`,
// the last of them from the bracket on.
type page struct {
	parts [][]byte
	items int
	last  bool
}

var (
	comma        = []byte(",")
	closeBracket = []byte("]")
)

// newPages cuts the items of a listing. A cursor is made of the fingerprint of
// all skills, the listing's name and the page's number: servers of one build
// understand each other's, and one of another build is refused.
func newPages(fingerprint manifest.Digest, listing, key string, pageSize int, items [][]byte) *pages {
	open := []byte(`"` + key + `":[`)
	p := &pages{}
	var current *page
	size := 0
	start := func() {
		current = &page{parts: [][]byte{open}}
		size = 0
	}
	start()
	p.first = current
	for _, item := range items {
		if current.items > 0 && (current.items == pageSize || size+len(item) > maxPage) {
			if p.byCursor == nil {
				p.byCursor = map[string]*page{}
			}
			cursor := cursorOf(fingerprint, listing, len(p.byCursor)+1)
			current.parts = append(current.parts, []byte(`],"nextCursor":"`+cursor+`"`))
			start()
			p.byCursor[cursor] = current
		}
		if current.items > 0 {
			current.parts = append(current.parts, comma)
		}
		current.parts = append(current.parts, item)
		current.items++
		size += len(item)
	}
	current.parts, current.last = append(current.parts, closeBracket), true
	return p
}

// cursorOf returns an opaque text: clients must not read it, and cannot guess it.
func cursorOf(fingerprint manifest.Digest, listing string, number int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", fingerprint, listing, number))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}

// at returns the page of a cursor, or nil for one that was not given out.
func (p *pages) at(cursor string) *page {
	if cursor == "" {
		return p.first
	}
	return p.byCursor[cursor]
}
