package markdown

import (
	"bytes"
	"slices"
)

// container is an open quote or list item.
type container struct {
	quote bool
	width int  // of an item: how far its content is indented
	empty bool // of an item: nothing has come after its mark
}

// leaf is the kind of the open block that has lines and no blocks.
type leaf int

const (
	noLeaf leaf = iota // also for indented code, which needs no state
	paragraph
	fence
	markup
)

// blocks splits a text into blocks.
type blocks struct {
	text        []byte
	definitions map[string]span // of link references, by label: the destination
	prose       [][]span        // the lines of paragraphs and headings that may have links

	containers []container
	leaf       leaf
	lines      []span // of the open paragraph
	mark       byte   // of the open fence
	length     int    // of the open fence
	kind       int    // of the open HTML block
	join       joined
}

// cursor is a place in a line. Tabs end at every fourth column.
type cursor struct {
	line   []byte
	from   int // where the line starts in the text
	at     int
	column int
	rest   int // the columns before at that are left of a tab
}

// indent returns the width of the spaces at the cursor and the offset of what
// comes after them.
func (c *cursor) indent() (width, next int) {
	width = c.rest
	for next = c.at; next < len(c.line); next++ {
		switch c.line[next] {
		case ' ':
			width++
		case '\t':
			width += 4 - (c.column+width)%4
		default:
			return width, next
		}
	}
	return width, next
}

// skip goes over spaces of a width, or what there is of them.
func (c *cursor) skip(width int) {
	for ; width > 0; width-- {
		if c.rest == 0 {
			if c.at == len(c.line) || c.line[c.at] != ' ' && c.line[c.at] != '\t' {
				return
			}
			c.rest = 1
			if c.line[c.at] == '\t' {
				c.rest = 4 - c.column%4
			}
			c.at++
		}
		c.rest--
		c.column++
	}
}

// pass goes over the spaces at the cursor and so many characters after them.
func (c *cursor) pass(characters int) {
	width, next := c.indent()
	c.column += width + characters
	c.at, c.rest = next+characters, 0
}

// line reads the next line, and reports whether the depth of blocks is bearable.
func (b *blocks) line(from, to int) bool {
	c := cursor{line: bytes.TrimRight(b.text[from:to], "\r\n"), from: from}
	if _, next := c.indent(); isBlank(c.line[next:]) {
		c.line = c.line[:next] // what is no indent may still be a space
	}
	matched := b.match(&c)
	if matched < len(b.containers) && (b.leaf == fence || b.leaf == markup) {
		b.leaf = noLeaf
	}
	if b.leaf == fence || b.leaf == markup {
		b.continueRaw(&c)
		return true
	}
	for b.open(&c, matched) {
		matched = len(b.containers)
		if matched > MaxDepth {
			return false
		}
	}
	return true
}

func isBlank(text []byte) bool { return skipSpaces(text, 0) == len(text) }

// match goes over the marks and indents of the open containers that the line
// goes on with, and returns how many those are.
func (b *blocks) match(c *cursor) int {
	for i, open := range b.containers {
		indent, next := c.indent()
		blank := next == len(c.line)
		switch {
		case open.quote:
			if indent > 3 || blank || c.line[next] != '>' {
				return i
			}
			c.pass(1)
			c.skip(1)
		case blank:
			if open.empty {
				return i // only the first line of an item may be blank
			}
		case indent >= open.width:
			c.skip(open.width)
		default:
			return i
		}
	}
	return len(b.containers)
}

// continueRaw reads a line of an open fence or HTML block.
func (b *blocks) continueRaw(c *cursor) {
	indent, next := c.indent()
	rest := c.line[next:]
	switch {
	case b.leaf == markup:
		if endsHTML(b.kind, rest) {
			b.leaf = noLeaf
		}
	case indent < 4 && len(rest) >= b.length && rest[0] == b.mark:
		if end := runEnd(rest, 0); end >= b.length && isBlank(rest[end:]) {
			b.leaf = noLeaf
		}
	}
}

// start closes what a new block ends: an open paragraph, and the containers that
// the line does not go on with.
func (b *blocks) start(matched int) {
	b.closeParagraph()
	b.containers = b.containers[:matched]
	if matched > 0 {
		b.containers[matched-1].empty = false
	}
}

// open reads what comes after the marks of open containers. It reports whether it
// opened another container, or found that a paragraph was none, so that the rest
// of the line is to be read in the same way.
func (b *blocks) open(c *cursor, matched int) (again bool) {
	indent, next := c.indent()
	rest := c.line[next:]
	whole := matched == len(b.containers)
	switch {
	case len(rest) == 0:
		b.closeParagraph()
		b.containers = b.containers[:matched]
	case indent > 3 && b.leaf == paragraph:
		b.addLine(c.from+next, rest)
	case indent > 3:
		b.start(matched) // code
	case rest[0] == '>':
		b.start(matched)
		c.pass(1)
		c.skip(1)
		b.containers = append(b.containers, container{quote: true})
		return true
	case b.leaf == paragraph && whole && isUnderline(rest):
		return !b.closeParagraph()
	case b.openLeaf(c.from+next, rest, matched):
	case b.leaf == paragraph && whole && !interrupts(rest) || itemMark(rest) == 0:
		if b.leaf != paragraph {
			b.start(matched)
			b.leaf = paragraph
		}
		b.addLine(c.from+next, rest)
	default:
		b.start(matched)
		b.openItem(c, indent, itemMark(rest))
		return true
	}
	return false
}

// openItem opens a list item whose mark has a length and is indented by a width.
func (b *blocks) openItem(c *cursor, indent, mark int) {
	c.pass(mark)
	width, next := c.indent()
	empty := next == len(c.line)
	if empty || width > 4 { // more than that is code after one space
		width = 1
	}
	c.skip(width)
	b.containers = append(b.containers, container{width: indent + mark + width, empty: empty})
}

// itemMark returns the length of the list mark that a line starts with, or 0.
func itemMark(line []byte) int {
	n := 0
	for n < len(line) && isDigit(line[n]) {
		n++
	}
	switch {
	case n == len(line) || n > 9:
		return 0
	case n == 0 && line[0] != '-' && line[0] != '+' && line[0] != '*':
		return 0
	case n > 0 && line[n] != '.' && line[n] != ')':
		return 0
	}
	n++
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// interrupts reports whether the list item that a line starts can end a
// paragraph: it has text, and its number is 1.
func interrupts(line []byte) bool {
	n := itemMark(line)
	if n == 0 || isBlank(line[n:]) {
		return false
	}
	return !isDigit(line[0]) || string(bytes.TrimLeft(line[:n-1], "0")) == "1"
}

// isUnderline reports whether a line makes a heading of the paragraph above.
func isUnderline(line []byte) bool {
	return (line[0] == '=' || line[0] == '-') && isBlank(line[runEnd(line, 0):])
}

// openLeaf reads a line that is a thematic break or a heading, or starts a fence
// or HTML, and reports whether it is such a line.
func (b *blocks) openLeaf(at int, line []byte, matched int) bool {
	mark := line[0]
	end := runEnd(line, 0)
	switch {
	case isBreak(line):
		b.start(matched)
	case mark == '#' && end <= 6 && (end == len(line) || isSpace(line[end])):
		b.start(matched)
		b.keep([]span{{at + end, at + len(line)}})
	case (mark == '`' || mark == '~') && end >= 3 && (mark == '~' || bytes.IndexByte(line[end:], '`') < 0):
		b.start(matched)
		b.leaf, b.mark, b.length = fence, mark, end
	case mark == '<':
		kind := startsHTML(line)
		if kind == 0 || kind == 7 && b.leaf == paragraph {
			return false
		}
		b.start(matched)
		if b.kind = kind; !endsHTML(kind, line) {
			b.leaf = markup
		}
	default:
		return false
	}
	return true
}

// isBreak reports whether a line is a thematic break.
func isBreak(line []byte) bool {
	mark, count := line[0], 0
	if mark != '*' && mark != '-' && mark != '_' {
		return false
	}
	for _, c := range line {
		switch {
		case c == mark:
			count++
		case !isSpace(c):
			return false
		}
	}
	return count >= 3
}

// addLine adds a line to the open paragraph.
func (b *blocks) addLine(at int, line []byte) {
	to := at + len(line)
	if to < len(b.text) {
		to++ // the end of the line, or a part of it, keeps the words apart
	}
	b.lines = append(b.lines, span{at, to})
}

// closeParagraph keeps the open paragraph without the definitions it starts with,
// and reports whether any of it is left.
func (b *blocks) closeParagraph() bool {
	if b.leaf != paragraph {
		return false
	}
	b.leaf = noLeaf
	lines := b.lines
	b.lines = b.lines[:0]
	if b.text[lines[0].from] == '[' {
		b.join.reset(b.text, lines)
		at := 0
		for at < len(b.join.text) {
			name, d, end, ok := definition(b.join.text, at)
			if !ok {
				break
			}
			key := normalLabel(b.join.text[name.from:name.to])
			if _, before := b.definitions[key]; !before {
				b.definitions[key] = b.join.source(d)
			}
			at = end
		}
		if at == len(b.join.text) {
			return false
		}
		lines = lines[b.join.line(at):]
	}
	b.keep(lines)
	return true
}

// keep keeps lines that may have links.
func (b *blocks) keep(lines []span) {
	for _, l := range lines {
		if bytes.IndexByte(b.text[l.from:l.to], ']') >= 0 {
			b.prose = append(b.prose, slices.Clone(lines))
			return
		}
	}
}
