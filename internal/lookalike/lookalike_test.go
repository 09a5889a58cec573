package lookalike

import (
	"slices"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestName(t *testing.T) {
	for r, want := range map[rune]string{
		0xA0: "U+00A0 NO-BREAK SPACE", 0x200B: "U+200B ZERO WIDTH SPACE", 0xFF1A: "U+FF1A FULLWIDTH COLON",
		0x201C: "U+201C LEFT DOUBLE QUOTATION MARK", 0x2014: "U+2014 EM DASH", 0xE9: "U+00E9 'é'", 'a': "U+0061 'a'",
		0x1F600: "U+1F600 '😀'", 0x7: `U+0007 '\a'`,
	} {
		if got := Name(r); got != want {
			t.Errorf("Name(%U) = %s, want %s", r, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(table[:], func(a, b entry) int { return int(a.char - b.char) }) {
		t.Error("the table is not in order, and characters are not found")
	}
	seen := map[string]bool{}
	for _, e := range table {
		if e.char < 0x80 || e.name == "" || seen[e.name] || len(e.ascii) > 1 {
			t.Errorf("%U %+v", e.char, e)
		}
		seen[e.name] = true
		// Unicode's own compatibility form agrees where it is one of ASCII.
		if c := norm.NFKC.String(string(e.char)); len(c) == 1 && c != e.ascii {
			t.Errorf("%U looks like %q here and like %q to Unicode", e.char, e.ascii, c)
		}
	}
}

func TestPlain(t *testing.T) {
	for s, want := range map[string]string{
		"plain é": "plain é", "\u00a0name\u200b": "name", "a\u00a0b": "a b", "“x”": `"x"`, "allowed\u2010tools": "allowed-tools",
		"n\u0430me": "name", "": "", "\u2028a": "a",
	} {
		if got := Plain(s); got != want {
			t.Errorf("Plain(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		n     int
		first rune
	}{
		{"", 0, 0}, {"a", 0, 0}, {" \ta", 2, 0}, {" \u00a0\u200bx", 6, 0xA0}, {"\u3000", 3, 0x3000}, {"\u2014x", 0, 0},
	} {
		if n, first := Cut(c.text); n != c.n || first != c.first {
			t.Errorf("Cut(%q) = %d, %U", c.text, n, first)
		}
	}
}

func TestClasses(t *testing.T) {
	for r, want := range map[rune][5]bool{
		0xA0: {true}, ' ': {}, '\t': {}, 0x3000: {true}, 0x200D: {1: true}, 0xFEFF: {1: true}, 0xFF1A: {2: true}, ':': {},
		0x2212: {3: true}, '-': {}, 0x2019: {4: true}, 0x201E: {4: true}, '"': {}, 0x2028: {}, 0xE9: {},
	} {
		if got := [5]bool{IsSpace(r), IsInvisible(r), IsColon(r), IsDash(r), IsQuote(r)}; got != want {
			t.Errorf("%U: %v, want %v", r, got, want)
		}
	}
}
