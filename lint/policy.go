package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
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
	// Dir is the skills directory as findings name it, so that the patterns of
	// Ignore can be written relative to it, as those of exclude are.
	Dir string
}

// Ignore drops the findings of one rule in the files that a pattern matches.
type Ignore struct {
	Rule string
	// Path is a doublestar pattern. It matches the path as the finding shows it,
	// or that path below the skills directory, or the path of a served URI.
	Path string
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
	path = strings.TrimPrefix(path, "./")
	if path == "" {
		return fmt.Errorf("ignore of rule %s has no path: write a pattern such as legacy/**, or ** for every file", rule)
	}
	if err := CheckPattern(path); err != nil {
		return fmt.Errorf("%s is no path pattern: %w", quote(path), err)
	}
	p.Ignore = append(p.Ignore, Ignore{rule, path})
	return nil
}

// ParseRuleFlag reads the value of --rule: ID=error, ID=warning or ID=off. It
// returns an error for another form, and for a rule that does not exist.
func ParseRuleFlag(s string) (rule string, severity Severity, err error) {
	rule, name, ok := strings.Cut(s, "=")
	if !ok {
		return "", Off, fmt.Errorf("--rule %s: write ID=error, ID=warning or ID=off", quote(s))
	}
	if _, err := RuleNamed(rule); err != nil {
		return "", Off, err
	}
	if err := severity.UnmarshalText([]byte(name)); err != nil {
		return "", Off, fmt.Errorf("--rule %s: %w", quote(s), err)
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
	if near, ok := Closest(cut(id, longest), ids); ok {
		return Rule{}, fmt.Errorf("there is no rule %s: is %s meant?", quote(id), near)
	}
	return Rule{}, fmt.Errorf("there is no rule %s: skillpack rules lists them", quote(id))
}

// Apply returns the findings that are left, with the severities the policy
// gives them, sorted by place, line, column and rule. It does not change its
// argument.
func (p Policy) Apply(findings []Finding) []Finding {
	left := make([]Finding, 0, len(findings))
	for _, f := range findings {
		if s, ok := p.Severity[f.Rule]; ok {
			f.Severity = s
		}
		if f.Severity != Off && !p.ignores(f) {
			left = append(left, f)
		}
	}
	slices.SortStableFunc(left, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(cmp.Or(a.Path, a.URI), cmp.Or(b.Path, b.URI)),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Rule, b.Rule),
		)
	})
	return left
}

func (p Policy) ignores(f Finding) bool {
	for _, i := range p.Ignore {
		if i.Rule != f.Rule {
			continue
		}
		if f.Path == "" {
			if _, path, ok := strings.Cut(f.URI, "://"); ok && doublestar.MatchUnvalidated(i.Path, path) {
				return true
			}
			continue
		}
		if doublestar.MatchUnvalidated(i.Path, f.Path) {
			return true
		}
		if below, ok := strings.CutPrefix(f.Path, strings.TrimSuffix(p.Dir, "/")+"/"); ok && p.Dir != "" && doublestar.MatchUnvalidated(i.Path, below) {
			return true
		}
	}
	return false
}
