package frontmatter

import (
	"bytes"
	"cmp"
	"github.com/skillpack/skillpack/manifest"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostTries is how often one call of [Fix] reads the text again, and mostReread
// how many bytes of frontmatter it reads in doing so; leastTries are made in any
// case. All fixes at once take one reading; only a text made to defeat them takes
// more than a few.
const (
	mostTries  = 100
	leastTries = 8
	mostReread = 256 << 10
)

// Fix fixes in a SKILL.md what can be fixed without a guess: a byte-order mark,
// spaces behind a fence, a value without the quotes that it needs to be valid
// YAML, to read one way or to be the string that metadata wants, and a clipped
// block scalar as the last field. Every other byte stays. Fixing what Fix returns
// changes nothing.
//
// No fix changes what a reader that loads the skill does with it: each of them
// says below why. Where a reader acts on the value, as npx skills does on
// metadata.internal, the finding says so and the author decides.
//
// Wanted says which rules to fix the faults of; nil stands for all. Done holds
// the faults that were fixed: where they stood when they were, and in place of
// the message what was done, as in "put quotes around 010".
//
// A fix is made only when the text, read again, has that fault no more and none
// it did not have, and every value but the one at fault equals what it was. The
// search for fixes that can be made together is bounded; what is not found then
// is left.
func Fix(text []byte, wanted func(rule string) bool) (fixed []byte, done []Problem) {
	fixed = text
	f := newFixer(text, wanted)
	for tries := max(leastTries, min(mostTries, mostReread/max(1, len(f.doc.Block)))); tries > 0; f = newFixer(fixed, wanted) {
		f.tries = tries
		f.accept(f.edits())
		if len(f.accepted) == 0 {
			break
		}
		slices.SortFunc(f.accepted, byPlace)
		for _, e := range f.accepted {
			done = append(done, e.problem)
		}
		fixed, tries = f.result, f.tries
	}
	return fixed, done
}

// edit replaces bytes of a file to fix one fault.
type edit struct {
	start, end int
	text       string
	problem    Problem         // its message says what is done
	value      *manifest.Value // what the value at the problem's position becomes; nil: no value changes
}

func byPlace(a, b edit) int { return a.start - b.start }

// fixer fixes one text. All edits are of the text as it is.
type fixer struct {
	text   []byte
	lines  []int // offset of each line
	doc    Document
	wanted func(rule string) bool

	values map[manifest.Pos]manifest.Value
	places map[manifest.Pos]valuePlace // of the values
	keys   map[manifest.Pos]string

	accepted []edit
	result   []byte // the text with the accepted edits
	tries    int
}

func newFixer(text []byte, wanted func(rule string) bool) *fixer {
	f := &fixer{text: text, lines: lineStarts(string(text)), doc: Parse(text), wanted: wanted}
	f.values, f.keys, f.places = map[manifest.Pos]manifest.Value{}, map[manifest.Pos]string{}, map[manifest.Pos]valuePlace{}
	f.note(f.doc.Frontmatter.Value(), valuePlace{})
	return f
}

// note remembers where values and keys stand.
func (f *fixer) note(v manifest.Value, at valuePlace) {
	f.values[v.Pos], f.places[v.Pos] = v, at
	for _, item := range v.Items {
		f.note(item, at.item())
	}
	for _, m := range v.Members {
		f.keys[m.KeyPos] = m.Key
		f.note(m.Value, at.member(m.Key))
	}
}

// accept makes those edits that are sound together with those already made.
func (f *fixer) accept(edits []edit) {
	if len(edits) == 0 || f.tries == 0 {
		return
	}
	f.tries--
	all := slices.Concat(f.accepted, edits)
	if result, ok := f.sound(all); ok {
		f.accepted, f.result = all, result
		return
	}
	if len(edits) > 1 {
		f.accept(edits[:len(edits)/2])
		f.accept(edits[len(edits)/2:])
	}
}

// sound returns the text with edits made, and whether they fix their faults
// and do nothing else.
func (f *fixer) sound(edits []edit) ([]byte, bool) {
	result := f.apply(edits)
	after := Parse(result)
	want := map[manifest.Pos]manifest.Value{}
	left := countRules(f.doc.Problems)
	for _, e := range edits {
		if e.value != nil {
			want[e.problem.Pos] = *e.value
		}
		if left[e.problem.Rule] > 0 {
			left[e.problem.Rule]--
		}
	}
	for rule, n := range countRules(after.Problems) {
		if n > left[rule] {
			return nil, false
		}
	}
	return result, (after.Block == nil) == (f.doc.Block == nil) && bytes.Equal(after.Body, f.doc.Body) &&
		replaced(f.doc.Frontmatter.Value(), want).Equal(after.Frontmatter.Value())
}

func countRules(problems []Problem) map[string]int {
	n := map[string]int{}
	for _, p := range problems {
		n[p.Rule]++
	}
	return n
}

// replaced returns a value with those values in it replaced that stand at given
// positions.
func replaced(v manifest.Value, with map[manifest.Pos]manifest.Value) manifest.Value {
	if w, ok := with[v.Pos]; ok {
		return w
	}
	v.Items, v.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	for i := range v.Items {
		v.Items[i] = replaced(v.Items[i], with)
	}
	for i := range v.Members {
		v.Members[i].Value = replaced(v.Members[i].Value, with)
	}
	return v
}

// apply returns the text with edits made.
func (f *fixer) apply(edits []edit) []byte {
	var b bytes.Buffer
	at := 0
	for _, e := range slices.SortedFunc(slices.Values(edits), byPlace) {
		b.Write(f.text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(f.text[at:])
	return b.Bytes()
}

// edits returns what fixes the faults of the text, in the order of the file,
// without overlaps.
func (f *fixer) edits() []edit {
	if !utf8.Valid(f.text) {
		return nil
	}
	var all []edit
	add := func(rule string, pos manifest.Pos, e edit, ok bool) {
		if ok && (f.wanted == nil || f.wanted(rule)) {
			e.problem.Rule, e.problem.Pos = rule, pos
			all = append(all, e)
		}
	}
	for _, p := range f.doc.Problems {
		switch p.Rule {
		case "byte-order-mark":
			e, ok := f.byteOrderMark()
			add(p.Rule, p.Pos, e, ok)
		case "frontmatter-fence":
			e, ok := f.fenceSpaces(p.Pos)
			add(p.Rule, p.Pos, e, ok)
		case "ambiguous-scalar":
			e, ok := f.ambiguous(p.Pos)
			add(p.Rule, p.Pos, e, ok)
		case "block-scalar-last":
			e, ok := f.lastScalar(p.Pos)
			add(p.Rule, p.Pos, e, ok)
		}
	}
	if f.doc.Block != nil {
		for _, c := range f.doc.quoted {
			add(c.rule, manifest.Pos{Line: c.first + 2, Column: c.col}, f.quoting(c), true)
		}
		if m, ok := f.doc.Frontmatter.Get("metadata"); ok {
			for _, m := range m.Value.Members {
				e, ok := f.metadataValue(m.Value)
				add("metadata-value-type", m.Value.Pos, e, ok)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b edit) int { return cmp.Or(byPlace(a, b), a.end-b.end) })
	end := 0
	return slices.DeleteFunc(all, func(e edit) bool {
		if e.start < end {
			return true
		}
		end = max(e.end, e.start+1)
		return false
	})
}

// line returns a line of the file, counted from 1, without its end, and where it
// starts.
func (f *fixer) line(number int) (text string, start int) {
	if number < 1 || number > len(f.lines) {
		return "", len(f.text)
	}
	start = f.lines[number-1]
	line, _ := cutLine(f.text[start:])
	return string(line), start
}

// rest returns the text of a line from a position on, and where it starts.
func (f *fixer) rest(pos manifest.Pos) (text string, start int) {
	text, start = f.line(pos.Line)
	for range pos.Column - 1 {
		_, n := utf8.DecodeRuneInString(text)
		text, start = text[n:], start+n
	}
	return text, start
}

// byteOrderMark takes away the mark at the start. Harm: none. A reader that skips
// the mark reads the same text; any other saw no frontmatter, and no skill.
func (f *fixer) byteOrderMark() (edit, bool) {
	return edit{end: len(bom), problem: Problem{Message: "took away the byte-order mark"}}, bytes.HasPrefix(f.text, []byte(bom))
}

// ambiguous puts quotes around a key or value that readers take for different
// things. Harm: a reader of YAML 1.1 gets a string for a boolean, number or date.
// So it is done only where the value is text by the format, or in a field that no
// known reader acts on, and there not for a word that may be meant as a boolean.
// Of a key, it is none: no known field is called by a word or number like these.
func (f *fixer) ambiguous(pos manifest.Pos) (edit, bool) {
	if key, ok := f.keys[pos]; ok {
		text, start := f.rest(pos)
		return edit{start, start + len(key), quote(key), Problem{Message: "put quotes around the key " + shortPlain(key)}, nil}, key != "<<" && strings.HasPrefix(text, key)
	}
	v, ok := f.values[pos]
	if !ok || !f.places[pos].quotable(v.Source) {
		return edit{}, false
	}
	return f.quotedValue(v)
}

// metadataValue puts quotes around a number or boolean in metadata. Harm: none
// where the reader wants strings there, as the format does. A reader that acts on
// the boolean would act no more: npx skills hides a skill for internal: true and
// publishes it for internal: "true". That one is left to the author.
func (f *fixer) metadataValue(v manifest.Value) (edit, bool) {
	if v.Kind != manifest.Number && v.Kind != manifest.Bool || !f.places[v.Pos].quotable(v.Source) {
		return edit{}, false
	}
	return f.quotedValue(v)
}

// quotedValue puts quotes around a plain scalar as it is written.
func (f *fixer) quotedValue(v manifest.Value) (edit, bool) {
	text, start := f.rest(v.Pos)
	if v.Source == "" || !strings.HasPrefix(text, v.Source) {
		return edit{}, false
	}
	return edit{start, start + len(v.Source), quote(v.Source), Problem{Message: "put quotes around " + shortPlain(v.Source)}, &manifest.Value{Kind: manifest.String, Text: v.Source}}, true
}

// quoting makes a correction of the parser's. Harm: none. No YAML reader loads a
// block with this fault; one that goes by lines takes the quotes off again.
func (f *fixer) quoting(c correction) edit {
	_, start := f.line(c.first + 2)
	last, end := f.line(c.last + 2)
	return edit{start, end + len(last), c.lines[0], Problem{Message: "wrote " + sample(c.lines[0])}, nil}
}

// fenceSpaces takes away the spaces behind a fence. Harm: none. A reader that
// sees the fence reads the same block and body; any other saw no skill.
func (f *fixer) fenceSpaces(pos manifest.Pos) (edit, bool) {
	text, start := f.line(pos.Line)
	start += len(text)
	text = strings.TrimPrefix(text, bom)
	spaces := len(text) - len(strings.TrimRight(text, " \t"))
	return edit{start - spaces, start, "", Problem{Message: "took away the spaces behind ---"}, nil}, spaces > 0 && len(text)-spaces == len(fence) && strings.HasPrefix(text, fence)
}

// lastScalar makes a clipped block scalar a stripped one. Harm: none. The value
// loses a line break at its end, which readers keep or lose already and none acts
// on.
func (f *fixer) lastScalar(pos manifest.Pos) (edit, bool) {
	text, start := f.rest(pos)
	header := text[:len(text)-len(strings.TrimLeft(text, "|>123456789"))]
	v, ok := f.values[pos]
	if !ok || header == "" || v.Kind != manifest.String || !blankAt(text, len(header)) {
		return edit{}, false // also for |+, whose author wants the line breaks
	}
	start += len(header)
	return edit{start, start, "-", Problem{Message: "wrote " + header + "- for " + header}, &manifest.Value{Kind: manifest.String, Text: strings.TrimRight(v.Text, "\n")}}, true
}

// A list in allowed-tools is not made a string. Harm: a reader that knows only
// strings would approve tools that it did not approve before, and one that splits
// at commas would take them all for one tool.
