package frontmatter

import (
	"strconv"
	"strings"
)

// indentation returns the width of a line's indentation, tabs as they would be
// corrected.
func indentation(line string) int {
	width := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			width++
		case '\t':
			width += tabWidth
		default:
			return width
		}
	}
	return width
}

// hasContent reports whether a line holds more than spaces and a comment.
func hasContent(line string) bool {
	s := strings.TrimLeft(line, " \t")
	return s != "" && s[0] != '#'
}

// isItem reports whether a line is an item of a block list.
func isItem(line string) bool {
	s := strings.TrimLeft(line, " \t")
	return s != "" && s[0] == '-' && blankAt(s, 1)
}

// misplacedHead corrects first lines that are indented deeper than the entries
// below them.
func (r *repairer) misplacedHead(lo, hi int) {
	first, least := -1, -1
	for i := lo; i < hi; i++ {
		if !hasContent(r.lines[i]) {
			continue
		}
		width := indentation(r.lines[i])
		if first < 0 {
			first, least = i, width
		} else if width < least {
			r.shift(first, i, least-width, "the line is indented deeper than the fields below it")
			return
		}
	}
}

// shift takes n spaces from the indentation of the lines [lo, hi).
func (r *repairer) shift(lo, hi, n int, reason string) {
	for i := lo; i < hi; i++ {
		if line := r.lines[i]; hasContent(line) && indentation(line) >= n {
			width := indentation(line) - n
			fixed := strings.Repeat(" ", width) + strings.TrimLeft(line, " \t")
			message := ""
			if i == lo {
				message = reason + ": " + indentAdvice(width, fixed)
			}
			r.apply(correction{first: i, last: i, lines: []string{fixed}, rule: "frontmatter-unparsable", col: contentColumn(line), message: message})
		}
	}
}

// indentAdvice says how to indent a line.
func indentAdvice(width int, line string) string {
	switch width {
	case 0:
		return "write without indentation " + sample(line)
	case 1:
		return "write behind 1 space " + sample(line)
	default:
		return "write behind " + strconv.Itoa(width) + " spaces " + sample(line)
	}
}
