package frontmatter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// correction replaces whole lines of a block by what their author meant. With
// it, the library reads the entry that the lines belong to.
type correction struct {
	first, last int      // lines of the block, from 0, both included
	lines       []string // what to write instead: at most as many lines
	rule        string
	col         int    // of the token at fault on the first line, from 1
	message     string // whole; "" for lines corrected along with the correction before
	quotes      bool   // it does nothing but put quotes around the value as it is written
	note        string // of a lookalike that it replaces: what is wrong with it
}

// loss is an entry that no correction helps.
type loss struct {
	line   int // from 0
	end    int // the line behind the last of it
	reason string
}

// repairer finds the lines of a block that the library refuses and corrects
// them. It takes the block apart by indentation into entries (a field or an
// item of a list, with the lines below it) that can be read one by one, so that
// every broken entry is found, at its own place, and none hides another.
type repairer struct {
	was    []string // the lines as they are
	lines  []string // as corrected so far; a line joined to another is empty
	fixes  []correction
	lost   []loss
	notes  []note
	budget int // bytes the library may still be given

	anchors map[string]bool // all of the block; made when first needed
}

// maxRepair is how many bytes the library reads in search of corrections for
// one block; each reading counts for readingCost more.
const (
	maxRepair   = 512 << 10
	readingCost = 100
)

// fieldExpected says what is wrong with text where a field must be.
const fieldExpected = "a field is expected: write KEY: VALUE"

// tabWidth is how many spaces take the place of a tab that indents a line.
const tabWidth = 2

func newRepairer(text string) *repairer {
	lines := strings.Split(text, "\n")
	return &repairer{was: lines, lines: slices.Clone(lines), budget: maxRepair}
}

// repair corrects the text of the block, reports what it corrected and what it
// could not, and returns the nodes of what came out, nil if nothing did.
func (b *blockReader) repair(failure *yamlError) *node {
	r := newRepairer(b.text)
	was := r.was
	r.directives()
	r.markers()
	r.lookalikes()
	r.block(0, len(r.lines), 0)
	text := strings.Join(r.lines, "\n")
	root, still := parseYAML(text)
	if still != nil && len(r.lost) == 0 {
		if len(r.fixes) == 0 {
			still = failure
		}
		line := min(max(still.line, 1), len(was)) - 1
		r.lost = append(r.lost, loss{line, line + 1, still.reason})
	}
	r.explain()
	for _, fix := range r.fixes {
		if fix.message != "" {
			b.reportLine(fix.rule, fix.first, fix.col, fix.message)
		}
	}
	for _, l := range r.lost {
		b.reportLine("frontmatter-unparsable", l.line, contentColumn(was[l.line]), "not valid YAML: "+l.reason)
	}
	b.was, b.text, b.lines = was, text, lineStarts(text)
	b.quoted = r.quotings()
	return root
}

// quotings returns the corrections that put quotes around a value and share
// their lines with no other.
func (r *repairer) quotings() []correction {
	shared := make([]int, len(r.was))
	for _, c := range r.fixes {
		for i := c.first; i <= c.last; i++ {
			shared[i]++
		}
	}
	var all []correction
	for _, c := range r.fixes {
		if c.quotes && !slices.ContainsFunc(shared[c.first:c.last+1], func(n int) bool { return n > 1 }) {
			all = append(all, c)
		}
	}
	return all
}

func (b *blockReader) reportLine(rule string, line, col int, message string) {
	b.reported = true
	if rule == "frontmatter-unparsable" && b.clean.marked[line+2] {
		return // the character reported there explains it
	}
	b.emit(rule, manifest.Pos{Line: line + 2, Column: col}, "%s", b.clean.original(message))
}

// contentColumn returns the column of the first character behind the indentation.
func contentColumn(line string) int {
	return utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeft(line, " \t")) + 1
}

// apply corrects lines.
func (r *repairer) apply(c correction) {
	for i := c.first; i <= c.last; i++ {
		r.lines[i] = ""
		if i-c.first < len(c.lines) {
			r.lines[i] = c.lines[i-c.first]
		}
	}
	r.fixes = append(r.fixes, c)
}

// attempt makes corrections and keeps them when the lines [lo, hi) can then be
// read.
func (r *repairer) attempt(lo, hi int, corrections ...correction) bool {
	if len(corrections) == 0 || r.budget < 0 {
		return false
	}
	lines, fixes := slices.Clone(r.lines[lo:hi]), len(r.fixes)
	for _, c := range corrections {
		r.apply(c)
	}
	if r.fails(lo, hi) == nil {
		return true
	}
	copy(r.lines[lo:hi], lines)
	r.fixes = r.fixes[:fixes]
	return false
}

// fails says why the lines [lo, hi) are no mapping or list when read by
// themselves, or nil.
func (r *repairer) fails(lo, hi int) *yamlError {
	indent := -1
	var text strings.Builder
	for _, line := range r.lines[lo:hi] {
		width := indentation(line)
		if !hasContent(line) {
			width = max(width, indent)
		} else if indent < 0 {
			indent = width
		}
		if width < indent {
			return &yamlError{0, "the line is indented deeper than those below it"}
		}
		if strings.Contains(line[:min(len(line), max(indent, 0))], "\t") {
			text.WriteString(line) // the library finds it as wrong as it is
		} else if cut := max(indent, 0); cut < len(line) {
			text.WriteString(line[cut:])
		}
		text.WriteByte('\n')
	}
	if r.budget -= text.Len() + readingCost; r.budget < 0 {
		return &yamlError{0, "not read"}
	}
	root, err := parseYAML(text.String())
	switch {
	case err != nil:
		if name, ok := strings.CutPrefix(err.reason, "unknown anchor '"); ok {
			name, _, _ = strings.Cut(name, "'")
			if r.anchored(name) {
				return nil // it stands in another entry
			}
		}
		return err
	case root != nil && root.kind == scalarNode:
		return &yamlError{0, fieldExpected}
	}
	return nil
}

// anchored reports whether an anchor may stand anywhere in the block.
func (r *repairer) anchored(name string) bool {
	if r.anchors == nil {
		r.anchors = map[string]bool{}
		for _, line := range r.was {
			for i := strings.IndexByte(line, '&'); i >= 0; {
				end := nameEnd(line, i+1)
				r.anchors[line[i+1:end]] = true
				next := strings.IndexByte(line[end:], '&')
				if next < 0 {
					break
				}
				i = end + next
			}
		}
	}
	return r.anchors[name]
}

// directives takes away the directives at the head of a block.
func (r *repairer) directives() {
	for i, line := range r.lines {
		if strings.HasPrefix(line, "%") && !strings.Contains(line, ": ") {
			r.apply(correction{first: i, last: i, rule: "unportable-yaml", col: 1, message: "a YAML directive (" + message.Quote(line) + ") is not known to all readers of frontmatter: remove the line"})
		} else if hasContent(line) {
			return
		}
	}
}

// markers takes away the first document marker and what follows it.
func (r *repairer) markers() {
	for i, line := range r.lines {
		if (strings.HasPrefix(line, "...") || strings.HasPrefix(line, fence)) && blankAt(line, len(fence)) {
			r.apply(correction{first: i, last: len(r.lines) - 1, rule: "unportable-yaml", col: 1, message: markerMessage(line)})
			return
		}
	}
}

// markerMessage says what is wrong with a line that starts with a document marker.
func markerMessage(line string) string {
	return "the document marker " + line[:len(fence)] + " is not allowed inside a frontmatter, and what follows it is not read: remove it"
}

// block corrects the lines [lo, hi), the entries of one mapping or list.
func (r *repairer) block(lo, hi, level int) {
	if level > MaxLevels || r.fails(lo, hi) == nil {
		return
	}
	known := len(r.lost)
	r.misplacedHead(lo, hi)
	entries := r.entries(lo, hi)
	for i := 0; i < len(entries); i++ {
		end := hi
		if i+1 < len(entries) {
			end = entries[i+1]
		}
		if r.fails(entries[i], end) == nil {
			continue
		}
		if r.budget < 0 {
			r.lose(entries[i], hi, "too much of the frontmatter is broken to tell why")
			return
		}
		if wider := r.widen(entries, i, hi); wider > i {
			i = wider
			continue
		}
		r.entry(entries[i], end, level)
	}
	if err := r.fails(lo, hi); err != nil && len(r.lost) == known {
		r.loseOdd(entries, hi, err)
	}
}

// lose gives the lines [lo, hi) up.
func (r *repairer) lose(lo, hi int, reason string) {
	r.lost = append(r.lost, loss{lo, hi, reason})
	for i := lo; i < hi; i++ {
		r.lines[i] = ""
	}
	r.fixes = slices.DeleteFunc(r.fixes, func(c correction) bool { return c.first >= lo && c.first < hi })
}

// loseOdd gives up the entries from the first one on that does not go with
// those before it.
func (r *repairer) loseOdd(entries []int, hi int, err *yamlError) {
	for _, e := range entries {
		if isItem(r.lines[e]) != isItem(r.lines[entries[0]]) {
			r.lose(e, hi, "fields and the items of a list stand on one level: indent the list below its own key")
			return
		}
	}
	if len(entries) > 0 {
		r.lose(entries[min(max(0, err.line-1), len(entries)-1)], hi, err.reason)
	}
}

// entries returns the first lines of the entries in [lo, hi): the lines with
// the least indentation, but for those that can only continue the line before.
func (r *repairer) entries(lo, hi int) []int {
	least, items := -1, false
	for _, line := range r.lines[lo:hi] {
		if !hasContent(line) {
			continue
		}
		if width := indentation(line); least < 0 || width < least {
			least, items = width, isItem(line)
		}
	}
	var entries []int
	for i := lo; i < hi; i++ {
		line := r.lines[i]
		if !hasContent(line) || indentation(line) > least {
			continue
		}
		_, _, isField := splitKey(line)
		_, _, isGlued := gluedKey(line)
		half := isEmptyKey(line) || strings.IndexByte("\"'", strings.TrimLeft(line, " \t")[0]) >= 0 && strings.Contains(line, ": ")
		if len(entries) == 0 || isItem(line) == items && (items || isField || isGlued || half) || items && isField {
			entries = append(entries, i)
		}
	}
	return entries
}

// widen returns the last of the entries that are one with entry i because its
// quotes or brackets reach over them, or i.
func (r *repairer) widen(entries []int, i, hi int) int {
	const most = 8
	line := r.lines[entries[i]]
	_, at, ok := splitKey(line)
	if !ok || at >= len(line) || strings.IndexByte(`"'[{`, line[at]) < 0 {
		return i
	}
	for j := i + 1; j < min(len(entries), i+most); j++ {
		end := hi
		if j+1 < len(entries) {
			end = entries[j+1]
		}
		if r.fails(entries[i], end) == nil {
			return j
		}
	}
	return i
}
