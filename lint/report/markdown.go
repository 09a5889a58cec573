package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// A comment on GitHub holds 65,536 characters. The report stays below, in
// bytes, and leaves each section room.
const (
	markdownMost     = 59_000
	markdownSections = 14_000 // kept free for each section that follows
	markdownCell     = 400    // characters of a cell
)

// writeMarkdown writes the report for a job summary or a comment on a pull
// request: the verdict, the counts, and a table each of findings, drift and
// failed verifications. Text that is not skillpack's own is in code spans.
func writeMarkdown(w io.Writer, r *Report, _ Style) error {
	var m markdown
	fmt.Fprintf(&m, "### skillpack %s: %s\n\n%s\n", r.Command, r.verdict(), proseOf(r.Closing()))
	if r.Reason != "" {
		fmt.Fprintf(&m, "\nNot complete: %s\n", codeSpan(r.Reason))
	}
	if s := r.Server; s != nil && s.Protocol != "" {
		fmt.Fprintf(&m, "\nServer: %s, protocol %s\n", codeSpan(s.Target), codeSpan(s.Protocol))
	}
	drift, failed := driftRows(r), failedRows(r.Verification)
	limit := markdownMost
	for _, later := range [][][]string{drift, failed} {
		if len(later) > 0 {
			limit -= markdownSections
		}
	}
	m.table(limit, "Findings", "findings", []string{"severity", "place", "rule", "message"}, findingRows(r.Findings))
	if len(drift) > 0 {
		if limit = markdownMost; len(failed) > 0 {
			limit -= markdownSections
		}
		sides := sidesOf(r.Command)
		m.table(limit, "Drift", "differences", []string{"skill", "difference", sides.Old, sides.New}, drift)
	}
	if len(r.Verification) > 0 {
		fmt.Fprintf(&m, "\n#### Verification\n\n%s\n", verdictCounts(r.Verification))
		m.table(markdownMost, "", "files", []string{"file", "verdict", "expected", "actual", "cause"}, failed)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// verdict is the report's outcome in a word.
func (r *Report) verdict() string {
	switch {
	case r.OK():
		return "passed"
	case r.Complete:
		return "failed"
	case r.Broken():
		return "failed, and incomplete"
	}
	return "incomplete"
}

// markdown is a text under construction.
type markdown struct{ strings.Builder }

// pipes escapes what would end a cell; only code spans hold it. After a backslash
// there is no escape that all readers of Markdown agree on, so there it is spelled.
var pipes = strings.NewReplacer(`\|`, `\\x7c`, `|`, `\|`)

// table writes a table, up to the size the text may then have, and how many
// rows there was no room for. Cells are Markdown, save that | is not escaped.
func (m *markdown) table(limit int, title, noun string, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	if title != "" {
		fmt.Fprintf(m, "\n#### %s\n", title)
	}
	fmt.Fprintf(m, "\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for i, row := range rows {
		for j := range row {
			row[j] = pipes.Replace(row[j])
		}
		line := "| " + strings.Join(row, " | ") + " |\n"
		if m.Len()+len(line) > limit {
			fmt.Fprintf(m, "\n%s more %s are not shown here.\n", message.Number(len(rows)-i), noun)
			return
		}
		m.WriteString(line)
	}
}

func findingRows(findings []lint.Finding) [][]string {
	rows := make([][]string, len(findings))
	for i, f := range findings {
		rows[i] = []string{f.Severity.String(), codeSpan(f.Place()), codeSpan(f.Rule), proseOf(f.Message)}
	}
	return rows
}

// sidesOf names the two sides that a command compares.
func sidesOf(command string) lint.Sides {
	switch command {
	case "build":
		return lint.SidesOfCheck
	case "diff":
		return lint.SidesOfDiff
	}
	return lint.SidesOfLint
}

// driftRows lists a row a skill, then one each for its files and fields.
func driftRows(r *Report) [][]string {
	var rows [][]string
	for _, d := range r.Drift {
		skill := codeSpan(d.Skill)
		what := string(d.Status)
		if d.Cause != "" {
			what += ": " + proseOf(d.Cause)
		}
		rows = append(rows, []string{skill, what, "", ""})
		for _, f := range d.Files {
			rows = append(rows, []string{skill, "file " + codeSpan(f.URI.String()) + " " + string(f.Status), factsSpan(f.Built), factsSpan(f.Served)})
		}
		for _, f := range d.Frontmatter {
			rows = append(rows, []string{skill, "field " + codeSpan(f.Field), valueSpan(f.Built), valueSpan(f.Served)})
		}
	}
	return rows
}

func factsSpan(f *lint.FileFacts) string {
	if f == nil {
		return "absent"
	}
	return codeSpan(f.String())
}

func valueSpan(v *manifest.Value) string {
	if v == nil {
		return "absent"
	}
	return codeSpan(lint.ShortValue(*v))
}

// verdicts are in the order in which they are counted.
var verdicts = []lint.Verdict{lint.Verified, lint.Mismatch, lint.Failed, lint.Unverifiable, lint.Skipped}

func verdictCounts(verifications []lint.Verification) string {
	var parts []string
	for _, v := range verdicts {
		if n := count(verifications, v); n > 0 {
			parts = append(parts, message.Number(n)+" "+string(v))
		}
	}
	return message.Counted(len(verifications), "file") + ": " + strings.Join(parts, ", ") + "."
}

func failedRows(verifications []lint.Verification) [][]string {
	var rows [][]string
	for _, v := range verifications {
		if v.Status == lint.Mismatch || v.Status == lint.Failed {
			rows = append(rows, []string{codeSpan(v.URI), string(v.Status), codeSpan(v.Expected), codeSpan(v.Actual), proseOf(v.Cause)})
		}
	}
	return rows
}
