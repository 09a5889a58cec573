package manifest

import (
	"strings"
	"testing"
)

// parseValue reads a value that a test knows to be JSON.
func parseValue(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestValueEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`null`, `null`, true},
		{`null`, `false`, false},
		{`true`, `false`, false},
		{`"a"`, `"\u0061"`, true},
		{`"é"`, `"e\u0301"`, false}, // normal forms differ
		{`1`, `1.0`, true},
		{`1`, `10e-1`, true},
		{`0`, `-0`, true},
		{`1`, `"1"`, false},
		{`9007199254740993`, `9007199254740992`, false}, // equal as doubles
		{`0.1`, `0.1000000000000000055511151231257827`, false},
		{`1e400`, `10e399`, true},
		{`1e1000000000`, `1e1000000000`, true},
		{`1e1000000000`, `10e999999999`, false}, // beyond what is compared exactly
		{`[1,2]`, `[1,2]`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`{"a":1,"b":{"c":[]}}`, `{"b":{"c":[]},"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":null}`, `{}`, false},
		{`{}`, `[]`, false},
	} {
		a, b := parseValue(t, test.a), parseValue(t, test.b)
		if got := a.Equal(b); got != test.want {
			t.Errorf("%s equal to %s: %v", test.a, test.b, got)
		}
		if got := b.Equal(a); got != test.want {
			t.Errorf("%s equal to %s: %v", test.b, test.a, got)
		}
	}
}

// A number of a thousand characters is worked out, and a longer one is compared by
// its spelling.
func TestValueEqualOfLongNumbers(t *testing.T) {
	for length, want := range map[int]bool{999: true, 1000: true, 1001: false} {
		whole := strings.Repeat("1", length-len(".0"))
		one, two := Value{Kind: Number, Text: whole}, Value{Kind: Number, Text: whole + ".0"}
		if got := one.Equal(two); got != want {
			t.Errorf("of %d characters: %v, want %v", length, got, want)
		}
		if got := two.Equal(one); got != want {
			t.Errorf("of %d characters, the other way round: %v, want %v", length, got, want)
		}
	}
}

func TestValueEqualWithDoubleKeys(t *testing.T) {
	one := Value{Kind: Number, Text: "1"}
	twice := Value{Kind: Object, Members: []Member{{Key: "a", Value: one}, {Key: "a", Value: one}}}
	both := Value{Kind: Object, Members: []Member{{Key: "a", Value: one}, {Key: "b", Value: one}}}
	if twice.Equal(both) || both.Equal(twice) {
		t.Error("a key given twice stands for another key")
	}
}

func TestFrontmatterText(t *testing.T) {
	f := Frontmatter(parseValue(t, `{"name": "a", "n": 1, "empty": ""}`).Members)
	for key, want := range map[string]string{"name": "a", "n": "", "empty": "", "absent": ""} {
		if got := f.Text(key); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if m, ok := f.Get("n"); !ok || m.Value.Text != "1" {
		t.Errorf("n: %v, %v", m, ok)
	}
	if _, ok := parseValue(t, `["a"]`).Get("a"); ok {
		t.Error("a list has a member")
	}
}

func TestKindNames(t *testing.T) {
	for text, want := range map[string]string{"null": "null", "true": "a boolean", "1": "a number", `"s"`: "a string", "[]": "a list", "{}": "a mapping"} {
		if got := parseValue(t, text).Kind.String(); got != want {
			t.Errorf("%s is named %q, want %q", text, got, want)
		}
	}
}
