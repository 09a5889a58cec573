package frontmatter

import (
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
)

// gap goes through the text between two scalars, token by token.
func (s *scanner) gap(to int) {
	for s.at < to {
		switch c := s.text[s.at]; c {
		case ' ':
			s.at++
		case '\n':
			s.trailing = nil
			s.at++
		case '\t':
			s.tab(s.at)
			for s.at < to && s.text[s.at] == '\t' {
				s.at++
			}
		case '#':
			s.comment()
		case '&', '!':
			s.property()
		case '[', '{':
			s.brackets = append(s.brackets, s.at)
			s.at++
		case ']', '}':
			s.closeBracket()
			s.at++
		case '?':
			s.explicitKey()
			s.at++
		case '%':
			s.report("unportable-yaml", s.at, "a YAML directive (%s) is not known to all readers of frontmatter: remove the line", message.Quote(s.text[s.at:lineEnd(s.text, s.at)]))
			s.at = lineEnd(s.text, s.at)
		default:
			if s.marker(s.at) {
				s.report("unportable-yaml", s.at, "%s", markerMessage(s.text[s.at:]))
				s.at, s.stopped = len(s.text), true
				return
			}
			_, n := utf8.DecodeRuneInString(s.text[s.at:])
			s.at += n
		}
	}
}

func (s *scanner) tab(offset int) {
	s.report("unportable-yaml", offset, "a tab outside of quotes is refused by some YAML readers: write spaces")
}

func (s *scanner) comment() {
	if s.trailing != nil {
		s.trailing(s.at)
		s.trailing = nil
	} else if s.at > 0 && s.text[s.at-1] != '\n' && !isBlank(s.text[s.at-1]) {
		s.report("unportable-yaml", s.at, "a comment without a space before it is refused by some YAML readers: write a space before the #")
	}
	s.at = lineEnd(s.text, s.at)
}

// explicitKey reports a question mark that starts a key, or that some readers
// take for one.
func (s *scanner) explicitKey() {
	s.explicit = true
	if blankAt(s.text, s.at+1) {
		s.report("unportable-yaml", s.at, "a key written with ? is not known to all YAML readers: write KEY: VALUE")
		return
	}
	s.report("unportable-yaml", s.at, "a ? in unquoted text in brackets starts a key for some YAML readers: put the text in quotes")
}

// property goes through one anchor or tag.
func (s *scanner) property() {
	start := s.at
	s.at = nameEnd(s.text, start+1)
	name := s.text[start:s.at]
	if name[0] == '&' {
		if !s.merges[name[1:]] {
			s.report("unportable-yaml", start, "the anchor %s is not known to all YAML readers: write the value out wherever it is used, and remove the anchor; where the & belongs to a text, put quotes around the text", name)
		}
		return
	}
	if inner, ok := strings.CutPrefix(name, "!<tag:yaml.org,2002:"); ok {
		name = "!!" + strings.TrimSuffix(inner, ">")
	}
	switch name {
	case "!":
		s.report("unportable-yaml", start, "the tag ! is read in different ways: remove it, and put quotes around the value to make it text")
	case "!!str":
		s.report("unportable-yaml", start, "the tag !!str is not known to all YAML readers: remove it, and put quotes around the value")
	case "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq":
		s.report("unportable-yaml", start, "the tag %s is not known to all YAML readers: remove it, and write the value without quotes", name)
	case "!!binary":
		s.report("frontmatter-not-json", start, "JSON has no binary data (!!binary): write the text in quotes, without the tag")
	default:
		s.report("frontmatter-not-json", start, "JSON has nothing for the tag %s: remove it, or, where the ! belongs to a text, put quotes around the text", message.Quote(name))
	}
}

// closeBracket reports a flow collection over several lines, the outermost one.
func (s *scanner) closeBracket() {
	if len(s.brackets) == 0 {
		return
	}
	start := s.brackets[len(s.brackets)-1]
	s.brackets = s.brackets[:len(s.brackets)-1]
	if len(s.brackets) > 0 || !strings.Contains(s.text[start:s.at], "\n") {
		return
	}
	kind := "list in brackets"
	if s.text[start] == '{' {
		kind = "mapping in braces"
	}
	s.report("unportable-yaml", start, "a %s over several lines is refused by some YAML readers: write it on one line, or one entry a line without %c%c", kind, s.text[start], s.text[s.at])
}

// plain reports what readers do not agree on inside a plain scalar.
func (s *scanner) plain(n *node, start, end int) {
	text := s.text[start:end]
	if i := strings.IndexByte(text, '\t'); i >= 0 {
		s.report("unportable-yaml", start+i, "a tab inside an unquoted value is refused by some YAML readers: write a space, or put the value in quotes")
	}
	if len(s.brackets) > 0 && text == "-" {
		s.report("unportable-yaml", start, `a - alone in brackets is refused by some YAML readers: write "-"`)
	}
	if len(s.brackets) > 0 && strings.HasSuffix(text, ":") {
		s.report("unportable-yaml", end-1, "a : without a space behind it ends the key to some YAML readers and belongs to it for others: write a space behind it, or put the text in quotes")
	}
}

// quoted reports what readers do not agree on inside a quoted scalar.
func (s *scanner) quoted(n *node, start, end, indent int, key bool) {
	text := s.text[start:end]
	if n.style == doubleStyle {
		for i := 0; i+1 < len(text); i++ {
			if text[i] != '\\' {
				continue
			}
			if i++; text[i] == '\'' {
				s.report("unportable-yaml", start+i-1, `the escape \' is refused by most YAML readers: write ' without the backslash`)
			}
		}
	}
	if len(s.brackets) > 0 || !strings.Contains(text, "\n") {
		return
	}
	if key {
		s.report("unportable-yaml", start, "a key over several lines is refused by some YAML readers: write it on one line")
		return
	}
	for i := lineEnd(s.text, start) + 1; i < end; i = lineEnd(s.text, i) + 1 {
		width := 0
		for i+width < end && s.text[i+width] == ' ' {
			width++
		}
		if s.text[i+width] != '\n' && width <= indent {
			s.report("unportable-yaml", i+width, "a continued line of a quoted value that is not indented with spaces is refused by some YAML readers: indent it by two spaces")
			return
		}
	}
}

// block reports what readers do not agree on in a block scalar: its header, and
// empty lines around its text that are longer than its indentation.
func (s *scanner) block(start, end, indent int) {
	before := s.text[strings.LastIndexByte(s.text[:start], '\n')+1 : start]
	if len(before) <= indent && strings.Trim(before, " ") == "" {
		s.report("unportable-yaml", start, "a value on a line of its own that is not indented is refused by some YAML readers: write it behind its key")
	}
	header := lineEnd(s.text, start)
	if i := strings.IndexByte(s.text[start:header], '#'); i > 0 && !isBlank(s.text[start+i-1]) {
		s.report("unportable-yaml", start+i, "a comment without a space before it is refused by some YAML readers: write a space before the #")
	}
	if i := strings.IndexByte(s.text[start:header], '\t'); i >= 0 && !strings.Contains(s.text[start:start+i], "#") {
		s.tab(start + i)
	}
	if strings.ContainsAny(s.text[start:header], "123456789") {
		for i := end + 1; i < len(s.text); i = lineEnd(s.text, i) + 1 {
			if line := s.text[i:lineEnd(s.text, i)]; strings.Trim(line, " ") != "" {
				break
			} else if line != "" {
				s.report("unportable-yaml", i, "spaces on an empty line behind a block scalar that gives its indentation are text to some YAML readers: empty the line")
				break
			}
		}
	}
	longest, at := 0, 0
	for i := header + 1; i < len(s.text); i = lineEnd(s.text, i) + 1 {
		line := s.text[i:lineEnd(s.text, i)]
		width := len(line) - len(strings.TrimLeft(line, " "))
		if width < len(line) {
			if indent < width && width < longest {
				s.report("unportable-yaml", at, "a blank line at the head of a block scalar that is longer than its indentation is refused by some YAML readers: empty the line")
			}
			return
		}
		if width > longest {
			longest, at = width, i
		}
	}
}
