package casefold

import (
	"strings"
	"testing"
)

func TestRune(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"README.md", "readme.MD", true},
		{"\u212a", "k", true}, // the Kelvin sign
		{"\u017f", "S", true}, // long s
		{"É", "é", true},
		{"Σς", "σΣ", true},
		{"ß", "ss", false},
		{"a", "b", false},
	} {
		if got := strings.Map(Rune, c.a) == strings.Map(Rune, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
