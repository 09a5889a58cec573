package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SchemaURI names the JSON Schema of skills.manifest.json in its "$schema".
const SchemaURI = "https://raw.githubusercontent.com/skillpack/skillpack/main/schema/manifest.schema.json"

// maxDepth bounds the nesting of any JSON this package reads.
const maxDepth = 64

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
			b = append(append(append(b, `, "digest": "`...), r.Digest.String()...), `", "size": `...)
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

// UnmarshalJSON is [ParseValue].
func (v *Value) UnmarshalJSON(text []byte) error {
	p, err := ParseValue(text)
	if err == nil {
		*v = p
	}
	return err
}

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

// A SyntaxError says where a JSON text is wrong.
type SyntaxError struct {
	Pos    Pos
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Column, e.Reason)
}

// ParseValue reads one JSON value with every position. It returns a
// [*SyntaxError] for text that is no JSON, holds a key twice in one object,
// holds a string that is no Unicode, or nests deeper than 64 levels.
func ParseValue(text []byte) (Value, error) {
	r := jsonReader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), line: 1}
	r.dec.UseNumber()
	if !utf8.Valid(text) {
		bad := 0
		for bad < len(text) {
			c, n := utf8.DecodeRune(text[bad:])
			if c == utf8.RuneError && n == 1 {
				break
			}
			bad += n
		}
		return Value{}, &SyntaxError{r.posAt(bad), "not UTF-8"}
	}
	v, err := r.value(0)
	if err == nil {
		if _, err = r.dec.Token(); err == nil {
			err = &SyntaxError{r.posAt(int(r.dec.InputOffset())), "more text after the JSON value"}
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		var own *SyntaxError
		var theirs *json.SyntaxError
		switch {
		case errors.As(err, &own):
		case errors.As(err, &theirs):
			err = &SyntaxError{r.posAt(max(0, int(theirs.Offset)-1)), theirs.Error()}
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			err = &SyntaxError{r.posAt(len(text)), "the JSON text ends early"}
		default:
			err = &SyntaxError{r.posAt(int(r.dec.InputOffset())), err.Error()}
		}
		return Value{}, err
	}
	return v, nil
}

// jsonReader adds positions, order and the refusal of double keys to the
// standard library's token reader.
type jsonReader struct {
	text []byte
	dec  *json.Decoder
	// The last position given out, so that positions cost one pass over the text.
	offset, line, lineStart int
}

// posAt returns the position of a byte offset. Offsets mostly grow from call to call.
func (r *jsonReader) posAt(offset int) Pos {
	offset = min(offset, len(r.text))
	if offset < r.offset {
		r.offset, r.line, r.lineStart = 0, 1, 0
	}
	for i := r.offset; i < offset; i++ {
		if r.text[i] == '\n' {
			r.line++
			r.lineStart = i + 1
		}
	}
	r.offset = offset
	return Pos{r.line, utf8.RuneCount(r.text[r.lineStart:offset]) + 1}
}

// next returns the next token and where it starts.
func (r *jsonReader) next() (json.Token, Pos, error) {
	start := int(r.dec.InputOffset())
	for start < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[start]) >= 0 {
		start++
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, Pos{}, err
	}
	return token, r.posAt(start), nil
}

func (r *jsonReader) value(depth int) (Value, error) {
	token, pos, err := r.next()
	if err != nil {
		return Value{}, err
	}
	return r.valueOf(token, pos, depth)
}

func (r *jsonReader) valueOf(token json.Token, pos Pos, depth int) (Value, error) {
	switch t := token.(type) {
	case nil:
		return Value{Pos: pos}, nil
	case bool:
		return Value{Kind: Bool, Text: strconv.FormatBool(t), Pos: pos}, nil
	case json.Number:
		return Value{Kind: Number, Text: t.String(), Pos: pos}, nil
	case string:
		return Value{Kind: String, Text: t, Pos: pos}, nil
	}
	if depth == maxDepth {
		return Value{}, &SyntaxError{pos, fmt.Sprintf("nested over %d levels deep", maxDepth)}
	}
	if token == json.Delim('[') {
		v := Value{Kind: Array, Pos: pos}
		for r.dec.More() {
			item, err := r.value(depth + 1)
			if err != nil {
				return Value{}, err
			}
			v.Items = append(v.Items, item)
		}
		_, err := r.dec.Token()
		return v, err
	}
	v := Value{Kind: Object, Pos: pos}
	seen := map[string]bool{}
	for r.dec.More() {
		token, keyPos, err := r.next()
		if err != nil {
			return Value{}, err
		}
		key := token.(string) // the standard reader refuses any other key
		if seen[key] {
			return Value{}, &SyntaxError{keyPos, fmt.Sprintf("key %s is given twice in one object", shorten(key))}
		}
		seen[key] = true
		item, err := r.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.Members = append(v.Members, Member{key, keyPos, item})
	}
	_, err := r.dec.Token()
	return v, err
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
		return fail(v.Pos, "the URI of a skill ends in /%s, not %s", SkillFile, shorten(uri.String()))
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
	size, ok := v.Get("size")
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
