package bundle

import (
	"io/fs"
	"strconv"
	"unicode/utf8"
)

// longest is how many characters of a user's text a message shows.
const longest = 80

// quote returns a user's text as a message shows it: shortened, in quotes, with
// everything escaped that a terminal would act on.
func quote(s string) string {
	if utf8.RuneCountInString(s) > longest {
		s = string([]rune(s)[:longest-1]) + "…"
	}
	return strconv.Quote(s)
}

// kindOf names what an entry of a folder is.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symlink"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "neither a file nor a folder"
	}
}

// number writes a count with a comma between thousands.
func number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted writes a count with its noun, in the plural where it belongs.
func counted[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return number(n) + " " + noun
}
