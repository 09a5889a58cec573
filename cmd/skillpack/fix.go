package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	unified "github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

// mostRounds is how often a directory is read to fix it. A renamed SKILL.md makes
// a skill, of which more is judged in the next round.
const mostRounds = 4

func fixFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "fix", Usage: "fix what needs no guess, then report what is left"},
		&cli.BoolFlag{Name: "diff", Usage: "print what --fix would change as a diff, and write nothing"},
	}
}

// kept reports whether the policy keeps a finding: what is ignored stays as it is.
func (s settings) kept(f lint.Finding) bool {
	left, _ := s.policy.Apply([]lint.Finding{f})
	return len(left) > 0
}

// fix fixes the directory and says what it did.
func fix(ctx context.Context, s settings) error {
	faults, files := 0, map[string]bool{}
	defer func() {
		if faults > 0 {
			s.report.note("fixed %s in %s", message.Counted(faults, "fault"), message.Counted(len(files), "file"))
		}
	}()
	for range mostRounds {
		b, err := bundle.Read(ctx, s.read)
		if err != nil {
			return err
		}
		changed, err := fixRound(ctx, s, b, func(file string, done []string) {
			files[file] = true
			faults += len(done)
			for _, what := range done {
				s.report.note("fixed %s: %s", file, what)
			}
		})
		b.Close()
		if err != nil || !changed {
			return err
		}
	}
	return nil
}

// fixRound writes the fixes of a directory as it was read, and reports whether
// there were any.
func fixRound(ctx context.Context, s settings, b *bundle.Bundle, wrote func(file string, done []string)) (changed bool, err error) {
	fixes, err := b.Fixes(s.kept)
	if err != nil {
		return false, err
	}
	defer fixes.Close()
	for _, f := range fixes.Files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := f.Write(); err != nil {
			return false, err
		}
		wrote(f.Path, f.Done)
	}
	if len(fixes.Files) == 0 {
		for _, why := range fixes.Left {
			s.report.note("not fixed %s", why)
		}
	}
	return len(fixes.Files) > 0, nil
}

// showFixes prints what would be fixed as a diff on stdout, and the findings as
// they are on stderr.
func showFixes(ctx context.Context, cmd *cli.Command, s settings) error {
	if slices.ContainsFunc(s.report.also, func(o reportFile) bool { return o.path == stdoutPath }) {
		return usageError("--diff and a report both go to stdout: give the report a file")
	}
	s.report.reports = s.report.notes
	s.report.style.Color = colored(cmd.String("color"), s.report.notes)
	b, err := bundle.Read(ctx, s.read)
	if err != nil {
		return err
	}
	defer b.Close()
	fixes, err := b.Fixes(s.kept)
	if err != nil {
		return err
	}
	defer fixes.Close()
	for _, f := range fixes.Files {
		if err := printDiff(s.report.stdout, f); err != nil {
			return fmt.Errorf("cannot write the diff: %w", err)
		}
	}
	for _, why := range fixes.Left {
		s.report.note("not fixed %s", why)
	}
	if len(fixes.Files) == 0 {
		s.report.note("there is nothing that --fix would fix")
	}
	return s.report.print(newTreeReport(cmd.Name, b, s.policy, b.Findings))
}

// printDiff prints one fix in the form that git apply and patch -p1 take.
func printDiff(w io.Writer, f bundle.FileFix) error {
	from, to := path.Join("a", f.Path), path.Join("b", f.Path)
	if strings.HasPrefix(f.Path, "../") { // only -p0 can apply it then
		from, to = f.Path, f.Path
	}
	var out bytes.Buffer
	if f.From != "" {
		from = path.Join("a", f.From)
		fmt.Fprintf(&out, "diff --git %s %s\nrename from %s\nrename to %s\n", from, to, f.From, f.Path)
	} else if f.Old == nil {
		from = os.DevNull
	}
	if text := unified.Diff(from, f.Old, to, f.New); text != nil {
		_, text, _ = bytes.Cut(text, []byte("\n")) // the line that no tool needs
		out.Write(text)
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return printPlain(w, out.String()) // nothing in a file may steer the terminal
	}
	_, err := w.Write(out.Bytes())
	return err
}

func printPlain(w io.Writer, text string) error {
	for line := range strings.Lines(text) {
		if _, err := fmt.Fprintln(w, message.Plain(strings.TrimRight(line, "\r\n"))); err != nil {
			return err
		}
	}
	return nil
}
