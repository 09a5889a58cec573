package frontmatter

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// maxExpansion is how many nodes the aliases of a block may stand for.
const maxExpansion = 10_000

// readBlock reads the fields of a block into its document and reports every
// fault of the block.
func readBlock(doc *Document, report reporter) {
	if fields, ok := readSimple(doc.Block); ok {
		doc.Frontmatter = fields
		return
	}
	readYAML(doc, report)
}

// readYAML is readBlock for a block of any form.
func readYAML(doc *Document, report reporter) {
	clean := cleanText(doc.Block, report)
	b := blockReader{clean: clean, text: clean.text, emit: report}
	if clean.faulty {
		// Characters that YAML forbids explain any failure they are near to.
		b.emit = func(rule string, pos manifest.Pos, format string, args ...any) {
			if rule != "frontmatter-unparsable" && rule != "frontmatter-not-mapping" {
				report(rule, pos, format, args...)
			}
		}
	}
	root, failure := parseYAML(b.text)
	if root != nil && root.kind == scalarNode && lookalike.First(b.text) != 0 {
		if r := newRepairer(b.text); r.lookalikes() {
			failure = &yamlError{1, fieldExpected} // it is text only for want of a colon or a space
		}
	}
	if failure != nil {
		if failure.deep() {
			b.report("frontmatter-too-complex", 0, "the frontmatter is nested over %d levels deep: flatten it", MaxLevels)
			return
		}
		b.lines = lineStarts(b.text)
		if root = b.repair(failure); root == nil {
			return
		}
	}
	if root == nil {
		if !b.reported {
			b.report("frontmatter-not-mapping", 0, "the frontmatter is empty: write name: NAME and description: TEXT between the lines ---")
		}
		return
	}
	if at, message := excess(root); at != nil {
		b.lines = lineStarts(b.text)
		report("frontmatter-too-complex", b.place(at.line, at.col), "%s", message)
		return
	}
	doc.Frontmatter = b.fields(root)
	if !clean.faulty {
		doc.quoted = slices.DeleteFunc(b.quoted, func(c correction) bool {
			for i := c.first; i <= c.last; i++ {
				if clean.marked[i+2] {
					return true
				}
			}
			return false
		})
	}
}

// excess returns the node that makes a block too complex, and why, or nil.
func excess(root *node) (*node, string) {
	expanded := 0
	open := map[*node]bool{}
	var visit func(n, place *node, level int, alias bool) (*node, string)
	visit = func(n, place *node, level int, alias bool) (*node, string) {
		if alias {
			if expanded++; expanded > maxExpansion {
				return place, fmt.Sprintf("the aliases stand for over %d values: write them out", maxExpansion)
			}
		} else {
			place = n
		}
		if n.kind == aliasNode {
			if open[n.target] {
				return place, fmt.Sprintf("the alias *%s stands inside its own anchor and has no end: write the value out", n.value)
			}
			return visit(n.target, place, level, true)
		}
		if n.kind == scalarNode {
			return nil, ""
		}
		if level++; level > MaxLevels {
			return place, fmt.Sprintf("the frontmatter is nested over %d levels deep: flatten it", MaxLevels)
		}
		open[n] = true
		defer delete(open, n)
		for _, child := range n.children {
			if at, message := visit(child, place, level, alias); at != nil {
				return at, message
			}
		}
		return nil, ""
	}
	return visit(root, root, 0, false)
}

// blockReader turns the nodes of one block into fields. Its text is the clean
// block, or what the repairs made of it; positions are always those of the file.
type blockReader struct {
	clean    cleanBlock
	text     string
	lines    []int    // offset of each line of text
	was      []string // the lines before they were repaired; nil when they were not
	emit     reporter
	reported bool
	quoted   []correction // of the repairs, those that only put quotes around a value

	at      valuePlace // of the value that is read
	aligned *alignment // of the corrected line last asked for
	last    mark       // the position last asked for
}

// place returns the position in the file of a line and column of the text.
func (b *blockReader) place(line, col int) manifest.Pos {
	if line <= len(b.was) {
		if b.aligned == nil || b.aligned.line != line-1 {
			start := b.lines[line-1]
			a := align(line-1, b.was[line-1], b.text[start:lineEnd(b.text, start)])
			b.aligned = &a
		}
		col = b.aligned.column(col)
	}
	return manifest.Pos{Line: line + 1, Column: col}
}

// position returns the position in the file of an offset of the text. Offsets
// mostly grow, so that a long line is gone through once.
func (b *blockReader) position(offset int) manifest.Pos {
	if b.last.line == 0 || offset < b.last.offset || b.last.line < len(b.lines) && offset >= b.lines[b.last.line] {
		line := sort.SearchInts(b.lines, offset+1)
		b.last = mark{b.lines[line-1], line, 1}
	}
	b.last.col += utf8.RuneCountInString(b.text[b.last.offset:offset])
	b.last.offset = offset
	return b.place(b.last.line, b.last.col)
}

func (b *blockReader) report(rule string, offset int, format string, args ...any) {
	pos := manifest.Pos{Line: 2, Column: 1}
	if offset > 0 {
		pos = b.position(offset)
	}
	b.reported = true
	b.emit(rule, pos, "%s", b.clean.original(fmt.Sprintf(format, args...)))
}

// fields reads the top level of a block.
func (b *blockReader) fields(root *node) manifest.Frontmatter {
	s := newScanner(b.text, b.report)
	b.lines = s.lines
	if root.kind != mappingNode {
		b.notMapping(root)
		return nil
	}
	s.document(root, func(key, value *node) func(int) {
		if value.kind != scalarNode || value.style != plainStyle || value.value == "" ||
			key.value != "name" && key.value != "description" {
			return nil
		}
		return func(offset int) {
			full := value.value + b.text[s.lastEnd:lineEnd(b.text, offset)]
			b.report("comment-in-value", offset, "the # starts a comment, so %s is only %s: write %s", key.value, message.Quote(value.value), sample(key.value+": "+quote(strings.TrimSpace(full))))
		}
	})
	b.lastScalar(s)
	return b.mapping(root)
}

func (b *blockReader) notMapping(root *node) {
	const want = "write name: NAME and description: TEXT, each on a line of its own"
	at := newScanner(b.text, nil).offset(root.line, root.col)
	switch root.kind {
	case sequenceNode:
		b.report("frontmatter-not-mapping", at, "the frontmatter is a list, not fields: %s", want)
	default:
		first := strings.TrimSpace(b.text[at:lineEnd(b.text, at)])
		if key, value, ok := gluedKey(first); ok {
			b.report("frontmatter-not-mapping", at, "there is no space behind the colon of %s: write %s", message.Quote(first), sample(key+": "+value))
			return
		}
		b.report("frontmatter-not-mapping", at, "the frontmatter is the text %s, not fields: %s", message.Quote(first), want)
	}
}

// lastScalar reports a block scalar whose final line break depends on whether a
// reader hands the line break before the closing fence to its YAML parser.
func (b *blockReader) lastScalar(s *scanner) {
	n := s.last
	if n == nil || n.style != literalStyle && n.style != foldedStyle || n.value == "" ||
		strings.Trim(b.text[s.lastEnd:], " \t\n") != "" {
		return
	}
	header, _, _ := strings.Cut(b.text[n.start:lineEnd(b.text, n.start)], " ")
	if strings.Contains(header, "-") {
		return
	}
	stripped := strings.TrimRight(header, "+") + "-"
	b.report("block-scalar-last", n.start, "the last field is a block scalar (%s), and readers keep or lose its final line break: write %s", header, stripped)
}

// mapping reads the members of a mapping. A key that is given twice, or that
// JSON cannot hold, is reported and left out.
func (b *blockReader) mapping(n *node) []manifest.Member {
	members := make([]manifest.Member, 0, len(n.children)/2)
	seen := make(map[string]manifest.Pos, len(n.children)/2)
	for i := 0; i+1 < len(n.children); i += 2 {
		key, value := n.children[i], n.children[i+1]
		name, ok := b.key(key)
		v := b.valueAt(b.at.member(name), value)
		if !ok {
			continue
		}
		pos := b.position(key.start)
		if first, twice := seen[name]; twice {
			b.report("frontmatter-duplicate-key", key.start, "the key %s is given twice, first on line %d: remove one of them", message.Quote(name), first.Line)
			continue
		}
		seen[name] = pos
		members = append(members, manifest.Member{Key: name, KeyPos: pos, Value: v})
	}
	return members
}

// key reads a key and says whether JSON can hold it.
func (b *blockReader) key(n *node) (string, bool) {
	if n.kind == aliasNode {
		// The alias is reported where it stands, whatever it stands for.
		return b.clean.original(n.target.value), n.target.kind == scalarNode
	}
	if n.kind != scalarNode {
		kind := manifest.Array
		if n.kind == mappingNode {
			kind = manifest.Object
		}
		better := "write a word as the key"
		if n.start > 0 && b.text[n.start-1] == '{' {
			better = "put the text from the outer brace on in quotes, if it is a placeholder"
		}
		b.report("frontmatter-key-type", n.start, "a key is %s, not a string: %s", kind, better)
		return "", false
	}
	name := b.clean.original(n.value)
	if n.style != plainStyle || n.tag == "!!str" || n.nonSpecific {
		return name, true
	}
	if name == "" {
		b.report("frontmatter-key-type", n.start, "a key is empty: write a name before the colon")
		return "", false
	}
	if r := read12(name); r.kind != manifest.String || r.special != "" || n.tag != "" {
		b.report("frontmatter-key-type", n.start, "the key %s is %s, not a string: write %s", message.Quote(name), r.keyKind(), quote(name))
		return name, true
	}
	if isMerge(n) {
		b.report("ambiguous-scalar", n.start, "the key << merges fields to YAML 1.1 readers and is a field named << to YAML 1.2 readers: write the fields out")
	} else if how := disagreement(name); how != "" {
		b.report("ambiguous-scalar", n.start, "key %s %s: write %s", name, how, quote(name))
	}
	return name, true
}

// valueAt reads the value of a node that has a place below the present one.
func (b *blockReader) valueAt(at valuePlace, n *node) manifest.Value {
	outer := b.at
	b.at = at
	v := b.value(n)
	b.at = outer
	return v
}

// value reads the value of a node.
func (b *blockReader) value(n *node) manifest.Value {
	switch n.kind {
	case aliasNode:
		quiet := *b // what the target has against it was reported where it stands
		quiet.emit = func(string, manifest.Pos, string, ...any) {}
		v := quiet.value(n.target)
		v.Pos = b.position(n.start)
		return v
	case mappingNode:
		return manifest.Value{Kind: manifest.Object, Members: b.mapping(n), Pos: b.position(n.start)}
	case sequenceNode:
		v := manifest.Value{Kind: manifest.Array, Pos: b.position(n.start)}
		for _, child := range n.children {
			v.Items = append(v.Items, b.valueAt(b.at.item(), child))
		}
		return v
	}
	v := b.scalar(n)
	v.Pos = b.position(n.start)
	return v
}

// scalar types a scalar. A tag that no reader of JSON can follow leaves the
// text as it is written.
func (b *blockReader) scalar(n *node) manifest.Value {
	text := b.clean.original(n.value)
	asString := manifest.Value{Kind: manifest.String, Text: text}
	switch n.tag {
	case "":
		if n.style != plainStyle || n.nonSpecific {
			return asString
		}
	case "!!null":
		return manifest.Value{}
	case "!!int", "!!float", "!!bool":
		if r := read12(text); r.special == "" && (r.kind == manifest.Number) != (n.tag == "!!bool") {
			return manifest.Value{Kind: r.kind, Text: r.text}
		}
		return asString
	default:
		return asString
	}
	r := read12(text)
	if r.special != "" {
		b.report("frontmatter-not-json", n.start, "JSON has no %s: write the value in quotes, %s", text, quote(text))
		return asString
	}
	if how := disagreement(text); how != "" {
		b.report("ambiguous-scalar", n.start, "value %s %s: write %s", shortPlain(text), how, b.at.unambiguous(text))
	}
	return manifest.Value{Kind: r.kind, Text: r.text, Source: text}
}

// keyKind names the type of a key that is no string.
func (r reading) keyKind() string {
	if r.special != "" {
		return r.special
	}
	return r.kind.String()
}

// shortPlain shortens a text that stands in a message without quotes.
func shortPlain(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}
