package remote

import (
	"encoding/json"
	"errors"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// Entry is one skill as a server describes it: what is usable of it, and what
// is wrong with the rest.
type Entry struct {
	manifest.Skill
	// Served is the URI as it was served; empty when the entry has none.
	Served string
	// Findings are what the rules of an entry say of it.
	Findings []lint.Finding

	value manifest.Value
	// spelled maps every file the entry lists to its URI as it was served.
	spelled map[manifest.URI]string
	// undigested are the files whose digest cannot be read.
	undigested map[manifest.URI]bool
	// files counts what the entry lists, sizes and digests the files that have one
	// of these, right or wrong.
	files, sizes, digests int
	// whole is false when a part is missing that a comparison needs.
	whole bool
}

// parseEntry reads an entry from the wire. It never fails: whatever arrives is
// an entry with findings.
func parseEntry(raw json.RawMessage) Entry {
	var e Entry
	v, err := manifest.ParseValue(raw)
	if err != nil {
		var syntax *manifest.SyntaxError
		reason := err.Error()
		if errors.As(err, &syntax) {
			reason = syntax.Reason
		}
		e.Findings = []lint.Finding{lint.New("malformed-entry", "the entry %s cannot be read: %s", brief(raw), reason)}
		return e
	}
	e.value = v
	e.Skill, e.Findings = lint.CheckEntry(v)
	if uri, _ := v.Get("uri"); uri.Kind == manifest.String {
		e.Served = uri.Text
	}
	e.whole = true
	for _, f := range e.Findings {
		if f.Rule == "malformed-entry" {
			e.whole = false
		}
	}
	resources, _ := v.Get("resources")
	e.spelled = make(map[manifest.URI]string, len(resources.Items))
	e.undigested = map[manifest.URI]bool{}
	for _, item := range resources.Items {
		e.files++
		if size, _ := item.Get("size"); size.Kind != manifest.Null {
			e.sizes++
		}
		digest, _ := item.Get("digest")
		if digest.Kind != manifest.Null {
			e.digests++
		}
		text, _ := item.Get("uri")
		if u, err := manifest.ParseURI(text.Text); err == nil {
			if _, twice := e.spelled[u]; !twice {
				e.spelled[u] = text.Text
			}
			if _, err := manifest.ParseDigest(digest.Text); err != nil {
				e.undigested[u] = true
			}
		}
	}
	return e
}

// spelling returns the URI of a file as the server spells it: some servers
// answer to no other spelling of the same address.
func (e Entry) spelling(u manifest.URI) string {
	if s, ok := e.spelled[u]; ok {
		return s
	}
	if u == e.URI && e.Served != "" {
		return e.Served
	}
	return u.String()
}

// listed returns what a finding about several entries needs.
func (e Entry) listed() lint.Listed { return lint.Listed{Skill: e.Skill, URI: e.Served} }
