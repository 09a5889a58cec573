package main

import "testing"

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"./skills":  "./skills",
		"two words": "'two words'",
		"it's":      `'it'\''s'`,
		"-x":        "./-x",
		"":          "''",
		"a*b":       "'a*b'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", word, got, want)
		}
	}
}
