package invisible

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Class says what kind of invisible character was found.
type Class uint8

// The classes of invisible characters.
const (
	Tag       Class = iota + 1 // U+E0000 to U+E007F, which stand for ASCII
	ZeroWidth                  // spaces and joiners without width
	Direction                  // marks, embeddings, overrides and isolates
	classes
)

// Place is one or more characters of a class in one line.
type Place struct {
	Class Class
	// Line and Column are of the first of them; both count from 1, the column in
	// code points.
	Line, Column int
	// Count is how many there are in the line.
	Count int
	// First is the first of them.
	First rune
	// Text is the text that tag characters spell, and else the visible text
	// around the first character, with it.
	Text string
}

const (
	// MaxPlaces is how many places of one text are kept.
	MaxPlaces = 8
	// maxBytes is how much of a text is looked at: no skill may have more.
	maxBytes = 16 << 20
	// context is how many bytes before and after a character decide about it. The
	// longest sequence of an emoji is shorter.
	context = 96
	// maxSpelled is how many bytes of text that tags spell are kept.
	maxSpelled = 400
)

// Scanner finds places in a text that it gets part by part. Its zero value is
// ready for use; [Scanner.Reset] makes it ready for another text.
type Scanner struct {
	// Places are the first places, in the order of the text.
	Places []Place
	// More is how many lines with such characters, counted once for each class,
	// are not among Places.
	More int

	before []byte // what precedes the next byte, at most context bytes
	held   []byte // bytes that what follows them decides about
	work   []byte
	size   int64        // bytes before the next one
	line   int          // line feeds before the next byte
	column int          // code points before it in its line
	more   [classes]int // the last line that More counts
}

// Reset forgets the text, and keeps the memory.
func (s *Scanner) Reset() {
	*s = Scanner{before: s.before[:0], held: s.held[:0], work: s.work[:0]}
}

// Add looks at the next part of the text, which has a number of line feeds.
func (s *Scanner) Add(part []byte, lineFeeds int) {
	if s.size > maxBytes {
		return
	}
	if len(s.held) == 0 && suspect(part) < 0 {
		s.size += int64(len(part))
		s.pass(part, lineFeeds)
		return
	}
	s.work = append(append(append(s.work[:0], s.before...), s.held...), part...)
	s.size += int64(len(part))
	at := len(s.before)
	s.held = s.held[:0]
	s.scan(s.work, at, false)
}

// End looks at what only the end of the text decides about.
func (s *Scanner) End() {
	if len(s.held) == 0 {
		return
	}
	s.work = append(append(s.work[:0], s.before...), s.held...)
	s.held = s.held[:0]
	s.scan(s.work, len(s.before), true)
}

// scan looks at a text from an offset on.
func (s *Scanner) scan(text []byte, at int, final bool) {
	from := at
	for {
		next := suspect(text[from:])
		if next < 0 {
			break
		}
		next += from
		s.pass(text[at:next], bytes.Count(text[at:next], []byte{'\n'}))
		at, from = next, next
		if !final && len(text)-at < context {
			s.held = append(s.held, text[at:]...)
			return
		}
		r, size := utf8.DecodeRune(text[at:])
		if class := classOf(r); class != 0 {
			if end := s.harmless(text, at, r); end > at {
				from = end // its line and column are counted with what follows
				continue
			}
			s.add(class, r, text, at)
		}
		from = at + size
	}
	s.pass(text[at:], bytes.Count(text[at:], []byte{'\n'}))
}

// pass moves on behind a part.
func (s *Scanner) pass(part []byte, lineFeeds int) {
	if lineFeeds > 0 {
		s.line += lineFeeds
		s.column = 0
	}
	s.column += runeStarts(part[bytes.LastIndexByte(part, '\n')+1:])
	if room := context - len(part); room <= 0 {
		s.before = append(s.before[:0], part[len(part)-context:]...)
	} else {
		keep := min(len(s.before), room)
		s.before = append(append(s.before[:0], s.before[len(s.before)-keep:]...), part...)
	}
}

// runeStarts counts the bytes that start a character. Unlike the characters, they
// stay the same in number when a text is cut inside one.
func runeStarts(text []byte) (n int) {
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		n += 8 - bits.OnesCount64(w&^(w<<1)&high) // 10xxxxxx continues one
	}
	for _, b := range text {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// add notes the character at an offset.
func (s *Scanner) add(class Class, r rune, text []byte, at int) {
	line := s.line + 1
	for i := range s.Places {
		if p := &s.Places[i]; p.Class == class && p.Line == line {
			p.Count++
			if class == Tag && len(p.Text) < maxSpelled {
				p.Text += spelled(r)
			}
			return
		}
	}
	if len(s.Places) == MaxPlaces {
		if s.more[class] != line {
			s.more[class] = line
			s.More++
		}
		return
	}
	p := Place{Class: class, Line: line, Column: s.column + 1, Count: 1, First: r}
	if class == Tag {
		p.Text = spelled(r)
	} else {
		p.Text = around(text, at)
	}
	s.Places = append(s.Places, p)
}

// spelled returns the ASCII character that a tag character stands for.
func spelled(r rune) string {
	if c := r - 0xE0000; ' ' <= c && c <= '~' {
		return string(c)
	}
	return ""
}

// around returns the text around an offset, in its line.
func around(text []byte, at int) string {
	const reach = 36
	start, end := max(0, at-reach), min(len(text), at+reach)
	start += bytes.LastIndexByte(text[start:at], '\n') + 1
	if i := bytes.IndexByte(text[at:end], '\n'); i >= 0 {
		end = at + i
	}
	for start < at && !utf8.RuneStart(text[start]) {
		start++
	}
	for back := 1; back < utf8.UTFMax && end-back > at; back++ {
		if utf8.RuneStart(text[end-back]) {
			if !utf8.FullRune(text[end-back : end]) {
				end -= back
			}
			break
		}
	}
	return string(bytes.TrimSpace(text[start:end]))
}

const high = 0x8080808080808080 // the top bit of eight bytes

// suspect returns the offset of the first byte that may start an invisible
// character, or -1. Most texts have none, and the function is most of the
// scanner's time.
func suspect(text []byte) int {
	i := 0
	for ; i+32 <= len(text); i += 32 {
		w := text[i : i+32 : i+32]
		if (binary.LittleEndian.Uint64(w)|binary.LittleEndian.Uint64(w[8:])|binary.LittleEndian.Uint64(w[16:])|binary.LittleEndian.Uint64(w[24:]))&high == 0 {
			continue // all of them are ASCII
		}
		for k := 0; k < 32; k += 8 {
			word := binary.LittleEndian.Uint64(w[k:])
			for rest := word & (word << 1) & high; rest != 0; rest &= rest - 1 { // 11xxxxxx starts a character
				if at := i + k + bits.TrailingZeros64(rest)/8; leads(text[at]) && starts(text[at:]) {
					return at
				}
			}
		}
	}
	for ; i < len(text); i++ {
		if leads(text[i]) && starts(text[i:]) {
			return i
		}
	}
	return -1
}

// leads reports whether a byte can be the first of an invisible character.
func leads(b byte) bool {
	return b == 0xE2 || b == 0xEF || b == 0xF3 || b == 0xD8 || b == 0xE1
}

// starts reports whether a text may start with an invisible character; one that
// is cut off may.
func starts(text []byte) bool {
	second := byte(0)
	if len(text) > 1 {
		second = text[1]
	}
	switch text[0] {
	case 0xD8: // U+061C
		return second == 0x9C || len(text) < 2
	case 0xE1: // U+180E
		return second == 0xA0 && (len(text) < 3 || text[2] == 0x8E) || len(text) < 2
	case 0xE2: // U+200B to U+206F
		switch {
		case len(text) < 2:
			return true
		case second == 0x80:
			return len(text) < 3 || text[2] >= 0x8B && text[2] <= 0x8F || text[2] >= 0xAA && text[2] <= 0xAE
		}
		return second == 0x81 && (len(text) < 3 || text[2] >= 0xA0 && text[2] <= 0xAF)
	case 0xEF: // U+FEFF
		return second == 0xBB && (len(text) < 3 || text[2] == 0xBF) || len(text) < 2
	case 0xF3: // U+E0000 to U+E007F
		return second == 0xA0 && (len(text) < 3 || text[2] == 0x80 || text[2] == 0x81) || len(text) < 2
	}
	return false
}
