package markdown

import (
	"bytes"
	"strings"

	"github.com/skillpack/skillpack/internal/casefold"
)

// maxLabel is how many bytes the label of a reference may have. CommonMark counts
// characters, and so is more generous to labels that no one writes.
const maxLabel = 999

// label returns the label in brackets that starts at an offset, and its end.
func label(text []byte, at int) (l span, end int, ok bool) {
	if at >= len(text) || text[at] != '[' {
		return l, 0, false
	}
	l.from = at + 1
	for i := l.from; i < len(text) && i-l.from <= maxLabel; i++ {
		switch text[i] {
		case '\\':
			if i+1 < len(text) && IsPunctuation(text[i+1]) {
				i++
			}
		case '[':
			return l, 0, false
		case ']':
			l.to = i
			return l, i + 1, true
		}
	}
	return l, 0, false
}

// normalLabel returns the same string for all labels that mean the same.
func normalLabel(l []byte) string {
	var b strings.Builder
	for i, word := range bytes.FieldsFunc(l, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) }) {
		if i > 0 {
			b.WriteByte(' ')
		}
		for _, r := range string(word) {
			if r == 'ß' || r == 'ẞ' {
				b.WriteString("ss") // the one usual letter that folds to two
				continue
			}
			b.WriteRune(casefold.Rune(r))
		}
	}
	return b.String()
}

// maxParentheses is how many parentheses a destination may have inside each
// other. CommonMark's own reader has the same limit: without one, many links that
// are not closed would be read to the end of the text each.
const maxParentheses = 32

// destination returns the destination of a link that starts at an offset, without
// its angle brackets, and its end.
func destination(text []byte, at int) (d span, end int, ok bool) {
	if at < len(text) && text[at] == '<' {
		for i := at + 1; i < len(text); i++ {
			switch c := text[i]; {
			case c == '\\' && i+1 < len(text) && IsPunctuation(text[i+1]):
				i++
			case c == '\n' || c == '<':
				return d, 0, false
			case c == '>':
				return span{at + 1, i}, i + 1, true
			}
		}
		return d, 0, false
	}
	depth, i := 0, at
loop:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && IsPunctuation(text[i+1]):
			i++
		case c <= ' ' || c == 0x7F:
			break loop
		case c == '(':
			if depth++; depth > maxParentheses {
				return d, 0, false
			}
		case c == ')':
			if depth == 0 {
				break loop
			}
			depth--
		}
	}
	return span{at, i}, i, i > at && depth == 0
}

// title returns the end of the title of a link that starts at an offset.
func title(text []byte, at int) (end int, ok bool) {
	closer := text[at]
	switch closer {
	case '"', '\'':
	case '(':
		closer = ')'
	default:
		return 0, false
	}
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == closer:
			return i + 1, true
		case c == '(' && closer == ')':
			return 0, false
		}
	}
	return 0, false
}

// definition reads the definition of a link reference at the start of a line. It
// returns where the next line starts.
func definition(text []byte, at int) (name, d span, end int, ok bool) {
	name, at, ok = label(text, at)
	if !ok || skipSpaces(text, name.from) >= name.to || at == len(text) || text[at] != ':' {
		return name, d, 0, false
	}
	d, at, ok = destination(text, skipSpaces(text, at+1))
	if !ok {
		return name, d, 0, false
	}
	plain, ok := lineEnd(text, at)
	next := skipSpaces(text, at)
	if next == at || next == len(text) {
		return name, d, plain, ok
	}
	if after, titled := title(text, next); titled {
		if end, whole := lineEnd(text, after); whole {
			return name, d, end, true
		}
	}
	return name, d, plain, ok // what looked like a title on a line of its own is text
}

// lineEnd returns where the next line starts, if only spaces come before it.
func lineEnd(text []byte, at int) (next int, ok bool) {
	for ; at < len(text) && isSpace(text[at]); at++ {
		if text[at] == '\n' {
			return at + 1, true
		}
	}
	return at, at == len(text)
}
