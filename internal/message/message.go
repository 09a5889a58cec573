package message

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest is how many code points of a user's or server's text a message shows.
const Longest = 80

// Cut returns the first code points of s, at most most of them, with "…" at the
// end when something was cut. It reads no more of s than it returns.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := 0
	for n := 0; end < len(s); n++ {
		if n == most-1 && utf8.RuneCountInString(s[end:min(len(s), end+2*utf8.UTFMax)]) > 1 {
			return s[:end] + "…"
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s
}

// Quote returns s cut to [Longest] and quoted as in Go, so that nothing in it
// acts on a terminal.
func Quote(s string) string { return strconv.Quote(Cut(s, Longest)) }

// Plain returns s with everything escaped that a terminal would act on or not
// show: control characters, marks of text direction, bytes that are not UTF-8.
func Plain(s string) string {
	bad := strings.IndexFunc(s, Unprintable)
	if bad < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case Unprintable(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// Unprintable reports whether [Plain] escapes r. Spaces other than U+0020 are
// kept: they do no harm in a line of text.
func Unprintable(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

// Number returns n in decimal, with commas between thousands.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted returns n and the noun, in the plural unless n is 1.
func Counted[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Number(n) + " " + noun
}

// ByteSize returns n bytes in the largest binary unit that is not above it, to a
// tenth: "1.5 KiB".
func ByteSize(n int64) string {
	if n < 1<<10 {
		return Counted(n, "byte")
	}
	value, unit := float64(n)/(1<<10), 0
	for value >= 1023.95 && unit < 5 {
		value, unit = value/(1<<10), unit+1
	}
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + " " + [...]string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit]
}

// OrList joins words as "a, b or c".
func OrList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Printable returns a path as a line of text can show it: bytes that are not
// UTF-8, control characters and backslashes are escaped as in a Go string.
func Printable(path string) string {
	for _, r := range path {
		if r == utf8.RuneError || r == '\\' || !strconv.IsPrint(r) {
			quoted := strconv.Quote(path)
			return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		}
	}
	return path
}
