package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// plainKey returns a key without the characters that only look like those of
// ASCII or like nothing, and without the quotes and spaces that leaves around it.
func plainKey(key string) string { return strings.Trim(lookalike.Plain(key), " \t\"'") }

// disguise is a field that a lookalike in its key makes another one.
type disguise struct {
	field string // what is meant
	value string // what of the value became part of the key; "" when nothing did
}

// undisguise returns the known field that a key with a lookalike in it means. A
// lookalike behind the colon makes the value part of the key, up to its own colon.
func undisguise(key string) (disguise, bool) {
	if lookalike.First(key) == 0 {
		return disguise{}, false
	}
	if plain := plainKey(key); slices.Contains(knownFields, plain) {
		return disguise{field: plain}, true
	}
	colon := strings.IndexFunc(key, func(r rune) bool { return r == ':' || lookalike.IsColon(r) })
	if colon < 0 {
		return disguise{}, false
	}
	_, size := utf8.DecodeRuneInString(key[colon:])
	d := disguise{field: plainKey(key[:colon]), value: lookalike.Plain(key[colon+size:])}
	return d, d.value != "" && slices.Contains(knownFields, d.field)
}

// disguised returns the member that would be a field but for a lookalike in its
// key.
func disguised(fields manifest.Frontmatter, field string) (manifest.Member, bool) {
	for _, m := range fields {
		if d, ok := undisguise(m.Key); ok && d.field == field {
			return m, true
		}
	}
	return manifest.Member{}, false
}

// disguiseMessage says that a lookalike keeps a key from being a field, and what
// to write.
func disguiseMessage(m manifest.Member) string {
	d, _ := undisguise(m.Key)
	what := fmt.Sprintf("the key %s has %s in it: ", message.Quote(m.Key), lookalike.Name(lookalike.First(m.Key)))
	switch {
	case d.value == "":
		return what + "write the key as " + d.field
	case m.Value.Kind == manifest.String:
		return what + "write " + d.field + ": " + yamlText(d.value+": "+lookalike.Plain(m.Value.Text))
	}
	return what + "write " + d.field + " and its value in quotes"
}

// checkLookalike reports an unknown field whose key has a lookalike in it, and
// reports whether that is all there is to say of the field.
func (e *entry) checkLookalike(m manifest.Member) bool {
	char := lookalike.First(m.Key)
	if char == 0 {
		return false
	}
	plain := plainKey(m.Key)
	d, known := undisguise(m.Key)
	_, taken := e.skill.Frontmatter.Get(d.field)
	switch line, ok := e.indented(m, plain); {
	case ok:
		e.report(m.KeyPos, "unknown-field", "%s does not indent the field %s: write %s", lookalike.Name(char), message.Quote(plain), line)
	case known && taken:
		e.report(m.KeyPos, "unknown-field", "the field %s has %s in its name, and there is a field %s already: remove one of them", message.Quote(m.Key), lookalike.Name(char), d.field)
	case known && (d.field == "name" || d.field == "description"):
		// It is reported as missing, at this place.
	case known:
		e.report(m.KeyPos, "unknown-field", "%s", disguiseMessage(m))
	default:
		return false
	}
	return true
}

// indented returns the line to write for a field that lookalikes of spaces indent
// below the field before it, and whether this is one.
func (e *entry) indented(m manifest.Member, plain string) (string, bool) {
	first := []rune(m.Key)
	if len(first) == 0 || !lookalike.IsSpace(first[0]) || !e.built {
		return "", false
	}
	fields := e.skill.Frontmatter
	for i := slices.IndexFunc(fields, func(f manifest.Member) bool { return f.KeyPos == m.KeyPos }) - 1; i >= 0; i-- {
		above := fields[i]
		if lookalike.First(above.Key) != 0 {
			continue // indented like this one
		}
		width := len(first) - len([]rune(strings.TrimLeftFunc(m.Key, lookalike.IsSpace)))
		switch {
		case above.Value.Kind == manifest.Object && len(above.Value.Members) > 0 && above.Value.Members[0].KeyPos.Line > above.KeyPos.Line:
			width = above.Value.Members[0].KeyPos.Column - 1
		case above.Value.Kind != manifest.Null:
			return "", false
		}
		line := plain + ":"
		switch m.Value.Kind {
		case manifest.String, manifest.Number, manifest.Bool:
			line += " " + yamlScalar(m.Value)
		}
		return fmt.Sprintf("behind %s %s", message.Counted(width, "space"), line), true
	}
	return "", false
}

// yamlScalar returns a scalar as it can be written in YAML on one line: as the
// author wrote it where that is known.
func yamlScalar(v manifest.Value) string {
	if v.Source != "" && lookalike.First(v.Source) == 0 {
		return v.Source
	}
	if v.Kind != manifest.String {
		return v.Text
	}
	return yamlText(lookalike.Plain(v.Text))
}

// yamlText returns a text as a YAML string on one line, without quotes where it
// needs none.
func yamlText(s string) string {
	safe := func(r rune) bool {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune(" -_./()*:,+@", r)
	}
	letter := s != "" && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
	if letter && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ") &&
		strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 && yamlString(strings.ToLower(s)) == strings.ToLower(s) {
		return message.Cut(s, message.Longest)
	}
	return message.Quote(s)
}
