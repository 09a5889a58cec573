package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
)

// SchemaURI names the JSON Schema of skills.manifest.json in its "$schema".
const SchemaURI = "https://raw.githubusercontent.com/skillpack/skillpack/main/schema/manifest.schema.json"

// WriteJSON writes skills.manifest.json: UTF-8, two-space indent, LF line ends
// and one at the end, the skills in the order they have (see [Manifest.Sort]).
// The same manifest gives the same bytes everywhere. It returns w's error.
func (m Manifest) WriteJSON(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	b.WriteString("{\n  \"$schema\": ")
	b.Write(appendString(nil, SchemaURI))
	b.WriteString(",\n  \"skills\": [")
	var buf []byte
	for i, s := range m.Skills {
		if i > 0 {
			b.WriteByte(',')
		}
		buf = append(buf[:0], "\n    "...)
		buf = s.appendJSON(buf, "    ")
		b.Write(buf)
	}
	if len(m.Skills) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	return b.Flush()
}

// MarshalJSON returns the entry as skills/list carries it, without white space.
func (s Skill) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, s.appendJSON(nil, ""))
	return b.Bytes(), err
}

func (s Skill) appendJSON(b []byte, indent string) []byte {
	line := "\n" + indent
	b = append(b, '{')
	b = append(append(b, line...), `  "uri": `...)
	b = appendString(b, s.URI.String())
	b = append(append(append(b, ','), line...), `  "frontmatter": `...)
	b = s.Frontmatter.Value().appendIndented(b, indent+"  ")
	b = append(append(append(b, ','), line...), `  "resources": `...)
	switch {
	case s.Dynamic:
		b = append(b, `"dynamic"`...)
	case len(s.Resources) == 0:
		b = append(b, "[]"...)
	default:
		b = append(b, '[')
		for i, r := range s.Resources {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, line...), `    {"uri": `...)
			b = appendString(b, r.URI.String())
			b = append(r.Digest.appendTo(append(b, `, "digest": "`...)), `", "size": `...)
			b = append(strconv.AppendInt(b, r.Size, 10), '}')
		}
		b = append(append(b, line...), "  ]"...)
	}
	return append(append(b, line...), '}')
}

// AppendJSON appends the value as JSON without white space, keys in their order.
func (v Value) AppendJSON(b []byte) []byte { return v.append(b, "", ",", ":") }

// MarshalJSON is [Value.AppendJSON]; it never fails.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// String returns the value as one line of JSON.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

func (v Value) appendIndented(b []byte, indent string) []byte {
	return v.append(b, "\n"+indent, ",", ": ")
}

// append writes the value; line is the line break and indentation of the value
// itself, or "" for one line.
func (v Value) append(b []byte, line, comma, colon string) []byte {
	inner := line
	if line != "" {
		inner = line + "  "
	}
	switch v.Kind {
	case Null:
		return append(b, "null"...)
	case String:
		return appendString(b, v.Text)
	case Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, comma...)
			}
			b = item.append(append(b, inner...), inner, comma, colon)
		}
		if len(v.Items) > 0 {
			b = append(b, line...)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range v.Members {
			if i > 0 {
				b = append(b, comma...)
			}
			b = append(appendString(append(b, inner...), m.Key), colon...)
			b = m.Value.append(b, inner, comma, colon)
		}
		if len(v.Members) > 0 {
			b = append(b, line...)
		}
		return append(b, '}')
	default:
		return append(b, v.Text...)
	}
}

// appendString appends s as a JSON string. Only what JSON forbids is escaped,
// and the two line separators that JavaScript once forbade, so that the
// manifest reads like the file it came from.
func appendString(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return append(append(append(b, '"'), s...), '"')
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

// Parse reads a manifest as [Manifest.WriteJSON] writes it, and any other
// object whose "skills" is an array of entries; keys it does not know are
// passed over. It returns a [*SyntaxError] that names the first value that is
// no valid entry. Rules of content (limits, names) are not its business.
func Parse(text []byte) (Manifest, error) {
	v, err := ParseValue(text)
	if err != nil {
		return Manifest{}, err
	}
	skills, ok := v.Get("skills")
	if !ok || skills.Kind != Array {
		return Manifest{}, &SyntaxError{v.Pos, `no manifest: an object with the key "skills" and a list of entries is expected`}
	}
	m := Manifest{Skills: make([]Skill, len(skills.Items))}
	for i, item := range skills.Items {
		if m.Skills[i], err = ParseSkill(item); err != nil {
			return Manifest{}, err
		}
	}
	return m, nil
}

// ParseSkill reads one entry. It returns a [*SyntaxError] for the first thing
// that is not of the shape the extension gives an entry.
func ParseSkill(v Value) (Skill, error) {
	fail := func(pos Pos, format string, args ...any) (Skill, error) {
		return Skill{}, &SyntaxError{pos, fmt.Sprintf(format, args...)}
	}
	if v.Kind != Object {
		return fail(v.Pos, "an entry is %s, not an object", v.Kind)
	}
	uri, err := uriOf(v)
	if err != nil {
		return Skill{}, err
	}
	if _, ok := uri.Root(); !ok {
		return fail(v.Pos, "the URI of a skill ends in /%s, not %s", SkillFile, message.Quote(uri.String()))
	}
	front, _ := v.Get("frontmatter")
	if front.Kind != Object {
		return fail(v.Pos, `the entry of %s has no "frontmatter" object`, uri)
	}
	s := Skill{URI: uri, Frontmatter: front.Members}
	resources, _ := v.Get("resources")
	switch {
	case resources.Kind == String && resources.Text == "dynamic":
		s.Dynamic = true
		return s, nil
	case resources.Kind != Array:
		return fail(v.Pos, `the entry of %s has neither a list nor "dynamic" as "resources"`, uri)
	}
	s.Resources = make([]Resource, len(resources.Items))
	for i, item := range resources.Items {
		if s.Resources[i], err = parseResource(item); err != nil {
			return Skill{}, err
		}
	}
	return s, nil
}

func parseResource(v Value) (Resource, error) {
	var r Resource
	var err error
	if r.URI, err = uriOf(v); err != nil {
		return r, err
	}
	digest, _ := v.Get("digest")
	if digest.Kind != String {
		return r, &SyntaxError{v.Pos, fmt.Sprintf("resource %s has no digest", r.URI)}
	}
	if r.Digest, err = ParseDigest(digest.Text); err != nil {
		return r, &SyntaxError{digest.Pos, err.Error()}
	}
	size, _ := v.Get("size")
	var ok bool
	if r.Size, ok = size.Size(); !ok {
		return r, &SyntaxError{v.Pos, fmt.Sprintf("resource %s has no size from 0 to 2^53-1 bytes", r.URI)}
	}
	return r, nil
}

// Size returns the value as a size in bytes: a whole number from 0 to
// [MaxSize], in any spelling of it, and whether it is one.
func (v Value) Size() (int64, bool) {
	if v.Kind != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return n, n >= 0 && n <= MaxSize
	}
	n, ok := exactNumber(v.Text)
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	i := n.Num().Int64()
	return i, i >= 0 && i <= MaxSize
}

func uriOf(v Value) (URI, error) {
	uri, _ := v.Get("uri")
	if uri.Kind != String {
		return URI{}, &SyntaxError{v.Pos, `a value has no "uri" string`}
	}
	u, err := ParseURI(uri.Text)
	if err != nil {
		return URI{}, &SyntaxError{uri.Pos, err.Error()}
	}
	return u, nil
}
