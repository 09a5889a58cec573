package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/schema"
)

// completionFlag is what the shells' scripts put behind the words typed so far,
// to ask for the next ones. It is the library's, which does not export it.
const completionFlag = "--generate-shell-completion"

// typedWords is the key of the command line: the flag parser keeps only what
// it could not use.
const typedWords = "typed words"

// candidate is a word that may come next, and what it means.
type candidate struct{ word, about string }

// typed returns the words of a command line without the request to complete it.
func typed(args []string) []string {
	if n := len(args); n > 0 && args[n-1] == completionFlag {
		return args[:n-1]
	}
	return args
}

// describeCompletion makes the library's completion command one of ours.
func describeCompletion(cmd *cli.Command) {
	cmd.Hidden = false
	cmd.HideHelpCommand = true
	cmd.OnUsageError = wrongUsage
	cmd.Usage = "print the script that completes words in bash, zsh, fish or PowerShell (pwsh)"
	cmd.UsageText = "skillpack completion bash|zsh|fish|pwsh\n\nEXAMPLES:\n   source <(skillpack completion bash)   # in .bashrc; the same with zsh in .zshrc, behind compinit\n   skillpack completion fish > ~/.config/fish/completions/skillpack.fish\n   skillpack completion pwsh > skillpack.ps1   # and run that file in the profile"
	cmd.Description = ""
	var shells []string
	for _, sub := range cmd.Commands {
		shells = append(shells, sub.Name)
		sub.HideHelpCommand = true
		sub.OnUsageError = wrongUsage
		sub.Usage = "print the script for " + sub.Name
		sub.UsageText = fmt.Sprintf("skillpack completion %[1]s\n\nEXAMPLES:\n   skillpack completion %[1]s\n   skillpack completion %[1]s > skillpack.%[1]s", sub.Name)
		if sub.Name == "fish" {
			sub.Action = withFiles(sub.Action)
		}
	}
	cmd.Action = func(_ context.Context, cmd *cli.Command) error {
		name := cmd.Args().First()
		if near, ok := lint.Closest(name, shells); ok {
			return usageError("there is no completion for %q: did you mean %q?", name, near)
		}
		return usageError("one shell is named: write skillpack completion %s", strings.Join(shells, "|"))
	}
	cmd.ShellComplete = complete
}

// withFiles adds to the script for fish that files are offered where there is
// nothing else, as the scripts for the other shells do by themselves.
func withFiles(script cli.ActionFunc) cli.ActionFunc {
	return func(ctx context.Context, cmd *cli.Command) error {
		if err := script(ctx, cmd); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.Root().Writer, "complete -c skillpack -n 'not count (__skillpack_perform_completion) >/dev/null' -F")
		return err
	}
}

// complete prints what may come next, one candidate a line, as "word:meaning".
// No line at all lets the shell offer files.
func complete(_ context.Context, cmd *cli.Command) {
	line, _ := cmd.Root().Metadata[typedWords].([]string)
	for _, c := range candidates(cmd, line) {
		if c.about == "" {
			fmt.Fprintln(cmd.Root().Writer, c.word)
			continue
		}
		fmt.Fprintf(cmd.Root().Writer, "%s:%s\n", c.word, c.about)
	}
}

// candidates returns the words that may follow the typed ones. Most shells hand
// over only whole words, and the current one when it starts with a hyphen;
// PowerShell hands over every current word.
func candidates(cmd *cli.Command, line []string) []candidate {
	last, before := "", ""
	if n := len(line); n > 1 {
		last, before = line[n-1], line[n-2]
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "-") {
		found := starting(value, valuesOf(cmd, name))
		for i := range found {
			found[i].word = name + "=" + found[i].word
		}
		return found
	}
	switch {
	case takesValue(cmd, last):
		return valuesOf(cmd, last)
	case strings.HasPrefix(last, "-") && flagNamed(cmd, last) == nil:
		return flagsOf(cmd, last)
	case takesValue(cmd, before):
		if found := starting(last, valuesOf(cmd, before)); len(found) > 0 {
			return found
		}
	}
	switch cmd.Name {
	case "rules":
		return argument(cmd, ruleIDs())
	case "schema":
		return argument(cmd, words(schema.Names()))
	}
	var subs []candidate
	for _, sub := range cmd.VisibleCommands() {
		subs = append(subs, candidate{sub.Name, sub.Usage})
	}
	return argument(cmd, subs)
}

// argument returns the candidates for a command's only argument: all while it
// is missing, those it is the start of while it is typed.
func argument(cmd *cli.Command, all []candidate) []candidate {
	switch cmd.Args().Len() {
	case 0:
		return all
	case 1:
		return starting(cmd.Args().First(), all)
	}
	return nil
}

// starting returns the candidates that continue a word.
func starting(word string, all []candidate) []candidate {
	return slices.DeleteFunc(all, func(c candidate) bool {
		return c.word == word || !strings.HasPrefix(c.word, word)
	})
}

// flagNamed returns the flag that a word such as --rule or -m names, or nil.
func flagNamed(cmd *cli.Command, word string) cli.Flag {
	name := strings.TrimLeft(word, "-")
	if name == word {
		return nil
	}
	for _, f := range cmd.VisibleFlags() {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func takesValue(cmd *cli.Command, word string) bool {
	f, ok := flagNamed(cmd, word).(cli.DocGenerationFlag)
	return ok && f.TakesValue()
}

// flagsOf returns the flags that a word of one or two hyphens and the start of
// a name may become.
func flagsOf(cmd *cli.Command, word string) []candidate {
	var found []candidate
	for _, f := range cmd.VisibleFlags() {
		about := ""
		if d, ok := f.(cli.DocGenerationFlag); ok {
			about = strings.ReplaceAll(d.GetUsage(), "`", "")
		}
		for _, name := range f.Names() {
			hyphens := "--"
			if len(name) == 1 {
				hyphens = "-"
			}
			found = append(found, candidate{hyphens + name, about})
		}
	}
	return starting(word, found)
}

// valuesOf returns the values of a flag, or none when it takes any text.
func valuesOf(cmd *cli.Command, flag string) []candidate {
	switch strings.TrimLeft(flag, "-") {
	case "rule":
		return ruleIDs()
	case "format":
		if cmd.Name == "rules" {
			return words(report.RuleFormats)
		}
		return formats()
	case "output":
		return formats()
	case "embed":
		return words(config.EmbedModes)
	case "color":
		return words([]string{"auto", "always", "never"})
	case "protocol":
		return words([]string{"auto", remote.Protocol2025, remote.Protocol2026})
	case "server":
		return serverNames(cmd.String("config"))
	}
	return nil
}

func words(list []string) []candidate {
	found := make([]candidate, len(list))
	for i, word := range list {
		found[i].word = word
	}
	return found
}

func ruleIDs() []candidate {
	var found []candidate
	for _, r := range lint.Rules() {
		found = append(found, candidate{r.ID, strings.ReplaceAll(r.Breaks, "`", "")})
	}
	return found
}

func formats() []candidate {
	var found []candidate
	for _, f := range report.Formats() {
		found = append(found, candidate{f.Name, f.About})
	}
	return found
}

// serverNames returns the servers of the configuration. One that cannot be read
// offers none: the command itself will say why. Bash expands what it is offered,
// and the file may be a stranger's; the reader takes only plain names.
func serverNames(path string) []candidate {
	c, err := readConfig(path)
	if err != nil {
		return nil
	}
	var found []candidate
	for _, s := range c.Servers {
		found = append(found, candidate{word: s.Name})
	}
	return found
}
