package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
)

func TestGitHub(t *testing.T) {
	want := `::error title=malformed-entry::the entry is null
::error title=file-extra::skill://a/x.md: m
::warning file=skills/a/x.md,title=crlf::CRLF
::error file=skills/pdf/SKILL.md,line=2,col=7,title=name-path-mismatch::the name is "a<b>" & more
::notice title=skillpack build::4 skills, 1,211 files, 23.4 KiB: 3 errors, 1 warning; 12 excluded (10 by **/drafts/**, 2 by .DS_Store)
`
	if got := write(t, "github", sample(), Style{Color: true}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := write(t, "github", New("check", lint.Summary{}, nil, lint.Policy{}), Style{}); got != "" {
		t.Errorf("nothing to report is %q", got)
	}
	if got := write(t, "github", &Report{Command: "lint"}, Style{}); got != "::notice title=skillpack lint::0 skills, 0 files, 0 bytes: no findings; incomplete\n" {
		t.Errorf("incomplete is %q", got)
	}
}

func TestGitHubSaysWhatIsNotShown(t *testing.T) {
	for n, hidden := range map[int]bool{10: false, 11: true} {
		var findings []lint.Finding
		for i := range n {
			findings = append(findings, lint.Finding{Rule: "crlf", Severity: lint.Warning, Message: "m", Path: fmt.Sprint(i)})
		}
		got := write(t, "github", New("check", lint.Summary{}, findings, lint.Policy{}), Style{})
		if strings.Contains(got, "GitHub shows 10 errors and 10 warnings of a step, the log has all") != hidden {
			t.Errorf("%d warnings:\n%s", n, got)
		}
	}
}

// TestGitHubPlacesServedThings holds that a served thing is shown at the file it
// was built from, where there is one.
func TestGitHubPlacesServedThings(t *testing.T) {
	r := New("lint", lint.Summary{}, []lint.Finding{{Rule: "file-changed", Severity: lint.Error, Message: "m", URI: "skill://a/x.md"}}, lint.Policy{})
	for source, want := range map[string]string{
		"skills/a/x.md": "::error file=skills/a/x.md,title=file-changed::skill://a/x.md: m\n",
		"":              "::error title=file-changed::skill://a/x.md: m\n",
	} {
		r.Source = func(string) string { return source }
		if got := write(t, "github", r, Style{}); !strings.HasPrefix(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestGitHubEscapes(t *testing.T) {
	r := New("check", lint.Summary{}, []lint.Finding{
		{Rule: "crlf", Severity: lint.Warning, Message: "50% a:b,c\r\n::error::x", Path: "a,line=1::b%\n.md", Line: 4},
	}, lint.Policy{})
	want := `::warning file=a%2Cline=1%3A%3Ab%25\n.md,line=4,title=crlf::50%25 a:b,c\r\n::error::x` + "\n"
	if got := write(t, "github", r, Style{}); !strings.HasPrefix(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// workflowCommand is a line as the runner takes it apart; in the values, a
// percent sign opens one of the escapes.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) (?:file=[^,:]*,(?:line=\d+,(?:col=\d+,)?)?)?title=[^,:]+::([^%]|%25)*$`)

func FuzzGitHub(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, text string) {
		r := hostileReport(text)
		got := write(t, "github", r, Style{})
		assertPlain(t, got)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != len(r.Findings)+1 {
			t.Fatalf("%d lines for %d findings:\n%s", len(lines), len(r.Findings), got)
		}
		for _, line := range lines {
			if !workflowCommand.MatchString(line) {
				t.Errorf("%q is not one command", line)
			}
		}
	})
}
