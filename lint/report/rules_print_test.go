package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillpack/skillpack/lint"
)

func TestWriteRulesText(t *testing.T) {
	var b bytes.Buffer
	rules := []lint.Rule{
		{ID: "short", Severity: lint.Error, Where: lint.Tree, Breaks: "a thing"},
		{ID: "much-longer", Severity: lint.Warning, Where: lint.Server, Breaks: "another"},
	}
	if err := WriteRules(&b, "text", rules); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"short        error    tree    a thing\n" +
		"much-longer  warning  server  another\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteRulesJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteRules(&b, "json", lint.Rules()); err != nil {
		t.Fatal(err)
	}
	var list struct {
		SchemaVersion int
		Rules         []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if list.SchemaVersion != 1 || len(list.Rules) != len(lint.Rules()) {
		t.Fatalf("schemaVersion %d and %d rules, want 1 and %d", list.SchemaVersion, len(list.Rules), len(lint.Rules()))
	}
	for i, r := range lint.Rules() {
		got := list.Rules[i]
		want := map[string]any{
			"id": r.ID, "severity": r.Severity.String(), "where": string(r.Where), "required": r.Required,
			"inspector": r.Inspector, "fixable": r.Fixable, "breaks": r.Breaks, "why": r.Why, "bad": r.Bad, "good": r.Good,
			"fix": r.Fix, "spec": r.Spec,
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("rule %s: %s is %v, want %v", r.ID, key, got[key], value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("rule %s has %d keys, want %d", r.ID, len(got), len(want))
		}
	}
}

func TestWriteRulesRefusesAFormat(t *testing.T) {
	var b bytes.Buffer
	err := WriteRules(&b, "yaml", lint.Rules())
	if err == nil || !strings.Contains(err.Error(), "text, json, markdown") {
		t.Errorf("error %v does not list the formats", err)
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes were written before the error", b.Len())
	}
}

func TestWriteRule(t *testing.T) {
	r := lint.Rule{
		ID: "an-example", Severity: lint.Error, Where: lint.Tree, Required: true, Inspector: true,
		Breaks: "a line that is longer than the eighty columns of a terminal, so that it has to be wrapped",
		Why:    "Because.", Bad: "one\n\n  two", Good: "three", Fix: "Do it.", Spec: "https://example.com/" + strings.Repeat("x", 80),
	}
	var b bytes.Buffer
	if err := WriteRule(&b, r); err != nil {
		t.Fatal(err)
	}
	want := `an-example (error, tree)
required: its severity cannot be changed, its findings cannot be ignored
also a check of MCP Inspector, under the same id

breaks  a line that is longer than the eighty columns of a terminal, so that it
        has to be wrapped
why     Because.
bad     one

          two
good    three
fix     Do it.
spec    ` + r.Spec + "\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteRuleFits(t *testing.T) {
	for _, r := range lint.Rules() {
		var b bytes.Buffer
		if err := WriteRule(&b, r); err != nil {
			t.Fatal(err)
		}
		prose, _, _ := strings.Cut(b.String(), "\nbad ")
		for line := range strings.SplitSeq(prose, "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: a line has %d columns: %s", r.ID, n, line)
			}
		}
	}
}
