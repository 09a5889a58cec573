package main

import (
	"slices"
	"testing"
)

func TestSlashed(t *testing.T) {
	for _, c := range []struct {
		goos string
		in   []string
		want []string
	}{
		{"windows", []string{`.\skills\a\*.log`, `a/b`, `drafts\`}, []string{"./skills/a/*.log", "a/b", "drafts/"}},
		{"linux", []string{`a\*b`, `.\x`}, []string{`a\*b`, `.\x`}},
		{"darwin", []string{`\!x`}, []string{`\!x`}},
		{"windows", nil, nil},
	} {
		given := slices.Clone(c.in)
		if got := slashed(c.goos, c.in); !slices.Equal(got, c.want) || !slices.Equal(c.in, given) {
			t.Errorf("%s: %q of %q, want %q", c.goos, got, given, c.want)
		}
	}
}
