package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

func readJUnit(t *testing.T, text string) junitSuites {
	t.Helper()
	var s junitSuites
	if err := xml.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func verifiedReport(findings ...lint.Finding) *Report {
	r := New("lint", lint.Summary{Skills: 2, Files: 6, Bytes: 60}, findings, lint.Policy{})
	r.Server = &lint.ServerInfo{Name: "acme", Version: "1.2.0", Protocol: "2026-07-28", Target: "https://example.com/mcp"}
	r.Drift = []lint.SkillDrift{}
	r.Verification = []lint.Verification{
		{URI: "skill://a/SKILL.md", Status: lint.Verified},
		{URI: "skill://a/x.md", Status: lint.Mismatch, Expected: "3 bytes", Actual: "4 bytes", Cause: "CRLF"},
		{URI: "skill://a/y.md", Status: lint.Failed, Cause: "no answer"},
		{URI: "skill://b/SKILL.md", Status: lint.Unverifiable, Cause: "dynamic"},
		{URI: "skill://b/z.md", Status: lint.Skipped},
	}
	return r
}

func TestJUnit(t *testing.T) {
	r := sample()
	r.Findings = append(r.Findings, lint.Finding{Rule: "name-path-mismatch", Severity: lint.Error, Message: "again", Path: "skills/pdf/SKILL.md", Line: 9, Skill: "pdf"})
	goldenReport(t, "report.junit.golden", write(t, "junit", r, Style{Color: true}))
	goldenReport(t, "verified.junit.golden", write(t, "junit", verifiedReport(lint.Finding{Rule: "size-mismatch", Severity: lint.Error, Message: "4 bytes, not 3", URI: "skill://a/x.md", Skill: "a"}), Style{}))
}

func TestJUnitIsRedAsTheExitStatusIs(t *testing.T) {
	warning := lint.Finding{Rule: "crlf", Severity: lint.Warning, Message: "m", Path: "a"}
	failing := lint.Finding{Rule: "file-extra", Severity: lint.Error, Message: "m", URI: "skill://a/b"}
	strict := New("check", lint.Summary{}, []lint.Finding{warning}, lint.Policy{Strict: true})
	incomplete := New("lint", lint.Summary{}, nil, lint.Policy{})
	incomplete.Complete = false
	for name, test := range map[string]struct {
		report           *Report
		failures, errors int
	}{
		"clean":                       {New("check", lint.Summary{}, nil, lint.Policy{}), 0, 0},
		"warning":                     {New("check", lint.Summary{}, []lint.Finding{warning}, lint.Policy{}), 0, 0},
		"strict":                      {strict, 1, 0},
		"error":                       {New("check", lint.Summary{}, []lint.Finding{failing, warning}, lint.Policy{}), 1, 0},
		"incomplete":                  {incomplete, 0, 1},
		"wrong bytes":                 {verifiedReport(failing), 2, 1},
		"wrong bytes, as policy says": {verifiedReport(warning), 0, 0},
	} {
		red := test.failures+test.errors > 0
		if test.report.OK() == red {
			t.Errorf("%s: OK is %v", name, red)
		}
		s := readJUnit(t, write(t, "junit", test.report, Style{}))
		if s.Failures != test.failures || s.Errors != test.errors || s.Tests == 0 {
			t.Errorf("%s: the XML has %+v, want %d failures and %d errors", name, s.junitCounts, test.failures, test.errors)
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
