package frontmatter

import (
	"fmt"
	"github.com/skillpack/skillpack/manifest"
	"strconv"
	"strings"
	"time"
)

// ExplainReaders says which kind of YAML reader makes one of two different
// values out of the text of the other, or returns "" when none it knows does.
// It serves to tell a listing that another reader made from one that is of
// another version of the file.
func ExplainReaders(a, b manifest.Value) string {
	for range 2 {
		if cause := explainReader(a, b); cause != "" {
			return cause
		}
		a, b = b, a
	}
	return ""
}

// explainReader takes a for what the author wrote and b for what a reader made of it.
func explainReader(a, b manifest.Value) string {
	quoted := func(text string) string { return fmt.Sprintf("quote it: %s", strconv.Quote(text)) }
	if a.Kind == manifest.Number && b.Kind == manifest.Number {
		if f, err := strconv.ParseFloat(a.Text, 64); err == nil {
			if rounded, ok := floatLiteral(f); ok && sameNumber(rounded, b.Text) {
				return "a reader that holds numbers as 64-bit floats rounded it; " + quoted(a.Text)
			}
		}
		return ""
	}
	if a.Kind != manifest.String {
		return ""
	}
	if b.Kind == manifest.String {
		switch {
		case a.Text == b.Text+"\n":
			return "readers keep or lose the last line break of a block scalar at the end of the frontmatter; write >- or |-"
		case sameDate(a.Text, b.Text):
			return "a reader that types dates made one of it; " + quoted(a.Text)
		case strings.ReplaceAll(a.Text, "\r\n", "\n") == b.Text:
			return "one side has CRLF line ends"
		}
		return ""
	}
	old := read11(a.Text)
	if old.special == "" && (manifest.Value{Kind: old.kind, Text: old.text}).Equal(manifest.Value{Kind: b.Kind, Text: b.Text}) {
		return "a YAML 1.1 reader typed it; " + quoted(a.Text)
	}
	if own := goReading(a.Text); own.special == "" && (manifest.Value{Kind: own.kind, Text: own.text}).Equal(manifest.Value{Kind: b.Kind, Text: b.Text}) {
		return "gopkg.in/yaml.v3 typed it; " + quoted(a.Text)
	}
	return ""
}

// sameNumber reports whether two JSON number literals have one value.
func sameNumber(a, b string) bool {
	return manifest.Value{Kind: manifest.Number, Text: a}.Equal(manifest.Value{Kind: manifest.Number, Text: b})
}

// sameDate reports whether text, as an author writes a date, and printed, as a
// program prints a time, are the same moment.
func sameDate(text, printed string) bool {
	if read11(text).special != "a date" {
		return false
	}
	var written time.Time
	for _, layout := range []string{"2006-01-02", "2006-1-2T15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999 -07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			written = t
			break
		}
	}
	if written.IsZero() {
		return false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05 -0700 MST", time.RFC1123} {
		if t, err := time.Parse(layout, printed); err == nil && t.Equal(written) {
			return true
		}
	}
	return false
}
