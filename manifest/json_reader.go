package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
)

// maxDepth bounds the nesting of any JSON this package reads.
const maxDepth = 64

// UnmarshalJSON is [ParseValue].
func (v *Value) UnmarshalJSON(text []byte) error {
	p, err := ParseValue(text)
	if err == nil {
		*v = p
	}
	return err
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
	r := jsonReader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), pos: Pos{1, 1}}
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
		reason := "not UTF-8"
		if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
			reason = "UTF-16, as a shell's redirection may write: save it as UTF-8 without a byte order mark"
		}
		return Value{}, &SyntaxError{r.posAt(bad), reason}
	}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		return Value{}, &SyntaxError{r.pos, "a byte order mark before the JSON: save it as UTF-8 without one"}
	}
	v, err := r.value(0)
	if err == nil {
		rest := int(r.dec.InputOffset())
		rest += len(text[rest:]) - len(bytes.TrimLeft(text[rest:], " \t\r\n"))
		if rest == len(text) {
			return v, nil
		}
		return Value{}, &SyntaxError{r.posAt(rest), "more text after the JSON value"}
	}
	var own *SyntaxError
	if errors.As(err, &own) {
		return Value{}, own
	}
	// Only the reader of a whole text says exactly where it went wrong. It reads
	// a space behind the text, and complains of that when the text ends early.
	var raw json.RawMessage
	var theirs *json.SyntaxError
	if errors.As(json.Unmarshal(text, &raw), &theirs) && theirs.Offset > 0 {
		at := int(theirs.Offset) - 1
		early := strings.HasPrefix(theirs.Error(), "unexpected end") ||
			strings.HasPrefix(theirs.Error(), "invalid character ' '") && text[at] != ' '
		if !early {
			return Value{}, &SyntaxError{r.posAt(at), theirs.Error()}
		}
	}
	return Value{}, &SyntaxError{r.posAt(len(text)), "the JSON text ends early"}
}

// jsonReader adds positions, order and the refusal of double keys to the
// standard library's token reader.
type jsonReader struct {
	text []byte
	dec  *json.Decoder
	// The last position given out and its offset, so that all positions together
	// cost one pass over the text, however long its lines are.
	offset int
	pos    Pos
}

// posAt returns the position of a byte offset. Offsets mostly grow from call to call.
func (r *jsonReader) posAt(offset int) Pos {
	offset = min(offset, len(r.text))
	if offset < r.offset {
		r.offset, r.pos = 0, Pos{1, 1}
	}
	for _, c := range r.text[r.offset:offset] {
		if c == '\n' {
			r.pos = Pos{r.pos.Line + 1, 1}
		} else if utf8.RuneStart(c) {
			r.pos.Column++
		}
	}
	r.offset = offset
	return r.pos
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
	if _, ok := token.(string); ok {
		if at := loneSurrogate(r.text[start:r.dec.InputOffset()]); at >= 0 {
			at += start
			return nil, Pos{}, &SyntaxError{r.posAt(at), fmt.Sprintf("the escape %s is half of a surrogate pair, which is no character", r.text[at:at+6])}
		}
	}
	return token, r.posAt(start), nil
}

// loneSurrogate returns the index of the first \u escape in a JSON string that
// is half of a pair, or -1. The standard reader takes it for U+FFFD.
func loneSurrogate(literal []byte) int {
	unit := func(i int) rune {
		if i+6 > len(literal) || literal[i] != '\\' || literal[i+1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(literal[i+2:i+6]), 16, 16)
		return rune(n)
	}
	for i := 0; i < len(literal); i++ {
		if literal[i] != '\\' {
			continue
		}
		if u := unit(i); utf16.IsSurrogate(u) {
			if utf16.DecodeRune(u, unit(i+6)) == utf8.RuneError {
				return i
			}
			i += 6
		}
		i++
	}
	return -1
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
			return Value{}, &SyntaxError{keyPos, fmt.Sprintf("key %s is given twice in one object", message.Quote(key))}
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
