package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/lint/remote"
)

// serverFlags are those of lint that only make sense for a server.
func serverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-manifest", Usage: "compare with nothing built: the rules only"},
		&cli.BoolFlag{Name: "verify", Usage: "read every listed file and hold its bytes against the listing"},
		&cli.BoolFlag{Name: "conformance", Usage: "call every method of the extension for every skill"},
		&cli.StringSliceFlag{Name: "header", Usage: "send `'NAME: VALUE'`; ${VAR} comes from the environment (repeatable)"},
		&cli.StringFlag{Name: "scope", Usage: "look only at skills whose URI starts with `PREFIX`"},
		&cli.BoolFlag{Name: "allow-extra", Usage: "accept served skills that were not built"},
		&cli.BoolFlag{Name: "keep-going", Usage: "with --verify: read on in a skill whose SKILL.md failed"},
		&cli.IntFlag{Name: "concurrency", Usage: "have `N` requests under way at once", Value: remote.DefaultConcurrency, Validator: positive},
		&cli.DurationFlag{Name: "wait", Usage: "keep trying to connect for `DURATION`, as for a server that is starting", Validator: notNegative},
		&cli.DurationFlag{Name: "timeout", Usage: "end the whole run after `DURATION`", Value: 10 * time.Minute, Validator: positiveTime},
		&cli.StringFlag{Name: "protocol", Usage: "speak `REVISION`: auto, " + remote.Protocol2025 + " or " + remote.Protocol2026, Value: "auto", Validator: oneOf("--protocol", "auto", remote.Protocol2025, remote.Protocol2026)},
		&cli.StringFlag{Name: "mcp-config", Usage: "take the server from the mcpServers of an editor's `FILE`"},
		&cli.StringFlag{Name: "server", Usage: "lint the server `NAME` of skillpack.yaml or of --mcp-config"},
		&cli.BoolFlag{Name: "all-servers", Usage: "lint every server of skillpack.yaml, side by side"},
	}
}

func lintCommand() *cli.Command {
	flags := slices.Concat(treeFlags(), serverFlags(), reportFlags())
	for _, f := range flags {
		if s, ok := f.(*cli.StringFlag); ok && s.Name == "manifest" {
			s.Aliases = []string{"m"}
			s.Usage = "compare with the manifest `FILE`, or with what the directory builds to (default: " + defaultManifest + ")"
		}
	}
	return &cli.Command{
		Name:      "lint",
		Usage:     "check that a running server serves what was built",
		ArgsUsage: "URL | DIR",
		UsageText: "skillpack lint [flags] URL\nskillpack lint [flags] -- COMMAND [ARG...]\nskillpack lint [flags] --server NAME | --all-servers\nskillpack lint [flags] DIR   (the same as check DIR)\n\n" +
			"EXAMPLES:\n   skillpack lint --verify https://mcp.example.com/mcp\n   skillpack lint --header 'Authorization: Bearer ${TOKEN}' -m ./skills https://mcp.example.com/mcp\n   skillpack lint --verify --conformance -- go run ./cmd/server",
		Flags:  flags,
		Action: lintAction,
	}
}

// serverCommand is the key of what stood behind "--" on the command line: the
// flag parser does not tell it from other arguments.
const serverCommand = "server command"

// splitCommand takes the command behind "--" off the arguments of lint.
func splitCommand(args []string) (own, command []string) {
	if len(args) < 2 || args[1] != "lint" || args[len(args)-1] == completionFlag {
		return args, nil
	}
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

func lintAction(ctx context.Context, cmd *cli.Command) error {
	s, c, err := resolve(cmd)
	if err != nil {
		return err
	}
	command, _ := cmd.Root().Metadata[serverCommand].([]string)
	if isDirectory(cmd, command) {
		for _, f := range serverFlags() {
			if cmd.IsSet(f.Names()[0]) {
				return usageError("--%s needs a server, and %s is a directory: name a URL, or -- and a command", f.Names()[0], cmd.Args().First())
			}
		}
		if err := s.directory(cmd, c); err != nil {
			return err
		}
		return checkTree(ctx, cmd.Name, s)
	}
	// A server decides how much is read: let the collector run sooner instead.
	debug.SetMemoryLimit(memoryGoal)
	remote.AdoptOrphans()
	targets, err := targetsOf(cmd, c, command)
	if err != nil {
		return err
	}
	built, err := readBuilt(ctx, cmd, s, c)
	if err != nil {
		return err
	}
	defer built.close()
	ctx, cancel := context.WithTimeout(ctx, cmd.Duration("timeout"))
	defer cancel()
	return lintAll(ctx, cmd, s, targets, built)
}

// memoryGoal is what a check of a server should do with, in bytes.
const memoryGoal = 768 << 20

func isDirectory(cmd *cli.Command, command []string) bool {
	if cmd.Args().Len() != 1 || command != nil || strings.Contains(cmd.Args().First(), "://") {
		return false
	}
	_, err := os.Stat(cmd.Args().First())
	return err == nil
}

// target is a server to lint and what to do with it.
type target struct {
	name   string
	server remote.Target
	verify bool
	err    error // why it cannot be linted, when it is one of several
}

// targetsOf finds the servers that the command line names, in one of five ways.
func targetsOf(cmd *cli.Command, c config.Config, command []string) ([]target, error) {
	name, all, editor := cmd.String("server"), cmd.Bool("all-servers"), cmd.String("mcp-config")
	ways := 0
	if all && editor != "" {
		return nil, usageError("--all-servers takes the servers of %s, and --mcp-config names another file: give --server NAME with it", cmp.Or(c.Path, config.File))
	}
	for _, given := range []bool{cmd.Args().Present(), command != nil, name != "" || editor != "", all} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return nil, noServer(c)
	case ways > 1:
		return nil, usageError("more than one server is named: give one of URL, -- COMMAND, --server and --all-servers")
	case cmd.Args().Len() > 1 && !slices.ContainsFunc(cmd.Args().Slice(), func(a string) bool { return strings.Contains(a, ":") }):
		return nil, usageError("%d arguments stand where one URL is expected: to start a server write -- before its command", cmd.Args().Len())
	case cmd.Args().Len() > 1:
		// The arguments are not shown: a header without its quotes is among them.
		return nil, usageError("one URL is expected, not %d arguments: put a header in quotes, and flags before or after the URL", cmd.Args().Len())
	}
	headers, verify := cmd.StringSlice("header"), cmd.Bool("verify")
	switch {
	case command != nil:
		if len(command) == 0 {
			return nil, usageError("no command stands behind --: write skillpack lint -- COMMAND [ARG...]")
		}
		if len(headers) > 0 {
			return nil, usageError("--header goes with a URL: a command reads its environment")
		}
		return []target{{server: remote.Target{Command: command}, verify: verify}}, nil
	case cmd.Args().Present():
		url := cmd.Args().First()
		if !strings.Contains(url, "://") {
			if i := strings.LastIndexByte(url, '@'); i >= 0 {
				url = "…" + url[i:] // a URL without its scheme, and with a password
			}
			url, _, _ = strings.Cut(url, "?")
			return nil, usageError("%s is neither a directory nor a URL: write https://HOST/PATH, or -- and a command", url)
		}
		var t remote.Target
		var err error
		if t.URL, err = t.Expand(url); err == nil {
			err = t.AddHeaders(headers)
		}
		if err != nil {
			return nil, usageError("%w", err)
		}
		return []target{{server: t, verify: verify}}, nil
	case editor != "":
		t, err := editorTarget(editor, name)
		if err != nil {
			return nil, err
		}
		t.HeaderSource = "its headers in " + editor
		if err := addHeaders(&t, headers); err != nil {
			return nil, usageError("%w", err)
		}
		return []target{{name: name, server: t, verify: verify}}, nil
	}
	return configured(c, name, headers, verify)
}

// addHeaders lays those of --header over a target's own.
func addHeaders(t *remote.Target, lines []string) error {
	if len(lines) > 0 {
		own := len(t.Header) > 0
		if t.HeaderSource = "--header and " + t.HeaderSource; !own {
			t.HeaderSource = ""
		}
	}
	return t.AddHeaders(lines)
}

// configured returns the servers of skillpack.yaml: the named one, or all. Of all,
// one that lacks a variable fails by itself.
func configured(c config.Config, name string, headers []string, verify bool) ([]target, error) {
	var targets []target
	var names, withheld []string
	for _, s := range c.Servers {
		names = append(names, s.Name)
		withheld = append(withheld, remote.Variables(s.URL)...)
		for _, h := range s.Headers {
			withheld = append(withheld, remote.Variables(h.Value)...)
		}
	}
	for _, s := range c.Servers {
		if name != "" && s.Name != name {
			continue
		}
		t := target{name: s.Name, verify: verify || s.Verify}
		t.server.Withheld = withheld
		t.server.HeaderSource = "headers: of server " + s.Name + " in " + c.Path
		err := fill(&t.server, s)
		if err == nil && s.URL != "" {
			err = addHeaders(&t.server, headers)
		}
		if err != nil {
			t.err = usageError("server %s: %w", s.Name, err)
		}
		if t.err != nil && name != "" {
			return nil, t.err
		}
		targets = append(targets, t)
	}
	switch {
	case len(names) == 0:
		return nil, usageError("there are no servers: add servers: to %s", cmp.Or(c.Path, config.File))
	case len(targets) == 0:
		return nil, usageError("there is no server %q: %s has %s", name, c.Path, strings.Join(names, ", "))
	}
	return targets, nil
}

// fill sets the target to a server of the configuration, its variables expanded.
func fill(t *remote.Target, s config.Server) (err error) {
	if t.URL, err = t.Expand(s.URL); err != nil {
		return fmt.Errorf("url: %w", err)
	}
	for _, arg := range s.Command {
		expanded, err := t.Expand(arg)
		if err != nil {
			return fmt.Errorf("command: %w", err)
		}
		t.Command = append(t.Command, expanded)
	}
	for _, e := range s.Env {
		value, err := t.Expand(e.Value)
		if err != nil {
			return fmt.Errorf("env %s: %w", e.Name, err)
		}
		t.Env = append(t.Env, e.Name+"="+value)
	}
	var lines []string
	for _, h := range s.Headers {
		line, err := remote.HeaderLine(h.Name, h.Value)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return t.AddHeaders(lines)
}

// editorTarget reads a server from an editor's file.
func editorTarget(path, name string) (remote.Target, error) {
	if strings.HasPrefix(strings.TrimSpace(path), "{") {
		return remote.Target{}, usageError("--mcp-config names a file, and this is the JSON itself: write it to a file") // not shown: it may hold a token
	}
	text, err := readInput(path, maxConfig, true)
	if err != nil {
		return remote.Target{}, usageError("cannot read %s: %w", path, err)
	}
	t, err := remote.ParseEditorConfig(text, name)
	if err != nil {
		return t, usageError("%s %w", path, err)
	}
	return t, nil
}

func positive(n int) error {
	if n < 1 || n > 256 {
		return usageError("--concurrency %d: a number from 1 to 256 is expected", n)
	}
	return nil
}

func notNegative(d time.Duration) error {
	if d < 0 {
		return usageError("--wait %v: a time such as 30s is expected", d)
	}
	return nil
}

func positiveTime(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("--timeout %v: a time such as 5m is expected", d)
	}
	return nil
}
