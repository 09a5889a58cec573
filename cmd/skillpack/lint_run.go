package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/manifest"
)

// built is what a server is compared with: a manifest, and, when it was made
// from a directory, the bytes and the manifest file that lies beside it.
type built struct {
	manifest  *manifest.Manifest // nil with --no-manifest
	bundle    *bundle.Bundle     // nil without a directory
	committed *manifest.Manifest // nil without both
	file      string             // the manifest file, whether or not it exists
}

func (b built) close() {
	if b.bundle != nil {
		b.bundle.Close()
	}
}

// readBuilt reads what --manifest names.
func readBuilt(ctx context.Context, cmd *cli.Command, s settings, c config.Config) (built, error) {
	if cmd.Bool("no-manifest") {
		if cmd.IsSet("manifest") {
			return built{}, usageError("--manifest and --no-manifest contradict each other: give one of them")
		}
		return built{}, nil
	}
	info, err := os.Stat(s.manifest)
	switch {
	case errors.Is(err, os.ErrNotExist) && !cmd.IsSet("manifest"):
		return built{}, usageError("%s does not exist: run skillpack build, name a manifest or a skills directory with -m, or compare with nothing by --no-manifest", s.manifest)
	case err != nil:
		return built{}, usageError("cannot read %s: %v", s.manifest, reason(err))
	case !info.IsDir():
		m, err := readManifestFile(s.manifest, cmd.IsSet("manifest"))
		return built{manifest: &m, file: s.manifest}, err
	}
	s.read.Dir = s.manifest
	b, err := readComparable(ctx, s.read)
	if err != nil {
		return built{}, err
	}
	result := built{manifest: &b.Manifest, bundle: b, file: cmp.Or(c.Manifest, defaultManifest)}
	if _, err := os.Stat(result.file); err == nil {
		committed, err := readManifestFile(result.file, false)
		if err != nil {
			b.Close()
			return built{}, err
		}
		result.committed = &committed
	}
	return result, nil
}

// bytesOf returns the reader of built bytes, nil when they are not at hand.
func (b built) bytesOf() func(manifest.URI) ([]byte, error) {
	if b.bundle == nil {
		return nil
	}
	return func(uri manifest.URI) ([]byte, error) {
		f, err := b.bundle.Open(uri)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, manifest.MaxBytes))
	}
}

// source returns what finds the file behind a URI, nil when the built thing is
// a manifest alone.
func (b built) source() func(uri string) string {
	if b.bundle == nil {
		return nil
	}
	return sourceOf(b.bundle)
}

// sourceOf returns what finds the file of the bundle behind a URI, whatever its
// spelling.
func sourceOf(b *bundle.Bundle) func(uri string) string {
	return func(uri string) string {
		u, err := manifest.ParseURI(uri)
		if err != nil {
			return ""
		}
		file, _ := b.File(u)
		if file == "" {
			return ""
		}
		return filepath.ToSlash(filepath.Join(b.Dir, file))
	}
}

// noServer says that the command line names no server, and those it could name.
func noServer(c config.Config) error {
	if len(c.Servers) == 0 {
		return usageError("no server is named: write skillpack lint URL, skillpack lint -- COMMAND, or --server NAME")
	}
	var names []string
	for _, s := range c.Servers {
		names = append(names, s.Name)
	}
	return usageError("no server is named: write --server NAME with one of %s (%s), --all-servers, skillpack lint URL, or skillpack lint -- COMMAND", c.Path, strings.Join(names, ", "))
}

// lintAll lints the servers side by side and prints one report each, in their
// order. The worst exit status is that of the run.
func lintAll(ctx context.Context, cmd *cli.Command, s settings, targets []target, b built) error {
	outcomes := make([]outcome, len(targets))
	var running sync.WaitGroup
	for i, t := range targets {
		running.Go(func() {
			outcomes[i] = lintServer(ctx, cmd, s, t, b, len(targets) == 1)
		})
	}
	running.Wait()
	worst := error(nil)
	for i := range outcomes {
		o := &outcomes[i]
		out := s.report.forServer(targets[i].name, len(targets) > 1)
		if len(targets) > 1 {
			out.note("server %s", targets[i].name)
		}
		for _, n := range o.notes {
			out.note("%s", n)
		}
		err := out.print(o.report)
		if o.err != nil {
			err = o.err
			if len(targets) > 1 {
				out.say("skillpack: %v", o.err)
				for _, line := range printedBy(o.err) {
					out.say("%s", line)
				}
			}
		}
		if statusOf(err) > statusOf(worst) {
			worst = err
		}
	}
	if len(targets) > 1 && worst != nil {
		return &exitError{status: statusOf(worst)} // each reason is printed with its server
	}
	return worst
}

// outcome is what the check of one server came to. There is always a report; the
// error says why the check could not be done, or not completely.
type outcome struct {
	report *report.Report
	notes  []string
	err    error
}

// printedBy returns what a server that failed had printed, in lines none of which
// can be taken for a command of whoever reads this program's output.
func printedBy(err error) (lines []string) {
	var f *remote.Failure
	if !errors.As(err, &f) {
		return nil
	}
	for _, o := range f.Output {
		lines = append(lines, "  "+o.Label+":")
		for _, l := range o.Lines {
			lines = append(lines, "  | "+l)
		}
	}
	return lines
}

// inOneLine is an error with what the server printed, for a report.
func inOneLine(err error) string {
	text := err.Error()
	var f *remote.Failure
	if errors.As(err, &f) {
		for _, o := range f.Output {
			text += "; " + o.Label + ": " + strings.Join(o.Lines, " | ")
		}
	}
	return text
}

// lintServer checks one server.
func lintServer(ctx context.Context, cmd *cli.Command, s settings, t target, b built, alone bool) outcome {
	empty := func(err error) outcome {
		r := report.New("lint", lint.Summary{}, nil, s.policy)
		r.Complete, r.Server, r.Reason = false, &lint.ServerInfo{Target: t.server.String()}, inOneLine(err)
		if t.err != nil {
			r.Server.Target = t.name // there is no more of it
		}
		return outcome{report: r, err: err}
	}
	if t.err != nil {
		return empty(t.err)
	}
	options := remote.Options{Wait: cmd.Duration("wait"), Version: version()}
	if p := cmd.String("protocol"); p != "auto" {
		options.Protocol = p
	}
	session, err := remote.Connect(ctx, t.server, options)
	if err != nil {
		return empty(failureStatus(err))
	}
	defer session.Close()
	what := remote.Check{
		Built: b.manifest, Committed: b.committed, Bytes: b.bytesOf(),
		Scope: cmd.String("scope"), AllowExtra: cmd.Bool("allow-extra"),
		Verify: t.verify, KeepGoing: cmd.Bool("keep-going"), Conformance: cmd.Bool("conformance"),
		Concurrency: cmd.Int("concurrency"),
	}
	if b.bundle != nil {
		what.Excluded = b.bundle.ExcludedFiles(remote.MaxProbes)
	}
	if alone {
		what.Progress = progress(s.report)
	}
	result := session.Check(ctx, what)
	r := report.New("lint", result.Summary, result.Findings, s.policy)
	info := session.Info()
	r.Manifest, r.Source = b.file, b.source()
	r.Server, r.Drift, r.Verification = &info, result.Drift, result.Verification
	incomplete := result.Incomplete
	if incomplete == "" && b.manifest == nil && result.Summary.Skills == 0 && !r.Broken() {
		incomplete = "the server lists no skills and there is no manifest to compare with: nothing was checked"
	}
	var failed error
	switch {
	case result.Err != nil:
		failed = failureStatus(unread(result))
	case incomplete != "":
		failed = &exitError{exitFailed, errors.New("the check is incomplete: " + incomplete)}
	}
	if r.Complete = failed == nil; failed != nil {
		r.Reason = inOneLine(failed)
	}
	var notes []string
	if d := session.FellBack(); d > 0 {
		notes = append(notes, fmt.Sprintf("the server did not answer protocol %s within %v; checked with %s: name one by --protocol", remote.Protocol2026, d, remote.Protocol2025))
	}
	return outcome{r, notes, failed}
}

// unread is why a check ended early, with how many files that left out.
func unread(r *remote.Result) error {
	left := 0
	for _, v := range r.Verification {
		if v.Status == lint.Failed || v.Status == lint.Skipped {
			left++
		}
	}
	var f *remote.Failure
	if left == 0 || !errors.As(r.Err, &f) {
		return r.Err
	}
	return &remote.Failure{Kind: f.Kind, Output: f.Output, Reason: fmt.Sprintf("%s; %d of %d files were not read", f.Reason, left, len(r.Verification))}
}

// failureStatus gives the reason of a failed check its exit status.
func failureStatus(err error) error {
	var f *remote.Failure
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &exitError{exitNoServer, errors.New("the run took longer than --timeout allows")}
	case !errors.As(err, &f):
		return &exitError{exitFailed, err}
	case f.Kind == remote.Refused:
		return &exitError{exitRefused, err}
	case f.Kind == remote.Unreachable:
		return &exitError{exitNoServer, err}
	}
	return &exitError{exitFailed, err}
}

// progress returns what draws a bar on a terminal, nil elsewhere.
func progress(r reporting) func(done, total int) {
	f, ok := r.notes.(*os.File)
	if !ok || r.quiet || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("verifying"), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
		}
		_ = bar.Set(done) // a bar that cannot be drawn is no loss
	}
}

// forServer returns the reporting of one server among several: each --output
// file gets the server's name before its ending, but for those that take one
// report after the other.
func (r reporting) forServer(name string, several bool) reporting {
	if !several {
		return r
	}
	also := make([]reportFile, len(r.also))
	for i, o := range r.also {
		also[i] = o
		if info, err := os.Stat(o.path); o.path == stdoutPath || err == nil && !info.Mode().IsRegular() {
			continue // stdout, or a device: one place for all
		}
		ext := filepath.Ext(o.path)
		also[i] = reportFile{o.format, strings.TrimSuffix(o.path, ext) + "." + name + ext}
	}
	r.also = also
	return r
}
