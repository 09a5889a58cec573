package report

import (
	"fmt"
	"io"
	"regexp"

	"github.com/skillpack/skillpack/internal/lazyregexp"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

// Style is how a report looks on its stream.
type Style struct {
	Color bool // escape sequences for colours may be used
}

// Format is one form of a report. Each is one file of this package.
type Format struct {
	Name string
	// About says in half a line what reads it.
	About string
	// Write writes the whole report and returns the writer's error.
	Write func(io.Writer, *Report, Style) error
	// starts is how every report of this format in a file starts, unless it is
	// empty.
	starts func() *regexp.Regexp
}

// Begins reports whether a text, of which the first 64 KiB are enough, begins as
// a report of this format does: then a new report may replace it.
func (f Format) Begins(text []byte) bool { return f.starts().Match(text) }

// Formats returns every format, the default one first.
func Formats() []Format { return formats }

var formats = []Format{
	{Name: "text", About: "one line a finding, for people and editors", Write: writeText, starts: lazyregexp.New(`^[^\n]+: (error|warning): [^\n]* \[[a-z0-9-]+\]\n`)},
	{Name: "json", About: "one JSON object, for programs (skillpack schema report)", Write: writeJSON, starts: lazyregexp.New(`^\{\n  "schemaVersion": [0-9]+,\n  "command": "`)},
	{Name: "sarif", About: "SARIF 2.1.0, for code scanning and editors", Write: writeSARIF, starts: lazyregexp.New(`^\{\n  "\$schema": "[^"\n]*/sarif-schema-`)},
	{Name: "github", About: "annotations of a GitHub Actions run", Write: writeGitHub, starts: lazyregexp.New(`^::(error|warning|notice) `)},
	{Name: "junit", About: "JUnit XML, for the test view of a CI system", Write: writeJUnit, starts: lazyregexp.New(`^<\?xml [^\n]*\n<testsuites name="skillpack `)},
	{Name: "markdown", About: "a job summary or a comment on a pull request", Write: writeMarkdown, starts: lazyregexp.New(`^### skillpack `)},
}

// FormatNamed returns the format with a name. It returns an error that lists
// the formats for any other name.
func FormatNamed(name string) (Format, error) {
	names := make([]string, len(formats))
	for i, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names[i] = f.Name
	}
	if near, ok := lint.Closest(message.Cut(name, message.Longest), names); ok {
		return Format{}, fmt.Errorf("there is no format %s: is %s meant?", message.Quote(name), near)
	}
	return Format{}, fmt.Errorf("there is no format %s: write %s", message.Quote(name), message.OrList(names))
}
