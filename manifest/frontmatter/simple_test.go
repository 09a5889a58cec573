package frontmatter

import (
	"github.com/skillpack/skillpack/manifest"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// sameWithout fails the test unless readSimple passes the block on or reads of it
// what readYAML does, faults included.
func sameWithout(t *testing.T, block string) (simple bool) {
	t.Helper()
	fields, ok := readSimple([]byte(block))
	if !ok {
		return false
	}
	doc := Document{Block: []byte(block)}
	readYAML(&doc, func(rule string, pos manifest.Pos, format string, args ...any) {
		t.Errorf("%q: %s at %v is not reported: %s", block, rule, pos, format)
	})
	if !reflect.DeepEqual(fields, doc.Frontmatter) || doc.quoted != nil {
		t.Fatalf("%q is read as\n%+v\nnot\n%+v", block, fields, doc.Frontmatter)
	}
	return true
}

func TestReadSimple(t *testing.T) {
	for _, test := range []struct {
		block  string
		simple bool
	}{
		{"name: a\n", true},
		{"name: pdf-processing\ndescription: Fills in forms (PDF, 1.7). Use it when: asked\n", false},
		{"name: pdf-processing\ndescription: Fills in forms (PDF, 1.7), tables & \"quotes\" – größer\n", true},
		{"name: \"a\"\ndescription: 'it is \"so\": #1'\n", true},
		{"metadata:\n  version: \"1.10\"\n  team: x\nlicense: MIT\n", true},
		{"metadata:\n   version: 3\n", true},
		{"count: 12\nratio: 1.5\nhex: 0x1F\nyesno: true\nnothing: null\n", true},
		{"big: 123456789012345678901234567890\n", true},
		{"a: 2024x\n", true},
		{"a: x#y\nb: x:y\nc: a, b [c] {d}\nd: x ---\n", true},
		{"description: x:\n", false},
		{"description: x #y\n", false},
		{"a: 010\n", false},
		{"a: 2024-01-31\n", false},
		{"a: 1:30\n", false},
		{"a: yes\n", false},
		{"yes: a\n", false},
		{"null: a\n", false},
		{"a: .inf\n", false},
		{"a: ~\n", false},
		{"a: -1\n", false},
		{"a: x\na: y\n", false},
		{"m:\n  a: x\n  a: y\n", false},
		{"m:\n  a: x\nm: y\n", false},
		{"m:\n  a: x\n b: y\n", false},
		{"m:\n  a: x\n   b: y\n", false},
		{"m:\n  a:\n    b: x\n", false},
		{"m:\n", false},
		{"m:\nn: x\n", false},
		{"m:\n- x\n", false},
		{"m: \n  a: x\n", false},
		{"a: x\n  b: y\n", false},
		{"a: x\n  y\n", false},
		{"a: \"x\n  y\"\n", false},
		{"  a: x\n", false},
		{"a: x \n", false},
		{"a:  x\n", false},
		{"a:\tx\n", false},
		{"a: x\ty\n", false},
		{"a: \"x\\ty\"\n", false},
		{"a: \"x\" # y\n", false},
		{"a: \"\n", false},
		{"a: \"\"\n", true},
		{"a: ''\n", true},
		{"a: 'it''s'\n", false},
		{"a: \"it\"s\"\n", false},
		{"a: |\n  x\n", false},
		{"a: [x]\n", false},
		{"a: {x: y}\n", false},
		{"a: &b c\n", false},
		{"a: !!str c\n", false},
		{"a: *b\n", false},
		{"<<: b\n", false},
		{"? a\n", false},
		{"# c\na: x\n", false},
		{"a: x\n\nb: y\n", false},
		{"a: x\r\n", false},
		{"a: x", false},
		{"", false},
		{"a: x\u0085y\n", false},
		{"a: x\u2028y\n", false},
		{"a: x\uFEFFy\n", false},
		{"a: x\x00y\n", false},
		{"a: x\xFFy\n", false},
		{strings.Repeat("k", 65) + ": x\n", false},
	} {
		if simple := sameWithout(t, test.block); simple != test.simple {
			t.Errorf("%q: simple is %v", test.block, simple)
		}
	}
}

// FuzzReadSimple holds the short way of reading a block to the long one.
func FuzzReadSimple(f *testing.F) {
	for _, block := range []string{
		"name: a\ndescription: B c.\nmetadata:\n  version: \"1.10\"\n  team: x\nlicense: MIT\n",
		"a: 'x: #y'\nb: 1e3\nc: 0o14\nd: x:y #z\n", "a: 12345678901234567890\nb: 1.10\n", "m:\n a: é\nn: x ---\n", "m:\n  a: 0xA\n  b: 1_000\n",
	} {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, block string) { sameWithout(t, block) })
}

// TestReadSimpleRandom tries texts that are next to simple, of which fuzzing by
// bytes makes few.
func TestReadSimpleRandom(t *testing.T) {
	pieces := []string{
		"a", "b", "Use it", "y", "no", "null", "True", "x-y", "x_1", "\n", "\n  ", ": ", ":", " ", "  ", "\"", "'", "#", " #", "-", "- ",
		"1", "0", "1.5", "2024-01-31", "12:30", "0x1F", "1_0", "1e3", "é", "–", "\u00a0", "\u2028", "😀", "\\", "\t", ",", "[", "]", "{", "}",
		"&", "*", "!", "|", ">", "%", "@", "`", "?", "---", "...", "~", "=", "<<", ".", "(", "/",
	}
	starts := []string{"", "", "", "", "  ", "  ", " ", "    ", "a", "#"}
	keys := []string{"a", "b", "c", "d", "name", "metadata", "y", "null", "x-y", "1", "a b"}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	simple := 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(pick(starts) + pick(keys) + ":")
			quote := pick([]string{"", "", "", "\"", "'"})
			if n := r.IntN(4); n > 0 {
				b.WriteString(" " + quote)
				for range n {
					b.WriteString(pick(pieces))
				}
				b.WriteString(quote)
			}
			b.WriteByte('\n')
		}
		if sameWithout(t, b.String()) {
			simple++
		}
		if t.Failed() {
			return
		}
	}
	if simple < 5000 {
		t.Errorf("only %d of the texts were simple", simple)
	}
}
