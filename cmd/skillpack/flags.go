package main

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// What a run takes when neither flag nor configuration says otherwise.
const (
	defaultSkills   = "./skills"
	defaultManifest = "skills.manifest.json"
	defaultGo       = "skills_gen.go"
	// stdoutPath as an output path puts the file on stdout and findings on stderr.
	stdoutPath = "-"
)

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
	const own = "; a file that build writes is part of no skill (default: "
	return []cli.Flag{
		&cli.StringFlag{Name: "prefix", Usage: "put `PATH` before every skill path, as in acme/billing"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "leave out what matches `GLOB` (repeatable; ** spans folders)"},
		&cli.BoolFlag{Name: "follow-symlinks", Usage: "follow symlinks whose target is inside DIR"},
		&cli.StringFlag{Name: "manifest", Usage: "the manifest `FILE`" + own + defaultManifest + ")"},
		&cli.StringFlag{Name: "go", Usage: "the Go `FILE`" + own + defaultGo + ")"},
	}
}

// settings is what a run does: flags over configuration over defaults.
type settings struct {
	dir      string
	manifest string // "" when the command has no such output
	goFile   string // "" with --no-go
	Package  string
	embed    string
	read     bundle.Options
	policy   lint.Policy
	report   reporting
}

// resolve reads the configuration and lays the flags over it.
func resolve(cmd *cli.Command) (settings, config.Config, error) {
	for _, name := range []string{"config", "manifest", "go", "package"} {
		if cmd.IsSet(name) && cmd.String(name) == "" {
			return settings{}, config.Config{}, usageError("--%s has an empty value: give it one, or leave it out", name)
		}
	}
	c, err := readConfig(cmd.String("config"))
	if err != nil {
		return settings{}, c, err
	}
	prefix := c.Prefix
	if cmd.IsSet("prefix") {
		prefix = cmd.String("prefix")
	}
	s := settings{
		manifest: cmp.Or(cmd.String("manifest"), c.Manifest, defaultManifest),
		goFile:   cmp.Or(cmd.String("go"), c.GoFile, defaultGo),
		Package:  cmp.Or(cmd.String("package"), c.Package),
		embed:    cmp.Or(cmd.String("embed"), c.Embed, config.EmbedModes[0]),
	}
	if cmd.Bool("no-go") && cmd.IsSet("go") {
		return s, c, usageError("--go and --no-go contradict each other: give one of them")
	}
	if cmd.Bool("no-go") || c.NoGo && !cmd.IsSet("go") {
		s.goFile = ""
	}
	if s.manifest == stdoutPath && s.goFile == stdoutPath {
		return s, c, usageError("only one output fits on stdout: give the manifest or the Go file a name, or add --no-go")
	}
	s.policy = c.Policy
	s.policy.Strict = cmd.Bool("strict")
	// A command that reads a directory puts that in its place.
	s.policy.Prefix, s.policy.Dir = prefix, filepath.ToSlash(filepath.Clean(cmp.Or(c.Skills, defaultSkills)))
	if info, err := os.Stat(s.manifest); err == nil && info.IsDir() { // lint -m DIR
		s.policy.Dir = filepath.ToSlash(filepath.Clean(s.manifest))
	}
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
		Prefix:         prefix,
		Exclude:        slices.Concat(c.Exclude, slashed(runtime.GOOS, cmd.StringSlice("exclude"))),
		FollowSymlinks: cmd.Bool("follow-symlinks"),
		// The names an earlier run may have used are left out as well: a file that
		// skillpack writes is never part of a skill.
		Own: ownFiles(s, c),
	}
	if s.report, err = newReporting(cmd, s); err != nil {
		return s, c, err
	}
	for _, o := range s.report.also {
		s.read.Own = append(s.read.Own, o.path)
	}
	if err := s.distinct(c); err != nil {
		return s, c, err
	}
	for _, o := range s.report.also {
		// With several servers the files have other names, see [reporting.forServer].
		if err := o.replaceable(); err != nil && !cmd.Bool("all-servers") {
			return s, c, err
		}
	}
	return s, c, nil
}

// slashed returns patterns as they were typed, on Windows with the slashes that
// patterns have in place of the backslashes that paths have there. No name has
// either, so that none is needed to escape * and ?.
func slashed(goos string, patterns []string) []string {
	out := slices.Clone(patterns)
	for i := range out {
		if goos == "windows" {
			out[i] = strings.ReplaceAll(out[i], `\`, "/")
		}
	}
	return out
}

// distinct refuses two files of one run at one place, and a place where no
// output can be meant.
func (s settings) distinct(c config.Config) error {
	type named struct{ what, path string }
	files := []named{{"the manifest", s.manifest}, {"the Go file", s.goFile}}
	for _, o := range s.report.also {
		files = append(files, named{"the " + o.format.Name + " report", o.path})
	}
	var known []named
	for _, f := range append([]named{{"the configuration", c.Path}}, files...) {
		if f.path == "" || f.path == os.DevNull {
			continue
		}
		if strings.EqualFold(filepath.Base(f.path), manifest.SkillFile) { // one file on macOS and Windows
			return usageError("%s would replace a skill's %s: give it another name", f.what, f.path)
		}
		for _, k := range known {
			switch {
			case samePlace(k.path, f.path):
				return usageError("%s and %s are both %q: give them two names", k.what, f.what, f.path)
			case strings.EqualFold(filepath.Clean(k.path), filepath.Clean(f.path)):
				return usageError("%s %q and %s %q are one file on macOS and Windows: give them two names", k.what, k.path, f.what, f.path)
			}
		}
		known = append(known, f)
	}
	return nil
}

// samePlace reports whether two paths name one file, also through links.
func samePlace(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// ownFiles lists the files that a build reads or writes itself.
func ownFiles(s settings, c config.Config) []string {
	own := []string{c.Path, s.manifest, cmp.Or(s.goFile, c.GoFile, defaultGo)}
	return slices.DeleteFunc(own, func(path string) bool { return path == "" || path == stdoutPath })
}

// directory sets the directory that a command's only argument names.
func (s *settings) directory(cmd *cli.Command, c config.Config) error {
	if cmd.Args().Len() > 1 {
		return usageError("one directory is expected, not %d (%s): put flags before or after it, each with its value", cmd.Args().Len(), strings.Join(cmd.Args().Slice(), " "))
	}
	if cmd.Args().Present() && cmd.Args().First() == "" {
		return usageError("the directory's name is empty: name one, or leave it out for %s", cmp.Or(c.Skills, defaultSkills))
	}
	s.dir = cmp.Or(cmd.Args().First(), c.Skills, defaultSkills)
	s.read.Dir = filepath.Clean(s.dir) // as findings name what lies in it
	s.policy.Dir = filepath.ToSlash(s.read.Dir)
	for i, pattern := range s.read.Exclude {
		// As a finding prints the path: from the working directory.
		if below, ok := strings.CutPrefix(strings.TrimPrefix(pattern, "./"), filepath.ToSlash(s.read.Dir)+"/"); ok && below != "" {
			s.read.Exclude[i] = "/" + below
		}
	}
	info, err := os.Stat(s.dir)
	switch {
	case err != nil && cmd.Args().Len() == 0 && c.Skills == "":
		if above := configAbove(); above != "" && c.Path == "" {
			return usageError("cannot read %s: %v; %s is read from the working directory only, and there is %s: run skillpack in its folder, or name the skills directory, as in skillpack %s DIR", s.dir, reason(err), config.File, above, cmd.Name)
		}
		return usageError("cannot read %s: %v; name the skills directory, as in skillpack %s DIR", s.dir, reason(err), cmd.Name)
	case err != nil && cmd.Args().Present() && c.Skills != "":
		return usageError("cannot read %s: %v; %s names %s: leave the directory out to take that", s.dir, reason(err), c.Path, c.Skills)
	case err != nil && c.Skills != "" && c.Path != "":
		return usageError("cannot read %s, which %s names: %v", s.dir, c.Path, reason(err))
	case err != nil:
		return usageError("cannot read %s: %v", s.dir, reason(err))
	case !info.IsDir():
		return usageError("%s is a file, not a skills directory: name the directory it lies in", s.dir)
	}
	return nil
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
