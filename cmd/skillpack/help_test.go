package main

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
)

// TestEveryCommandHasExamples holds that the help of every command shows two
// command lines to start from.
func TestEveryCommandHasExamples(t *testing.T) {
	var walk func(path []string, cmd *cli.Command)
	walk = func(path []string, cmd *cli.Command) {
		var out strings.Builder
		if status := run(append(path, "--help"), &out, &out); status != exitOK {
			t.Errorf("%s --help: status %d\n%s", strings.Join(path, " "), status, out.String())
			return
		}
		_, examples, ok := strings.Cut(out.String(), "EXAMPLES:\n")
		count := 0
		for _, line := range strings.Split(examples, "\n") {
			line = strings.TrimSpace(line)
			if strings.HasSuffix(line, ":") {
				break // the next heading
			}
			if strings.HasPrefix(strings.TrimPrefix(line, "source <("), "skillpack") {
				count++
			}
		}
		if !ok || count < 2 {
			t.Errorf("%s --help: %d examples, want 2\n%s", strings.Join(path, " "), count, out.String())
		}
		for _, sub := range cmd.Commands {
			if sub.Name != "help" {
				walk(append(path[:len(path):len(path)], sub.Name), sub)
			}
		}
	}
	var out strings.Builder
	cmd := root(&out, &out)
	if err := cmd.Run(t.Context(), []string{"skillpack", "--version"}); err != nil { // adds the library's commands
		t.Fatal(err)
	}
	walk([]string{"skillpack"}, cmd)
	if cmd.Command("completion") == nil || cmd.Command("completion").Command("zsh") == nil {
		t.Error("there is no completion command")
	}
}
