package markdown

import (
	"bytes"
	"errors"
	"slices"
	"sort"
)

// Link is a link or an image. Links to e-mail addresses and URLs in angle
// brackets are none.
type Link struct {
	Destination []byte // as written, with escapes: a part of the text
	Offset      int    // where the destination starts in the text, in bytes
	Label       string // the label of a link by reference, as written; else ""
}

// ErrTooDeep is the error of a text with more than [MaxDepth] quotes and list
// items inside each other.
var ErrTooDeep = errors.New("its quotes and lists are too deep")

// MaxDepth is how many quotes and list items may be inside each other: each line
// has to be compared with all that are open.
const MaxDepth = 100

// Links returns the links and images of a text, in the order in which they start.
// It returns [ErrTooDeep] for a text that no one writes.
func Links(text []byte) ([]Link, error) {
	b := blocks{text: text, definitions: map[string]span{}}
	for from := 0; from < len(text); {
		to := len(text)
		if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
			to = from + i + 1
		}
		if !b.line(from, to) {
			return nil, ErrTooDeep
		}
		from = to
	}
	b.closeParagraph()
	var links []Link
	var p inlines
	for _, lines := range b.prose {
		links = append(links, p.links(&b, lines)...)
	}
	return links, nil
}

// span is a part of a text.
type span struct{ from, to int }

// joined is the text of some lines, one after another, and where each comes from.
type joined struct {
	text   []byte
	starts []int  // of the lines, in text
	lines  []span // in the source
}

func (j *joined) reset(source []byte, lines []span) {
	j.text, j.starts, j.lines = j.text[:0], j.starts[:0], lines
	for _, l := range lines {
		j.starts = append(j.starts, len(j.text))
		j.text = append(j.text, source[l.from:l.to]...)
	}
	j.text = bytes.TrimRight(j.text, spaces)
}

// source returns the part of the source that a part of one line comes from.
func (j *joined) source(s span) span {
	i := sort.SearchInts(j.starts, s.from+1) - 1
	shift := j.lines[i].from - j.starts[i]
	return span{s.from + shift, s.to + shift}
}

// line returns the number of the line that an offset is in.
func (j *joined) line(at int) int { return sort.SearchInts(j.starts, at+1) - 1 }

// spaces are all that separates words in Markdown.
const spaces = " \t\r\n"

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsPunctuation reports whether a backslash before a character takes away its
// meaning.
func IsPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipSpaces returns the offset of the next character that is not a space.
func skipSpaces(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// opener is a bracket that may open a link.
type opener struct {
	at, text int // where it is, and where its text starts
	image    bool
	bracket  bool // another one opens after it
}

// inlines finds the links in one block after another.
type inlines struct {
	joined
	openers []opener
	// dead is how many of the openers enclose a link, and can only be images.
	dead  int
	ticks map[int]int     // where the last run of backticks of a length is; nil: not looked for
	none  map[string]bool // the ends of HTML that do not come any more
}

// found is a link, and where it starts.
type found struct {
	at int
	Link
}

// links returns the links in the lines of a block.
func (p *inlines) links(b *blocks, lines []span) []Link {
	p.reset(b.text, lines)
	p.openers, p.dead, p.ticks, p.none = p.openers[:0], 0, nil, nil
	var all []found
	for at := 0; at < len(p.text); {
		switch p.text[at] {
		case '\\':
			at++
			if at < len(p.text) && IsPunctuation(p.text[at]) {
				at++
			}
		case '`':
			at = p.skipCode(at)
		case '<':
			at = p.skipHTML(at)
		case '!':
			at++
			if at < len(p.text) && p.text[at] == '[' {
				p.open(at-1, true)
				at++
			}
		case '[':
			p.open(at, false)
			at++
		case ']':
			at = p.close(b, at, &all)
		default:
			at++
		}
	}
	slices.SortFunc(all, func(a, b found) int { return a.at - b.at })
	links := make([]Link, len(all))
	for i, f := range all {
		links[i] = f.Link
	}
	return links
}

// skipCode returns the end of the code span that starts at an offset, or of the
// backticks there if they are text.
func (p *inlines) skipCode(at int) int {
	start := runEnd(p.text, at)
	length := start - at
	if p.ticks == nil {
		p.ticks = map[int]int{}
		for i := at; i < len(p.text); {
			if p.text[i] != '`' {
				i++
				continue
			}
			end := runEnd(p.text, i)
			p.ticks[end-i] = i
			i = end
		}
	}
	if p.ticks[length] < start {
		return start
	}
	for i := start; ; {
		i += bytes.IndexByte(p.text[i:], '`')
		end := runEnd(p.text, i)
		if end-i == length {
			return end
		}
		i = end
	}
}

// runEnd returns where the run of one character that starts at an offset ends.
func runEnd(text []byte, at int) int {
	c := text[at]
	for at < len(text) && text[at] == c {
		at++
	}
	return at
}

func (p *inlines) open(at int, image bool) {
	if last := len(p.openers) - 1; last >= 0 {
		p.openers[last].bracket = true
	}
	text := at + 1
	if image {
		text++
	}
	p.openers = append(p.openers, opener{at: at, text: text, image: image})
}

// close reads the bracket at an offset, and what comes after it. It adds the link
// that it closes, if any, and returns where to go on.
func (p *inlines) close(b *blocks, at int, all *[]found) int {
	last := len(p.openers) - 1
	if last < 0 {
		return at + 1
	}
	o, dead := p.openers[last], last < p.dead
	p.openers, p.dead = p.openers[:last], min(p.dead, last)
	if dead && !o.image {
		return at + 1
	}
	link, end, ok := p.inline(at + 1)
	if !ok {
		if link, end, ok = p.reference(b, o, at); !ok {
			return at + 1
		}
	}
	if !o.image {
		p.dead = last // no link may be inside another
	}
	link.Destination = b.text[link.Offset : link.Offset+len(link.Destination)]
	*all = append(*all, found{o.at, link})
	return end
}

// inline reads the destination and the title in parentheses after a link's text.
func (p *inlines) inline(at int) (l Link, end int, ok bool) {
	if at >= len(p.text) || p.text[at] != '(' {
		return l, 0, false
	}
	at = skipSpaces(p.text, at+1)
	if at < len(p.text) && p.text[at] == ')' {
		return Link{Offset: p.source(span{at, at}).from}, at + 1, true
	}
	d, at, ok := destination(p.text, at)
	if !ok {
		return l, 0, false
	}
	next := skipSpaces(p.text, at)
	if next < len(p.text) && next > at && p.text[next] != ')' {
		if next, ok = title(p.text, next); !ok {
			return l, 0, false
		}
		next = skipSpaces(p.text, next)
	}
	if next == len(p.text) || p.text[next] != ')' {
		return l, 0, false
	}
	return Link{Destination: p.text[d.from:d.to], Offset: p.source(d).from}, next + 1, true
}

// reference looks up the label of a link whose text ends at an offset: the one
// that comes after, or the text itself.
func (p *inlines) reference(b *blocks, o opener, at int) (l Link, end int, ok bool) {
	if len(b.definitions) == 0 {
		return l, 0, false
	}
	text, end := span{o.text, at}, at+1
	if next, after, ok := label(p.text, at+1); ok {
		end = after
		if skipSpaces(p.text, next.from) < next.to {
			text, o.bracket = next, false
		}
	}
	if o.bracket || text.to-text.from > maxLabel {
		return l, 0, false
	}
	name := p.text[text.from:text.to]
	d, ok := b.definitions[normalLabel(name)]
	if !ok {
		return l, 0, false
	}
	return Link{Destination: b.text[d.from:d.to], Offset: d.from, Label: string(name)}, end, true
}
