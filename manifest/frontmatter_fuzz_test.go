package manifest

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// FuzzParseFrontmatter holds for any bytes: the parser ends without a panic,
// every position lies in the file, the block and the body are parts of it, and
// the fields are JSON that reads back as the same value.
func FuzzParseFrontmatter(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(document(wildYAML(rand.New(rand.NewPCG(seed, 2)))))
	}
	for _, text := range []string{"", "---", "---\n---\n", "\uFEFF---\na: b\n---\n", "--- \na: b\n---\t\nx", "---\na: b\n...\n", "-\x00-\x00", "---\r\na: \xE9\r\n---\r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := ParseFrontmatter(text)
		lines := bytes.Split(text, []byte("\n"))
		within := func(what string, pos Pos) {
			if pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > utf8.RuneCount(lines[pos.Line-1])+1 {
				t.Fatalf("%s at %d:%d is not in the file", what, pos.Line, pos.Column)
			}
		}
		for i, p := range d.Problems {
			within(p.Rule, p.Pos)
			if p.Message == "" || bytes.ContainsAny([]byte(p.Message), "\n") {
				t.Fatalf("message %q is not one line", p.Message)
			}
			if i > 0 && p == d.Problems[i-1] {
				t.Fatalf("%v is reported twice", p)
			}
		}
		if !bytes.Contains(text, d.Block) || !bytes.HasSuffix(text, d.Body) || d.BodyLine < 1 || d.BodyLine > len(lines)+1 {
			t.Fatalf("block %q and body %q from line %d", d.Block, d.Body, d.BodyLine)
		}
		var visit func(v Value)
		visit = func(v Value) {
			within(v.String(), v.Pos)
			for _, m := range v.Members {
				within(m.Key, m.KeyPos)
				visit(m.Value)
			}
			for _, item := range v.Items {
				visit(item)
			}
		}
		for _, m := range d.Frontmatter {
			within(m.Key, m.KeyPos)
			visit(m.Value)
		}
		value := d.Frontmatter.Value()
		again, err := ParseValue(value.AppendJSON(nil))
		if err != nil || !again.Equal(value) {
			t.Fatalf("%s reads back as %s (%v)", value, again, err)
		}
	})
}
