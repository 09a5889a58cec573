package remote

import (
	"bytes"
	"slices"
)

// plainJSON replaces with spaces what editors allow in their settings beside JSON: a byte order
// mark, // and /* */ comments, and a comma behind the last item of a list or
// object. Every other byte keeps its place, so that positions stay.
func plainJSON(text []byte) []byte {
	out := slices.Clone(text)
	if bytes.HasPrefix(out, bom) {
		blank(out[:len(bom)])
	}
	comma, before := -1, byte('{') // the comma that was read last, if nothing followed yet
	for i := 0; i < len(out); i++ {
		switch c := out[i]; c {
		case ' ', '\t', '\n', '\r':
			continue
		case '/':
			i += comment(out[i:]) - 1
			continue
		case '"':
			i += stringEnd(out[i:])
		case '}', ']':
			if comma >= 0 {
				out[comma] = ' '
			}
		case ',':
			if before != '{' && before != '[' && before != ',' && before != ':' {
				comma, before = i, c
				continue
			}
		}
		comma = -1
		before = out[min(i, len(out)-1)]
	}
	return out
}

// comment replaces with spaces the comment at the start of a text and returns its length; 1
// when there is none.
func comment(text []byte) int {
	n := 1
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if n = bytes.IndexAny(text, "\r\n"); n < 0 {
			n = len(text)
		}
	case bytes.HasPrefix(text, []byte("/*")):
		end := bytes.Index(text[2:], []byte("*/"))
		if end < 0 {
			return 1 // without its end it is none, and no JSON either
		}
		n = end + 4
	default:
		return 1
	}
	blank(text[:n])
	return n
}

// blank replaces everything except line breaks with spaces.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// stringEnd returns the place of the quote that ends the string at the start of
// a text, or the text's last byte.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text) - 1
}
