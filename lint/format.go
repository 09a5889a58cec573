package lint

import (
	"fmt"
	"io"
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
}

// Formats returns every format, the default one first.
func Formats() []Format { return formats }

var formats = []Format{
	{Name: "text", About: "one line a finding, for people and editors", Write: writeText},
	{Name: "json", About: "one JSON object, for programs (skillpack schema report)", Write: writeJSON},
	{Name: "sarif", About: "SARIF 2.1.0, for code scanning and editors", Write: writeSARIF},
	{Name: "github", About: "annotations of a GitHub Actions run", Write: writeGitHub},
	{Name: "junit", About: "JUnit XML, for the test view of a CI system", Write: writeJUnit},
	{Name: "markdown", About: "a job summary or a comment on a pull request", Write: writeMarkdown},
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
	if near, ok := Closest(cut(name, longest), names); ok {
		return Format{}, fmt.Errorf("there is no format %s: is %s meant?", quote(name), near)
	}
	return Format{}, fmt.Errorf("there is no format %s: write %s", quote(name), orList(names))
}
