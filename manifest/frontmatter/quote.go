package frontmatter

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote returns the quoted YAML scalar of a text on one line: in double quotes
// when nothing in it needs an escape there, else in single quotes.
func quote(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// sample returns a line to write as a message shows it: whole, or with its
// middle left out, so that both of its quotes are seen.
func sample(line string) string {
	const head, tail = 70, 15
	line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " "))
	if utf8.RuneCountInString(line) <= head+tail+1 {
		return line
	}
	r := []rune(line)
	return string(r[:head]) + "…" + string(r[len(r)-tail:])
}

// oneLine returns a message in which line ends and control characters, which
// come from the text it speaks of, are written as escapes.
func oneLine(message string) string {
	ends := func(r rune) bool { return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 }
	if !strings.ContainsFunc(message, ends) {
		return message
	}
	var b strings.Builder
	for _, r := range message {
		if ends(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// splitKey takes a line "key: value" apart: the key as written, and the offset
// of the value, or of the line's end when there is none.
func splitKey(line string) (key string, value int, ok bool) {
	start := len(line) - len(strings.TrimLeft(line, " \t"))
	i := start
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		i = quotedEnd(line, i)
		key = line[start:i]
		for i < len(line) && isBlank(line[i]) {
			i++
		}
		if i >= len(line) || line[i] != ':' || !blankAt(line, i+1) {
			return "", 0, false
		}
	} else {
		for i < len(line) && (line[i] != ':' || !blankAt(line, i+1)) {
			if line[i] == '#' && i > start && isBlank(line[i-1]) {
				return "", 0, false
			}
			i++
		}
		if i == len(line) || i == start {
			return "", 0, false
		}
		key = strings.TrimRight(line[start:i], " \t")
	}
	for i++; i < len(line) && isBlank(line[i]); {
		i++
	}
	return key, i, true
}

// gluedKey takes "key:value" apart, which lacks the blank that makes it a field.
func gluedKey(line string) (key, value string, ok bool) {
	line = strings.TrimSpace(line)
	key, value, ok = strings.Cut(line, ":")
	if !ok || !fieldName(key) || value == "" || isBlank(value[0]) || strings.HasPrefix(value, "//") {
		return "", "", false
	}
	return key, value, true
}

// fieldName reports whether s looks like the name of a field.
func fieldName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if ('a' > c || c > 'z') && ('A' > c || c > 'Z') && (i == 0 || c != '-' && c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}
