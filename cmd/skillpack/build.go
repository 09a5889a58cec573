package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/gofile"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "check a skills directory and write its manifest and Go file",
		ArgsUsage: "[DIR]",
		UsageText: "skillpack build [flags] [DIR]\n\nEXAMPLES:\n   skillpack build ./skills\n   skillpack build --check ./skills   # in CI: exit 1 when an output is stale",
		Flags: append(append(treeFlags(),
			&cli.BoolFlag{Name: "no-go", Usage: "write the manifest only"},
			&cli.StringFlag{Name: "package", Usage: "the Go file's package `NAME` (default: $GOPACKAGE, the package beside it, the folder's name)"},
			&cli.StringFlag{Name: "embed", Usage: "how the Go file holds the bytes, as `MODE`: auto, files or inline (default: auto)", Validator: oneOf("--embed", config.EmbedModes...)},
			&cli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 when an output is missing or stale"},
		), reportFlags()...),
		Action: build,
	}
}

func build(ctx context.Context, cmd *cli.Command) error {
	s, c, err := resolve(cmd)
	if err != nil {
		return err
	}
	if err := s.directory(cmd, c); err != nil {
		return err
	}
	if cmd.Bool("check") && (s.manifest == stdoutPath || s.goFile == stdoutPath) {
		return usageError("--check compares files: give the outputs names instead of -")
	}
	b, err := bundle.Read(ctx, s.read)
	if err != nil {
		return err
	}
	defer b.Close()
	r := newTreeReport("build", b, s.policy, b.Findings)
	if r.Broken() {
		if !cmd.Bool("check") {
			s.report.note("nothing was written: %s", "fix the errors first")
		}
		return s.report.print(r)
	}
	outputs, err := plan(s, b)
	if err != nil {
		return s.unfinished(r, err)
	}
	if cmd.Bool("check") {
		stale, drift, err := compare(cmd, s, b, outputs)
		if err != nil {
			return s.unfinished(r, err)
		}
		r = newTreeReport("build", b, s.policy, append(b.Findings, stale...))
		r.Drift = drift
		return s.report.print(r)
	}
	if err := write(ctx, cmd, s, outputs); err != nil {
		return s.unfinished(r, err)
	}
	s.report.note("fingerprint %s", b.Manifest.Fingerprint())
	return s.report.print(r)
}

// unfinished prints what was found although the job could not be done.
func (s settings) unfinished(r *report.Report, err error) error {
	r.Complete, r.Reason = false, err.Error()
	if printErr := s.report.print(r); printErr != nil && printErr.Error() != "" {
		return printErr
	}
	return &exitError{exitFailed, err}
}

// newTreeReport reports on a directory that was read.
func newTreeReport(command string, b *bundle.Bundle, p lint.Policy, findings []lint.Finding) *report.Report {
	r := report.New(command, b.Summary, findings, p)
	r.Exclusions = b.Excluded
	return r
}

// output is one file that a build writes.
type output struct {
	path  string
	what  string
	mark  string // what the start of any such file holds
	write func(io.Writer) error
}

// replaceable refuses to write over a file that no build has written: a slip in a
// flag must not cost anyone their work.
func (o output) replaceable() error {
	head, ok := headOf(o.path, 512)
	if ok && !bytes.Contains(head, []byte(o.mark)) {
		return usageError("%s exists and is no %s of a build, as it lacks %s: give the %s another name, or remove that file first", o.path, o.what, o.mark, o.what)
	}
	return nil
}

// headOf returns how the file at path begins. It is false for a path that holds
// nothing to be lost: no file, an empty one, a pipe, stdout. Whether it can be
// written shows when it is.
func headOf(path string, most int64) (head []byte, ok bool) {
	info, err := os.Stat(path)
	if path == stdoutPath || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	head, err = io.ReadAll(io.LimitReader(f, most))
	return head, err == nil
}

// plan decides what a build writes and how.
func plan(s settings, b *bundle.Bundle) ([]output, error) {
	outputs := []output{{s.manifest, "manifest", `"skills"`, b.Manifest.WriteJSON}}
	if s.goFile == "" {
		return outputs, nil
	}
	target := s.goFile
	if target == stdoutPath {
		target = defaultGo // decides the package and what can be embedded
	}
	pkg, err := gofile.PackageName(target, s.Package, os.Getenv("GOPACKAGE"))
	if err != nil {
		return nil, usageError("%w", err)
	}
	o := gofile.Options{Package: pkg, Open: b.Open}
	if s.embed != "inline" {
		prefix, why := planEmbed(b, target)
		switch {
		case why != nil && s.embed == "files":
			return nil, usageError("--embed files: %w; use --embed inline", why)
		case why != nil:
			s.report.note("the Go file holds the bytes inline: %v", why)
		default:
			o.Embed = func(uri manifest.URI) string {
				file, _ := b.File(uri)
				return path.Join(prefix, file)
			}
			if s.embed == "auto" {
				s.report.note("the Go file embeds the files: go:embed can carry all of them")
			}
		}
	}
	return append(outputs, output{s.goFile, "Go file", "Code generated by skillpack", func(w io.Writer) error { return gofile.Write(w, b.Manifest, o) }}), nil
}

// planEmbed asks whether go:embed can carry every file of the bundle.
func planEmbed(b *bundle.Bundle, goFile string) (prefix string, reason error) {
	linked := map[string]bool{}
	var files []string
	for _, skill := range b.Manifest.Skills {
		for _, r := range skill.Resources {
			file, link := b.File(r.URI)
			files, linked[file] = append(files, file), link
		}
	}
	return gofile.PlanEmbed(goFile, b.Dir, files, func(file string) bool { return linked[file] })
}

// write replaces the outputs, all or none of them.
func write(ctx context.Context, cmd *cli.Command, s settings, outputs []output) error {
	for _, o := range outputs {
		if err := o.replaceable(); err != nil {
			return err
		}
	}
	var files atomicfile.Outputs
	defer files.Abort()
	for _, o := range outputs {
		if o.path == stdoutPath {
			continue
		}
		changed, err := files.Stage(ctx, o.path, o.write)
		if err != nil {
			return fmt.Errorf("cannot write the %s: %w", o.what, err)
		}
		if !changed {
			s.report.note("%s is up to date", filepath.ToSlash(o.path))
		}
	}
	for _, o := range outputs {
		if o.path == stdoutPath {
			if err := o.write(cmd.Root().Writer); err != nil {
				return fmt.Errorf("cannot write the %s to stdout: %w", o.what, err)
			}
		}
	}
	written, err := files.Commit(ctx)
	if err != nil {
		return fmt.Errorf("cannot write the outputs: %w", err)
	}
	for _, path := range written {
		s.report.note("wrote %s", filepath.ToSlash(path))
	}
	return nil
}

// compare holds the outputs on disk against what a build would write now, and
// says which skills, files and fields differ.
func compare(cmd *cli.Command, s settings, b *bundle.Bundle, outputs []output) ([]lint.Finding, []lint.SkillDrift, error) {
	var findings []lint.Finding
	var drift []lint.SkillDrift
	again := againCommand(cmd, s)
	for _, o := range outputs {
		path := filepath.ToSlash(o.path)
		same, missing, err := atomicfile.Compare(o.path, o.write)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("cannot compare the %s: %w", o.what, err)
		case missing:
			otherwise := ""
			if o.path == s.goFile && !inGoModule(o.path) {
				otherwise = ", or write go: false in skillpack.yaml when no Go file is wanted"
			}
			findings = append(findings, lint.New("output-missing", "the %s does not exist: run %s%s", o.what, again, otherwise).At(path, 0, 0))
			continue
		case same:
			continue
		}
		details := []string{}
		if o.path == s.manifest {
			drift, details = staleSkills(o.path, b.Manifest)
		}
		if len(details) == 0 && len(drift) > 0 {
			details = []string{"the skills have changed, as the manifest shows"}
		}
		if len(details) == 0 && atomicfile.SameButLineEnds(o.path, o.write) {
			details = []string{fmt.Sprintf("its line ends are CRLF, as a checkout can make them: add a line like %q to .gitattributes", filepath.Base(o.path)+" -text")}
		}
		if len(details) == 0 {
			details = []string{"its text is not what a build writes"}
		}
		for _, detail := range details {
			findings = append(findings, lint.New("output-stale", "the %s is stale: %s: run %s", o.what, detail, again).At(path, 0, 0))
		}
	}
	return findings, drift, nil
}

// inGoModule reports whether a go.mod is beside a file or in a folder above it:
// where none is, the server may well be written in another language.
func inGoModule(file string) bool {
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return true // nothing is known, so nothing is proposed
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return false
		}
		folder = above
	}
}

// staleSkills names what changed since a manifest was written.
func staleSkills(path string, built manifest.Manifest) ([]lint.SkillDrift, []string) {
	old, err := readManifestFile(path, false)
	if err != nil {
		return nil, []string{strings.TrimPrefix(err.Error(), path+":")}
	}
	findings, drift := lint.Drifts(manifest.Diff(old, built), lint.SidesOfCheck)
	details := make([]string, len(findings))
	for i, f := range findings {
		details[i] = fmt.Sprintf("skill %s: %s", f.Skill, f.Message)
	}
	return drift, details
}
