package report

import (
	"path/filepath"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/testfiles"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// hostileTexts are what a server or a tree could send to break out of a format.
var hostileTexts = []string{
	"x\n::error file=a::injected",
	"x\r::stop-commands::t",
	"::add-mask::a,line=9:: %0A::warning::b %25",
	"##[error]x",
	"a | b |\n|---|\n| c",
	`a \| b \\| c \`,
	"`code` ``two`` `|` ``",
	"<script>alert(1)</script><img src=x onerror=y>&lt;",
	"hello @octocat and @org/team, see #1, org/repo#2, GH-3, https://example.com/ www.example.com a@example.com",
	"[link](https://example.com) ![i](x) [ref]: x",
	"**bold** _em_ ~~s~~ # head\n\n# head",
	"]]></failure><testcase/><!-- -->",
	"\x1b[2J\x1b]0;t\x07\u009b1m \u202egnp.exe \u200b \ufeff \u2028 \x00 \xff\xfe \uffff",
	"{0} {1} [a](1) \\[b](2)",
	`"quote" 'single' "unclosed`,
	"javascript:alert(1)",
	"../../etc/passwd", "C:/x", "a:b/c", "/abs/ä b?c#d%2e", "//host/x",
}

// hostileReport says a text in every place where a report repeats others.
func hostileReport(text string) *Report {
	r := New("lint", lint.Summary{Skills: 1, Files: 1, Bytes: 1}, []lint.Finding{
		{Rule: "crlf", Severity: lint.Warning, Message: text, Path: text, Line: 2, Column: 3, Skill: text, Help: text},
		{Rule: "file-extra", Severity: lint.Error, Message: text, URI: text, Skill: text, Help: text},
		{Rule: "list-failed", Severity: lint.Error, Message: text},
	}, lint.Policy{})
	value := manifest.Value{Kind: manifest.String, Text: text}
	r.Exclusions = []lint.Exclusion{{Pattern: text, Count: 1}}
	r.Summary.Excluded = 1
	r.Server = &lint.ServerInfo{Name: text, Version: text, Protocol: text, Target: text}
	r.Drift = []lint.SkillDrift{{Skill: text, Status: lint.Changed, Cause: text, Frontmatter: []lint.FieldDrift{{Field: text, Built: &value, Served: &value}}}}
	for _, v := range verdicts {
		r.Verification = append(r.Verification, lint.Verification{URI: text, Status: v, Expected: text, Actual: text, Cause: text})
	}
	return r
}

// assertPlain fails when an output holds what a terminal acts on or hides.
func assertPlain(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%q is not UTF-8", out)
	}
	for _, c := range out {
		if c != '\n' && !unicode.IsPrint(c) && !unicode.Is(unicode.Zs, c) {
			t.Errorf("%q holds %U", out, c)
			return
		}
	}
}

func fuzzHostile(f *testing.F, check func(t *testing.T, text string)) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(check)
}

// goldenReport compares a report with a file of testdata.
func goldenReport(t *testing.T, name, got string) {
	t.Helper()
	testfiles.Golden(t, filepath.Join("testdata", name), []byte(got), "go test ./lint/report -run '^"+t.Name()+"$' -update")
}
