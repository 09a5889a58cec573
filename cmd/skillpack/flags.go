package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint"
)

// What a run takes when neither flag nor configuration says otherwise.
const (
	defaultSkills   = "./skills"
	defaultManifest = "skills.manifest.json"
	defaultGo       = "skills_gen.go"
	// stdoutPath as an output path puts the file on stdout and findings on stderr.
	stdoutPath = "-"
)

// embedModes are the values of --embed.
var embedModes = []string{"auto", "files", "inline"}

// reportFlags are those of every command that makes findings.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "print findings as `FORMAT`: " + formatNames(), Value: "text", Validator: validFormat},
		&cli.StringSliceFlag{Name: "output", Usage: "also write a report to a file, as `FORMAT:FILE` (repeatable)"},
		&cli.StringSliceFlag{Name: "rule", Usage: "set a rule's severity, as `ID=error|warning|off` (repeatable)"},
		&cli.BoolFlag{Name: "strict", Usage: "let warnings fail the run, as errors do"},
		&cli.BoolFlag{Name: "quiet", Usage: "print findings only: no notes, no count"},
		&cli.StringFlag{Name: "color", Usage: "colour the text: auto, always or never (`WHEN`)", Value: "auto", Validator: oneOf("--color", "auto", "always", "never")},
		&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of skillpack.yaml"},
	}
}

// treeFlags are those of every command that reads a skills directory.
func treeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "prefix", Usage: "put `PATH` before every skill path, as in acme/billing"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "leave out what matches `GLOB` (repeatable; ** spans folders)"},
		&cli.BoolFlag{Name: "follow-symlinks", Usage: "follow symlinks whose target is inside DIR"},
		&cli.StringFlag{Name: "manifest", Usage: "the manifest `FILE`; - is stdout (default: " + defaultManifest + ")"},
		&cli.StringFlag{Name: "go", Usage: "the Go `FILE`; - is stdout (default: " + defaultGo + ")"},
	}
}

// settings is what a run does: flags over configuration over defaults.
type settings struct {
	dir      string
	manifest string // "" when the command has no such output
	goFile   string // "" with --no-go
	pkg      string
	embed    string
	read     bundle.Options
	policy   lint.Policy
	report   reporting
}

// resolve reads the configuration and lays the flags over it.
func resolve(cmd *cli.Command) (settings, config, error) {
	c, err := readConfig(cmd.String("config"))
	if err != nil {
		return settings{}, c, err
	}
	s := settings{
		manifest: first(cmd.String("manifest"), c.manifest, defaultManifest),
		goFile:   first(cmd.String("go"), c.goFile, defaultGo),
		pkg:      first(cmd.String("package"), c.pkg),
		embed:    first(cmd.String("embed"), c.embed, embedModes[0]),
	}
	if cmd.Bool("no-go") && cmd.IsSet("go") {
		return s, c, usageError("--go and --no-go contradict each other: give one of them")
	}
	if cmd.Bool("no-go") || c.noGo && !cmd.IsSet("go") {
		s.goFile = ""
	}
	if s.manifest == stdoutPath && s.goFile == stdoutPath {
		return s, c, usageError("only one output fits on stdout: give the manifest or the Go file a name, or add --no-go")
	}
	if s.goFile != "" && s.goFile != stdoutPath && filepath.Clean(s.goFile) == filepath.Clean(s.manifest) {
		return s, c, usageError("the manifest and the Go file are both %q: give them two names", s.manifest)
	}
	s.policy = c.policy
	s.policy.Strict = cmd.Bool("strict")
	for _, text := range cmd.StringSlice("rule") {
		id, severity, err := lint.ParseRuleFlag(text)
		if err == nil {
			err = s.policy.Set(id, severity)
		}
		if err != nil {
			return s, c, &exitError{exitFailed, err}
		}
	}
	s.read = bundle.Options{
		Prefix:         first(cmd.String("prefix"), c.prefix),
		Exclude:        slices.Concat(c.exclude, cmd.StringSlice("exclude")),
		FollowSymlinks: cmd.Bool("follow-symlinks"),
		// The names an earlier run may have used are left out as well: a file that
		// skillpack writes is never part of a skill.
		Own: ownFiles(s, c),
	}
	s.report, err = newReporting(cmd, s)
	return s, c, err
}

// ownFiles lists the files that a build reads or writes itself.
func ownFiles(s settings, c config) []string {
	own := []string{c.path, s.manifest, first(s.goFile, c.goFile, defaultGo)}
	return slices.DeleteFunc(own, func(path string) bool { return path == "" || path == stdoutPath })
}

// directory sets the directory that a command's only argument names.
func (s *settings) directory(cmd *cli.Command, c config) error {
	if cmd.Args().Len() > 1 {
		return usageError("one directory is expected, not %d (%s): put flags before or after it, each with its value", cmd.Args().Len(), strings.Join(cmd.Args().Slice(), " "))
	}
	s.dir = first(cmd.Args().First(), c.skills, defaultSkills)
	s.read.Dir = filepath.Clean(s.dir) // as findings name what lies in it
	s.policy.Dir = s.read.Dir
	info, err := os.Stat(s.dir)
	switch {
	case err != nil && cmd.Args().Len() == 0 && c.skills == "":
		return usageError("cannot read %s: %v; name the skills directory, as in skillpack %s DIR", s.dir, reason(err), cmd.Name)
	case err != nil:
		return usageError("cannot read %s: %v", s.dir, reason(err))
	case !info.IsDir():
		return usageError("%s is a file, not a skills directory: name the directory it lies in", s.dir)
	}
	return nil
}

// first returns the first of its arguments that says something.
func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

func oneOf(flag string, values ...string) func(string) error {
	return func(v string) error {
		if slices.Contains(values, v) {
			return nil
		}
		if near, ok := lint.Closest(v, values); ok {
			return usageError("%s %q: did you mean %q?", flag, v, near)
		}
		return usageError("%s %q is none of %s", flag, v, strings.Join(values, ", "))
	}
}
