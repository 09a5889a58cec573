package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
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
			b.WriteString(paint(bold, message.Plain(place)))
			b.WriteString(": ")
		}
		color := yellow
		if f.Severity == lint.Error {
			color = red
		}
		fmt.Fprintf(b, "%s: %s %s\n", paint(color, f.Severity.String()), message.Plain(f.Message), paint(dim, "["+f.Rule+"]"))
	}
	return b.Flush()
}

// Closing returns the line that ends a run on stderr: what was looked at, what
// was found, and what was left out or ignored, by pattern. Of a server that
// serves what was built it says just that, and how many warnings there are.
func (r *Report) Closing() string {
	s := r.Summary
	var b strings.Builder
	if r.Server != nil {
		b.WriteString("server " + labelOf(r.Server))
	}
	if r.faithful() {
		verb, suffix := "lists", ""
		if n := len(r.Verification); n > 0 {
			verb, suffix = "serves", "; verified"
			if good := count(r.Verification, lint.Verified); good < n {
				suffix = fmt.Sprintf("; %s of %s verified", message.Number(good), message.Counted(n, "file"))
			}
		}
		fmt.Fprintf(&b, " %s the %s of this build (%s, %s)%s", verb, message.Counted(s.Skills, "skill"), message.Counted(s.Files, "file"), message.ByteSize(s.Bytes), suffix)
		if s.Warnings > 0 {
			b.WriteString("; " + message.Counted(s.Warnings, "warning"))
		}
	} else {
		if r.Server != nil {
			b.WriteString(": ")
		}
		r.writeCounts(&b)
	}
	if s.Excluded > 0 || len(r.Exclusions) > 0 {
		var by []string
		for _, x := range r.Exclusions {
			by = append(by, fmt.Sprintf("%s by %s", message.Number(x.Count), message.Plain(x.Pattern)))
		}
		writeLeftOut(&b, s.Excluded, "excluded", by)
	}
	if ignored := r.ignored(); s.Ignored > 0 || len(ignored) > 0 {
		var by []string
		for _, x := range ignored {
			by = append(by, fmt.Sprintf("%s by %s %s", message.Number(x.Count), x.Rule, message.Plain(x.Path)))
		}
		writeLeftOut(&b, s.Ignored, "ignored", by)
	}
	return b.String()
}

// writeLeftOut writes how much was left out, and by what.
func writeLeftOut(b *strings.Builder, n int, how string, by []string) {
	fmt.Fprintf(b, "; %s %s", message.Number(n), how)
	if len(by) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(by, ", "))
	}
}

// writeCounts writes what was looked at and what was found.
func (r *Report) writeCounts(b *strings.Builder) {
	s := r.Summary
	fmt.Fprintf(b, "%s, %s, %s: ", message.Counted(s.Skills, "skill"), message.Counted(s.Files, "file"), message.ByteSize(s.Bytes))
	var found []string
	if s.Errors > 0 {
		found = append(found, message.Counted(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		warnings := message.Counted(s.Warnings, "warning")
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
}

// faithful reports whether a server was compared with a build and is equal, and
// nothing counts as an error: a warning that leaves both equal takes nothing away
// from that.
func (r *Report) faithful() bool {
	return r.Server != nil && r.Complete && r.Drift != nil && len(r.Drift) == 0 && !r.Broken() &&
		count(r.Verification, lint.Mismatch)+count(r.Verification, lint.Failed) == 0 &&
		!slices.ContainsFunc(r.Findings, func(f lint.Finding) bool {
			rule, _ := lint.Lookup(f.Rule)
			return rule.Where == lint.Drift
		})
}

func count(verifications []lint.Verification, v lint.Verdict) int {
	n := 0
	for _, x := range verifications {
		if x.Status == v {
			n++
		}
	}
	return n
}

// labelOf names a server by what it says of itself, or by its address. A name
// that could be read as part of the sentence is quoted.
func labelOf(s *lint.ServerInfo) string {
	if s.Name == "" {
		return unambiguous(s.Target)
	}
	if s.Version == "" {
		return unambiguous(s.Name)
	}
	return unambiguous(s.Name) + " " + unambiguous(s.Version)
}

func unambiguous(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._/:@+", r)
	}) {
		return message.Quote(s)
	}
	return message.Cut(s, message.Longest)
}
