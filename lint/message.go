package lint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
)

// longest is how many characters of a user's text a message shows.
const longest = 80

// longestURI is how many characters of a served URI a finding's place keeps.
const longestURI = 1024

// cut returns the start of a text that is too long for a message. It reads no
// more of the text than it returns.
func cut(s string, most int) string {
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

// quote returns a user's text as a message shows it: shortened, in quotes,
// with everything escaped that a terminal would act on.
func quote(s string) string { return strconv.Quote(cut(s, longest)) }

// describe names a value that is not of the expected type: its type, and its
// text where that is short and plain.
func describe(v manifest.Value) string {
	switch v.Kind {
	case manifest.Number:
		return "the number " + cut(v.Text, 40)
	case manifest.Bool:
		return "the boolean " + v.Text
	case manifest.String:
		return "the string " + quote(v.Text)
	default:
		return v.Kind.String()
	}
}

// number writes a count with a comma between thousands.
func number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted writes a count with its noun, in the plural where it belongs.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return number(n) + " " + noun
}

// byteSize writes a number of bytes in the unit a reader can take in.
func byteSize(n int64) string {
	if n < 1<<10 {
		return counted(int(n), "byte")
	}
	value, unit := float64(n)/(1<<10), 0
	for value >= 1023.95 && unit < 5 {
		value, unit = value/(1<<10), unit+1
	}
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + " " + [...]string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit]
}

// orList joins words as a sentence names alternatives.
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
