package remote

import (
	"strings"
	"testing"
)

// TestUnreadableEntry holds that an entry which is not one JSON value has that one
// finding, and nothing to compare.
func TestUnreadableEntry(t *testing.T) {
	for raw, want := range map[string]string{
		`{"uri":"skill://a/SKILL.md","uri":"skill://b/SKILL.md"}`: `cannot be read: key "uri" is given twice`,
		`{"uri":"\ud800"}`: "half of a surrogate pair",
	} {
		e := parseEntry([]byte(raw))
		if len(e.Findings) != 1 || e.Findings[0].Rule != "malformed-entry" || !strings.Contains(e.Findings[0].Message, want) {
			t.Errorf("%s: %v, want one malformed-entry with %q", raw, e.Findings, want)
		}
		if e.whole || !e.URI.IsZero() || e.Served != "" {
			t.Errorf("%s is %+v", raw, e)
		}
	}
}

// TestScope holds that a scope is the start of a URI in its one spelling.
func TestScope(t *testing.T) {
	c := &check{Check: Check{Scope: "skill://team/"}}
	for uri, want := range map[string]bool{
		"skill://team/beta/SKILL.md":   true,
		"SKILL://%74eam/beta/SKILL.md": true,
		"skill://team/../a/SKILL.md":   true, // as it is, where it has no one spelling
		"skill://teams/SKILL.md":       false,
		"skill://alpha/SKILL.md":       false,
		"team/beta/SKILL.md":           false,
		"":                             false,
	} {
		if got := c.inScope(uri); got != want {
			t.Errorf("%q: %v, want %v", uri, got, want)
		}
	}
	if !new(check).inScope("team/beta") {
		t.Error("without a scope something is out of it")
	}
}
