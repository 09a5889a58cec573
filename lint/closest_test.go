package lint

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	fields := []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
	for _, tt := range []struct{ word, want string }{
		{"descripton", "description"},
		{"desciption", "description"},
		{"Description", "description"},
		{"DESCRIPTION", "description"},
		{"nmae", "name"},
		{"nam", "name"},
		{"licence", "license"},
		{"allowed_tools", "allowed-tools"},
		{"allowedTools", "allowed-tools"},
		{"meta-data", "metadata"},
		{"compatability", "compatibility"},
		{"name", "name"},
		{"version", ""},
		{"model", ""},
		{"author", ""},
		{"na", ""},
		{"", ""},
		{"größe", ""},
		{strings.Repeat("description", 1000), ""},
	} {
		got, ok := Closest(tt.word, fields)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Closest(%.20q) = %q, %v, want %q", tt.word, got, ok, tt.want)
		}
	}
}

func TestClosestTakesTheNearest(t *testing.T) {
	if got, _ := Closest("file-mising", []string{"skill-missing", "file-missing"}); got != "file-missing" {
		t.Errorf("Closest = %q, want file-missing", got)
	}
	if got, _ := Closest("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("Closest = %q, want the first of two equally near words", got)
	}
	if got, ok := Closest("anything", nil); ok {
		t.Errorf("Closest among no words = %q, want none", got)
	}
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"kitten", "sitting", 3},
		{"abcd", "acbd", 1},
		{"abcd", "badc", 2},
		{"straße", "strasse", 2},
		{"aaaaaaaaaa", "bbbbbbbbbb", 9}, // the limit
	} {
		if got := edits([]rune(tt.a), []rune(tt.b), 9); got != tt.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
