package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint/report"
)

// reporting is where a run's report and notes go.
type reporting struct {
	format  report.Format
	style   report.Style
	also    []reportFile
	quiet   bool
	reports io.Writer // the report
	stdout  io.Writer
	notes   io.Writer // progress, notes and the closing count
}

// reportFile is one --output.
type reportFile struct {
	format report.Format
	path   string
}

func formatNames() string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func validFormat(name string) error {
	if _, err := report.FormatNamed(name); err != nil {
		return usageError("--format: %w", err)
	}
	return nil
}

// newReporting reads the flags of reports. When an output of the build goes to
// stdout, findings go to stderr.
func newReporting(cmd *cli.Command, s settings) (reporting, error) {
	format, err := report.FormatNamed(cmd.String("format"))
	if err != nil {
		return reporting{}, usageError("--format: %w", err)
	}
	r := reporting{format: format, quiet: cmd.Bool("quiet"), reports: cmd.Root().Writer, stdout: cmd.Root().Writer, notes: cmd.Root().ErrWriter}
	if r.also, err = reportFiles(cmd.StringSlice("output")); err != nil {
		return r, err
	}
	if s.manifest == stdoutPath || s.goFile == stdoutPath || slices.ContainsFunc(r.also, func(o reportFile) bool { return o.path == stdoutPath }) {
		r.reports = r.notes
	}
	r.style.Color = colored(cmd.String("color"), r.reports)
	return r, nil
}

// reportFiles reads the values of --output.
func reportFiles(values []string) ([]reportFile, error) {
	var files []reportFile
	for _, text := range values {
		name, path, ok := strings.Cut(text, ":")
		if !ok || path == "" {
			return nil, usageError("--output %q: write FORMAT:FILE, as in json:report.json", text)
		}
		format, err := report.FormatNamed(name)
		if err != nil {
			return nil, usageError("--output: %w", err)
		}
		files = append(files, reportFile{format, path})
	}
	return files, nil
}

// colored reports whether text for w is coloured.
func colored(when string, w io.Writer) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// note prints a line for people on stderr.
func (r reporting) note(format string, args ...any) {
	if !r.quiet {
		r.say(format, args...)
	}
}

// say prints a line for people on stderr, also with --quiet.
func (r reporting) say(format string, args ...any) {
	fmt.Fprintln(r.notes, message.Plain(fmt.Sprintf(format, args...)))
}

// replaceable refuses to write over a file that is no report: by a link or a slip
// it could be anything that this run, or another, needs.
func (o reportFile) replaceable() error {
	head, ok := headOf(o.path, 64<<10)
	if ok && !o.format.Begins(head) {
		return usageError("%s exists and is no %s report: give the report another name, or remove that file first", o.path, o.format.Name)
	}
	return nil
}

// print writes the report in every form that was asked for, and the closing
// count. It returns the error that the exit status stands for.
func (r reporting) print(rep *report.Report) error {
	if err := r.format.Write(r.reports, rep, r.style); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	for _, o := range r.also {
		if o.path == stdoutPath {
			if err := o.format.Write(r.stdout, rep, report.Style{}); err != nil {
				return fmt.Errorf("cannot write the %s report: %w", o.format.Name, err)
			}
			continue
		}
		if err := o.replaceable(); err != nil {
			return err
		}
		_, err := atomicfile.Write(o.path, func(w io.Writer) error { return o.format.Write(w, rep, report.Style{}) })
		if err != nil {
			return fmt.Errorf("cannot write the %s report: %w", o.format.Name, err)
		}
	}
	// Of a server that was not reached there is nothing to count; the reason follows.
	reached := rep.Complete || rep.Server == nil || rep.Server.Protocol != ""
	if !r.quiet && reached {
		fmt.Fprintln(r.notes, rep.Closing())
	}
	switch {
	case rep.Broken():
		return errFindings
	case !rep.Complete:
		return &exitError{status: exitFailed}
	}
	return nil
}

// reason is what went wrong, without the operation and path that the message
// around it names already.
func reason(err error) error {
	if pathErr, ok := err.(*os.PathError); ok {
		return pathErr.Err
	}
	return err
}
