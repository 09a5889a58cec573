package casefold

import (
	"unicode"
	"unicode/utf8"
)

// Rune returns the same rune for all that are equal under simple case folding:
// the least, and of ASCII letters the lower-case one.
func Rune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
