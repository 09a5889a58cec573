package lint

import (
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// Listed is one entry of a listing, with the place its findings get.
type Listed struct {
	Skill manifest.Skill
	// Path is how the user would name the SKILL.md of a built skill; empty for a
	// served one.
	Path string
	// URI is that of a served entry as it was served; empty for a built one.
	URI string
}

// CheckListing judges the entries of one listing together: a skill that is
// listed twice, and two skills of one name. The finding stands at the later
// entry and names the earlier. A first segment with capitals is one finding, at
// the first of the skills below it. Entries without a URI are passed over.
func CheckListing(entries []Listed) []Finding {
	var findings []Finding
	byURI := make(map[manifest.URI]int, len(entries))
	byName := make(map[string]int, len(entries))
	below := make(map[string]int) // skills by first segment, where that has capitals
	for _, l := range entries {
		if first, ok := capitalAuthority(l.Skill); ok {
			below[first]++
		}
	}
	for i, l := range entries {
		if l.Skill.URI.IsZero() {
			continue
		}
		if first, twice := byURI[l.Skill.URI]; twice {
			text := "the listing has skill %s twice"
			if other := entries[first]; other.URI != l.URI {
				findings = append(findings, l.place(New("duplicate-skill", text+", here and as %s", message.Quote(l.shown()), message.Quote(other.shown()))))
			} else {
				findings = append(findings, l.place(New("duplicate-skill", text, message.Quote(l.shown()))))
			}
			continue
		}
		byURI[l.Skill.URI] = i
		if first, ok := capitalAuthority(l.Skill); ok && below[first] > 0 {
			findings = append(findings, l.place(New("uri-authority", "the first segment %s (of %s) has capitals: it stands where a URI has its host, which readers turn into lower case; write %s", message.Quote(first), message.Counted(below[first], "skill"), message.Quote(strings.ToLower(first)))))
			delete(below, first)
		}
		name := l.Skill.Frontmatter.Text("name")
		if name == "" {
			continue
		}
		first, twice := byName[name]
		if !twice {
			byName[name] = i
			continue
		}
		f := New("duplicate-name", "the name %s is also that of %s: some hosts show only one of the two; rename one", message.Quote(name), message.Quote(entries[first].shown()))
		if m, _ := l.Skill.Frontmatter.Get("name"); l.Path != "" {
			at := valuePos(m)
			f.Line, f.Column = at.Line, at.Column
		}
		findings = append(findings, l.place(f))
	}
	return findings
}

// shown returns how an entry is named in a message about another.
func (l Listed) shown() string {
	switch {
	case l.Path != "":
		return l.Path
	case l.URI != "":
		return l.URI
	}
	return l.Skill.URI.String()
}

func (l Listed) place(f Finding) Finding {
	f = f.Of(l.Skill.Path())
	if l.Path != "" {
		return f.At(l.Path, f.Line, f.Column)
	}
	return f.Served(message.Cut(l.shown(), longestURI))
}
