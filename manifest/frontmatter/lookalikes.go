package frontmatter

import (
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
)

// note says of a line which lookalike on it YAML does not take for what it looks
// like.
type note struct {
	line int // from 0
	text string
}

// lookalikes replaces the characters that break an entry because they only look
// like a space, a colon or a hyphen. Each entry of the top level is looked at by
// itself: in one that can be read they are text. It reports whether there were any.
func (r *repairer) lookalikes() bool {
	var found []correction
	start := 0
	settle := func(end int) {
		if len(found) > 0 && r.fails(start, end) != nil {
			for _, c := range found {
				r.apply(c)
				r.notes = append(r.notes, note{c.first, c.note})
			}
		}
		found = nil
	}
	var l lookalikeReader
	for i, line := range r.lines {
		fixed, odd := l.next(line)
		if l.topLevel {
			settle(i)
			start = i
		}
		if odd.char != 0 {
			found = append(found, odd.correction(i, fixed))
		}
	}
	settle(len(r.lines))
	return len(r.notes) > 0
}

// explain puts the lookalikes of a line into the message about what else is wrong
// with it, so that the line has one finding, and one line to write.
func (r *repairer) explain() {
	for i := range r.fixes {
		odd := &r.fixes[i]
		for j := i + 1; j < len(r.fixes) && odd.note != ""; j++ {
			if c := &r.fixes[j]; c.note == "" && c.message != "" && c.first <= odd.first && odd.first <= c.last {
				c.message = odd.note + ", and " + c.message
				c.rule, c.note = "frontmatter-unparsable", odd.note
				odd.message, odd.note = "", ""
			}
		}
	}
	for i := range r.lost {
		l := &r.lost[i]
		for _, n := range r.notes {
			if l.line <= n.line && n.line < l.end {
				l.reason = n.text + "; " + l.reason
				break
			}
		}
	}
}

// odd is the first lookalike on a line that YAML takes for something else.
type odd struct {
	char   rune
	column int  // from 1
	indent bool // it indents the line
}

func (o odd) correction(line int, fixed string) correction {
	text := lookalike.Name(o.char) + " is " + oddity(o.char)
	write := "write " + sample(fixed)
	switch {
	case fixed == "":
		write = "empty the line"
	case o.indent:
		write = indentAdvice(indentation(fixed), fixed)
	}
	return correction{first: line, last: line, lines: []string{fixed}, rule: "frontmatter-unparsable", col: o.column, message: text + ": " + write, note: text}
}

// oddity says why a lookalike breaks a field.
func oddity(r rune) string {
	switch {
	case lookalike.IsInvisible(r):
		return "invisible, and text to YAML"
	case lookalike.IsSpace(r):
		return "not a space to YAML"
	case lookalike.IsColon(r):
		return "not a colon to YAML"
	case lookalike.IsDash(r):
		return "not a hyphen to YAML"
	case lookalike.IsQuote(r):
		return "not a quote to YAML"
	}
	return "not what it looks like to YAML"
}

// without returns a line with every other lookalike like the one at fault replaced
// as well, and without such spaces at its end, so that no line to write has it.
func (o odd) without(line string) string {
	looks, _ := lookalike.ASCII(o.char)
	line = strings.ReplaceAll(line, string(o.char), looks)
	if looks == " " || looks == "" {
		line = strings.TrimRight(line, " \t")
	}
	return line
}

// lookalikeReader goes through the lines of a block and tells fields and items
// from the text of a value that goes on.
type lookalikeReader struct {
	topLevel bool // the line last read starts an entry of the top level
	started  bool
	base     int  // width of the lookalikes that indent the first field
	indent   int  // of the last field or item
	open     bool // it has a value that more lines may belong to
	block    bool // that value is a block scalar
	text     int  // indentation of the block scalar's first line; 0: none yet
}

// next returns a line without the lookalikes that would break it, and the first
// of those, if any.
func (l *lookalikeReader) next(line string) (string, odd) {
	l.topLevel = false
	n, first := lookalike.Cut(line)
	o := odd{char: first, indent: first != 0}
	if first != 0 {
		o.column = utf8.RuneCountInString(line[:strings.IndexRune(line, first)]) + 1
	}
	if n == len(line) {
		return "", o
	}
	space := plainSpaces(line[:n])
	if first != 0 && !l.started {
		l.base = indentation(space)
	}
	if first != 0 {
		space = space[min(l.base, len(space)):]
	}
	if line[n] == '#' {
		return space + line[n:], o
	}
	width := indentation(space)
	content, value, inner := plainField(line[n:])
	if l.started && width > l.indent && (l.open || content == "") {
		ascii := len(line) - len(strings.TrimLeft(line, " "))
		if l.block && l.text == 0 {
			l.text = width
		}
		if first == 0 || ascii > l.indent && (!l.block || ascii >= l.text) {
			return line, odd{} // a lookalike on it is text
		}
		l.open = true
		return space + o.without(line[n:]), o
	}
	if content == "" && l.started {
		return line, odd{}
	}
	if content == "" {
		content, value = line[n:], line[n:]
	}
	l.topLevel = width == 0 || !l.started
	l.started = true
	l.indent, l.open, l.text = width, value != "", 0
	l.block = value != "" && (value[0] == '|' || value[0] == '>')
	if o.char == 0 && inner > 0 {
		at := n + inner - 1
		o.char, _ = utf8.DecodeRuneInString(line[at:])
		o.column = utf8.RuneCountInString(line[:at]) + 1
	}
	if o.char == 0 {
		return line, odd{}
	}
	if text, _, ok := unquoted(value); ok {
		content = strings.TrimSuffix(content, value) + quote(text)
	}
	return space + o.without(content), o
}

// plainSpaces returns spaces for lookalikes of them, and nothing for what is
// invisible.
func plainSpaces(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case lookalike.IsSpace(r):
			b.WriteByte(' ')
		case !lookalike.IsInvisible(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainField returns an item or field without lookalikes around its dashes, its
// key and its colon, its value, and behind which byte the first one was, counted
// from 1; 0 when there is none. The content is empty when the text is neither.
func plainField(text string) (content, value string, first int) {
	var b strings.Builder
	rest := text
	at := func() int { return len(text) - len(rest) }
	saw := func(offset int) {
		if first == 0 {
			first = offset + 1
		}
	}
	for {
		dash, size := utf8.DecodeRuneInString(rest)
		n, odd := lookalike.Cut(rest[size:])
		if dash != '-' && !lookalike.IsDash(dash) || n == 0 {
			break
		}
		if dash != '-' {
			saw(at())
		}
		b.WriteByte('-')
		if odd != 0 {
			saw(at() + size + strings.IndexRune(rest[size:], odd))
			b.WriteByte(' ')
		} else {
			b.WriteString(rest[size : size+n])
		}
		rest = rest[size+n:]
	}
	key, colon, size := keyBefore(rest)
	if key == "" {
		if b.Len() == 0 {
			return "", "", 0
		}
		return b.String() + rest, rest, first
	}
	if written := strings.TrimRight(rest[:colon], " \t"); written != key {
		saw(at() + strings.IndexRune(rest, lookalike.First(written)))
	}
	if size > 1 {
		saw(at() + colon)
	}
	n, odd := lookalike.Cut(rest[colon+size:])
	if odd != 0 {
		saw(at() + colon + size + strings.IndexRune(rest[colon+size:], odd))
	}
	value = rest[colon+size+n:]
	space := rest[colon+size : colon+size+n]
	if (odd != 0 || size > 1) && value != "" {
		space = " "
	} else if odd != 0 {
		space = ""
	}
	b.WriteString(key + ":" + space + value)
	return b.String(), value, first
}

// keyBefore returns the key at the start of a text without lookalikes, where its
// colon is, and how many bytes that has. The key is empty when there is none.
func keyBefore(text string) (key string, colon, size int) {
	for i, r := range text {
		if r != ':' && !lookalike.IsColon(r) {
			continue
		}
		size := utf8.RuneLen(r)
		if n, _ := lookalike.Cut(text[i+size:]); r == ':' && n == 0 && i+size < len(text) {
			return "", 0, 0 // as in a URL
		}
		key = strings.Trim(lookalike.Plain(text[:i]), " \t\"'")
		if !fieldName(key) {
			return "", 0, 0
		}
		if plain := strings.TrimRight(text[:i], " \t"); strings.Trim(plain, `"'`) == key {
			key = plain // its own quotes are in order
		}
		return key, i, size
	}
	return "", 0, 0
}

// unquoted takes smart quotes off a text that starts and ends with some, or with
// one and a quote of ASCII, and returns the first of them.
func unquoted(s string) (inner string, quote rune, ok bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return lookalike.IsSpace(r) || lookalike.IsInvisible(r) })
	first, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	isQuote := func(r rune) bool { return r == '"' || r == '\'' || lookalike.IsQuote(r) }
	if len(s) <= n+m || !isQuote(first) || !isQuote(last) {
		return "", 0, false
	}
	inner = s[n : len(s)-m]
	if strings.ContainsRune(inner, first) || strings.ContainsRune(inner, last) {
		return "", 0, false // as in “one” and “two”
	}
	if quote = first; !lookalike.IsQuote(first) {
		quote = last
	}
	return strings.TrimSpace(inner), quote, lookalike.IsQuote(quote)
}
