package frontmatter

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
	"gopkg.in/yaml.v3"
)

// FuzzParse holds for any bytes: the parser ends without a panic,
// every position lies in the file, the block and the body are parts of it, the
// fields are JSON that reads back as the same value, and CRLF line ends change
// nothing but the bytes. A block without a fault has the value that Go's
// yaml.v3 gives a program that lets it type scalars.
func FuzzParse(f *testing.F) {
	for _, block := range blockSeeds(100) {
		f.Add(document(block))
	}
	for _, text := range []string{"", "---", "---\n---\n", "\uFEFF---\na: b\n---\n", "--- \na: b\n---\t\nx", "---\na: b\n...\n", "-\x00-\x00", "---\r\na: \xE9\r\n---\r\n",
		"---\na: b\n ---\n", "---\na: b\n----\n", "+++\na = 1\n+++\n", "\n---\na: b\n---\n", "---\ra: b\r---\r", "\xFF\xFE-\x00-\x00-\x00\n\x00", "---\na: b\n—\n",
		"---\na: {\"x\n\n y\"}\nb: {\"k\x1b\"}\n---\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkDocument(t, text)
		if block := spelled(string(text)); block != string(text) {
			checkDocument(t, document(block))
		}
	})
}

func checkDocument(t *testing.T, text []byte) {
	t.Helper()
	d := Parse(text)
	lines := bytes.Split(text, []byte("\n"))
	within := func(what string, pos manifest.Pos) {
		if pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > utf8.RuneCount(lines[pos.Line-1])+1 {
			t.Fatalf("%q: %s at %d:%d is not in the file", text, what, pos.Line, pos.Column)
		}
	}
	for i, p := range d.Problems {
		within(p.Rule, p.Pos)
		if p.Message == "" || strings.ContainsAny(p.Message, "\n\r\x00\x1b\u0085\u2028") {
			t.Fatalf("%q: message %q is not one line", text, p.Message)
		}
		if i > 0 && p == d.Problems[i-1] {
			t.Fatalf("%q: %v is reported twice", text, p)
		}
	}
	if !bytes.Contains(text, d.Block) || !bytes.HasSuffix(text, d.Body) || d.BodyLine != 1+bytes.Count(text[:len(text)-len(d.Body)], []byte("\n")) && len(d.Body) > 0 {
		t.Fatalf("%q: block %q and body %q from line %d", text, d.Block, d.Body, d.BodyLine)
	}
	var visit func(v manifest.Value)
	visit = func(v manifest.Value) {
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
	again, err := manifest.ParseValue(value.AppendJSON(nil))
	if err != nil || !again.Equal(value) {
		t.Fatalf("%q: %s reads back as %s (%v)", text, value, again, err)
	}
	if !bytes.Contains(text, []byte("\r")) {
		checkCRLF(t, text, d)
	}
	if d.Block != nil && !hasFault(d.Problems) {
		checkTyped(t, d)
	}
}

// checkCRLF holds that a document reads the same with CRLF line ends.
func checkCRLF(t *testing.T, text []byte, d Document) {
	t.Helper()
	if _, wide := wideEncoding(text); wide {
		return
	}
	if len(d.Block)+bytes.Count(d.Block, []byte("\n")) > MaxBlock {
		return
	}
	crlf := Parse(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	if !crlf.Frontmatter.Value().Equal(d.Frontmatter.Value()) || len(crlf.Problems) != len(d.Problems) || crlf.BodyLine != d.BodyLine {
		t.Fatalf("%q is %s with %v, and with CRLF %s with %v", text, d.Frontmatter.Value(), d.Problems, crlf.Frontmatter.Value(), crlf.Problems)
	}
	for i, p := range crlf.Problems {
		if p.Rule != d.Problems[i].Rule || p.Pos != d.Problems[i].Pos {
			t.Fatalf("%q: %v, and with CRLF %v", text, d.Problems[i], p)
		}
	}
}

// checkTyped holds that a block has the value that the library's own typing
// gives it.
func checkTyped(t *testing.T, d Document) {
	t.Helper()
	var typed any
	if err := yaml.Unmarshal(d.Block, &typed); err != nil {
		t.Fatalf("%q has no fault here, and yaml.v3 says %v", d.Block, err)
	}
	text, err := json.Marshal(typed)
	if err != nil {
		t.Fatalf("%q: %v", d.Block, err)
	}
	theirs, err := manifest.ParseValue(text)
	if err != nil || !sameToFloats(theirs, d.Frontmatter.Value()) {
		t.Fatalf("%q is read as %s here, and typed by yaml.v3 as %s, %v", d.Block, d.Frontmatter.Value(), text, err)
	}
}

// hasFault reports whether a problem is more than a warning about style.
func hasFault(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Rule != "block-scalar-last" && p.Rule != "comment-in-value" })
}

// sameToFloats is [manifest.Value.Equal] to a reader whose numbers are 64-bit floats.
func sameToFloats(v, w manifest.Value) bool { return rounded(v).Equal(rounded(w)) }

func rounded(v manifest.Value) manifest.Value {
	if v.Kind == manifest.Number {
		f, _ := strconv.ParseFloat(v.Text, 64)
		if v.Text = "null"; !math.IsInf(f, 0) { // which is what JavaScript writes
			v.Text, _ = floatLiteral(f)
			return v
		}
		return manifest.Value{}
	}
	v.Items, v.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	for i := range v.Items {
		v.Items[i] = rounded(v.Items[i])
	}
	for i := range v.Members {
		v.Members[i].Value = rounded(v.Members[i].Value)
	}
	return v
}
