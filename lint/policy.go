package lint

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/internal/pattern"
	"github.com/skillpack/skillpack/manifest"
)

// Policy is what the user wants of the rules. Its zero value leaves every rule
// at its default severity.
type Policy struct {
	// Severity replaces the default severity of rules, by rule id; see [Policy.Set].
	Severity map[string]Severity
	// Ignore drops findings by place; see [Policy.AddIgnore].
	Ignore []Ignore
	// Strict makes warnings count as errors. They are still shown as warnings:
	// only the exit status, the report's "ok" and whether a build writes change.
	Strict bool
	// Dir is the skills directory as findings name it, and Prefix what stands
	// before every skill path built from it: the patterns of Ignore are relative to
	// Dir, and mean the same of a file in it and of what is served of that file.
	Dir, Prefix string
}

// Ignore drops the findings of one rule in the files that a pattern matches.
type Ignore struct {
	Rule string
	// Path is a doublestar pattern of a path below the skills directory; the
	// directory, or its own name, or the prefix may stand before it. A pattern
	// that matches a folder covers all below it.
	Path string
}

// Ignored is how many findings one entry of [Policy.Ignore] dropped. A finding
// counts for the first entry that drops it.
type Ignored struct {
	Rule  string `json:"rule"`
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Set gives a rule a severity. It returns an error for a rule that does not
// exist, and for one that is required when the severity is below its default.
func (p *Policy) Set(rule string, s Severity) error {
	r, err := RuleNamed(rule)
	if err != nil {
		return err
	}
	if r.Required && s < r.Severity {
		return fmt.Errorf("rule %s cannot be set to %s: nothing correct can be built while it is broken", rule, s)
	}
	if p.Severity == nil {
		p.Severity = make(map[string]Severity)
	}
	p.Severity[rule] = s
	return nil
}

// AddIgnore ignores a rule where a pattern matches. It returns an error for a
// rule that does not exist or that is required, and for a malformed pattern.
func (p *Policy) AddIgnore(rule, path string) error {
	r, err := RuleNamed(rule)
	if err != nil {
		return err
	}
	if r.Required {
		return fmt.Errorf("rule %s cannot be ignored: nothing correct can be built while it is broken", rule)
	}
	written := path
	for rest, ok := path, true; ok; rest, ok = strings.CutPrefix(rest, "./") {
		path = rest
	}
	if strings.Trim(path, "/") == "" {
		return fmt.Errorf("ignore of rule %s has no path: write a pattern such as legacy/**, or ** for every file", rule)
	}
	if err := pattern.Check(path); err != nil {
		return fmt.Errorf("%s is no path pattern: %w", message.Quote(written), err)
	}
	p.Ignore = append(p.Ignore, Ignore{rule, path})
	return nil
}

// ParseRuleFlag reads the value of --rule: ID=error, ID=warning or ID=off. It
// returns an error for another form, and for a rule that does not exist.
func ParseRuleFlag(s string) (rule string, severity Severity, err error) {
	rule, name, ok := strings.Cut(s, "=")
	if !ok {
		return "", Off, fmt.Errorf("--rule %s: write ID=error, ID=warning or ID=off", message.Quote(s))
	}
	if _, err := RuleNamed(rule); err != nil {
		return "", Off, err
	}
	if err := severity.UnmarshalText([]byte(name)); err != nil {
		return "", Off, fmt.Errorf("--rule %s: %w", message.Quote(s), err)
	}
	return rule, severity, nil
}

// RuleNamed returns the rule that a user named. Its error names the rule that was
// probably meant.
func RuleNamed(id string) (Rule, error) {
	if r, ok := Lookup(id); ok {
		return r, nil
	}
	ids := make([]string, len(table))
	for i, r := range table {
		ids[i] = r.ID
	}
	if near, ok := Closest(message.Cut(id, message.Longest), ids); ok {
		return Rule{}, fmt.Errorf("there is no rule %s: is %s meant?", message.Quote(id), near)
	}
	return Rule{}, fmt.Errorf("there is no rule %s: skillpack rules lists them", message.Quote(id))
}

// Apply returns the findings that are left, with the severities the policy
// gives them, sorted by place, line, column and rule, and how many each entry of
// Ignore dropped, in their order. It does not change its argument.
func (p Policy) Apply(findings []Finding) (left []Finding, ignored []Ignored) {
	left = make([]Finding, 0, len(findings))
	for _, i := range p.Ignore {
		ignored = append(ignored, Ignored{Rule: i.Rule, Path: i.Path})
	}
	for _, f := range findings {
		if s, ok := p.Severity[f.Rule]; ok {
			f.Severity = s
		}
		if f.Severity == Off {
			continue
		}
		if i := p.ignores(f); i >= 0 {
			ignored[i].Count++
			continue
		}
		left = append(left, f)
	}
	slices.SortStableFunc(left, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(cmp.Or(a.Path, a.URI), cmp.Or(b.Path, b.URI)),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Rule, b.Rule),
		)
	})
	return left, ignored
}

// ignores returns the index of the first entry of Ignore that drops a finding,
// -1 when none does.
func (p Policy) ignores(f Finding) int {
	var names []string
	return slices.IndexFunc(p.Ignore, func(i Ignore) bool {
		if i.Rule != f.Rule {
			return false
		}
		if names == nil {
			names = p.names(f)
		}
		// The /** also matches nothing: the file itself.
		pattern := strings.TrimRight(i.Path, "/") + "/**"
		return slices.ContainsFunc(names, func(name string) bool { return doublestar.MatchUnvalidated(pattern, name) })
	})
}

// names returns the paths by which a pattern may mean the place of a finding.
// They are the same for a file and for what is served of it.
func (p Policy) names(f Finding) []string {
	dir := strings.TrimSuffix(strings.TrimPrefix(p.Dir, "./"), "/")
	prefix := strings.Trim(p.Prefix, "/")
	below, known := f.Path, false
	switch {
	case f.Path == "":
		below, known = uriPath(f.URI), true
		if prefix != "" {
			below, known = strings.CutPrefix(below, prefix+"/")
		}
	case dir == ".":
		known = true
	case f.Path == dir:
		below, known = "", true
	case dir != "":
		below, known = strings.CutPrefix(f.Path, dir+"/")
	}
	if !known {
		return []string{below} // not of the skills directory
	}
	names := []string{below}
	for _, before := range []string{"", dir, path.Base(dir), prefix} {
		if before != "." && (before != "" || below != "") {
			names = append(names, strings.TrimSuffix(before+"/"+below, "/"))
		}
	}
	return names
}

// uriPath returns the skill path and file of a served URI as a path, or what
// stands in a URI's place.
func uriPath(uri string) string {
	if u, err := manifest.ParseURI(uri); err == nil {
		return u.Path()
	}
	if _, path, ok := strings.Cut(uri, "://"); ok {
		return path
	}
	return uri
}
