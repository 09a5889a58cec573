package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/lookalike"
)

// TestLookalikes writes each line that a message proposes into the text, and so
// gets rid of what was found on that line. The message names the character, and
// the line does not contain it.
func TestLookalikes(t *testing.T) {
	tests := []struct {
		block string
		char  rune
		want  []string // line:column and the line to write
	}{
		{"name:\u00a0nb\ndescription: d", 0xA0, []string{"2:6 name: nb"}},
		{"name:\u00a0a\u00a0b\u00a0\ndescription: d", 0xA0, []string{"2:6 name: a b"}},
		{"name:\u00a0x", 0xA0, []string{"2:6 name: x"}},
		{"name:\u3000x\ndescription: d", 0x3000, []string{"2:6 name: x"}},
		{"name:\u200bx\ndescription: d", 0x200B, []string{"2:6 name: x"}},
		{"\u200bname:\u200bx\ndescription: d", 0x200B, []string{"2:1 name: x"}},
		{"na\u200bme:\u200bx\ndescription: d", 0x200B, []string{"2:3 name: x"}},
		{"name：x\ndescription: d", 0xFF1A, []string{"2:5 name: x"}},
		{"name：x\ndescription：d", 0xFF1A, []string{"2:5 name: x", "3:12 description: d"}},
		{"name：x", 0xFF1A, []string{"2:5 name: x"}},
		{"name ： x", 0xFF1A, []string{"2:6 name: x"}},
		{"name: a\ndescription：use： x", 0xFF1A, []string{`3:14 description: "use: x"`}},
		{"name: a\nmetadata：\n  a：b\n  c: d", 0xFF1A, []string{"3:9 metadata:", "4:4 a: b"}},
		{"name: a\ndescription: “Use: x”", 0x201C, []string{`3:14 description: "Use: x"`}},
		{"name: a\ndescription: “Use: x\n  and y”", 0x201C, []string{`3:14 description: "Use: x and y"`}},
		{"name: a\ndescription: \"Use: x”", 0x201D, []string{`3:14 description: "Use: x"`}},
		{"name: a\ndescription:“Use x”", 0x201C, []string{`3:13 description: "Use x"`}},
		{"name: a\ndescription: ‘it's: x’", 0x2018, []string{`3:14 description: "it's: x"`}},
		{"name: a\n“description”：“x”", 0x201C, []string{`3:1 description: "x"`}},
		{"name: a\nmetadata:\n  a: b\n \u00a0c: d", 0xA0, []string{"5:2   c: d"}},
		{"name: a\nmetadata:\n\u00a0\u00a0a:\u00a0b\n  c: d", 0xA0, []string{"4:1   a: b"}},
		{"name: a\nx: >-\n\u00a0\u00a0text\n  more", 0xA0, []string{"4:1   text"}},
		{"name: a\nx: |-\n    one\n  \u00a0\u00a0two", 0xA0, []string{"5:3     two"}},
		{"  name: a\n\u00a0\u00a0x: b", 0xA0, []string{"3:1   x: b"}},
		{"name: a\nx:\n\u00a0\u00a0text", 0xA0, []string{"4:1   text"}},
		{"name: a\nx: d\n\u00a0", 0xA0, []string{"4:1 "}},
		{"name: a\n\u00a0# c\nx: d", 0xA0, []string{"3:1  # c"}},
		{"name: a\ntags:\n– a\n- b", 0x2013, []string{"4:1 - a"}},
		{"name: a\ntags:\n-\u00a0a\n- b", 0xA0, []string{"4:2 - a"}},
		{"allowed–tools：Read\nname: a", 0x2013, []string{"2:8 allowed-tools: Read"}},
		{"name: a\nx:\u00a0\"x\" y", 0xA0, []string{`3:4 x: '"x" y'`}},
		{"name: a\nx:\u00a0[x", 0xA0, []string{"3:4 x: [x]"}},
		{"\u00a0name:\u00a0a", 0xA0, []string{"2:1 name: a"}},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) {
			var got []string
			for _, p := range Parse(document(tt.block + "\n")).Problems {
				line, ok := proposed(p.Message)
				if !ok || p.Rule != "frontmatter-unparsable" {
					t.Fatalf("no line to write: %+v", p)
				}
				if !strings.Contains(p.Message, lookalike.Name(tt.char)) && !strings.Contains(p.Message, "FULLWIDTH COLON") {
					t.Errorf("the character has no name: %s", p.Message)
				}
				if strings.ContainsRune(line, tt.char) {
					t.Errorf("the line to write has the character at fault: %+q", line)
				}
				got = append(got, fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, line))
				lines := strings.Split("---\n"+tt.block, "\n")
				if was := lines[p.Pos.Line-1]; strings.Contains(p.Message, ": write "+line) {
					line = was[:len(was)-len(strings.TrimLeft(was, " "))] + line // what is before the text stays
				}
				lines[p.Pos.Line-1] = line
				if strings.Contains(tt.block, "\n  and y") {
					lines = lines[:p.Pos.Line]
				}
				for _, left := range Parse([]byte(strings.Join(lines, "\n") + "\n---\n")).Problems {
					if left.Pos.Line == p.Pos.Line {
						t.Errorf("after %q: %+v", line, left)
					}
				}
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// proposed returns the line that a message says to write.
func proposed(message string) (string, bool) {
	if strings.HasSuffix(message, ": empty the line") {
		return "", true
	}
	for before, indent := range map[string]string{": write behind 4 spaces ": "    ", ": write behind 2 spaces ": "  ", ": write behind 1 space ": " ", ": write without indentation ": "", ": write ": ""} {
		if _, line, ok := strings.Cut(message, before); ok && !strings.HasPrefix(line, "behind ") && !strings.HasPrefix(line, "without ") {
			return indent + line, true
		}
	}
	return "", false
}

// Where they break nothing, these characters are text.
func TestLookalikesInText(t *testing.T) {
	for _, block := range []string{
		"name: a\ndescription: Use “this”\u00a0! that — or 用：that", "name: a\ndescription: “Use”", "name: a\nx: |-\n  \u00a0\u00a0text\n  k：v\n",
		"name: a\nx: b\n  k：v\n  – c", "name: a\nx: >-\n    b\n    \u00a0c",
	} {
		doc := Parse(document(block + "\n"))
		if len(doc.Problems) > 0 {
			t.Errorf("%q: %v", block, doc.Problems)
		}
		broken := Parse(document(block + "\nbroken: a: b\n"))
		if len(broken.Problems) != 1 || !strings.HasSuffix(broken.Problems[0].Message, `write broken: "a: b"`) {
			t.Errorf("%q beside a broken line: %v", block, broken.Problems)
		}
	}
	const text = "name: a\ndescription: say “x”: y\u00a0z"
	p := Parse(document(text + "\n")).Problems
	if len(p) != 1 || !strings.HasSuffix(p[0].Message, "write description: \"say “x”: y\u00a0z\"") {
		t.Errorf("%q: %v", text, p)
	}
}

// An entry that cannot be read in any way still has the character named.
func TestLookalikeInLostEntry(t *testing.T) {
	for _, block := range []string{"name: a\nx:\u00a0&b *c *d\ny: {a: [b: {c]}}"} {
		for _, p := range Parse(document(block + "\n")).Problems {
			if p.Pos.Line == 3 && !strings.Contains(p.Message, "U+00A0 NO-BREAK SPACE") {
				t.Errorf("%q: %+v", block, p)
			}
		}
	}
}

func TestLookalikesInFences(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: a\n---\u00a0\nB\n":   "3:1 frontmatter-unclosed: no line closes the frontmatter, and --- with U+00A0 NO-BREAK SPACE behind it does not: write exactly --- from the first column on",
		"---\nname: a\n\u200b---\nB\n":   "3:2 frontmatter-unclosed: no line closes the frontmatter, and --- with U+200B ZERO WIDTH SPACE before it does not: write exactly --- from the first column on",
		"---\nname: a\n\u2014\nB\n":      "3:1 frontmatter-unclosed: no line closes the frontmatter, and \"\u2014\" (U+2014 EM DASH) does not: write exactly --- from the first column on",
		"---\nname: a\n ---\nB\n":        "3:2 frontmatter-unclosed: no line closes the frontmatter, and an indented --- does not: write exactly --- from the first column on",
		"---\u200b\nname: a\n---\nB\n":   "1:1 frontmatter-absent: the first line is --- with U+200B ZERO WIDTH SPACE behind it: write --- and nothing else",
		"\u00a0---\nname: a\n---\nB\n":   "1:1 frontmatter-absent: the first line is --- with U+00A0 NO-BREAK SPACE before it: write --- and nothing else",
		"\u2014-\nname: a\n---\nB\n":     "1:1 frontmatter-absent: the first line is \"\u2014-\" (U+2014 EM DASH): write exactly ---",
		"\u2013\u2013\nname: a\n---\n":   "1:1 frontmatter-absent: the first line is \"\u2013\u2013\" (U+2013 EN DASH): write exactly ---",
		"  ---\nname: a\n---\nB\n":       "1:1 frontmatter-absent: the opening --- is indented: write it from the first column on",
		"---\f\nname: a\n---\nB\n":       "1:1 frontmatter-absent: the first line is --- with other characters behind it: write --- and nothing else",
		"\u200b\n---\nname: a\n---\nB\n": "1:1 frontmatter-absent: the file starts with a blank line, and the frontmatter on line 2 is not seen: remove what stands before it",
	} {
		p := Parse([]byte(text)).Problems
		if len(p) != 1 {
			t.Errorf("%q: %v", text, p)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s: %s", p[0].Pos.Line, p[0].Pos.Column, p[0].Rule, p[0].Message); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}
