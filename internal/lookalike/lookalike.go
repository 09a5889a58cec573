// Package lookalike knows the characters that look like one of ASCII, or like
// nothing, and are something else to a parser: a no-break space, a full-width
// colon, smart quotes, a zero-width space.
//
// It must not know where a character is, and import nothing of this module.
package lookalike

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

type entry struct {
	char  rune
	ascii string // what it looks like: "" for nothing at all, "\n" for a line end
	name  string
}

func find(r rune) (entry, bool) {
	if r < 0x80 {
		return entry{}, false
	}
	i, ok := slices.BinarySearchFunc(table[:], r, func(e entry, r rune) int { return int(e.char - r) })
	if !ok {
		return entry{}, false
	}
	return table[i], true
}

// ASCII returns what a character looks like, "" for nothing at all, and whether
// it is a lookalike.
func ASCII(r rune) (looks string, ok bool) {
	e, ok := find(r)
	return e.ascii, ok
}

// Name returns how a message names a character: "U+00A0 NO-BREAK SPACE", or
// "U+00E9 'é'" for one without a name here.
func Name(r rune) string {
	if e, ok := find(r); ok {
		return fmt.Sprintf("U+%04X %s", r, e.name)
	}
	return fmt.Sprintf("U+%04X %q", r, r)
}

// IsSpace reports whether a character is a space other than U+0020.
func IsSpace(r rune) bool { return looksLike(r, " ") }

// IsInvisible reports whether a character is one that nothing is seen of.
func IsInvisible(r rune) bool { return looksLike(r, "") }

// IsColon reports whether a character looks like a colon.
func IsColon(r rune) bool { return looksLike(r, ":") }

// IsDash reports whether a character looks like a hyphen, or like a longer one.
func IsDash(r rune) bool { return looksLike(r, "-") }

// IsQuote reports whether a character looks like a quote, single or double.
func IsQuote(r rune) bool { return looksLike(r, `"`) || looksLike(r, "'") }

func looksLike(r rune, ascii string) bool {
	e, ok := find(r)
	return ok && e.ascii == ascii
}

// First returns the first lookalike of a text, or 0.
func First(s string) rune {
	for _, r := range s {
		if _, ok := find(r); ok {
			return r
		}
	}
	return 0
}

// Plain returns a text with every lookalike replaced by what it looks like, and
// without the spaces and line ends that this leaves around it.
func Plain(s string) string {
	if First(s) == 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if e, ok := find(r); ok {
			b.WriteString(e.ascii)
		} else {
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
}

// Cut returns how many bytes at the start of a text are spaces of any kind, tabs
// and invisible characters, and the first lookalike among them, or 0.
func Cut(s string) (n int, first rune) {
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case IsSpace(r) || IsInvisible(r):
			if first == 0 {
				first = r
			}
		case r != ' ' && r != '\t':
			return n, first
		}
		n += size
	}
	return n, first
}
