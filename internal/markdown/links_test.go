package markdown

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestNotAsGoldmark has texts that CommonMark 0.31 and goldmark 1.8.7 read
// differently: this package reads them as CommonMark says.
func TestNotAsGoldmark(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// A line after a definition that starts like a title, and is none.
		{"[b]: c.md\n(b)[b]: c.md\n*", "c.md at 5"},
		// A tab after a mark ends at the next fourth column of the line.
		{"> \t<!-- [a](b)", ""},
		{">2) \t[a](b)", ""},
		// A destination with a parenthesis that is not closed, or with a "<".
		{"[a](b(c )", ""},
		{"[a](<b<c>)", ""},
		// A title right after the destination.
		{"[a](<b>\"t\")", ""},
		// An item may start with one line without text, but not with two.
		{"- *\n\n    [a](b)", "b at 13"},
		// Tags of either case, and with a tab.
		{"<!doctype html [a](b)>", ""},
		{"<div\tid=[a](b)", ""},
	} {
		if got := ownPlaces(t, c.text); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
		text := []byte(c.text)
		if text = text[:len(text):len(text)]; goldmarkLinks(text) == ownLinks(text) {
			t.Errorf("%q: goldmark finds the same: it needs no place here", c.text)
		}
	}
}

// ownPlaces writes each destination and its place.
func ownPlaces(t *testing.T, text string) string {
	t.Helper()
	links, err := Links([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range links {
		if got := text[l.Offset : l.Offset+len(l.Destination)]; got != string(l.Destination) {
			t.Errorf("%q: %q is at %d, where the text has %q", text, l.Destination, l.Offset, got)
		}
		all = append(all, fmt.Sprintf("%s at %d", l.Destination, l.Offset))
	}
	return strings.Join(all, ", ")
}

func TestLinks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[a](b)", "b at 4"},
		{"[![a](in.png)](out.md)", "out.md at 15, in.png at 6"},
		{"[x [a](in.md)](out.md)", "in.md at 7"},
		{"![x [a](in.md)](out.png)", "out.png at 16, in.md at 8"},
		{"> - [a](b\\\n)\n", "b\\ at 8"},
		{"> - [a](\n>   b)\n", "b at 13"},
		{"1. a\n2. [c]\n\n[C]: d", "d at 18"},
		{"a\n2. [c](d)", "d at 9"},
		{"[ß]\n\n[SS]: d", "d at 12"},
		{"[a]: b\n[a]: c\n\n[a]", "b at 5"},
		{"[a]: b\n===\n[a]", "b at 5"},
		{"[a\n b]: c\n\n[a b]", "c at 8"},
		{"[" + strings.Repeat("a", maxLabel) + "]: c\n\n[" + strings.Repeat("A", maxLabel) + "]", "c at 1003"},
		{"[" + strings.Repeat("a", maxLabel+1) + "]: c\n\n[" + strings.Repeat("A", maxLabel+1) + "]", ""},
		{"[a](" + strings.Repeat("(", maxParentheses) + strings.Repeat(")", maxParentheses) + ")", strings.Repeat("(", 32) + strings.Repeat(")", 32) + " at 4"},
		{"[a](" + strings.Repeat("(", maxParentheses+1) + strings.Repeat(")", maxParentheses+1) + ")", ""},
		{"- a\n\n\n  [b](c)\n", "c at 12"},
		{"-\n  [b](c)\n", "c at 8"},
		{"-\n\n      [b](c)\n", ""},
		{"```\n> x\n```\n[a](b)", "b at 16"},
		{"> ```\n[a](b)", "b at 10"},
		{"<pre>\n\n[a](b)\n</PRE>\n[c](d)", "d at 25"},
		{"<div>\n[a](b)\n\n[c](d)", "d at 18"},
		{"x\n<b>\n[a](b)", "b at 10"},
		{"<b>\n[a](b)", ""},
		{"<a b=\"[a](b)\"> <![CDATA[ [a](b) ]]> <? [a](b) ?> <!X [a](b)> <a@b.c> <xx:[a](b)> [c](d)", "d at 85"},
		{"x <!--> [a](b) <!---> [c](d) <!-- [e](f)", "b at 12, d at 26, f at 38"},
		{"``[a](b)` [c](d)`` `[e](f)", "f at 24"},
		{"\\`[a](b)`", "b at 6"},
	} {
		if got := ownPlaces(t, c.text); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for escaped, want := range map[string]string{
		"a": "a", `a\_b\c\`: `a_b\c\`, "a&amp;b": "a&b", "&auml;&ngE;": "ä≧̸", "&semi;": ";", "&CounterClockwiseContourIntegral;": "∳",
		"&notit;": "&notit;", "&amp": "&amp", "&;": "&;", "&x;&": "&x;&", `\&amp;`: "&amp;", "&#38;amp;": "&amp;",
		"&#65;&#x42;&#X43;": "ABC", "&#0;": "\uFFFD", "&#x110000;": "\uFFFD", "&#xD800;": "\uFFFD", "&#00000065;": "&#00000065;", "&#0000065;": "A",
		"&#x0000041;": "&#x0000041;", "&#x000041;": "A", "&#;": "&#;", "&#x;": "&#x;", "&#+1;": "&#+1;",
	} {
		if got := Unescape([]byte(escaped)); got != want {
			t.Errorf("%q: %q, want %q", escaped, got, want)
		}
	}
}

func TestTooDeep(t *testing.T) {
	for _, mark := range []string{"> ", "- ", "1. ", "> - "} {
		depth := strings.Count(mark, " ")
		if got := ownPlaces(t, strings.Repeat(mark, MaxDepth/depth)+"[a](b)"); !strings.HasPrefix(got, "b at ") {
			t.Errorf("%q: %s", mark, got)
		}
		if links, err := Links([]byte(strings.Repeat(mark, MaxDepth/depth+1) + "[a](b)")); !errors.Is(err, ErrTooDeep) || links != nil {
			t.Errorf("%q: %v, %v", mark, links, err)
		}
	}
}

// TestTime fails if the time grows with the square of a text's length: that would
// be minutes. Ten seconds are for a busy machine.
func TestTime(t *testing.T) {
	const size = 1 << 20
	var backticks strings.Builder // runs of all lengths
	for n := range 1400 {
		backticks.WriteString(strings.Repeat("`", n) + "a")
	}
	for _, c := range []struct{ start, unit string }{
		{"", "["}, {"", "[a]("}, {"", "!["}, {"", "]"}, {"", "[]"}, {"", "[a]"}, {"", "<"}, {"", "`"}, {"", "> "}, {"", "[a]: b\n"},
		{"", "[a](b\n"}, {"", "*a_"}, {"", "\\"}, {"", "&"}, {"", "<a "}, {"", "a\n"}, {"", "# "}, {"", "\t- "}, {"", "[a][b]"}, {"", "![a](b)"},
		{"", "[[a](b)"}, {"", "[a](((("}, {"", "`a``"}, {"", "~~~\n"}, {"", "| a "}, {"", "[a]: <"}, {"", "[a](<"}, {"", "[a](b \""}, {"", "[a](b ("},
		{"", "<a b='"}, {"", "<!-- "}, {"", "<!a "}, {"", "<? "}, {"", "<![CDATA["}, {"", "<x:a"}, {"", "[a]: b\n\"x\n"}, {"[x]: y\n\n", "[a"},
		{strings.Repeat("[", size/4), "](x"}, {strings.Repeat("[", size/4), "](<x"}, {strings.Repeat("- ", MaxDepth), "\n"}, {strings.Repeat(">", MaxDepth) + "a\n", "a\n"},
		{"[x]: y\n\n" + strings.Repeat("[", size/2), "]"}, {"[x]: y\n\n", "[" + strings.Repeat("a", maxLabel) + "]"}, {strings.Repeat("[", size/4), "](x y"},
		{"", backticks.String()},
	} {
		text := c.start + strings.Repeat(c.unit, (size-len(c.start))/len(c.unit))
		start := time.Now()
		_, err := Links([]byte(text))
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("1 MiB of %q after %d bytes takes %v (%v)", c.unit, len(c.start), d, err)
		}
	}
}
