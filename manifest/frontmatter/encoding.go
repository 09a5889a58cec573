package frontmatter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/manifest"
)

// wideEncoding recognises UTF-16 and UTF-32, with or without a byte-order mark,
// and says how to save the file instead.
func wideEncoding(text []byte) (message string, found bool) {
	name := ""
	switch {
	case bytes.HasPrefix(text, []byte("\xFF\xFE\x00\x00")), bytes.HasPrefix(text, []byte("\x00\x00\xFE\xFF")),
		bytes.HasPrefix(text, []byte("-\x00\x00\x00")), bytes.HasPrefix(text, []byte("\x00\x00\x00-")):
		name = "UTF-32"
	case bytes.HasPrefix(text, []byte("\xFF\xFE")), bytes.HasPrefix(text, []byte("\xFE\xFF")):
		name = "UTF-16"
	case len(text) >= 4 && (text[1] == 0 && text[3] == 0) != (text[0] == 0 && text[2] == 0):
		name = "UTF-16"
	default:
		return "", false
	}
	return fmt.Sprintf("the file is %s, as a shell redirect on Windows writes it, not UTF-8: save it as UTF-8 without BOM, for instance with iconv -f %s -t UTF-8", name, name), true
}

// invalidUTF8 places the first byte of text that is not UTF-8 and describes it.
func invalidUTF8(text []byte) (manifest.Pos, string) {
	first, count := -1, 0
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && n == 1 {
			if first < 0 {
				first = i
			}
			count++
		}
		i += n
	}
	line := bytes.LastIndexByte(text[:first], '\n') + 1
	pos := manifest.Pos{Line: bytes.Count(text[:first], []byte{'\n'}) + 1, Column: utf8.RuneCount(text[line:first]) + 1}
	return pos, fmt.Sprintf("byte 0x%02X is not UTF-8%s: save the file as UTF-8", text[first], andMore(count-1))
}

// andMore says that there are n more faults of a kind.
func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more like it)", n)
}

// cleanBlock is the text of a block in the form this package and the library
// read: LF ends its lines, and each character that the library refuses, or
// takes for a line end where YAML 1.2 does not, has a stand-in. A character
// stays one character, so lines and columns are those of the file.
type cleanBlock struct {
	text    string
	restore *strings.Replacer // puts the characters back into a value; nil: none
	// marked are the lines of the file that hold a character with a stand-in.
	marked map[int]bool
	// faulty is true when the block holds what no YAML text may.
	faulty bool
}

// original returns a value with its own characters.
func (b cleanBlock) original(s string) string {
	if b.restore == nil {
		return s
	}
	return b.restore.Replace(s)
}

// notPlainText reports whether a character from U+007F on is one that YAML refuses
// or that some of its readers take for a line end.
func notPlainText(r rune) bool {
	return r >= 0x7F && r <= 0x9F || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

// cleanText makes the clean form of a block, and reports the characters that
// have no place in one.
func cleanText(block []byte, report reporter) cleanBlock {
	text := strings.ReplaceAll(string(block), "\r\n", "\n")
	special := func(r rune) bool { return r < 0x20 && r != '\n' && r != '\t' || notPlainText(r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, special) {
		return replaceSpecial(text, special, report)
	}
	return cleanBlock{text: text}
}

func replaceSpecial(text string, special func(rune) bool, report reporter) cleanBlock {
	b := cleanBlock{marked: map[int]bool{}}
	standIn := map[rune]rune{}
	var pairs []string
	next := rune(0xE000)
	var clean strings.Builder
	var controls, returns int
	var firstControl, firstReturn manifest.Pos
	var control rune
	pos := manifest.Pos{Line: 2, Column: 0}
	for i, r := range text {
		pos.Column++
		switch {
		case r == '\n':
			pos = manifest.Pos{Line: pos.Line + 1, Column: 0}
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			b.marked[pos.Line], b.faulty = true, true
		case special(r):
			switch {
			case r == '\r':
				if returns++; returns == 1 {
					firstReturn = pos
				}
				b.faulty = true
			case r == 0x85 || r == 0x2028 || r == 0x2029:
				if !b.marked[pos.Line] {
					report("unportable-yaml", pos, `%s ends a line to some YAML readers and not to others: write a space, or \u%04x in double quotes`, lookalike.Name(r), r)
				}
			case r == 0xFEFF:
				if !b.marked[pos.Line] {
					report("unportable-yaml", pos, `U+FEFF ZERO WIDTH NO-BREAK SPACE (an invisible byte-order mark) inside the frontmatter is refused by some YAML readers: remove it`)
				}
			default:
				if controls++; controls == 1 {
					firstControl, control = pos, r
				}
				b.faulty = true
			}
			b.marked[pos.Line] = true
			if standIn[r] == 0 {
				for strings.ContainsRune(text, next) {
					next++
				}
				standIn[r] = next
				pairs = append(pairs, string(next), string(r))
				next++
			}
			r = standIn[r]
		}
		clean.WriteRune(r)
	}
	if controls > 0 {
		report("frontmatter-encoding", firstControl, "the control character U+%04X is not allowed in YAML%s: remove it", control, andMore(controls-1))
	}
	if returns > 0 {
		report("frontmatter-encoding", firstReturn, "a lone CR ends a line to some readers and not to others%s: save the file with LF line ends", andMore(returns-1))
	}
	b.text, b.restore = clean.String(), strings.NewReplacer(pairs...)
	return b
}
