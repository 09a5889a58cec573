package invisible

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

const (
	nonJoiner = '\u200C'
	joiner    = '\u200D'
	zeroSpace = '\u200B'
	blackFlag = '\U0001F3F4'
	lastTag   = '\U000E007F'
)

// classOf returns the class of an invisible character, or 0 for another.
func classOf(r rune) Class {
	switch {
	case r >= 0xE0000 && r <= lastTag:
		return Tag
	case r >= zeroSpace && r <= joiner, r >= 0x2060 && r <= 0x2064, r >= 0x206A && r <= 0x206F, r == 0xFEFF, r == 0x180E:
		return ZeroWidth
	case r == 0x200E, r == 0x200F, r == 0x061C, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return Direction
	}
	return 0
}

// harmless returns the offset behind the character at an offset, or behind the
// sequence it is part of, when a text needs it there, and else the offset
// itself.
func (s *Scanner) harmless(text []byte, at int, r rune) int {
	_, size := utf8.DecodeRune(text[at:])
	end := at + size
	needed := false
	switch {
	case r == 0xFEFF:
		needed = at == 0 && s.line == 0 && s.column == 0 // [byte-order-mark] is a rule of its own
	case r == joiner && isPictograph(lastBase(text[:at])) && isPictograph(first(text[end:])):
		needed = true
	case r == joiner, r == nonJoiner:
		needed = joins(text[:at], text[end:])
	case r == zeroSpace:
		needed = unicode.In(last(text[:at]), unspaced...) && unicode.In(first(text[end:]), unspaced...)
	case r == 0x200E, r == 0x200F, r == 0x061C:
		needed = hasRightToLeft(text, at)
	case r >= 0xE0000:
		if n := flagTags(text[:at], text[at:]); n > 0 {
			return at + n
		}
	}
	if needed {
		return end
	}
	return at
}

// flagTags returns the length of the tags that make a flag of the black flag
// before them, as those of Scotland and Texas are: letters and digits of a
// region, and the tag that ends them.
func flagTags(before, tags []byte) int {
	if last(before) != blackFlag {
		return 0
	}
	for n, i := 0, 0; i < len(tags) && n <= 7; n++ {
		r, size := utf8.DecodeRune(tags[i:])
		i += size
		c := r - 0xE0000
		switch {
		case r == lastTag && n >= 2:
			return i
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		default:
			return 0
		}
	}
	return 0
}

// joining are the scripts in which the shape of a letter depends on its
// neighbours, so that a joiner or non-joiner is part of the spelling.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Phags_Pa, unicode.Thaana,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese,
	unicode.Javanese, unicode.Sundanese, unicode.Hanifi_Rohingya, unicode.Adlam, unicode.Sogdian, unicode.Manichaean,
}

// unspaced are the scripts that put no space between words, and a zero-width
// space where a line may break.
var unspaced = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

// joins reports whether a joiner or non-joiner stands beside a letter of a
// script that needs it. One of the two neighbours is enough: Persian writes the
// plural of a foreign word with a non-joiner between two scripts, and marks of
// Markdown may stand between.
func joins(before, after []byte) bool {
	if classOf(last(before)) != 0 || classOf(first(after)) != 0 {
		return false
	}
	const markup = "*_`~[]()\"'"
	return unicode.In(last(bytes.TrimRight(before, markup)), joining...) || unicode.In(first(bytes.TrimLeft(after, markup)), joining...)
}

// hasRightToLeft reports whether a letter written from right to left stands near
// an offset, in its line.
func hasRightToLeft(text []byte, at int) bool {
	start, end := max(0, at-context), min(len(text), at+context)
	start += bytes.LastIndexByte(text[start:at], '\n') + 1
	if i := bytes.IndexByte(text[at:end], '\n'); i >= 0 {
		end = at + i
	}
	return bytes.ContainsFunc(text[start:end], func(r rune) bool {
		return r >= 0x590 && unicode.IsLetter(r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam)
	})
}

// isPictograph reports whether a character can be one of those that a joiner
// makes one emoji of.
func isPictograph(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x2B00 && r <= 0x2BFF,
		r >= 0x2190 && r <= 0x21FF, r >= 0x2300 && r <= 0x23FF, r >= 0x25A0 && r <= 0x25FF:
		return true
	}
	return r == 0xA9 || r == 0xAE || r == 0x203C || r == 0x2049
}

// lastBase returns the last character that is no modifier of an emoji.
func lastBase(text []byte) rune {
	for {
		r, size := utf8.DecodeLastRune(text)
		if r != 0xFE0F && r != 0x20E3 && !(r >= 0x1F3FB && r <= 0x1F3FF) {
			return r
		}
		text = text[:len(text)-size]
	}
}

func first(text []byte) rune { r, _ := utf8.DecodeRune(text); return r }
func last(text []byte) rune  { r, _ := utf8.DecodeLastRune(text); return r }
