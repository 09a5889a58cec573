package bundle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/markdown"
)

func TestFindLinks(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"[a](b.md)", "1:5 b.md"},
		{"![a](b.png)", "1:6 b.png"},
		{"text\n\nsee [a](b.md) and ![](c.png)", "3:9 b.md, 3:23 c.png"},
		{"é [a](b.md)", "1:7 b.md"},
		{"[a](<b c.md>)", "1:6 b c.md"},
		{"[a](b%20c.md)", "1:5 b c.md"},
		{"[a](b.md \"title\")", "1:5 b.md"},
		{"[a](b.md#part) [a](b.md?x=1)", "1:5 b.md (2)"},
		{"[a](b\\_c.md)", "1:5 b_c.md"},
		{"[a](b&amp;c.md)", "1:5 b&c.md"},
		{"[a](b(1).md)", "1:5 b(1).md"},
		{"[![a](in.png)](out.md)", "1:16 out.md, 1:7 in.png"},
		{"> - [a](b.md)\n>   [c](d.md)", "1:9 b.md, 2:9 d.md"},
		{"\t[a](code.md)", ""},
		{"- x\n\n\t[a](b.md)", "3:6 b.md"},
		{"| a | b |\n|---|---|\n| [a](b.md) | c |", "3:7 b.md"},
		{"# [a](b.md)", "1:7 b.md"},
		{"[a][ref]\n\n[ref]: b.md", "3:8 b.md"},
		{"[ref]\n\n[ref]: <b c.md> 'title'", "3:9 b c.md"},
		{"[ref][] and [x][ref]\n\n[ref]:\n  b.md", "4:3 b.md (2)"},
		{"[unused]: b.md", ""},
		{"A note[^1].\n\n[^1]: note.md", ""},
		{"`[a](b.md)`", ""},
		{"```\n[a](b.md)\n```\n[c](d.md)", "4:5 d.md"},
		{"~~~md\n[a](b.md)\n~~~", ""},
		{"    [a](b.md)", ""},
		{"<!-- [a](b.md) -->", ""},
		{"\\[a](b.md)", ""},
		{"[a](https://x.org/b.md) <https://x.org> [a](mailto:a@b.c) [a](//x.org/y)", ""},
		{"[a](#part) [a](?q) [a]() [a](/from/the/root.md)", ""},
		{"[a]({{ url }}) [a]({baseDir}/x.md) [a](<{x}>) [a]($DIR/x.md) [a](docs/*.md) [a](...)", ""},
		{"[a](url) [a](path/to/file.md) [a](LINK)", ""},
		{"[a](LICENSE)", "1:5 LICENSE"},
		{"[a](C:\\x.md)", ""},
		{"[a](scripts\\run.sh)", `1:5 scripts\run.sh`},
		{"[a](100%.md)", "1:5 100%.md"},
		{"**[a](b.md)** and *x [c](d.md)*", "1:7 b.md, 1:26 d.md"},
		{"[a](\nb.md)", "2:1 b.md"},
		{"[x](y.md)\r\n\r\n[a](b.md)\r\n", "1:5 y.md, 3:5 b.md"},
	} {
		var got []string
		links, err := findLinks([]byte(c.body), 1)
		if err != nil {
			t.Error(err)
		}
		for _, l := range links {
			text := fmt.Sprintf("%d:%d %s", l.at.Line, l.at.Column, l.target)
			if l.times > 1 {
				text += fmt.Sprintf(" (%d)", l.times)
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.body, strings.Join(got, ", "), c.want)
		}
		if targets, sure := targetsIn([]byte(c.body)); !sure || len(targets) != len(links) {
			t.Errorf("%q has the targets %q, sure is %v", c.body, targets, sure)
		}
	}
	if l, err := findLinks([]byte("x\n[a](b.md)"), 7); err != nil || len(l) != 1 || l[0].at.Line != 8 {
		t.Errorf("a body that starts on line 7 has %v, %v", l, err)
	}
}

// A long text of many short paragraphs is no tangle, one of deep quotes is.
func TestFindLinksOfLongTexts(t *testing.T) {
	const paragraph = "Some text with a [link](x.md).\n\n"
	const n = 600_000 / len(paragraph)
	links, err := findLinks([]byte(strings.Repeat(paragraph, n)), 1)
	if err != nil || len(links) != 1 || links[0].times != n {
		t.Errorf("%d links to %d files, %v", links[0].times, len(links), err)
	}
	if links, err := findLinks([]byte(strings.Repeat(">", markdown.MaxDepth+1)+"[a](b.md)"), 1); err != markdown.ErrTooDeep || links != nil {
		t.Errorf("%v, %v", links, err)
	}
}

// FuzzLinks holds that each link is where it is said to be in the text.
func FuzzLinks(f *testing.F) {
	for _, seed := range []string{
		"[a](b.md)", "[a](<b c.md> 't')", "[a]: b.md\n\n[a]", "> [a]:\n> b.md\n>\n> [a]", "[a\nb]: c.md\n\n[a b]", "- [x]: y\n[x]",
		"[a](b\\)c)", "`x](`](y)", "[a]( \n b )", "![a](b(c)d)", "[a]\n:b", "[[a]](b)", "[a](<b\\>c>)", "\t[a](b)\n1) [c]: d\n\n[c]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1000 {
			return
		}
		links, err := findLinks([]byte(body), 1)
		if err != nil && len(body) < markdown.MaxDepth {
			t.Error(err)
		}
		for _, l := range links {
			if lines := strings.Split(body, "\n"); l.at.Line < 1 || l.at.Line > len(lines) || l.at.Column < 1 || l.at.Column > len(lines[l.at.Line-1])+1 {
				t.Errorf("%q: %q is at %v", body, l.target, l.at)
			}
		}
	})
}

func TestSplitTarget(t *testing.T) {
	for target, want := range map[string]string{
		"a/b": "a/b", "./a//b/": "a/b", "a/../b": "b", ".": "", "a/..": "", "..": "out", "a/../../b": "out", "../a": "out",
	} {
		segments, inside := splitTarget(target)
		got := strings.Join(segments, "/")
		if !inside {
			got = "out"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", target, got, want)
		}
	}
}
