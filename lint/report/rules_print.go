package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/lint"
)

// RuleFormats are the formats [WriteRules] knows.
var RuleFormats = []string{"text", "json", "markdown"}

// places are the places rules look at, in the order of the table, as their
// documentation calls them.
var places = []struct {
	where lint.Where
	about string
}{
	{lint.Tree, "the files on disk"},
	{lint.Entry, "one manifest entry, built or served"},
	{lint.Output, "the files the build writes"},
	{lint.Server, "the extension as a server declares and answers it"},
	{lint.Drift, "what was built against what is served"},
	{lint.Read, "the bytes fetched with `--verify`"},
}

// WriteRules writes a list of rules: as text, one a line; as JSON, an object
// with "schemaVersion" and the array "rules", to whose keys later versions only
// add; as Markdown, one page, or of one rule its section. It returns an error for
// any other format, and w's error.
func WriteRules(w io.Writer, format string, rules []lint.Rule) error {
	b := bufio.NewWriter(w)
	switch format {
	case "text":
		writeRulesText(b, rules)
	case "json":
		if err := writeRulesJSON(b, rules); err != nil {
			return err
		}
	case "markdown":
		if len(rules) == 1 {
			writeRuleMarkdown(b, rules[0]) // the page's introduction is about the list
		} else {
			writeRulesMarkdown(b, rules)
		}
	default:
		return fmt.Errorf("format %q is none of %s", format, strings.Join(RuleFormats, ", "))
	}
	return b.Flush()
}

func writeRulesText(b *bufio.Writer, rules []lint.Rule) {
	longest := 0
	for _, r := range rules {
		longest = max(longest, len(r.ID))
	}
	for _, r := range rules {
		fmt.Fprintf(b, "%-*s  %-7s  %-6s  %s\n", longest, r.ID, r.Severity, r.Where, r.Breaks)
	}
}

// ruleJSON fixes the keys of a rule and their order.
type ruleJSON struct {
	ID        string        `json:"id"`
	Severity  lint.Severity `json:"severity"`
	Where     lint.Where    `json:"where"`
	Required  bool          `json:"required"`
	Inspector bool          `json:"inspector"`
	Fixable   bool          `json:"fixable"`
	Breaks    string        `json:"breaks"`
	Why       string        `json:"why"`
	Bad       string        `json:"bad"`
	Good      string        `json:"good"`
	Fix       string        `json:"fix"`
	Spec      string        `json:"spec"`
}

func writeRulesJSON(w io.Writer, rules []lint.Rule) error {
	list := struct {
		SchemaVersion int        `json:"schemaVersion"`
		Rules         []ruleJSON `json:"rules"`
	}{1, make([]ruleJSON, len(rules))}
	for i, r := range rules {
		list.Rules[i] = ruleJSON{r.ID, r.Severity, r.Where, r.Required, r.Inspector, r.Fixable, r.Breaks, r.Why, r.Bad, r.Good, r.Fix, r.Spec}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

const rulesIntro = `# The rules

Every finding names a rule. ` + "`skillpack rules ID`" + ` prints its entry below.

The severity given here is the default. ` + "`--rule ID=error|warning|off`" + ` changes it for
a run and ` + "`rules:`" + ` in ` + "`skillpack.yaml`" + ` for a project; ` + "`--strict`" + ` lets warnings count as
errors. A rule marked **required** keeps its severity: a manifest that breaks it
would be wrong. A rule marked † is also a check of MCP Inspector, under the same
id and with the same meaning. Of a rule marked **--fix**, ` + "`skillpack check --fix`" + `
fixes the faults that need no guess.
`

func writeRulesMarkdown(b *bufio.Writer, rules []lint.Rule) {
	b.WriteString(rulesIntro)
	for _, p := range places {
		first := true
		for _, r := range rules {
			if r.Where != p.where {
				continue
			}
			if first {
				fmt.Fprintf(b, "\n## %s\n\nRules about %s.\n\n| id | severity | what breaks it |\n|---|---|---|\n", title(string(p.where)), p.about)
				first = false
			}
			fmt.Fprintf(b, "| [%s](#%[1]s)%s | %s | %s |\n", r.ID, dagger(r), r.Severity, strings.ReplaceAll(r.Breaks, "|", `\|`))
		}
		for _, r := range rules {
			if r.Where == p.where {
				b.WriteByte('\n')
				writeRuleMarkdown(b, r)
			}
		}
	}
}

func writeRuleMarkdown(b *bufio.Writer, r lint.Rule) {
	fmt.Fprintf(b, "### %s\n\n%s · %s%s%s\n\n", r.ID, r.Severity, r.Where, markdownMarks(r), dagger(r))
	fmt.Fprintf(b, "**What breaks it**: %s.\n\n%s\n\n", r.Breaks, r.Why)
	fmt.Fprintf(b, "Bad:\n\n```text\n%s\n```\n\nGood:\n\n```text\n%s\n```\n\n", r.Bad, r.Good)
	fmt.Fprintf(b, "**Fix**: %s\n\n**Rests on**: <%s>\n", r.Fix, r.Spec)
}

func markdownMarks(r lint.Rule) string {
	marks := ""
	if r.Required {
		marks += " · **required**"
	}
	if r.Fixable {
		marks += " · **--fix**"
	}
	return marks
}

func dagger(r lint.Rule) string {
	if r.Inspector {
		return " †"
	}
	return ""
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// WriteRule explains one rule as text, in lines of at most 80 columns except
// where a word or an example is longer. It returns w's error.
func WriteRule(w io.Writer, r lint.Rule) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s (%s, %s)\n", r.ID, r.Severity, r.Where)
	if r.Required {
		b.WriteString("required: its severity cannot be changed, its findings cannot be ignored\n")
	}
	if r.Inspector {
		b.WriteString("also a check of MCP Inspector, under the same id\n")
	}
	if r.Fixable {
		b.WriteString("skillpack check --fix fixes the faults of it that need no guess\n")
	}
	b.WriteByte('\n')
	writeWrapped(b, "breaks", r.Breaks)
	writeWrapped(b, "why", r.Why)
	writeExample(b, "bad", r.Bad)
	writeExample(b, "good", r.Good)
	writeWrapped(b, "fix", r.Fix)
	writeWrapped(b, "spec", r.Spec)
	return b.Flush()
}

// labelWidth is the width of the column of labels, its gap included.
const labelWidth = 8

func writeWrapped(b *bufio.Writer, label, text string) {
	const columns = 80
	fmt.Fprintf(b, "%-*s", labelWidth, label)
	at := labelWidth
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", labelWidth))
			at = labelWidth
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
}

func writeExample(b *bufio.Writer, label, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			b.WriteByte('\n')
			continue
		}
		fmt.Fprintf(b, "%-*s%s\n", labelWidth, label, line)
		label = ""
	}
}
