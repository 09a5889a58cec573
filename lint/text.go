package lint

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape sequences of the text format.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

// writeText writes one line a finding: path:line:column: severity: message
// [rule-id]. Nothing in it can act on a terminal but the colours asked for: the
// names of files and whatever a server sends are made plain.
func writeText(w io.Writer, r *Report, style Style) error {
	b := bufio.NewWriter(w)
	paint := func(color, s string) string {
		if !style.Color {
			return s
		}
		return color + s + reset
	}
	for _, f := range r.Findings {
		if place := f.Place(); place != "" {
			b.WriteString(paint(bold, Plain(place)))
			b.WriteString(": ")
		}
		color := yellow
		if f.Severity == Error {
			color = red
		}
		fmt.Fprintf(b, "%s: %s %s\n", paint(color, f.Severity.String()), Plain(f.Message), paint(dim, "["+f.Rule+"]"))
	}
	return b.Flush()
}

// Closing returns the line that ends a run on stderr: what was looked at, what
// was found, and what was left out, by pattern.
func (r *Report) Closing() string {
	s := r.Summary
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s: ", counted(s.Skills, "skill"), counted(s.Files, "file"), byteSize(s.Bytes))
	var found []string
	if s.Errors > 0 {
		found = append(found, counted(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		warnings := counted(s.Warnings, "warning")
		if r.Strict {
			warnings += " (errors, with --strict)"
		}
		found = append(found, warnings)
	}
	switch {
	case len(found) > 0:
		b.WriteString(strings.Join(found, ", "))
	case r.Complete:
		b.WriteString("nothing to report")
	default:
		b.WriteString("no findings")
	}
	if !r.Complete {
		b.WriteString("; incomplete")
	}
	if s.Excluded > 0 {
		fmt.Fprintf(&b, "; %s excluded", number(s.Excluded))
		for i, x := range r.Exclusions {
			separator := ", "
			if i == 0 {
				separator = " ("
			}
			fmt.Fprintf(&b, "%s%s by %s", separator, number(x.Count), Plain(x.Pattern))
		}
		if len(r.Exclusions) > 0 {
			b.WriteByte(')')
		}
	}
	return b.String()
}

// Plain returns a text fit for a terminal: it escapes what one would act on or not show: control characters,
// marks of text direction, bytes that are no UTF-8.
func Plain(s string) string {
	bad := strings.IndexFunc(s, unprintable)
	if bad < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unprintable(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// unprintable reports whether a character is escaped. The blanks that are not
// U+0020 are let through: they do no harm in a line of text.
func unprintable(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}
