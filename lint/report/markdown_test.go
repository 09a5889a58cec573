package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

func driftReport() *Report {
	value := func(s string) *manifest.Value { return &manifest.Value{Kind: manifest.String, Text: s} }
	facts := func(s string) *lint.FileFacts {
		size := int64(len(s))
		return &lint.FileFacts{Digest: manifest.DigestOf([]byte(s)), Size: &size}
	}
	r := verifiedReport(
		lint.Finding{Rule: "file-changed", Severity: lint.Error, Message: `file "x.md" differs: built 3 bytes sha256:ba7816bf8f01…, served 4 bytes sha256:88d4266fd4e6…: deploy this build`, URI: "skill://a/x.md", Skill: "a"},
		lint.Finding{Rule: "frontmatter-drift", Severity: lint.Error, Message: `field description differs: built "Ship it | now.", served "Ship it, @octocat"`, URI: "skill://a/SKILL.md", Skill: "a"},
	)
	r.Drift = []lint.SkillDrift{
		{Skill: "a", Status: lint.Changed, Cause: "the server serves another build: deploy this one", Files: []lint.FileDrift{
			{URI: manifest.NewURI("a/x.md"), Status: lint.Changed, Built: facts("abc"), Served: facts("abcd")},
			{URI: manifest.NewURI("a/y.md"), Status: lint.Missing, Built: facts("")},
		}, Frontmatter: []lint.FieldDrift{
			{Field: "description", Built: value("Ship it | now."), Served: value("Ship it, @octocat")},
			{Field: "metadata.version", Served: &manifest.Value{Kind: manifest.Number, Text: "2"}},
		}},
		{Skill: "b", Status: lint.Extra},
	}
	return r
}

func TestMarkdown(t *testing.T) {
	goldenReport(t, "report.markdown.golden", write(t, "markdown", sample(), Style{Color: true}))
	goldenReport(t, "drift.markdown.golden", write(t, "markdown", driftReport(), Style{}))
	got := write(t, "markdown", New("check", lint.Summary{Skills: 1, Files: 2, Bytes: 3}, nil, lint.Policy{}), Style{})
	if want := "### skillpack check: passed\n\n1 skill, 2 files, 3 bytes: nothing to report\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestVerdict(t *testing.T) {
	for want, r := range map[string]Report{
		"passed":                 {Complete: true, Summary: lint.Summary{Warnings: 1}},
		"failed":                 {Complete: true, Strict: true, Summary: lint.Summary{Warnings: 1}},
		"incomplete":             {},
		"failed, and incomplete": {Summary: lint.Summary{Errors: 1}},
	} {
		if got := r.verdict(); got != want {
			t.Errorf("%+v is %q, want %q", r, got, want)
		}
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	const n = 5000
	long := strings.Repeat("`@x|", 5000)
	r := &Report{Command: "lint", Complete: true, Summary: lint.Summary{Errors: n}, Server: &lint.ServerInfo{Name: long, Version: long, Protocol: long, Target: long}}
	for i := range n {
		name := fmt.Sprintf("%d%s", i, long)
		r.Findings = append(r.Findings, lint.Finding{Rule: "file-extra", Severity: lint.Error, Message: name, URI: name})
		r.Drift = append(r.Drift, lint.SkillDrift{Skill: name, Status: lint.Extra, Cause: name})
		r.Verification = append(r.Verification, lint.Verification{URI: name, Status: lint.Failed, Expected: name, Actual: name, Cause: name})
		r.Exclusions = append(r.Exclusions, lint.Exclusion{Pattern: name, Count: 1})
	}
	got := write(t, "markdown", r, Style{})
	if len(got) >= 60_000 {
		t.Errorf("%d bytes", len(got))
	}
	for _, what := range []string{"findings", "differences", "files"} {
		m := regexp.MustCompile(`\n([0-9,]+) more ` + what + ` are not shown here\.\n`).FindStringSubmatch(got)
		if m == nil || m[1] == message.Number(n) {
			t.Errorf("of the %s: %q", what, m)
		}
	}
}

func TestPipes(t *testing.T) {
	r := &Report{Findings: []lint.Finding{{Rule: "crlf", Severity: lint.Warning, Message: `"a|b" "c\|d"`, Path: `a|b\|c\\|d`}}}
	want := "| warning | `a\\|b\\\\x7cc\\\\\\x7cd` | `crlf` | `\"a\\|b\" \"c\\\\x7cd\"` |\n"
	if got := write(t, "markdown", r, Style{}); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestProse(t *testing.T) {
	for message, want := range map[string]string{
		"the skill is in the build, but not served":           "the skill is in the build, but not served",
		`file "notes (1).md" differs: built 1,089 bytes, new`: "file `\"notes (1).md\"` differs: built 1,089 bytes, new",
		"size 23.4 KiB (strict)":                              "size 23.4 KiB (strict)",
		"2 warnings (errors, with --strict)":                  "2 warnings (errors, with `--strict`)",
		"it is f(x)":                                          "it is `f(x)`",
		"ask @octocat, see #1":                                "ask `@octocat`, see `#1`",
		"<b>x</b> https://a.test/: y":                         "`<b>x</b> https://a.test/`: y",
		"a `b` c":                                             "a `` `b` `` c",
		"GH-1 and ABC-22":                                     "`GH-1` and `ABC-22`",
		"":                                                    "",
	} {
		if got := proseOf(message); got != want {
			t.Errorf("%q became %q, want %q", message, got, want)
		}
	}
}

// parseMarkdown reads text as GitHub does: with tables, strikethrough and bare links.
func parseMarkdown(source []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
}

func FuzzMarkdown(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, hostile string) {
		r := hostileReport(hostile)
		source := []byte(write(t, "markdown", r, Style{}))
		assertPlain(t, string(source))
		// What stands outside of code is only words, whatever the text was.
		var outside bytes.Buffer
		rows, tables := 0, 0
		err := ast.Walk(parseMarkdown(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.CodeSpan:
				outside.WriteByte(' ')
				return ast.WalkSkipChildren, nil
			case *ast.Text:
				outside.Write(n.Value(source))
				outside.WriteByte(' ')
			case *ast.Document, *ast.Paragraph, *ast.Heading, *east.TableCell, *east.TableHeader, *ast.TextBlock:
			case *east.Table:
				tables++
			case *east.TableRow:
				rows++
				if cells := n.ChildCount(); cells != n.Parent().FirstChild().ChildCount() {
					t.Errorf("a row of %d cells:\n%s", cells, source)
				}
			default:
				t.Errorf("%q makes a %s:\n%s", hostile, n.Kind(), source)
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if tables != 3 || rows != 3+2+2 {
			t.Errorf("%d tables with %d rows:\n%s", tables, rows, source)
		}
		if bad := regexp.MustCompile(`[^\p{L}0-9 .,;:()'-]`).FindString(outside.String()); bad != "" {
			t.Errorf("%q stands outside of code: %q", bad, outside.String())
		}
	})
}
