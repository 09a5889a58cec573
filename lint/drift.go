package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// Sides are the words for the two manifests of a comparison.
type Sides struct {
	// In names each as a place: "the skill is in OldPlace but not in NewPlace".
	OldPlace, NewPlace string
	// Old and New go before a value: "old 3 bytes, new 4 bytes".
	Old, New string
}

// The three comparisons there are.
var (
	// SidesOfDiff is diff OLD NEW.
	SidesOfDiff = Sides{"OLD", "NEW", "old", "new"}
	// SidesOfCheck is build --check: the manifest on disk against what the tree makes now.
	SidesOfCheck = Sides{"the manifest on disk", "the skills directory", "on disk", "now"}
	// SidesOfLint is lint: what was built against what a server lists.
	SidesOfLint = Sides{"the build", "what the server lists", "built", "served"}
)

// Drifts turns the differences of two manifests into findings of the drift
// rules, placed at the URI of the skill or the file, and into the report's
// drift, one value a skill.
func Drifts(changes []manifest.Change, sides Sides) ([]Finding, []SkillDrift) {
	var findings []Finding
	drifts := make([]SkillDrift, 0, len(changes))
	for _, c := range changes {
		skill := skillPath(c.URI)
		d := SkillDrift{Skill: skill, Status: DriftStatus(c.Status)}
		add := func(uri manifest.URI, rule, format string, args ...any) {
			findings = append(findings, New(rule, format, args...).Served(uri.String()).Of(skill))
		}
		switch c.Status {
		case manifest.Missing:
			add(c.URI, "skill-missing", "the skill is in %s but not in %s", sides.OldPlace, sides.NewPlace)
		case manifest.Extra:
			add(c.URI, "skill-extra", "the skill is in %s but not in %s", sides.NewPlace, sides.OldPlace)
		}
		if c.DynamicChanged() {
			d.Cause = fmt.Sprintf("%s %s, %s %s", sides.Old, filesOf(c.Old), sides.New, filesOf(c.New))
			add(c.URI, "skill-dynamic", "the files cannot be compared: %s", d.Cause)
		}
		for _, f := range c.Fields {
			d.Frontmatter = append(d.Frontmatter, FieldDrift{Field: f.Path, Built: f.Old, Served: f.New})
			add(c.URI, "frontmatter-drift", "%s", sides.field(f))
		}
		for _, f := range c.Files {
			d.Files = append(d.Files, FileDrift{URI: f.URI, Status: DriftStatus(f.Status), Built: factsOf(f.Old), Served: factsOf(f.New)})
			name := message.Quote(fileName(c.URI, f.URI))
			switch f.Status {
			case manifest.Missing:
				add(f.URI, "file-missing", "file %s is in %s but not in %s", name, sides.OldPlace, sides.NewPlace)
			case manifest.Extra:
				add(f.URI, "file-extra", "file %s is in %s but not in %s", name, sides.NewPlace, sides.OldPlace)
			default:
				add(f.URI, "file-changed", "file %s differs: %s %s, %s %s", name, sides.Old, shortContent(*f.Old), sides.New, shortContent(*f.New))
			}
		}
		drifts = append(drifts, d)
	}
	return findings, drifts
}

func skillPath(uri manifest.URI) string {
	root, _ := uri.Root()
	return root.Path()
}

func fileName(skill, file manifest.URI) string {
	if root, ok := skill.Root(); ok {
		if path, ok := file.Below(root); ok {
			return path
		}
	}
	return file.String()
}

func filesOf(s *manifest.Skill) string {
	if s.Dynamic {
		return `"dynamic"`
	}
	return message.Counted(len(s.Resources), "file") + " with digests"
}

func factsOf(r *manifest.Resource) *FileFacts {
	if r == nil {
		return nil
	}
	facts := &FileFacts{Digest: r.Digest}
	if r.Size != manifest.NoSize {
		facts.Size = &r.Size
	}
	return facts
}

// shortContent is what tells one file from another at a glance.
func shortContent(r manifest.Resource) string {
	const shown = len("sha256:") + 12
	size, digest := "no size", "no digest"
	if r.Size != manifest.NoSize {
		size = message.Counted(int(r.Size), "byte")
	}
	if !r.Digest.IsZero() {
		digest = r.Digest.String()[:shown] + "…"
	}
	return size + " " + digest
}

// field says how one frontmatter field differs.
func (s Sides) field(f manifest.FieldChange) string {
	name := message.Cut(f.Path, message.Longest)
	switch f.Status {
	case manifest.Missing:
		return fmt.Sprintf("field %s is in %s but not in %s: %s", name, s.OldPlace, s.NewPlace, ShortValue(*f.Old))
	case manifest.Extra:
		return fmt.Sprintf("field %s is in %s but not in %s: %s", name, s.NewPlace, s.OldPlace, ShortValue(*f.New))
	}
	before, after := ShortValue(*f.Old), ShortValue(*f.New)
	if f.Old.Kind == manifest.String && f.New.Kind == manifest.String {
		from := firstDifference(f.Old.Text, f.New.Text)
		before, after = excerpt(f.Old.Text, from), excerpt(f.New.Text, from)
	}
	return fmt.Sprintf("field %s differs: %s %s, %s %s", name, s.Old, before, s.New, after)
}

// ShortValue returns a value as JSON, or the start of it.
func ShortValue(v manifest.Value) string {
	if v.Kind == manifest.String {
		return message.Quote(v.Text)
	}
	return message.Plain(message.Cut(v.String(), message.Longest))
}

// firstDifference returns the offset of the first character that differs.
func firstDifference(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && (i < len(a) && !utf8.RuneStart(a[i]) || i < len(b) && !utf8.RuneStart(b[i])) {
		i--
	}
	return i
}

// excerpt quotes the part of a text that holds a given offset: its start, or,
// where that is too far off, what surrounds the offset.
func excerpt(s string, offset int) string {
	const before = 20
	if offset < message.Longest-before || len(s) <= message.Longest {
		return message.Quote(s)
	}
	start := offset
	for range before {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	return message.Quote("…" + strings.TrimLeft(s[start:], " "))
}
