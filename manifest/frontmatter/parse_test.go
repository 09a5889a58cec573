package frontmatter

import (
	"fmt"
	"github.com/skillpack/skillpack/manifest"
	"slices"
	"strings"
	"testing"
)

// place is where a problem is expected, and what its message must say.
type place struct {
	rule         string
	line, column int
	says         string
}

// checkProblems compares the problems of a document with those expected, in
// the order of the file.
func checkProblems(t *testing.T, got []Problem, want []place) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		w := want[i]
		ok = got[i].Rule == w.rule && got[i].Pos == manifest.Pos{Line: w.line, Column: w.column} && strings.Contains(got[i].Message, w.says)
	}
	if ok {
		return
	}
	var b strings.Builder
	for _, p := range got {
		fmt.Fprintf(&b, "\n  got  %d:%d %s: %s", p.Pos.Line, p.Pos.Column, p.Rule, p.Message)
	}
	for _, w := range want {
		fmt.Fprintf(&b, "\n  want %d:%d %s: …%s…", w.line, w.column, w.rule, w.says)
	}
	t.Error("problems differ:" + b.String())
}

// document returns a SKILL.md with a block.
func document(block string) []byte { return []byte("---\n" + block + "\n---\n") }

func TestFences(t *testing.T) {
	tests := []struct {
		name, text  string
		block, body string
		bodyLine    int
		want        []place
	}{
		{"plain", "---\nname: a\n---\nbody\n", "name: a\n", "body\n", 4, nil},
		{"crlf", "---\r\nname: a\r\n---\r\nbody\r\n", "name: a\r\n", "body\r\n", 4, nil},
		{"no line end behind the closing fence", "---\nname: a\n---", "name: a\n", "", 4, nil},
		{"a thematic break in the body", "---\nname: a\n---\nx\n---\ny\n", "name: a\n", "x\n---\ny\n", 4, nil},
		{"dashes inside a value", "---\nname: a --- b\n---\n", "name: a --- b\n", "", 4, nil},
		{"empty file", "", "", "", 1, []place{{"frontmatter-absent", 1, 1, "the file is empty"}}},
		{"no fence", "# Title\n", "", "# Title\n", 1, []place{{"frontmatter-absent", 1, 1, `"# Title"`}}},
		{"thematic break, no fields", "# Title\n\n---\n\ntext\n", "", "# Title\n\n---\n\ntext\n", 1, []place{{"frontmatter-absent", 1, 1, `"# Title"`}}},
		{"blank first line", "\n---\nname: a\n---\n", "", "\n---\nname: a\n---\n", 1, []place{{"frontmatter-absent", 1, 1, "blank line, and the frontmatter on line 2"}}},
		{"text before the fence", "x\n---\nname: a\n---\n", "", "x\n---\nname: a\n---\n", 1, []place{{"frontmatter-absent", 1, 1, "before the --- on line 2"}}},
		{"indented opening", " ---\nname: a\n---\n", "", " ---\nname: a\n---\n", 1, []place{{"frontmatter-absent", 1, 1, "indented"}}},
		{"text behind the opening", "--- # x\nname: a\n---\n", "", "--- # x\nname: a\n---\n", 1, []place{{"frontmatter-absent", 1, 1, "text stands behind"}}},
		{"four dashes open", "----\nname: a\n---\n", "", "----\nname: a\n---\n", 1, []place{{"frontmatter-absent", 1, 1, `"----"`}}},
		{"toml", "+++\nname = 1\n+++\n", "", "+++\nname = 1\n+++\n", 1, []place{{"frontmatter-absent", 1, 1, "TOML"}}},
		{"spaces behind both fences", "--- \nname: a\n---\t\nbody\n", "name: a\n", "body\n", 4, []place{
			{"frontmatter-fence", 1, 4, "opening"}, {"frontmatter-fence", 3, 4, "closing"}}},
		{"unclosed", "---\nname: a\n", "", "name: a\n", 2, []place{{"frontmatter-unclosed", 1, 1, "no line closes"}}},
		{"only the fence", "---", "", "", 2, []place{{"frontmatter-unclosed", 1, 1, "no line closes"}}},
		{"dots", "---\nname: a\n...\nbody\n", "", "name: a\n...\nbody\n", 2, []place{{"frontmatter-unclosed", 3, 1, `"..."`}}},
		{"four dashes", "---\nname: a\n----\n", "", "name: a\n----\n", 2, []place{{"frontmatter-unclosed", 3, 1, `"----"`}}},
		{"indented closing", "---\nname: a\n  ---\n", "", "name: a\n  ---\n", 2, []place{{"frontmatter-unclosed", 3, 3, "indented"}}},
		{"em dash", "---\nname: a\n—\n", "", "name: a\n—\n", 2, []place{{"frontmatter-unclosed", 3, 1, `"—"`}}},
		{"near miss before the fence", "---\na: |\n  x\n  ...\n---\n", "a: |\n  x\n  ...\n", "", 6, []place{{"block-scalar-last", 2, 4, "|-"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse([]byte(tt.text))
			checkProblems(t, d.Problems, tt.want)
			if string(d.Block) != tt.block || string(d.Body) != tt.body || d.BodyLine != tt.bodyLine {
				t.Errorf("block %q, body %q from line %d; want %q, %q, %d", d.Block, d.Body, d.BodyLine, tt.block, tt.body, tt.bodyLine)
			}
		})
	}
}

func TestFieldsBeforeNearMissAreRead(t *testing.T) {
	d := Parse([]byte("---\nname: a\n...\nbody\n"))
	if d.Frontmatter.Text("name") != "a" {
		t.Errorf("fields before ... are %v", d.Frontmatter.Value())
	}
	d = Parse([]byte("---\nname: a\n\n# Title: x\n\ntext\n...\n"))
	if len(d.Frontmatter) != 0 || len(d.Problems) != 1 {
		t.Errorf("a body before ... gives %v and %v", d.Frontmatter.Value(), d.Problems)
	}
}

func TestEncoding(t *testing.T) {
	tests := []struct {
		name, text string
		want       []place
	}{
		{"byte-order mark", "\uFEFF---\nname: a\n---\n", []place{{"byte-order-mark", 1, 1, "UTF-8 without BOM"}}},
		{"byte-order mark and more", "\uFEFF--- \na: b: c\n---\n", []place{
			{"byte-order-mark", 1, 1, ""}, {"frontmatter-fence", 1, 4, ""}, {"frontmatter-unparsable", 2, 4, `a: "b: c"`}}},
		{"UTF-16 with a mark", "\xFF\xFE-\x00-\x00-\x00\n\x00", []place{{"frontmatter-encoding", 1, 1, "UTF-16"}}},
		{"UTF-16, big end first", "\xFE\xFF\x00-\x00-\x00-\x00\n", []place{{"frontmatter-encoding", 1, 1, "iconv -f UTF-16"}}},
		{"UTF-16 without a mark", "-\x00-\x00-\x00\r\x00\n\x00n\x00", []place{{"frontmatter-encoding", 1, 1, "UTF-16"}}},
		{"UTF-32", "-\x00\x00\x00-\x00\x00\x00", []place{{"frontmatter-encoding", 1, 1, "UTF-32"}}},
		{"Latin-1 in the block", "---\nname: é caf\xE9 \xE9\n---\n", []place{{"frontmatter-encoding", 2, 12, "byte 0xE9 is not UTF-8 (and 1 more"}}},
		{"Latin-1 in place of the fence", "\xE9\n\xE8\n", []place{{"frontmatter-encoding", 1, 1, "byte 0xE9 is not UTF-8 (and 1 more"}, {"frontmatter-absent", 1, 1, ""}}},
		{"Latin-1 in the body", "---\nname: a\n---\n\ncaf\xE9\n", []place{{"frontmatter-encoding", 5, 4, "byte 0xE9"}}},
		{"NUL", "---\nname: a\x00b\n---\n", []place{{"frontmatter-encoding", 2, 8, "U+0000"}}},
		{"vertical tab", "---\nname: a\vb\n---\n", []place{{"frontmatter-encoding", 2, 8, "U+000B"}}},
		{"NUL where a key should be", "---\nname: a\n\x00\n---\n", []place{{"frontmatter-encoding", 3, 1, "U+0000"}}},
		{"DEL and C1", "---\nname: a\x7F\u009Bb\n---\n", []place{{"frontmatter-encoding", 2, 8, "U+007F is not allowed in YAML (and 1 more"}}},
		{"NUL in the body", "---\nname: a\n---\n\x00\n", nil},
		{"lone CR", "---\nname: a\rdescription: b\n---\n", []place{{"frontmatter-encoding", 2, 8, "a lone CR"}}},
		{"only CR", "---\rname: a\r---\r", []place{{"frontmatter-encoding", 1, 4, "lone CR"}}},
		{"line separator", "---\nname: a\u2028b\n---\n", []place{{"unportable-yaml", 2, 8, `\u2028`}}},
		{"next line in a comment", "---\nname: a # x\u0085y\n---\n", []place{{"comment-in-value", 2, 9, ""}, {"unportable-yaml", 2, 12, `\u0085`}}},
		{"escaped line separator", `---` + "\n" + `name: "a\u2028b\0"` + "\n---\n", nil},
		{"mark inside the block", "---\nname: a\uFEFFb\n---\n", []place{{"unportable-yaml", 2, 8, "U+FEFF"}}},
		{"replacement character and emoji", "---\nname: \uFFFD😀\uE000\n---\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkProblems(t, Parse([]byte(tt.text)).Problems, tt.want)
		})
	}
}

func TestSpecialCharactersKeepTheirValue(t *testing.T) {
	d := Parse([]byte("---\nname: a\u2028b\uFEFFc\uE000\uE001\u0085d\n---\n"))
	if got, want := d.Frontmatter.Text("name"), "a\u2028b\uFEFFc\uE000\uE001\u0085d"; got != want {
		t.Errorf("name is %q, want %q", got, want)
	}
}

func TestPositions(t *testing.T) {
	d := Parse([]byte("---\r\n\"é😀\" : 'x'\r\n# c\r\nm:\r\n  - a: >-\r\n      t\r\n    b: [1, {c: true}]\r\n---\r\n"))
	checkProblems(t, d.Problems, nil)
	var got []string
	var visit func(v manifest.Value)
	visit = func(v manifest.Value) {
		for _, m := range v.Members {
			got = append(got, fmt.Sprintf("%s %d:%d %d:%d", m.Key, m.KeyPos.Line, m.KeyPos.Column, m.Value.Pos.Line, m.Value.Pos.Column))
			visit(m.Value)
		}
		for _, item := range v.Items {
			got = append(got, fmt.Sprintf("- %d:%d", item.Pos.Line, item.Pos.Column))
			visit(item)
		}
	}
	visit(d.Frontmatter.Value())
	want := []string{"é😀 2:1 2:8", "m 4:1 5:3", "- 5:5", "a 5:5 5:8", "b 7:5 7:8", "- 7:9", "- 7:12", "c 7:13 7:16"}
	if !slices.Equal(got, want) {
		t.Errorf("positions are\n%q, want\n%q", got, want)
	}
}

func TestTooComplex(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'h'; c++ {
		p := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+p+", ", 10), ", "))
	}
	levels := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String() + strings.Repeat(" ", n) + "b: c"
	}
	tests := []struct {
		name, block string
		want        []place
	}{
		{"64 KiB", "a: " + strings.Repeat("x", MaxBlock-4), nil},
		{"over 64 KiB", "a: " + strings.Repeat("x", MaxBlock-3), []place{{"frontmatter-too-complex", 2, 1, "65537 bytes long"}}},
		{"32 levels", levels(MaxLevels - 1), nil},
		{"33 levels", levels(MaxLevels), []place{{"frontmatter-too-complex", 34, 33, "over 32 levels"}}},
		{"33 lists", "a: " + strings.Repeat("[", MaxLevels) + strings.Repeat("]", MaxLevels), []place{{"frontmatter-too-complex", 2, 35, "over 32 levels"}}},
		{"brackets without end", "a: " + strings.Repeat("[", 20_000), []place{{"frontmatter-too-complex", 2, 1, "over 32 levels"}}},
		{"bomb", bomb, []place{{"frontmatter-too-complex", 5, 36, "over 10000 values"}}},
		{"alias inside its anchor", "a: &a [*a]", []place{{"frontmatter-too-complex", 2, 8, "has no end"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkProblems(t, Parse(document(tt.block)).Problems, tt.want) })
	}
}
