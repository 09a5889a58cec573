package message

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 4, ""},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abc…"},
		{"äöüß", 4, "äöüß"},
		{"äöüßx", 4, "äöü…"},
		{"\xff\xfe\xfd\xfc\xfb", 4, "\xff\xfe\xfd…"},
		{strings.Repeat("x", 1<<20), 3, "xx…"},
	} {
		if got := Cut(c.text, c.most); got != c.want {
			t.Errorf("Cut(%.20q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\x1b[31m":           `"a\tb\x1b[31m"`,
		strings.Repeat("é", 81):  `"` + strings.Repeat("é", 79) + `…"`,
		strings.Repeat("é", 80):  `"` + strings.Repeat("é", 80) + `"`,
		"say \"no\"\u202e\u2028": `"say \"no\"\u202e\u2028"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("Quote(%.20q) = %s, want %s", text, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"plain text\u00a0é":        "plain text\u00a0é",
		"\x1b[2J\r\n":              `\x1b[2J\r\n`,
		"a\u202eb\u200b\xff\ufffd": `a\u202eb\u200b\xff` + "\ufffd",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1,023 bytes", 1024: "1 KiB", 1536: "1.5 KiB",
		1<<20 - 1: "1 MiB", 1 << 40: "1 TiB", 1<<63 - 1: "8 EiB", -1234: "-1,234 bytes",
	} {
		if got := ByteSize(n); got != want {
			t.Errorf("ByteSize(%d) = %s, want %s", n, got, want)
		}
	}
	if got := Counted(1234567, "skill"); got != "1,234,567 skills" {
		t.Error(got)
	}
	for words, want := range map[string]string{"": "", "a": "a", "a b": "a or b", "a b c": "a, b or c"} {
		if got := OrList(strings.Fields(words)); got != want {
			t.Errorf("OrList(%s) = %s", words, got)
		}
	}
}
