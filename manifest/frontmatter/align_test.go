package frontmatter

import (
	"slices"
	"testing"
)

// TestAlign gives each column of a corrected line, and the one behind its end, the
// place it has in the line as it was.
func TestAlign(t *testing.T) {
	for _, test := range []struct {
		was, now string
		want     []int
	}{
		{"k: a", "k: a", []int{1, 2, 3, 4, 5}},
		{"k:\u00a0é", "k: é", []int{1, 2, 3, 4, 5}},
		{"k: a", `k: "a"`, []int{1, 2, 3, 4, 4, 4, 5}},
		{"k: a: b # c", `k: "a: b" # c`, []int{1, 2, 3, 4, 4, 4, 4, 4, 4, 8, 9, 10, 11, 12}},
		{"k:   [a]", "k: [a]", []int{1, 2, 3, 4, 7, 8, 9}},
		{"ab", "", []int{1}},
		{"", "ab", []int{1, 1, 1}},
	} {
		a := align(0, test.was, test.now)
		var got []int
		for i := range []rune(test.now + "$") {
			got = append(got, a.column(i+1))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q was %q: columns %v, want %v", test.now, test.was, got, test.want)
		}
	}
}
