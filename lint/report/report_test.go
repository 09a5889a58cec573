package report

import (
	"testing"

	"github.com/skillpack/skillpack/lint"
)

// TestIgnoredIsCounted checks that the summary counts what the policy drops, and not as a warning.
func TestIgnoredIsCounted(t *testing.T) {
	p := lint.Policy{Dir: "skills"}
	if err := p.AddIgnore("crlf", "a/**"); err != nil {
		t.Fatal(err)
	}
	r := New("check", lint.Summary{}, []lint.Finding{
		lint.New("crlf", "m").At("skills/a/x.md", 1, 1), lint.New("crlf", "m").At("skills/b/x.md", 1, 1), lint.New("special-file", "m").At("skills/a/y", 0, 0),
	}, p)
	if want := (lint.Summary{Errors: 1, Warnings: 1, Ignored: 1}); r.Summary != want {
		t.Errorf("%+v, want %+v", r.Summary, want)
	}
}

func TestStrict(t *testing.T) {
	warning, failure := lint.New("crlf", "m"), lint.New("special-file", "m")
	tests := []struct {
		name       string
		findings   []lint.Finding
		strict, ok bool
	}{
		{"nothing", nil, true, true},
		{"warning", []lint.Finding{warning}, false, true},
		{"warning, strict", []lint.Finding{warning}, true, false},
		{"error", []lint.Finding{failure}, false, false},
	}
	for _, tt := range tests {
		r := New("check", lint.Summary{}, tt.findings, lint.Policy{Strict: tt.strict})
		if r.OK() != tt.ok || r.Broken() == tt.ok {
			t.Errorf("%s: ok %v, broken %v", tt.name, r.OK(), r.Broken())
		}
		if len(r.Findings) > 0 && r.Findings[0].Severity != tt.findings[0].Severity {
			t.Errorf("%s: shown as %v", tt.name, r.Findings[0].Severity)
		}
		r.Complete = false
		if r.OK() {
			t.Errorf("%s: an incomplete run is OK", tt.name)
		}
	}
}
