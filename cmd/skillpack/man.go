package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
)

// sourceDate is the variable by which builds that must come out the same say
// when their source is from (reproducible-builds.org/specs/source-date-epoch).
const sourceDate = "SOURCE_DATE_EPOCH"

func manCommand() *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "print the manual pages",
		ArgsUsage: "[COMMAND]",
		UsageText: "skillpack man [COMMAND]\nskillpack man --dir DIR\n\nEXAMPLES:\n   skillpack man lint | man -l -\n   skillpack man --dir /usr/local/share/man/man1",
		Flags:     []cli.Flag{&cli.StringFlag{Name: "dir", Usage: "write every page into the directory `DIR`, which is made when it is missing"}},
		Action:    man,
	}
}

func man(_ context.Context, cmd *cli.Command) error {
	date, err := pageDate()
	if err != nil {
		return err
	}
	pages, name, dir := documented(cmd.Root()), cmd.Args().First(), cmd.String("dir")
	switch {
	case cmd.IsSet("dir") && dir == "":
		return usageError("--dir has an empty value: give it one, or leave it out")
	case dir != "" && name != "":
		return usageError("--dir writes every page: leave out %q", name)
	case cmd.Args().Len() > 1:
		return usageError("one page is printed at a time, not %d: write skillpack man COMMAND", cmd.Args().Len())
	case dir != "":
		return writePages(dir, pages, date)
	case name == "":
		name = pages[0].Name
	}
	i := slices.IndexFunc(pages, func(page *cli.Command) bool { return page.Name == name })
	if i < 0 {
		return unknownCommand(cmd.Root(), name)
	}
	return writePage(cmd.Root().Writer, pages, pages[i], date)
}

func writePages(dir string, pages []*cli.Command, date string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usageError("cannot make %s: %v", dir, reason(err))
	}
	for _, page := range pages {
		path := filepath.Join(dir, pageName(page)+".1")
		if _, err := atomicfile.Write(path, func(w io.Writer) error { return writePage(w, pages, page, date) }); err != nil {
			return fmt.Errorf("cannot write %s: %w", filepath.ToSlash(path), err)
		}
	}
	return nil
}

// pageDate is the date of the pages: that of the source, so that one source
// gives one text. It is empty where nothing tells it.
func pageDate() (string, error) {
	if text := os.Getenv(sourceDate); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds < 0 {
			return "", usageError("%s %q is no number of seconds since 1970", sourceDate, text)
		}
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", nil
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			date, _, _ := strings.Cut(s.Value, "T")
			return date, nil
		}
	}
	return "", nil
}

// writePage writes a manual page in the macros of man(7).
func writePage(w io.Writer, pages []*cli.Command, cmd *cli.Command, date string) error {
	m, p := manuals[cmd.Name], page{}
	forms, examples := synopsis(cmd)
	p.line(`.TH %s 1 "%s" "skillpack %s" "skillpack manual"`, roff(strings.ToUpper(pageName(cmd))), date, roff(version()))
	p.line(`.SH NAME`)
	p.text(pageName(cmd) + " - " + cmd.Usage)
	p.line(`.SH SYNOPSIS`)
	p.verbatim(forms)
	p.line(`.SH DESCRIPTION`)
	p.text(m.about)
	if len(pages) > 0 && cmd == pages[0] {
		p.line(`.SH COMMANDS`)
		for _, sub := range pages[1:] {
			p.entry(`\fB`+roff(pageName(sub))+`\fR(1)`, sub.Usage)
		}
	}
	p.line(`.SH OPTIONS`)
	for _, o := range optionsOf(cmd) {
		tag := `\fB` + roff(o.names) + `\fR`
		if o.value != "" {
			tag += ` \fI` + roff(o.value) + `\fR`
		}
		about := o.about
		if o.fallback != "" {
			about += " (default: " + o.fallback + ")"
		}
		p.entry(tag, about)
	}
	p.entry(`\fB`+roff("--help, -h")+`\fR`, "show the help and exit")
	p.entries("EXIT STATUS", m.exits)
	p.entries("ENVIRONMENT", m.reads)
	p.entries("FILES", filesOf(m))
	p.line(`.SH EXAMPLES`)
	p.verbatim(examples)
	p.line(`.SH SEE ALSO`)
	var others []string
	for _, other := range pages {
		if other != cmd {
			others = append(others, `\fB`+roff(pageName(other))+`\fR(1)`)
		}
	}
	slices.Sort(others)
	p.line("%s", strings.Join(others, ",\n"))
	_, err := io.WriteString(w, p.String())
	return err
}

// filesOf returns the files that a command knows by name.
func filesOf(m manual) []meant {
	return slices.DeleteFunc(slices.Clone(knownFiles), func(f meant) bool { return !slices.Contains(m.files, f.word) })
}

// page is the source of a manual page.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// lineWidth is how long a line of source may get where it can be broken, in bytes.
const lineWidth = 78

// text writes a paragraph of plain text, its source broken between words.
func (p *page) text(text string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch word = roff(word); {
		case line == "":
			line = protect(word)
		case len(line)+1+len(word) > lineWidth:
			p.line("%s", line)
			line = protect(word)
		default:
			line += " " + word
		}
	}
	p.line("%s", line)
}

// verbatim writes lines as they are.
func (p *page) verbatim(lines []string) {
	p.line(".nf")
	for _, line := range lines {
		p.line("%s", protect(roff(line)))
	}
	p.line(".fi")
}

// entry writes an item of a list: its tag, in roff, and what it means.
func (p *page) entry(tag, means string) {
	p.line(".TP")
	p.line("%s", tag)
	p.text(means)
}

// entries writes a section that is a list, or nothing when that is empty.
func (p *page) entries(title string, list []meant) {
	for i, e := range list {
		if i == 0 {
			p.line(".SH %s", title)
		}
		p.entry(`\fB`+roff(e.word)+`\fR`, e.means)
	}
}

// roff writes text so that it is read back as it is: what roff or its printers
// take for something else is escaped.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).Replace(message.Plain(text))
}

// protect keeps a line that starts with a dot from being a request; the other
// character that makes one is escaped already.
func protect(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}
