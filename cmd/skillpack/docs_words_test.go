package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
	"github.com/yuin/goldmark/ast"

	"github.com/skillpack/skillpack/lint"
)

// invocation finds this program in a line of shell, YAML or prose.
var invocation = regexp.MustCompile("(?:^|[\\s'\"(`/])skillpack ([a-z][^|;&>#`]*)")

// commandFaults says what is wrong with a line that names this program: a
// command or a flag that it does not have, a rule or a format that is unknown.
func commandFaults(line string) []string {
	var faults []string
	for _, m := range invocation.FindAllStringSubmatch(line, -1) {
		words := strings.Fields(m[1])
		for i := range words {
			words[i] = strings.Trim(words[i], `'",.:()[]{}`)
		}
		cmd := commandNamed(words[0])
		if cmd == nil {
			faults = append(faults, "there is no command skillpack "+words[0])
			continue
		}
		if i := slices.Index(words, "--"); i >= 0 {
			words = words[:i]
		}
		for i, word := range words[1:] {
			name, value, given := strings.Cut(word, "=")
			if !given && i+2 < len(words) {
				value = words[i+2]
			}
			if !strings.HasPrefix(name, "-") || name == "-" {
				continue
			}
			if flagNamed(cmd, name) == nil && name != "--help" && name != "-h" {
				faults = append(faults, "skillpack "+cmd.Name+" has no flag "+name)
			}
			switch name {
			case "--rule":
				id, _, _ := strings.Cut(value, "=")
				faults = append(faults, ruleFault(id)...)
			case "--output", "--format":
				format, _, _ := strings.Cut(value, ":")
				if cmd.Name != "rules" && strings.ToLower(format) == format {
					if err := validFormat(format); err != nil {
						faults = append(faults, err.Error())
					}
				}
			}
		}
	}
	return faults
}

func ruleFault(id string) []string {
	if _, err := lint.RuleNamed(id); err != nil && strings.ToLower(id) == id {
		return []string{err.Error()}
	}
	return nil
}

func commandNamed(name string) *cli.Command {
	top := root(nil, nil)
	if name == "completion" { // the library adds it when it runs
		return &cli.Command{Name: name}
	}
	return top.Command(name)
}

// anyFlag reports whether some command has a flag.
func anyFlag(name string) bool {
	return slices.ContainsFunc(root(nil, nil).Commands, func(c *cli.Command) bool { return flagNamed(c, name) != nil })
}

// others are what the documentation names of other programs: flags, and a word
// that is close to a rule's.
var others = []string{"--help", "--require-digests", "--all-files", "sarif-file", "-rf", "-turns", "-by", "-only", "-short"}

var (
	flagWord = regexp.MustCompile(`^--?[a-z][a-z-]*$`)
	ruleWord = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	ruleMark = regexp.MustCompile(`(?m) \[([a-z]+(?:-[a-z]+)*)\]$`)
)

// TestCommandLines holds every command line, flag and rule that a document or an
// example names against what there is.
func TestCommandLines(t *testing.T) {
	lines := 0
	look := func(at, line string) {
		if start := strings.TrimSpace(line); strings.HasPrefix(start, "#") || strings.HasPrefix(start, "description:") {
			return // prose
		}
		line, _, _ = strings.Cut(line, " # ")
		if invocation.MatchString(line) {
			lines++
		}
		for _, fault := range commandFaults(line) {
			t.Errorf("%s: %s: %s", at, strings.TrimSpace(line), fault)
		}
	}
	for _, d := range pages(t) {
		for _, b := range d.blocks {
			if slices.Contains([]string{"js", "python", "csharp"}, b.language) {
				continue // their comments are prose
			}
			for _, line := range logicalLines(b.text) {
				if b.language == "console" && !strings.HasPrefix(line, "$ ") {
					for _, m := range ruleMark.FindAllStringSubmatch(line, -1) {
						for _, fault := range ruleFault(m[1]) {
							t.Errorf("%s: %s", d.at(b.line), fault)
						}
					}
					continue // what a command printed
				}
				look(d.at(b.line), line)
			}
		}
		_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			span, ok := n.(*ast.CodeSpan)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			code := plain(span, d.source)
			if strings.HasPrefix(code, "skillpack ") || strings.HasPrefix(code, "go tool skillpack ") {
				look(d.path, code)
			}
			word, _, _ := strings.Cut(code, " ")
			word, _, _ = strings.Cut(word, "=")
			if flagWord.MatchString(word) && !anyFlag(word) && !slices.Contains(others, word) {
				t.Errorf("%s: no command has the flag %s", d.path, word)
			}
			if ruleWord.MatchString(code) && !slices.Contains(others, code) {
				if _, err := lint.RuleNamed(code); err != nil && strings.Contains(err.Error(), "meant?") {
					t.Errorf("%s: %v", d.path, err)
				}
			}
			return ast.WalkSkipChildren, nil
		})
	}
	for _, name := range exampleFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range logicalLines(string(text)) {
			look(name, line)
		}
	}
	if lines < 60 {
		t.Errorf("%d command lines: they are not found", lines)
	}
}

// logicalLines joins lines that end in a backslash, and the lines of a command
// that YAML folds: those that start with a flag.
func logicalLines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := len(all); n > 0 && (strings.HasSuffix(all[n-1], `\`) || strings.HasPrefix(strings.TrimSpace(line), "--")) {
			all[n-1] = strings.TrimSuffix(all[n-1], `\`) + " " + strings.TrimSpace(line)
			continue
		}
		all = append(all, line)
	}
	return all
}

// exampleFiles are what users copy beside the documentation.
func exampleFiles(t *testing.T) []string {
	var names []string
	for _, start := range []string{"examples/ci", ".pre-commit-hooks.yaml", "action.yml"} {
		_ = filepath.WalkDir(filepath.Join(repository, start), func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				names = append(names, name)
			}
			return nil // what is not there names nothing
		})
	}
	if len(names) == 0 {
		t.Error("no example is found")
	}
	return names
}

func TestCommandFaults(t *testing.T) {
	for line, want := range map[string]string{
		"$ skillpack build --check ./skills":                           "",
		"run: go tool skillpack lint --verify -m ./skills -- x --nope": "",
		"skillpack implements the rules":                               "there is no command skillpack implements",
		"$ skillpack build --verify ./skills":                          "skillpack build has no flag --verify",
		"$ skillpack check --rule crlff=off":                           `there is no rule "crlff": is crlf meant?`,
		"$ skillpack check --output sarf:x":                            `there is no format "sarf": is sarif meant?`,
		"$ skillpack serve --http :8080 | head --nope":                 "",
	} {
		if got := strings.Join(commandFaults(line), "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("commandFaults(%q) = %q, want %q", line, got, want)
		}
	}
}
