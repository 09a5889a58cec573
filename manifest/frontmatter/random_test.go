package frontmatter

import (
	"fmt"
	"github.com/skillpack/skillpack/manifest"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// randomYAML writes random frontmatter in forms that every reader agrees on,
// beside the value it stands for.
type randomYAML struct {
	r *rand.Rand
	b strings.Builder
}

func (g *randomYAML) pick(choices ...string) string { return choices[g.r.IntN(len(choices))] }

func (g *randomYAML) text() string {
	var words []string
	for range 1 + g.r.IntN(5) {
		words = append(words, g.pick("a", "PDF", "é😀", "x:y", "it's", `"q"`, "#1", "C#", "-", "- b", "1.10", "010", "yes", "[c]", "{d}", "a: b", `\`, "e,", "|", ">", "*f*", "&g", "!h", "%", "@i", "`j`", "? k", ":", "null", "~"))
	}
	return strings.Join(words, " ")
}

// plain reports whether a text needs no quotes, by a rule much stricter than YAML's.
func plain(s string) bool {
	for i, c := range s {
		if (c < 'a' || c > 'z') && (i == 0 || c != ' ' && c != '-') {
			return false
		}
	}
	return s != "" && !strings.HasSuffix(s, " ") && disagreement(s) == "" && read12(s).kind == manifest.String
}

func (g *randomYAML) scalar(indent string, inline bool) manifest.Value {
	switch g.r.IntN(8) {
	case 0:
		n := strconv.Itoa(g.r.IntN(2000) - 1000)
		g.b.WriteString(n)
		return manifest.Value{Kind: manifest.Number, Text: n}
	case 1:
		b := g.pick("true", "false")
		g.b.WriteString(b)
		return manifest.Value{Kind: manifest.Bool, Text: b}
	case 2:
		g.b.WriteString(g.pick("null", "~"))
		return manifest.Value{}
	}
	s := g.text()
	switch {
	case plain(s) && g.r.IntN(2) == 0:
		g.b.WriteString(s)
	case !inline && g.r.IntN(3) == 0:
		lines := []string{s}
		for range g.r.IntN(3) {
			lines = append(lines, g.pick("", g.text()), g.text())
		}
		s = strings.Join(lines, "\n")
		g.b.WriteString("|-\n" + indent + "  " + strings.ReplaceAll(s, "\n", "\n"+indent+"  "))
	case g.r.IntN(2) == 0:
		g.b.WriteString(strconv.Quote(s))
	default:
		g.b.WriteString("'" + strings.ReplaceAll(s, "'", "''") + "'")
	}
	return manifest.Value{Kind: manifest.String, Text: s}
}

func (g *randomYAML) flow(depth int) manifest.Value {
	if depth > 2 || g.r.IntN(2) == 0 {
		return g.scalar("", true)
	}
	open, v := "[", manifest.Value{Kind: manifest.Array}
	if g.r.IntN(2) == 0 {
		open, v = "{", manifest.Value{Kind: manifest.Object}
	}
	g.b.WriteString(open)
	for i := range g.r.IntN(4) {
		if i > 0 {
			g.b.WriteString(", ")
		}
		if open == "[" {
			v.Items = append(v.Items, g.flow(depth+1))
			continue
		}
		key := fmt.Sprintf("k%d", i)
		g.b.WriteString(key + ": ")
		v.Members = append(v.Members, manifest.Member{Key: key, Value: g.flow(depth + 1)})
	}
	g.b.WriteString(string(open[0] + 2))
	return v
}

func (g *randomYAML) block(indent string, depth int) manifest.Value {
	switch n := g.r.IntN(6); {
	case depth > 3 || n < 3:
		g.b.WriteByte(' ')
		return g.scalar(indent, false)
	case n == 3:
		g.b.WriteByte(' ')
		return g.flow(0)
	case n == 4:
		v := manifest.Value{Kind: manifest.Array}
		for range 1 + g.r.IntN(3) {
			g.b.WriteString("\n" + indent + "  -")
			v.Items = append(v.Items, g.block(indent+"  ", depth+1))
		}
		return v
	default:
		g.b.WriteByte('\n')
		return g.members(indent+"  ", depth+1)
	}
}

func (g *randomYAML) members(indent string, depth int) manifest.Value {
	v := manifest.Value{Kind: manifest.Object}
	for i := range 1 + g.r.IntN(4) {
		if i > 0 {
			g.b.WriteString("\n" + g.pick("", "", "# comment: x\n", "\n"))
		}
		key := fmt.Sprintf("key %d", i)
		if g.r.IntN(3) == 0 {
			key = g.text() + strconv.Itoa(i)
			g.b.WriteString(indent + quote(key) + ":")
		} else {
			g.b.WriteString(indent + key + ":")
		}
		v.Members = append(v.Members, manifest.Member{Key: key, Value: g.block(indent, depth)})
	}
	return v
}

// TestRandomFrontmatterIsReadBack holds that what is written in portable forms
// is read as what it stands for, and that no rule speaks of it.
func TestRandomFrontmatterIsReadBack(t *testing.T) {
	for seed := range uint64(1000) {
		g := &randomYAML{r: rand.New(rand.NewPCG(seed, 1))}
		want := g.members("", 0)
		text := g.b.String()
		if seed%3 == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		d := Parse(document(text))
		if len(d.Problems) > 0 || !d.Frontmatter.Value().Equal(want) {
			t.Fatalf("seed %d:\n%s\nis read as %s\nwant       %s\nproblems %v", seed, text, d.Frontmatter.Value(), want, d.Problems)
		}
	}
}

// wildYAML returns random frontmatter of every kind, most of it at fault.
func wildYAML(r *rand.Rand) string {
	pick := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	value := func() string {
		return pick("a", "b c", "1", "010", "1.5", "true", "yes", "null", "it's", `say "x"`, `C:\d`, "x:y", "x: y", "x:", "- x", "? x", "@x", "`x`", "%x",
			"*x", "&x y", "!t x", "!!str 1", "! 2", "[x, y]", "{x: y_}", "{x}", "[x: y_]", "[x", "x]", "[x] y", "[?x]", "[x?]", "[-]", "[]", "{}", "\"q\"", "'q'",
			`"\x41\/"`, `"\d"`, `"q" r`, "'it's'", `"q"#c`, "x #c", "#c", "x\ty", "x\t", "2024-01-15", "1:30", "=", "<<", "...", "é😀\u2028", "\uFEFFx", "a\n  b", "a\n\n  b: c",
			"\"a\n  b\"", "\"a\nb\"", "[a,\n  b]", "|\n  a\n    b\n\n", ">\n  a\n  b\n\n    c\n  d", "|-\n  a", ">+\n  a\n\n", "|2\n   a", "> x", "|#c\n  x", "|\n\ta",
			"\n  - a\n  - b: c\n    d: e", "\n- a\n- 'b'", "\n  x: a\n  z: |\n    b", "\n    x: a\n  z: b", "\n\tx: a", "a\n # c", "")
	}
	var b strings.Builder
	for i := range 1 + r.IntN(4) {
		b.WriteString(pick("name", "description", fmt.Sprintf("k%d", i), "\"q\"", "x y_", "yes", "1", "? k", "<<", "*a", "&b k", "[x]", "- k", "~", " k", "\tk", "%k", "k:l"))
		b.WriteString(pick(": ", ": ", ": ", ": ", ":", " : ", ":\t"))
		b.WriteString(value() + pick("\n", "\n", "\n", "\n\n", "\n# c\n", "\r\n", " # c\n", "\t\n"))
	}
	return b.String()
}
