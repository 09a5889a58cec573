package gofile

import (
	"bufio"
	"unicode/utf8"
)

// maxPieces bounds the parts of one string that a generated file joins with
// "+": compilers and analysers walk such a sum as a tree of that depth.
const maxPieces = 500

// runes calls each for every rune of the bytes written to it, across the
// boundaries of the writes. A byte that is not UTF-8 comes as [utf8.RuneError]
// with itself as raw. Plain, unless nil, takes runs of what stands for itself in
// a raw string instead.
type runes struct {
	each  func(r rune, raw []byte)
	plain func([]byte)
	part  []byte // an incomplete rune at the end of the last write
}

// Write takes the next bytes; it never fails.
func (w *runes) Write(p []byte) (int, error) {
	n := len(p)
	for len(w.part) > 0 && len(p) > 0 && !utf8.FullRune(w.part) {
		w.part = append(w.part, p[0])
		p = p[1:]
	}
	w.flush(false)
	for len(p) > 0 {
		if w.plain != nil {
			if n := plainLength(p); n > 0 {
				w.plain(p[:n])
				p = p[n:]
				continue
			}
		}
		if p[0] >= utf8.RuneSelf && !utf8.FullRune(p) {
			w.part = append(w.part, p...)
			break
		}
		r, size := utf8.DecodeRune(p)
		w.each(r, p[:size])
		p = p[size:]
	}
	return n, nil
}

// plainLength returns the length of the ASCII text at the start of p that stands
// for itself in a raw string.
func plainLength(p []byte) int {
	for i, c := range p {
		if c >= 0x7F || c == '`' || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(p)
}

// Close hands on what is left of an incomplete rune.
func (w *runes) Close() { w.flush(true) }

// flush hands on the bytes kept back, as far as they are complete.
func (w *runes) flush(final bool) {
	for len(w.part) > 0 && (final || utf8.FullRune(w.part)) {
		r, size := utf8.DecodeRune(w.part)
		w.each(r, w.part[:size])
		w.part = append(w.part[:0], w.part[size:]...)
	}
}

// sourceScan learns from a first pass over a text how to write it as Go source.
type sourceScan struct {
	size   int64 // bytes
	breaks int   // runs of runes that a raw string cannot hold
	binary bool  // holds what is better read as escapes
	inRun  bool
}

func (s *sourceScan) rune(r rune, raw []byte) {
	s.size += int64(len(raw))
	if r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError && len(raw) == 1 {
		s.binary = true
	}
	escape := r == '`' || mustEscape(r, raw)
	if escape && !s.inRun {
		s.breaks++
	}
	s.inRun = escape
}

func (s *sourceScan) plain(p []byte) {
	s.size += int64(len(p))
	s.inRun = false
}

// raw reports whether the text is written as raw strings.
func (s *sourceScan) raw() bool { return !s.binary && 2*s.breaks < maxPieces }

// sourceWriter writes a text as one constant expression of Go source that gofmt
// leaves as it is: raw strings, with interpreted ones for what they cannot
// hold; or interpreted strings of about a line each.
type sourceWriter struct {
	w      *bufio.Writer
	raw    bool
	indent string // of the second and later lines of the expression
	least  int    // bytes of an interpreted string before it may end

	open          byte // the quote of the string being written, or 0
	bytes, column int  // written of it, as text and as source
	last          rune // the last rune written
	scratch       []byte
}

func newSourceWriter(w *bufio.Writer, s sourceScan, indent string) *sourceWriter {
	return &sourceWriter{w: w, raw: s.raw(), indent: indent, least: int(s.size / maxPieces)}
}

func (s *sourceWriter) rune(r rune, raw []byte) {
	if !s.raw {
		// About 200 columns a line where the text has no line ends of its own.
		if s.open != 0 && s.bytes >= s.least && (s.last == '\n' || s.column >= 200+4*s.least) {
			s.w.WriteString("\" +\n")
			s.w.WriteString(s.indent)
			s.open = 0
		}
		s.start('"')
		s.scratch = appendEscaped(s.scratch[:0], r, raw)
		s.w.Write(s.scratch)
		s.bytes += len(raw)
		s.column += len(s.scratch)
		s.last = r
		return
	}
	if r != '`' && !mustEscape(r, raw) {
		s.plain(raw)
		return
	}
	s.change('"')
	s.scratch = appendEscaped(s.scratch[:0], r, raw)
	s.w.Write(s.scratch)
}

// plain writes what stands for itself in a raw string.
func (s *sourceWriter) plain(p []byte) {
	s.change('`')
	s.w.Write(p)
}

// change goes on in a string of another kind, if it must.
func (s *sourceWriter) change(quote byte) {
	if s.open != 0 && s.open != quote {
		s.w.WriteByte(s.open)
		s.w.WriteString(" + ")
		s.open = 0
	}
	s.start(quote)
}

func (s *sourceWriter) start(quote byte) {
	if s.open == 0 {
		s.w.WriteByte(quote)
		s.open, s.bytes, s.column = quote, 0, 0
	}
}

// end closes the expression; an empty text is the empty string.
func (s *sourceWriter) end() {
	s.start('"')
	s.w.WriteByte(s.open)
}

// formatRunes are the ranges of invisible characters (Unicode category Cf, and
// the two separators of lines) beyond ASCII. The list is fixed, not that of the
// Unicode tables at hand, so that every build of this program writes the same
// bytes.
var formatRunes = [][2]rune{
	{0xAD, 0xAD}, {0x600, 0x605}, {0x61C, 0x61C}, {0x6DD, 0x6DD}, {0x70F, 0x70F},
	{0x890, 0x891}, {0x8E2, 0x8E2}, {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},
	{0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0x110BD, 0x110CD},
	{0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0001, 0xE007F},
}

// mustEscape reports whether a rune is written as an escape: bytes that are not
// UTF-8, controls, and what cannot be seen. Go source forbids U+FEFF and NUL, a
// carriage return vanishes from raw strings, and a character that turns the
// direction of text makes source read otherwise than it compiles.
func mustEscape(r rune, raw []byte) bool {
	if r < 0x7F {
		return r < ' ' && r != '\n' && r != '\t'
	}
	if r <= 0x9F || r == utf8.RuneError && len(raw) == 1 {
		return true
	}
	for _, f := range formatRunes {
		if r <= f[1] {
			return r >= f[0]
		}
	}
	return false
}

// appendEscaped appends a rune as it stands in an interpreted string.
func appendEscaped(b []byte, r rune, raw []byte) []byte {
	const hexDigits = "0123456789abcdef"
	switch {
	case r == '\n':
		return append(b, `\n`...)
	case r == '\t':
		return append(b, `\t`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case r < utf8.RuneSelf && mustEscape(r, raw), r == utf8.RuneError && len(raw) == 1:
		return append(b, '\\', 'x', hexDigits[raw[0]>>4], hexDigits[raw[0]&15])
	case mustEscape(r, raw):
		b = append(b, `\U00000000`...)
		if r <= 0xFFFF {
			b = append(b[:len(b)-10], `\u0000`...)
		}
		for i := len(b) - 1; r > 0; i, r = i-1, r>>4 {
			b[i] = hexDigits[r&15]
		}
		return b
	}
	return append(b, raw...)
}

// goQuote returns s as an interpreted string literal on one line.
func goQuote(s string) string {
	b := []byte{'"'}
	w := runes{each: func(r rune, raw []byte) { b = appendEscaped(b, r, raw) }}
	_, _ = w.Write([]byte(s)) // never fails
	w.Close()
	return string(append(b, '"'))
}
