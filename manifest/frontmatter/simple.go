package frontmatter

import (
	"github.com/skillpack/skillpack/manifest"
	"strings"
	"unicode/utf8"
)

// mostSimple bounds the fields of a mapping that readSimple reads.
const mostSimple = 32

// readSimple reads a block of the form that most have: fields of one line, text
// plain or in quotes, and mappings of such fields, all without a fault, a
// comment, an escape or a blank line. It knows no YAML beyond that, and returns
// false for any block that it is not sure of. What it does return is what
// [readBlock] makes of the same block without it; a fuzz test holds it to that.
func readSimple(block []byte) (manifest.Frontmatter, bool) {
	if len(block) == 0 || !utf8.Valid(block) {
		return nil, false
	}
	rest := string(block)
	fields := make(manifest.Frontmatter, 0, strings.Count(rest, "\n")-strings.Count(rest, "\n "))
	for number := 2; rest != ""; number++ {
		line, after, ok := strings.Cut(rest, "\n")
		if !ok || strings.ContainsFunc(line, unusual) {
			return nil, false
		}
		rest = after
		indent := len(line) - len(strings.TrimLeft(line, " "))
		into := &fields
		if indent > 0 {
			// The mapping of the field before, as far as it is open.
			if len(fields) == 0 || fields[len(fields)-1].Value.Kind != manifest.Object {
				return nil, false
			}
			parent := &fields[len(fields)-1].Value
			if len(parent.Members) == 0 {
				parent.Pos = manifest.Pos{Line: number, Column: indent + 1}
			}
			if parent.Pos.Column != indent+1 {
				return nil, false
			}
			into = (*manifest.Frontmatter)(&parent.Members)
		} else if open(fields) {
			return nil, false
		}
		key, text, ok := strings.Cut(line[indent:], ":")
		if !ok || !simpleKey(key) || len(*into) == mostSimple {
			return nil, false
		}
		if _, twice := into.Get(key); twice {
			return nil, false
		}
		m := manifest.Member{Key: key, KeyPos: manifest.Pos{Line: number, Column: indent + 1}}
		switch {
		case text == "" && indent == 0:
			m.Value.Kind = manifest.Object
		case len(text) < 2 || text[0] != ' ':
			return nil, false
		default:
			if m.Value, ok = simpleScalar(text[1:]); !ok {
				return nil, false
			}
			m.Value.Pos = manifest.Pos{Line: number, Column: indent + len(key) + len(": ") + 1}
		}
		*into = append(*into, m)
	}
	return fields, !open(fields)
}

// open reports whether the last field still wants its value.
func open(fields manifest.Frontmatter) bool {
	return len(fields) > 0 && fields[len(fields)-1].Value.Kind == manifest.Object && len(fields[len(fields)-1].Value.Members) == 0
}

// unusual reports whether a rune means something to a YAML reader that its mere
// place in a line does not tell.
func unusual(r rune) bool {
	return r < 0x20 || r == '\\' || r >= 0x7F && notPlainText(r)
}

func simpleKey(key string) bool {
	if key == "" || len(key) > 64 {
		return false
	}
	for i := range len(key) {
		c := key[i]
		if letter := 'a' <= c|0x20 && c|0x20 <= 'z'; !letter && (i == 0 || c != '-' && c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return read12(key).kind == manifest.String && disagreement(key) == ""
}

// simpleScalar reads a value that takes the rest of its line.
func simpleScalar(text string) (manifest.Value, bool) {
	first, last := text[0], text[len(text)-1]
	if first == '"' || first == '\'' {
		inner := strings.TrimSuffix(text[1:], string(first))
		return manifest.Value{Kind: manifest.String, Text: inner}, len(inner) == len(text)-2 && strings.IndexByte(inner, first) < 0
	}
	letter := 'a' <= first|0x20 && first|0x20 <= 'z'
	if !letter && (first < '0' || first > '9') || last == ' ' || last == ':' ||
		strings.Contains(text, ": ") || strings.Contains(text, " #") || disagreement(text) != "" {
		return manifest.Value{}, false
	}
	r := read12(text)
	return manifest.Value{Kind: r.kind, Text: r.text, Source: text}, r.special == ""
}
