package frontmatter

import (
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
)

// scanner goes through the text of a block along its nodes, in order, and sees
// what the library's tree leaves out: where scalars end, and every token
// between them. It reports what YAML readers do not agree on.
type scanner struct {
	text   string
	lines  []int // offset of each line
	report func(rule string, offset int, format string, args ...any)

	mark     mark  // the place last asked for
	at       int   // everything before this offset has been seen
	brackets []int // offsets of the open ones
	stopped  bool  // a document marker was met: what follows is not looked at
	explicit bool  // the key that comes next follows a question mark
	muted    int   // above 0 inside what is reported as a whole: a key that is no string, a merge
	// trailing is told about a comment on the line of the scalar before it; nil
	// when nobody wants to know.
	trailing func(offset int)
	last     *node // the last scalar with text
	lastEnd  int
	merges   map[string]bool // anchors that only merge keys use
}

func newScanner(text string, report func(string, int, string, ...any)) *scanner {
	s := &scanner{text: text, lines: lineStarts(text)}
	s.report = func(rule string, offset int, format string, args ...any) {
		if s.muted == 0 {
			report(rule, offset, format, args...)
		}
	}
	return s
}

// lineStarts returns the offset of each line of text.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// mark is a place in a text in all the ways it is counted.
type mark struct {
	offset    int
	line, col int // from 1; a zero line is no place
}

// offset returns the byte offset of a line and column counted from 1. Places
// mostly follow one another, so that a long line is gone through once.
func (s *scanner) offset(line, col int) int {
	if line < 1 || line > len(s.lines) {
		return len(s.text)
	}
	if s.mark.line != line || s.mark.col > col {
		s.mark = mark{s.lines[line-1], line, 1}
	}
	for ; s.mark.col < col && s.mark.offset < len(s.text); s.mark.col++ {
		_, n := utf8.DecodeRuneInString(s.text[s.mark.offset:])
		s.mark.offset += n
	}
	return s.mark.offset
}

// column returns the indentation, in characters, of an offset on its line.
func (s *scanner) column(offset int) int {
	start := strings.LastIndexByte(s.text[:offset], '\n') + 1
	return utf8.RuneCountInString(s.text[start:offset])
}

// document goes through a whole block.
func (s *scanner) document(root *node, fields func(key, value *node) func(int)) {
	s.merges = mergeOnlyAnchors(root)
	if root.kind == mappingNode {
		indent := s.open(root, -1)
		for i := 0; i+1 < len(root.children); i += 2 {
			s.pair(root, root.children[i], root.children[i+1], indent, fields(root.children[i], root.children[i+1]))
		}
	} else {
		s.node(root, -1, false)
	}
	s.gap(len(s.text))
}

// node goes through one node. indent is that of the collection around it.
func (s *scanner) node(n *node, indent int, key bool) {
	if s.stopped {
		s.place(n)
		return
	}
	switch n.kind {
	case scalarNode:
		s.scalar(n, indent, key)
	case aliasNode:
		s.gap(s.offset(n.line, n.col))
		if s.stopped {
			s.place(n)
			return
		}
		n.start = s.at
		s.at = nameEnd(s.text, s.at+1)
		s.report("unportable-yaml", n.start, "the alias *%s is not known to all YAML readers: write the value out", n.value)
	case mappingNode:
		inner := s.open(n, indent)
		for i := 0; i+1 < len(n.children); i += 2 {
			s.pair(n, n.children[i], n.children[i+1], inner, nil)
		}
	case sequenceNode:
		inner := s.open(n, indent)
		for _, child := range n.children {
			s.node(child, inner, false)
		}
	}
}

// place gives a node that is not looked at, and all below it, their places.
func (s *scanner) place(n *node) {
	n.start = s.offset(n.line, n.col)
	for _, child := range n.children {
		s.place(child)
	}
}

// open moves to the start of a collection and returns the indentation of its
// entries.
func (s *scanner) open(n *node, indent int) int {
	s.gap(s.offset(n.line, n.col))
	n.start = s.at
	if len(n.children) == 0 || n.children[0].line != n.line || n.children[0].col != n.col {
		n.start = s.properties(n)
	}
	if s.stopped {
		s.place(n)
		return indent
	}
	if n.flow {
		if n.kind == mappingNode && strings.IndexByte("{?", s.text[n.start]) < 0 {
			s.report("unportable-yaml", n.start, "a mapping without braces inside a list is not known to all YAML readers: write it as { … }, or quote it to make it text")
		}
		return indent
	}
	return s.column(n.start)
}

func (s *scanner) pair(parent, key, value *node, indent int, trailing func(int)) {
	s.explicit = false
	if key.kind == mappingNode || key.kind == sequenceNode {
		s.muted++
		s.node(key, indent, true)
		s.muted--
	} else {
		s.node(key, indent, true)
	}
	if parent.flow && !s.explicit && value.kind == scalarNode && value.style == plainStyle && value.value == "" && value.tag == "" {
		if rest := strings.TrimLeft(s.text[s.at:], " \t\n"); rest != "" && rest[0] != ':' && key.kind == scalarNode && !strings.HasSuffix(key.value, ":") {
			better := sample(key.value) + ": null, or brackets for a list"
			if key.style != plainStyle {
				better = message.Quote(key.value) + ": null, or brackets for a list"
			}
			if name, text, ok := gluedKey(key.value); ok {
				better = sample(name + ": " + text)
			}
			s.report("unportable-yaml", key.start, "the key %s in braces has no value, and not all YAML readers accept that: write %s", message.Quote(key.value), better)
		}
	}
	if isMerge(key) && (value.kind == aliasNode || value.kind == sequenceNode) {
		s.muted++
		s.node(value, indent, false)
		s.muted--
	} else {
		s.node(value, indent, false)
	}
	s.trailing = trailing
}

// scalar goes through a scalar and reports what its own text has against it.
func (s *scanner) scalar(n *node, indent int, key bool) {
	start := s.offset(n.line, n.col)
	if start < s.at {
		start = s.at // an empty scalar has no text, and no place of its own
	}
	s.gap(start)
	start = s.properties(n)
	if s.stopped {
		s.place(n)
		return
	}
	n.start = start
	if n.style == plainStyle && n.value == "" {
		return
	}
	end := start
	switch n.style {
	case plainStyle:
		end = s.plainEnd(start, indent, key)
		s.plain(n, start, end)
	case singleStyle, doubleStyle:
		end = quotedEnd(s.text, start)
		s.quoted(n, start, end, indent, key)
	default:
		end = s.blockEnd(start, indent)
		s.block(start, end, indent)
	}
	s.at, s.last, s.lastEnd = end, n, end
}

// properties goes through the anchor and the tag of a node and the spaces
// behind them, and returns where its content starts.
func (s *scanner) properties(n *node) int {
	for s.at < len(s.text) && (s.text[s.at] == '&' || s.text[s.at] == '!') {
		if s.text[s.at] == '!' && nameEnd(s.text, s.at+1) == s.at+1 {
			n.nonSpecific = true
		}
		s.property()
		if n.kind == scalarNode && n.style == plainStyle && n.value == "" {
			continue // nothing but properties can follow
		}
		i := s.at
		for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\n' || s.text[i] == '#') {
			if s.text[i] == '#' {
				i = lineEnd(s.text, i)
			} else {
				i++
			}
		}
		s.gap(i)
	}
	return s.at
}

// plainEnd returns where a plain scalar ends.
func (s *scanner) plainEnd(start, indent int, key bool) int {
	text, end, i := s.text, start, start
	flow := len(s.brackets) > 0
	for {
		for i < len(text) && text[i] != '\n' {
			c := text[i]
			if c == ':' && blankAt(text, i+1) || flow && strings.IndexByte(",?[]{}", c) >= 0 ||
				c == '#' && i > start && isBlank(text[i-1]) {
				return end
			}
			if i++; !isBlank(c) {
				end = i
			}
		}
		if key && !flow {
			return end
		}
		next := i
		for next < len(text) && (isBlank(text[next]) || text[next] == '\n') {
			next++
		}
		if next == len(text) || text[next] == '#' || !flow && s.column(next) <= indent || s.marker(next) {
			return end
		}
		i = next
	}
}

// quotedEnd returns where a quoted scalar ends.
func quotedEnd(text string, start int) int {
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// blockEnd returns where a block scalar ends: behind the line break of its last
// line with text, or of its header.
func (s *scanner) blockEnd(start, indent int) int {
	header := lineEnd(s.text, start)
	if i := strings.Index(s.text[start:header], " #"); i >= 0 {
		header = start + i
	}
	end := lineEnd(s.text, start)
	least := 0
	if i := strings.IndexAny(s.text[start:header], "123456789"); i >= 0 {
		least = max(indent, 0) + int(s.text[start+i]-'0')
	}
	for i := end + 1; i < len(s.text); {
		stop := lineEnd(s.text, i)
		width := len(s.text[i:stop]) - len(strings.TrimLeft(s.text[i:stop], " "))
		if i+width < stop {
			if least == 0 {
				if width <= indent {
					break
				}
				least = width
			}
			if width < least {
				break
			}
			end = stop
		}
		i = stop + 1
	}
	return end
}

// marker reports whether a document marker stands at an offset.
func (s *scanner) marker(i int) bool {
	return (i == 0 || s.text[i-1] == '\n') && blankAt(s.text, i+3) &&
		(strings.HasPrefix(s.text[i:], "---") || strings.HasPrefix(s.text[i:], "..."))
}

// nameEnd returns where the name of an anchor, alias or tag ends.
func nameEnd(text string, i int) int {
	verbatim := strings.HasPrefix(text[i:], "<")
	for i < len(text) && !blankAt(text, i) && (verbatim || strings.IndexByte(",[]{}", text[i]) < 0) {
		i++
	}
	return i
}

// lineEnd returns the offset of the line break at or behind i, or of the end.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// blankAt reports whether a blank, a line break or the end stands at an offset.
func blankAt(text string, i int) bool {
	return i >= len(text) || isBlank(text[i]) || text[i] == '\n'
}

// isMerge reports whether a key is the merge key of YAML 1.1.
func isMerge(key *node) bool {
	return key.kind == scalarNode && key.style == plainStyle && key.value == "<<"
}

// mergeOnlyAnchors returns the anchors whose aliases all stand behind merge
// keys: reporting the merge key says it all.
func mergeOnlyAnchors(root *node) map[string]bool {
	var merges map[string]bool
	var visit func(n *node, merged bool)
	visit = func(n *node, merged bool) {
		if n.kind == aliasNode {
			if merges == nil {
				merges = map[string]bool{}
			}
			if only, seen := merges[n.value]; merged && (only || !seen) {
				merges[n.value] = true
			} else {
				merges[n.value] = false
			}
		}
		for i, child := range n.children {
			visit(child, n.kind == mappingNode && i%2 == 1 && isMerge(n.children[i-1]) || n.kind == sequenceNode && merged)
		}
	}
	visit(root, false)
	return merges
}
