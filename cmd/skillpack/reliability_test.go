package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testCommand is a command of the tables of docs/reliability.md.
var testCommand = regexp.MustCompile("`go test (?:-[a-z]+ )*-run '?([^' ]+)'? (?:-[a-z]+ )*\\./([a-z/]+)`")

// TestReliabilityNamesTests: each row of a table of faults has a command, and
// every test that a command names is one of its package.
func TestReliabilityNamesTests(t *testing.T) {
	const doc = "../../docs/reliability.md" // TestFaultTable holds that of servers
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for line := range strings.Lines(string(text)) {
		commands := testCommand.FindAllStringSubmatch(line, -1)
		if n := strings.Count(line, "`go test "); n != len(commands) {
			t.Errorf("%s: %d of %d commands are of another form: %s", doc, n-len(commands), n, line)
		}
		if strings.HasPrefix(line, "| ") && len(commands) == 0 && !strings.HasSuffix(line, "| test |\n") {
			t.Errorf("%s: a row without a test: %s", doc, line)
		}
		for _, command := range commands {
			named++
			source := testSource(t, filepath.Join("../..", command[2]))
			for _, pattern := range strings.Split(strings.ReplaceAll(command[1], `\|`, "|"), "|") {
				test, sub, _ := strings.Cut(strings.Trim(pattern, "^$"), "/")
				if !strings.Contains(source, "\nfunc "+test+"(t *testing.T)") {
					t.Errorf("%s: package %s has no test %s", doc, command[2], test)
				}
				if sub = strings.ReplaceAll(strings.TrimSuffix(sub, "$"), "_", " "); test != "TestScripts" && !strings.Contains(source, sub) {
					t.Errorf("%s: %s has no case %q", doc, test, sub)
				} else if test == "TestScripts" {
					if _, err := os.Stat("../../testdata/script/" + sub + ".txtar"); err != nil {
						t.Errorf("%s: %v", doc, err)
					}
				}
			}
		}
	}
	if named == 0 {
		t.Errorf("%s names no test", doc)
	}
}

// testSource returns the text of all tests of a package.
func testSource(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(dir + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
