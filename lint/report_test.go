package lint

import "testing"

// TestIgnoredIsCounted checks that the summary counts what the policy drops, and not as a warning.
func TestIgnoredIsCounted(t *testing.T) {
	p := Policy{Dir: "skills"}
	if err := p.AddIgnore("crlf", "a/**"); err != nil {
		t.Fatal(err)
	}
	r := NewReport("check", Summary{}, []Finding{
		New("crlf", "m").At("skills/a/x.md", 1, 1), New("crlf", "m").At("skills/b/x.md", 1, 1), New("special-file", "m").At("skills/a/y", 0, 0),
	}, p)
	if want := (Summary{Errors: 1, Warnings: 1, Ignored: 1}); r.Summary != want {
		t.Errorf("%+v, want %+v", r.Summary, want)
	}
}

func TestStrict(t *testing.T) {
	warning, failure := New("crlf", "m"), New("special-file", "m")
	tests := []struct {
		name       string
		findings   []Finding
		strict, ok bool
	}{
		{"nothing", nil, true, true},
		{"warning", []Finding{warning}, false, true},
		{"warning, strict", []Finding{warning}, true, false},
		{"error", []Finding{failure}, false, false},
	}
	for _, tt := range tests {
		r := NewReport("check", Summary{}, tt.findings, Policy{Strict: tt.strict})
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
