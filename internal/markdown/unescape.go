package markdown

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unescape returns what a destination means: without the backslashes of escaped
// characters, and with the characters that numbers and names such as &amp; are
// for.
func Unescape(destination []byte) string {
	s := string(destination)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && IsPunctuation(s[i+1]) {
			i++
		} else if s[i] == '&' {
			if meant, n := reference(s[i:]); n > 0 {
				b.WriteString(meant)
				i += n - 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// longestName is the length of the longest name of a character, with its
// semicolon.
const longestName = len("CounterClockwiseContourIntegral;")

// reference returns the characters that a text names at its start, and the length
// of the name, or 0.
func reference(s string) (meant string, n int) {
	end := strings.IndexByte(s[:min(len(s), longestName+1)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if number, ok := strings.CutPrefix(name, "#"); ok {
		base, most := 10, 7
		if number != "" && number[0]|0x20 == 'x' {
			base, most, number = 16, 6, number[1:]
		}
		v, err := strconv.ParseUint(number, base, 32)
		if err != nil || len(number) > most {
			return "", 0
		}
		if v == 0 || v > utf8.MaxRune {
			v = utf8.RuneError
		}
		return string(rune(v)), end + 1
	}
	// The library also takes names that have no semicolon, of which one may be the
	// start of this one: it then leaves the rest.
	whole := s[:end+1]
	meant = html.UnescapeString(whole)
	if meant == whole || name != "semi" && strings.HasSuffix(meant, ";") {
		return "", 0
	}
	return meant, end + 1
}
