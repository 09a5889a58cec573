package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/internal/lazyregexp"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

func main() { os.Exit(run(os.Args, os.Stdout, os.Stderr)) }

// patience is how long an interrupted run may take to end by itself: one that is
// stuck in a pipe never would.
const patience = 12 * time.Second

// run is the process: its arguments, its two streams, its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	// Libraries log what this program says in its own words, or not at all.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	unwatch := context.AfterFunc(ctx, func() {
		stop() // the second signal ends the process at once
		time.Sleep(patience)
		os.Exit(exitFailed)
	})
	defer unwatch() // before stop, which ends ctx as well
	cmd := root(stdout, stderr)
	args, command := splitCommand(args)
	cmd.Metadata = map[string]any{serverCommand: command, typedWords: typed(args)}
	err := cmd.Run(ctx, args)
	if ctx.Err() != nil && !errors.Is(err, errStopped) {
		err = &exitError{exitFailed, fmt.Errorf("interrupted: nothing was replaced that was not complete")}
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintf(stderr, "skillpack: %s\n", message.Plain(err.Error()))
		for _, line := range printedBy(err) {
			fmt.Fprintln(stderr, message.Plain(line))
		}
	}
	return statusOf(err)
}

// root is the command that holds the others.
func root(stdout, stderr io.Writer) *cli.Command {
	cmd := &cli.Command{
		Name:      "skillpack",
		Version:   version(),
		Usage:     "compile Agent Skills for MCP servers, and check that servers serve them",
		Writer:    stdout,
		ErrWriter: stderr,
		UsageText: "skillpack COMMAND [flags] [arguments]\n\nEXAMPLES:\n   skillpack build ./skills\n   skillpack lint --verify https://mcp.example.com/mcp",

		EnableShellCompletion:           true,
		ConfigureShellCompletionCommand: describeCompletion,
		Commands: []*cli.Command{
			buildCommand(), checkCommand(), lintCommand(), diffCommand(), serveCommand(), rulesCommand(), schemaCommand(),
			initCommand(), versionCommand(), manCommand(),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if name := cmd.Args().First(); name != "" {
				return unknownCommand(cmd, name)
			}
			return cli.ShowRootCommandHelp(cmd)
		},
	}
	for _, sub := range append(cmd.Commands, cmd) {
		// A value may hold commas: a glob, a header.
		sub.DisableSliceFlagSeparator = true
		sub.OnUsageError = wrongUsage
		sub.ShellComplete = complete
		sub.ExitErrHandler = func(context.Context, *cli.Command, error) {} // run sets the status
		if sub != cmd {
			sub.HideHelpCommand = true // a directory may be named help
		}
	}
	return cmd
}

func unknownCommand(cmd *cli.Command, name string) error {
	var names []string
	for _, sub := range cmd.VisibleCommands() {
		names = append(names, sub.Name)
	}
	if near, ok := lint.Closest(name, names); ok {
		return usageError("unknown command %q: did you mean %q?", name, near)
	}
	return usageError("unknown command %q: the commands are %s", name, strings.Join(names, ", "))
}

// switchWithValue is what the flag parser says of a flag that is on or off and
// was given another value.
var switchWithValue = lazyregexp.New(`^(?s)invalid (?:boolean )?value ".*" for (?:flag )?-+([a-z-]+): .*(?:ParseBool|parse error)`)

// wrongUsage turns what the flag parser says into one line that names the way out.
func wrongUsage(_ context.Context, cmd *cli.Command, err error, _ bool) error {
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		name = strings.TrimLeft(name, "-")
		var names []string
		for _, f := range cmd.Flags {
			names = append(names, f.Names()...)
		}
		if near, ok := lint.Closest(name, names); ok {
			return usageError("unknown flag --%s: did you mean --%s?", name, near)
		}
		return usageError("unknown flag --%s: see %s --help", name, cmd.FullName())
	}
	if name, ok := strings.CutPrefix(msg, "flag needs an argument: "); ok {
		return usageError("flag %s needs a value: see %s --help", name, cmd.FullName())
	}
	if m := switchWithValue().FindStringSubmatch(msg); m != nil {
		return usageError("--%s takes no value: write --%[1]s, or leave it out", m[1])
	}
	if _, own, ok := strings.Cut(msg, ": --"); ok && strings.HasPrefix(msg, "invalid value ") {
		return usageError("--%s", own) // a validator of ours has said it all
	}
	return usageError("%s: see %s --help", msg, cmd.FullName())
}
