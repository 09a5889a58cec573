package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
)

// annotationsShown is how many annotations of each severity GitHub shows of one
// step; the log has all of them.
const annotationsShown = 10

// writeGitHub writes one workflow command a finding, which GitHub Actions shows
// as an annotation at the file and line, and one with the totals.
func writeGitHub(w io.Writer, r *Report, _ Style) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Findings {
		message := f.Message
		properties := "title=" + commandProperty(f.Rule)
		if f.Path != "" {
			place := "file=" + commandProperty(f.Path)
			if f.Line > 0 {
				place += fmt.Sprintf(",line=%d", f.Line)
				if f.Column > 0 {
					place += fmt.Sprintf(",col=%d", f.Column)
				}
			}
			properties = place + "," + properties
		} else if f.URI != "" {
			message = f.URI + ": " + message
			if file := r.source(f); file != "" {
				properties = "file=" + commandProperty(file) + "," + properties
			}
		}
		fmt.Fprintf(b, "::%s %s::%s\n", f.Severity, properties, commandData(message))
	}
	if r.Reason != "" {
		fmt.Fprintf(b, "::error title=%s::%s\n", commandProperty("skillpack "+r.Command+" is not complete"), commandData(r.Reason))
	}
	if len(r.Findings) > 0 || !r.Complete {
		totals := r.Closing()
		if max(r.Summary.Errors, r.Summary.Warnings) > annotationsShown {
			totals += fmt.Sprintf("; GitHub shows %d errors and %d warnings of a step, the log has all", annotationsShown, annotationsShown)
		}
		fmt.Fprintf(b, "::notice title=%s::%s\n", commandProperty("skillpack "+r.Command), commandData(totals))
	}
	return b.Flush()
}

// commandData escapes the text of a workflow command: a line break would end
// it, and what follows could be another command. [Plain] shows line breaks and
// leaves none to be escaped.
func commandData(s string) string { return strings.ReplaceAll(message.Plain(s), "%", "%25") }

// commandProperty escapes the value of a workflow command's property, which a
// comma or two colons would end.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(s))
}
