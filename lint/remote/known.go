package remote

import (
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// known is what the entries of a check list, by address. What a server shows in
// another place must be among it.
type known struct {
	files map[manifest.URI]*Entry // every listed file, by one entry that lists it
	roots map[manifest.URI]*Entry // every skill, by its root
	above map[manifest.URI]bool   // the folders above a root
}

// maxAbove bounds how many folders above a skill's root are looked at.
const maxAbove = 32

// listedByEntries returns what the entries of a check list.
func (c *check) listedByEntries() *known {
	k := &known{files: map[manifest.URI]*Entry{}, roots: map[manifest.URI]*Entry{}, above: map[manifest.URI]bool{}}
	for i := range c.entries {
		e := &c.entries[i]
		root, ok := e.URI.Root()
		if !ok {
			continue
		}
		k.roots[root] = e
		k.files[e.URI] = e
		for u := range e.spelled {
			k.files[u] = e
		}
		folder := root.Parent()
		for range maxAbove {
			if folder.IsZero() || k.above[folder] {
				break
			}
			k.above[folder] = true
			folder = folder.Parent()
		}
	}
	return k
}

// skillOf returns the innermost skill that an address lies in, nil for none.
func (k *known) skillOf(u manifest.URI) *Entry {
	if strings.Count(u.Path(), "/") > maxFolders {
		return nil // deeper than any path may be
	}
	for folder := u.Parent(); !folder.IsZero(); folder = folder.Parent() {
		if e := k.roots[folder]; e != nil {
			return e
		}
	}
	return nil
}

// has reports whether an address is a listed file, a skill's root, or a folder
// above one.
func (k *known) has(u manifest.URI) bool {
	return k.files[u] != nil || k.roots[u] != nil || k.above[u]
}

// resource returns what the entries declare of a file, nil for nothing usable.
func (k *known) resource(u manifest.URI) *manifest.Resource {
	if e := k.files[u]; e != nil {
		for i := range e.Resources {
			if e.Resources[i].URI == u {
				return &e.Resources[i]
			}
		}
	}
	return nil
}

// complete reports whether an entry says which files its skill has.
func (e *Entry) complete() bool { return e.whole && !e.Dynamic }

// maxAlike bounds the findings of one rule in one place: a server can list
// anything, and after some of it the rest says nothing new.
const maxAlike = 20

// alike is what findings that are bounded together share.
type alike struct{ rule, place string }

// reportSome reports one of the findings that a listing can cause without end.
// Those over [maxAlike] are counted. Place is what the listing is of.
func (c *check) reportSome(place string, f lint.Finding) {
	k := alike{f.Rule, place}
	c.mu.Lock()
	c.some[k]++
	n := c.some[k]
	c.mu.Unlock()
	if n <= maxAlike {
		c.report(f)
	}
}

// reportRest reports how many findings were only counted.
func (c *check) reportRest() {
	for k, n := range c.some {
		if n > maxAlike {
			c.report(lint.New(k.rule, "%s more in %s are not shown", message.Number(n-maxAlike), k.place))
		}
	}
}
