package remote

import (
	"slices"
	"strings"
	"testing"
)

// TestPatternTexts holds that each pattern says its cause in at most 15 words and
// has a fix.
func TestPatternTexts(t *testing.T) {
	for _, group := range slices.Concat(filePatterns, skillPatterns) {
		for _, p := range group {
			if n := len(strings.Fields("likely cause: " + p.cause)); n > 15 {
				t.Errorf("%q has %d words", p.cause, n)
			}
			if p.fix == "" || strings.Count(p.cause, "%d") != 1 {
				t.Errorf("%q lacks a number or a fix", p.cause)
			}
		}
	}
}

// TestEveryPatternFits holds, for all subsets of some paths, that a pattern is said
// if and only if it holds for two or more missing paths, for all of them, and for
// none of the served ones.
func TestEveryPatternFits(t *testing.T) {
	paths := []string{"SKILL.md", ".env", "_x.md", "x.sh", "more/y.md", "more/.z/x.sh"}
	sides := make([]int, len(paths)) // 0 neither, 1 missing, 2 served
	for n := range 729 {
		var missing, served []string
		for i := range sides {
			switch n % 3 {
			case 1:
				missing = append(missing, paths[i])
			case 2:
				served = append(served, paths[i])
			}
			n /= 3
		}
		text := likely(filePatterns, missing, served)
		for _, group := range filePatterns {
			before := false
			for _, p := range group {
				fits := len(missing) > 1 && len(served) > 0
				for _, m := range missing {
					fits = fits && p.holds(m)
				}
				for _, s := range served {
					fits = fits && !p.holds(s)
				}
				cause, _, _ := strings.Cut(p.cause, "%d")
				if said := strings.Contains(text, cause); said != (fits && !before) {
					t.Errorf("missing %q, served %q: %q; %q fits: %v", missing, served, text, cause, fits)
				}
				before = before || fits
			}
		}
	}
}
