package lint

import (
	"fmt"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// mostPerRule bounds the findings of one rule in one entry. A skill within the
// limits never reaches it; an entry made to exhaust a reader does.
const mostPerRule = manifest.MaxResources

// CheckSkill judges a skill that was built: its URI, its frontmatter and its
// list of files against the rules of one entry. Path is how the user would name
// its SKILL.md; the findings are placed there, on the token they speak of where
// the frontmatter knows its position. Findings about the skill as a whole come
// before those about single files.
func CheckSkill(s manifest.Skill, path string) []Finding {
	e := entry{skill: s, path: path, built: true, hasFrontmatter: true}
	if !s.Dynamic {
		e.located, e.listed, e.hasResources = s.Resources, len(s.Resources), true
	}
	return e.check()
}

// CheckEntry judges an entry of a listing as it came in JSON: decoded
// leniently, judged strictly. It returns as much of the skill as can be read,
// and what is wrong with the rest: every resource has a valid URI, but a digest
// that is absent or malformed is zero, and such a size is [manifest.NoSize]. The skill's URI is zero when the entry has no valid one. The
// findings are placed at the URI as it was served.
func CheckEntry(v manifest.Value) (manifest.Skill, []Finding) {
	var e entry
	if v.Kind != manifest.Object {
		e.report(manifest.Pos{}, "malformed-entry", `the entry is %s: an object with "uri", "frontmatter" and "resources" is expected`, describe(v))
		return e.skill, e.findings
	}
	e.decode(v)
	findings := e.check()
	return e.skill, findings
}

// entry is one entry as far as it could be read, and what was found in it.
type entry struct {
	skill manifest.Skill // what is usable of it; its URI is zero when there is no valid one
	built bool
	path  string // of the SKILL.md; of a built entry
	uri   string // as served; of a served entry

	// hasFrontmatter is false when there is no mapping whose fields could be judged.
	hasFrontmatter bool
	// located is every resource with a readable URI, unlocated the others. A
	// digest that could not be read is zero, a size manifest.NoSize.
	located, unlocated []manifest.Resource
	spelled            []string // the URIs of located as served; nil in a built entry
	// hasResources is true when the resources are a list; listed counts them, and
	// self is true when the entry's own URI is among them.
	hasResources bool
	listed       int
	self         bool

	findings []Finding // about the skill
	files    []Finding // about single resources
	count    map[string]int
}

// check runs every rule that needs no raw text and returns all findings.
func (e *entry) check() []Finding {
	if !e.skill.URI.IsZero() {
		e.checkScheme()
	}
	if e.hasFrontmatter {
		e.checkName()
		e.checkFields()
	}
	e.checkResources()
	e.findings = append(e.findings, e.files...)
	for _, f := range e.findings {
		if more := e.count[f.Rule] - mostPerRule; more > 0 {
			e.count[f.Rule] = 0
			e.findings = append(e.findings, e.place(New(f.Rule, "%s more like this in the entry are not shown", message.Number(more)), manifest.Pos{}))
		}
	}
	return e.findings
}

// report adds a finding about the skill, at a position in its SKILL.md.
func (e *entry) report(at manifest.Pos, rule, format string, args ...any) {
	if e.counts(rule) {
		e.findings = append(e.findings, e.place(New(rule, format, args...), at))
	}
}

// reportFile adds a finding about one resource.
func (e *entry) reportFile(rule, format string, args ...any) {
	if e.counts(rule) {
		e.files = append(e.files, e.place(New(rule, format, args...), manifest.Pos{}))
	}
}

// counts counts a finding and reports whether it is still to be shown.
func (e *entry) counts(rule string) bool {
	if e.count == nil {
		e.count = make(map[string]int)
	}
	e.count[rule]++
	return e.count[rule] <= mostPerRule
}

func (e *entry) place(f Finding, at manifest.Pos) Finding {
	if !e.skill.URI.IsZero() {
		f = f.Of(e.skill.Path())
	}
	if e.built {
		return f.At(e.path, at.Line, at.Column)
	}
	return f.Served(e.uri)
}

// decode reads an entry's three parts, each as far as it can be read.
func (e *entry) decode(v manifest.Value) {
	e.decodeURI(v)
	switch front, ok := v.Get("frontmatter"); {
	case !ok:
		e.report(manifest.Pos{}, "malformed-entry", `the entry has no "frontmatter": the fields of its SKILL.md are expected, as an object`)
	case front.Kind != manifest.Object:
		e.report(front.Pos, "malformed-entry", `"frontmatter" is %s: the fields of its SKILL.md are expected, as an object`, describe(front))
	default:
		e.skill.Frontmatter, e.hasFrontmatter = front.Members, true
	}
	switch resources, ok := v.Get("resources"); {
	case !ok:
		e.report(manifest.Pos{}, "malformed-entry", `the entry has no "resources": a list of its files is expected, or the string "dynamic"`)
	case resources.Kind == manifest.String && resources.Text == "dynamic":
		e.skill.Dynamic = true
	case resources.Kind != manifest.Array:
		e.report(resources.Pos, "malformed-entry", `"resources" is %s: a list of its files is expected, or the string "dynamic"`, describe(resources))
	default:
		e.hasResources = true
		e.decodeResources(resources.Items)
	}
}

// decodeURI reads the entry's own URI.
func (e *entry) decodeURI(v manifest.Value) {
	uri, ok := v.Get("uri")
	switch {
	case !ok:
		e.report(manifest.Pos{}, "malformed-entry", `the entry%s has no "uri": that of its SKILL.md is expected`, named(v))
		return
	case uri.Kind != manifest.String:
		e.report(manifest.Pos{}, "malformed-entry", `the "uri" of the entry%s is %s: a string is expected`, named(v), describe(uri))
		return
	}
	e.uri = message.Cut(uri.Text, longestURI)
	u, err := manifest.ParseURI(uri.Text)
	if err != nil {
		e.report(manifest.Pos{}, brokenURI(err), "%v", err)
		return
	}
	if _, ok := u.Root(); !ok {
		e.report(manifest.Pos{}, "malformed-uri", "URI %s does not end in a folder and /%s: write %s://SKILL-PATH/%[2]s", message.Quote(uri.Text), manifest.SkillFile, u.Scheme())
		return
	}
	e.skill.URI = u
	e.checkSpelling(uri.Text)
}

// named tells an entry without a URI from others by its name, if it has one.
func named(v manifest.Value) string {
	front, _ := v.Get("frontmatter")
	if name, _ := front.Get("name"); name.Kind == manifest.String && name.Text != "" {
		return fmt.Sprintf(" named %s", message.Quote(name.Text))
	}
	return ""
}
