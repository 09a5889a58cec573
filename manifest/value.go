package manifest

import (
	"math/big"
	"strings"
)

// Kind is the JSON type of a [Value].
type Kind uint8

// The JSON types. The zero Value is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the type's name as a reader of JSON knows it, with its article.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// Pos is where a value stands in its file: a line and a column, both counted
// from 1, the column in code points. The zero Pos is no position.
type Pos struct{ Line, Column int }

// Value is a JSON value that keeps the author's order of keys, every digit of
// a number, and, when it was read from a file, where it stood.
type Value struct {
	Kind    Kind
	Text    string   // the string; a number's JSON literal; "true" or "false"
	Items   []Value  // of an Array
	Members []Member // of an Object
	Pos     Pos
	// Source is a plain YAML scalar as its author wrote it, where a number 1.10
	// can still be told from 1.1; "" when the value came from elsewhere. It is no
	// part of the value.
	Source string
}

// Member is one field of an object.
type Member struct {
	Key    string
	KeyPos Pos
	Value  Value
}

// Frontmatter is the block at the head of a SKILL.md: every field the author
// wrote, in the author's order (spec: Frontmatter).
type Frontmatter []Member

// Get returns the first member with a key.
func (f Frontmatter) Get(key string) (Member, bool) {
	for _, m := range f {
		if m.Key == key {
			return m, true
		}
	}
	return Member{}, false
}

// Text returns the string value of a field, or "" when the field is absent or
// no string.
func (f Frontmatter) Text(key string) string {
	if m, ok := f.Get(key); ok && m.Value.Kind == String {
		return m.Value.Text
	}
	return ""
}

// Value returns the frontmatter as a JSON object.
func (f Frontmatter) Value() Value { return Value{Kind: Object, Members: f} }

// Get returns the member of an object with a key.
func (v Value) Get(key string) (Value, bool) {
	m, ok := Frontmatter(v.Members).Get(key)
	return m.Value, ok && v.Kind == Object
}

// Equal reports whether two values are the same JSON value: the order of keys
// and the spelling of numbers do not matter, their exact value does.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Number:
		return equalNumbers(v.Text, w.Text)
	case Array:
		if len(v.Items) != len(w.Items) {
			return false
		}
		for i := range v.Items {
			if !v.Items[i].Equal(w.Items[i]) {
				return false
			}
		}
		return true
	case Object:
		if len(v.Members) != len(w.Members) {
			return false
		}
		byKey := make(map[string]Value, len(w.Members))
		for _, m := range w.Members {
			byKey[m.Key] = m.Value
		}
		for _, m := range v.Members {
			if other, ok := byKey[m.Key]; !ok || !m.Value.Equal(other) {
				return false
			}
			delete(byKey, m.Key) // a key given twice is no JSON, and equals nothing
		}
		return true
	default:
		return v.Text == w.Text
	}
}

// longestNumber is the length in bytes of the number literals that are worked
// out: the time that takes grows with the square of the length.
const longestNumber = 1000

// equalNumbers compares two JSON number literals. A number of over a thousand
// characters, or one whose exponent stands for as many digits, is compared by
// its spelling: no reader holds it exactly.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := exactNumber(a)
	y, okY := exactNumber(b)
	return okX && okY && x.Cmp(y) == 0
}

func exactNumber(s string) (*big.Rat, bool) {
	if len(s) > longestNumber {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp := strings.TrimLeft(s[i+1:], "+-0")
		if len(exp) > 3 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}
