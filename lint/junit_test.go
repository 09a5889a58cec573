package lint

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
)

func readJUnit(t *testing.T, text string) junitSuites {
	t.Helper()
	var s junitSuites
	if err := xml.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func verifiedReport(findings ...Finding) *Report {
	r := NewReport("lint", Summary{Skills: 2, Files: 6, Bytes: 60}, findings, Policy{})
	r.Server = &ServerInfo{Name: "acme", Version: "1.2.0", Protocol: "2026-07-28", Target: "https://example.com/mcp"}
	r.Drift = []SkillDrift{}
	r.Verification = []Verification{
		{URI: "skill://a/SKILL.md", Status: Verified},
		{URI: "skill://a/x.md", Status: Mismatch, Expected: "3 bytes", Actual: "4 bytes", Cause: "CRLF"},
		{URI: "skill://a/y.md", Status: Failed, Cause: "no answer"},
		{URI: "skill://b/SKILL.md", Status: Unverifiable, Cause: "dynamic"},
		{URI: "skill://b/z.md", Status: Skipped},
	}
	return r
}

func TestJUnit(t *testing.T) {
	r := sample()
	r.Findings = append(r.Findings, Finding{Rule: "name-path-mismatch", Severity: Error, Message: "again", Path: "skills/pdf/SKILL.md", Line: 9, Skill: "pdf"})
	goldenReport(t, "report.junit.golden", write(t, "junit", r, Style{Color: true}))
	goldenReport(t, "verified.junit.golden", write(t, "junit", verifiedReport(Finding{Rule: "size-mismatch", Severity: Error, Message: "4 bytes, not 3", URI: "skill://a/x.md", Skill: "a"}), Style{}))
}

func TestJUnitIsRedAsTheExitStatusIs(t *testing.T) {
	warning := Finding{Rule: "crlf", Severity: Warning, Message: "m", Path: "a"}
	failing := Finding{Rule: "file-extra", Severity: Error, Message: "m", URI: "skill://a/b"}
	strict := NewReport("check", Summary{}, []Finding{warning}, Policy{Strict: true})
	incomplete := NewReport("lint", Summary{}, nil, Policy{})
	incomplete.Complete = false
	reports := map[string]*Report{
		"clean":                       NewReport("check", Summary{}, nil, Policy{}),
		"warning":                     NewReport("check", Summary{}, []Finding{warning}, Policy{}),
		"strict":                      strict,
		"error":                       NewReport("check", Summary{}, []Finding{failing, warning}, Policy{}),
		"incomplete":                  incomplete,
		"wrong bytes":                 verifiedReport(failing),
		"wrong bytes, as policy says": verifiedReport(warning),
	}
	for name, r := range reports {
		s := readJUnit(t, write(t, "junit", r, Style{}))
		if red := s.Failures+s.Errors > 0; red == r.OK() {
			t.Errorf("%s: OK is %v, the XML has %+v", name, r.OK(), s.junitCounts)
		}
		if s.Tests == 0 {
			t.Errorf("%s: no test", name)
		}
	}
}

func FuzzJUnit(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, text string) {
		got := write(t, "junit", hostileReport(text), Style{})
		assertPlain(t, got)
		s := readJUnit(t, got)
		if s.junitCounts != (junitCounts{Tests: 8, Failures: 3, Errors: 1, Skipped: 2}) {
			t.Errorf("%+v\n%s", s.junitCounts, got)
		}
		for _, suite := range s.Suites {
			for _, c := range suite.Cases {
				if c.Failure != nil && suite.Name != "verification" && c.Failure.Message != message.Plain(text) {
					t.Errorf("message %q, want %q", c.Failure.Message, message.Plain(text))
				}
				if strings.TrimSpace(c.Name) == "" && strings.TrimSpace(message.Plain(text)) != "" {
					t.Errorf("a test without a name:\n%s", got)
				}
			}
		}
	})
}
