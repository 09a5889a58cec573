//go:build unix

package main_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// faultDoc has a row for every hostile server.
const faultDoc = "../../docs/reliability-servers.md"

// faultTable is the document's part that this table of servers makes.
func faultTable() string {
	var b strings.Builder
	for _, l := range layers {
		servers := l.servers()
		fmt.Fprintf(&b, "\n### %s\n\n`go test ./cmd/skillpack -v -run 'TestHostileServers/%s/^FAULT$'`\n\n| fault | exit | it says |\n|---|---|---|\n", l.title, l.name)
		for _, h := range servers {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", h.name, outcome(h.exits), said(h))
		}
	}
	return b.String()
}

func outcome(exits []int) string {
	words := strings.Fields(strings.Trim(fmt.Sprint(exits), "[]"))
	return strings.Join(words, " or ")
}

func said(h hostile) string {
	switch s := strings.TrimSpace(h.says); {
	case s != "" && s != "skillpack:":
		return "`" + s + "`"
	case slices.Contains(h.exits, 0):
		return "nothing to report"
	case len(h.exits) > 1:
		return "what limit was met first: the size or the time"
	}
	return "the reason, in one line"
}

// The rows of the document are the servers of the tests. UPDATE_DOCS=1 writes
// them.
func TestFaultTable(t *testing.T) {
	doc, err := os.ReadFile(faultDoc)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- faults: made by TestFaultTable -->\n", "<!-- end of faults -->\n"
	before, rest, ok := strings.Cut(string(doc), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no part between %q and %q", faultDoc, begin, end)
	}
	want := faultTable() + "\n"
	if table == want {
		return
	}
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile(faultDoc, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for line := range strings.Lines(want) {
		if !strings.Contains(table, line) {
			t.Errorf("%s lacks the row %q: run the test with UPDATE_DOCS=1", faultDoc, line)
		}
	}
	t.Errorf("%s is not what the tests hold: run the test with UPDATE_DOCS=1", faultDoc)
}

// TestFaultNames holds that each fault has a name of its own in its layer, and
// one thing to say.
func TestFaultNames(t *testing.T) {
	for _, l := range layers {
		seen := map[string]bool{}
		for _, h := range l.servers() {
			if seen[h.name] {
				t.Errorf("two faults of %s are named %q", l.name, h.name)
			}
			seen[h.name] = true
			if strings.ContainsAny(h.name, "|/`") {
				t.Errorf("the name %q cannot stand in the table", h.name)
			}
			if len(h.exits) == 0 || h.says == "" && !slices.Equal(h.exits, clean) {
				t.Errorf("%s/%s: nothing is expected of it", l.name, h.name)
			}
		}
	}
}
