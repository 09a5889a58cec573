package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
)

func sample() *Report {
	findings := []lint.Finding{
		{Rule: "name-path-mismatch", Severity: lint.Error, Message: `the name is "a<b>" & more`, Path: "skills/pdf/SKILL.md", Line: 2, Column: 7, Skill: "pdf", Help: "Rename."},
		{Rule: "crlf", Severity: lint.Warning, Message: "CRLF", Path: "skills/a/x.md"},
		{Rule: "file-extra", Severity: lint.Error, Message: "m", URI: "skill://a/x.md"},
		{Rule: "malformed-entry", Severity: lint.Error, Message: "the entry is null"},
	}
	r := New("build", lint.Summary{Skills: 4, Files: 1211, Bytes: 23962, Excluded: 12}, findings, lint.Policy{})
	r.Exclusions = []lint.Exclusion{{Pattern: "**/drafts/**", Count: 10}, {Pattern: ".DS_Store", Count: 2}}
	return r
}

func write(t *testing.T, format string, r *Report, style Style) string {
	t.Helper()
	f, err := FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	want := `error: the entry is null [malformed-entry]
skill://a/x.md: error: m [file-extra]
skills/a/x.md: warning: CRLF [crlf]
skills/pdf/SKILL.md:2:7: error: the name is "a<b>" & more [name-path-mismatch]
`
	if got := write(t, "text", sample(), Style{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	colored := write(t, "text", sample(), Style{Color: true})
	if want := "\x1b[1mskills/a/x.md\x1b[0m: \x1b[1;33mwarning\x1b[0m: CRLF \x1b[2m[crlf]\x1b[0m\n"; !strings.Contains(colored, want) {
		t.Errorf("%q does not contain %q", colored, want)
	}
}

func TestTextIsPlain(t *testing.T) {
	r := New("lint", lint.Summary{}, []lint.Finding{
		{Rule: "crlf", Severity: lint.Warning, Message: "a\x1b[2Jb\r\nc\u202ed\u009be\x80f", Path: "x\n/\x07é 技", Line: 1},
		{Rule: "crlf", Severity: lint.Warning, Message: "m", URI: "skill://\x1b]0;t\x07/\u2028"},
	}, lint.Policy{})
	want := "skill://\\x1b]0;t\\a/\\u2028: warning: m [crlf]\n" +
		`x\n/\aé 技:1: warning: a\x1b[2Jb\r\nc\u202ed\u009be\x80f [crlf]` + "\n"
	if got := write(t, "text", r, Style{}); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestJSON(t *testing.T) {
	want := `{
  "schemaVersion": 1,
  "command": "build",
  "ok": false,
  "complete": true,
  "summary": {
    "skills": 4,
    "files": 1211,
    "bytes": 23962,
    "excluded": 12,
    "errors": 3,
    "warnings": 1,
    "ignored": 0
  },
  "exclusions": [
    {
      "pattern": "**/drafts/**",
      "count": 10
    },
    {
      "pattern": ".DS_Store",
      "count": 2
    }
  ],
  "findings": [
    {
      "rule": "malformed-entry",
      "severity": "error",
      "message": "the entry is null"
    },
    {
      "rule": "file-extra",
      "severity": "error",
      "message": "m",
      "uri": "skill://a/x.md"
    },
    {
      "rule": "crlf",
      "severity": "warning",
      "message": "CRLF",
      "path": "skills/a/x.md"
    },
    {
      "rule": "name-path-mismatch",
      "severity": "error",
      "message": "the name is \"a<b>\" & more",
      "path": "skills/pdf/SKILL.md",
      "line": 2,
      "column": 7,
      "skill": "pdf",
      "help": "Rename."
    }
  ]
}
`
	if got := write(t, "json", sample(), Style{Color: true}); got != want {
		t.Errorf("got\n%s", got)
	}
	empty := write(t, "json", New("check", lint.Summary{}, nil, lint.Policy{}), Style{})
	if !strings.Contains(empty, `"ok": true`) || !strings.Contains(empty, `"findings": []`) || strings.Contains(empty, "drift") {
		t.Errorf("got\n%s", empty)
	}
	// A comparison that found nothing says so; findings are an array even in a
	// report that was made by hand.
	compared := write(t, "json", &Report{Command: "lint", Complete: true, Drift: []lint.SkillDrift{}, Verification: []lint.Verification{}}, Style{})
	if !strings.Contains(compared, `"drift": []`) || !strings.Contains(compared, `"verification": []`) || !strings.Contains(compared, `"findings": []`) {
		t.Errorf("got\n%s", compared)
	}
}

func TestJSONEscapesWhatActsOnATerminal(t *testing.T) {
	message := "a\x1b[2J\u009b\u202e\x7f \U000E0041 é技😀"
	got := write(t, "json", New("lint", lint.Summary{}, []lint.Finding{{Rule: "crlf", Severity: lint.Warning, Message: message}}, lint.Policy{}), Style{})
	if strings.ContainsAny(got, "\x1b\u009b\u202e\x7f\U000E0041") || !strings.Contains(got, "é技😀") {
		t.Errorf("got %q", got)
	}
	var back struct{ Findings []lint.Finding }
	if err := json.Unmarshal([]byte(got), &back); err != nil || back.Findings[0].Message != message {
		t.Errorf("read back %v, %v", back, err)
	}
}

type brokenWriter struct{}

var errWriter = errors.New("no space")

func (brokenWriter) Write([]byte) (int, error) { return 0, errWriter }

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if f.Name == "" || f.About == "" {
			t.Errorf("format %q is not described", f.Name)
		}
		if err := f.Write(brokenWriter{}, sample(), Style{}); !errors.Is(err, errWriter) {
			t.Errorf("format %s hides the writer's error: %v", f.Name, err)
		}
	}
	for name, says := range map[string]string{"jsn": "is json meant?", "txet": "is text meant?", "yaml": "text"} {
		if _, err := FormatNamed(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("format %s: %v", name, err)
		}
	}
}

func TestClosing(t *testing.T) {
	server := func(r Report, verdicts []lint.Verdict) Report {
		r.Summary = lint.Summary{Skills: 2, Files: 6, Bytes: 60, Warnings: len(r.Findings)}
		r.Server = &lint.ServerInfo{Name: "acme", Version: "1.2.0"}
		for _, v := range verdicts {
			r.Verification = append(r.Verification, lint.Verification{Status: v})
		}
		return r
	}
	tests := []struct {
		name   string
		report Report
		want   string
	}{
		{"as designed", Report{Complete: true, Summary: lint.Summary{Skills: 4, Files: 11, Bytes: 23962, Errors: 2, Warnings: 1}}, "4 skills, 11 files, 23.4 KiB: 2 errors, 1 warning"},
		{"nothing", Report{Complete: true, Summary: lint.Summary{Skills: 1, Files: 1, Bytes: 1}}, "1 skill, 1 file, 1 byte: nothing to report"},
		{"excluded", *sample(), "4 skills, 1,211 files, 23.4 KiB: 3 errors, 1 warning; 12 excluded (10 by **/drafts/**, 2 by .DS_Store)"},
		{"excluded by no pattern", Report{Complete: true, Summary: lint.Summary{Excluded: 1}}, "0 skills, 0 files, 0 bytes: nothing to report; 1 excluded"},
		{"strict", Report{Complete: true, Strict: true, Summary: lint.Summary{Warnings: 2}}, "0 skills, 0 files, 0 bytes: 2 warnings (errors, with --strict)"},
		{"incomplete", Report{Summary: lint.Summary{Skills: 2, Files: 3, Bytes: 1 << 20}}, "2 skills, 3 files, 1 MiB: no findings; incomplete"},
		{"lists what was built", server(Report{Complete: true, Drift: []lint.SkillDrift{}}, nil), "server acme 1.2.0 lists the 2 skills of this build (6 files, 60 bytes)"},
		{"serves what was built", server(Report{Complete: true, Drift: []lint.SkillDrift{}}, []lint.Verdict{lint.Verified, lint.Verified}), "server acme 1.2.0 serves the 2 skills of this build (6 files, 60 bytes); verified"},
		{"partly verified", server(Report{Complete: true, Drift: []lint.SkillDrift{}}, []lint.Verdict{lint.Verified, lint.Unverifiable}), "server acme 1.2.0 serves the 2 skills of this build (6 files, 60 bytes); 1 of 2 files verified"},
		{"a warning beside", server(Report{Complete: true, Drift: []lint.SkillDrift{}, Findings: []lint.Finding{lint.New("result-type", "m")}}, []lint.Verdict{lint.Verified}), "server acme 1.2.0 serves the 2 skills of this build (6 files, 60 bytes); verified; 1 warning"},
		{"a warning with --strict", server(Report{Complete: true, Strict: true, Drift: []lint.SkillDrift{}, Findings: []lint.Finding{lint.New("result-type", "m")}}, []lint.Verdict{lint.Verified}), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: 1 warning (errors, with --strict)"},
		{"drift made a warning", server(Report{Complete: true, Drift: []lint.SkillDrift{}, Findings: []lint.Finding{lint.New("file-changed", "m")}}, []lint.Verdict{lint.Verified}), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: 1 warning"},
		{"ignored", Report{Command: "check", Complete: true, Summary: lint.Summary{Ignored: 12}, Ignored: []lint.Ignored{{Rule: "name-path-mismatch", Path: "a-*/**", Count: 12}, {Rule: "crlf", Path: "x", Count: 0}, {Rule: "file-extra", Path: "y", Count: 0}}}, "0 skills, 0 files, 0 bytes: nothing to report; 12 ignored (12 by name-path-mismatch a-*/**, 0 by crlf x)"},
		{"ignored of a server", server(Report{Command: "lint", Complete: true, Drift: []lint.SkillDrift{}, Ignored: []lint.Ignored{{Rule: "crlf", Path: "x", Count: 0}, {Rule: "file-extra", Path: "y", Count: 0}, {Rule: "digest-mismatch", Path: "z", Count: 0}}}, nil), "server acme 1.2.0 lists the 2 skills of this build (6 files, 60 bytes); 0 ignored (0 by file-extra y)"},
		{"nothing compared", server(Report{Complete: true}, nil), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: nothing to report"},
		{"drift", server(Report{Complete: true, Drift: []lint.SkillDrift{{Skill: "a", Status: lint.Extra}}}, nil), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: nothing to report"},
		{"wrong bytes that policy allows", server(Report{Complete: true, Drift: []lint.SkillDrift{}}, []lint.Verdict{lint.Mismatch}), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: nothing to report"},
		{"cut short", server(Report{Drift: []lint.SkillDrift{}}, nil), "server acme 1.2.0: 2 skills, 6 files, 60 bytes: no findings; incomplete"},
		{"no name", Report{Complete: true, Server: &lint.ServerInfo{Target: "https://example.com/mcp"}}, "server https://example.com/mcp: 0 skills, 0 files, 0 bytes: nothing to report"},
		{"a name that lies", Report{Complete: true, Server: &lint.ServerInfo{Name: "a serves all; verified", Version: "1\x1b[2J"}}, `server "a serves all; verified" "1\x1b[2J": 0 skills, 0 files, 0 bytes: nothing to report`},
	}
	for _, tt := range tests {
		if got := tt.report.Closing(); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
