package remote

import (
	"slices"
	"strings"
	"testing"
)

// TestLinkTexts writes the links from a folder to files beside, above and below it.
func TestLinkTexts(t *testing.T) {
	for file, want := range map[string]string{
		"alpha/guides/use.md":      "use.md",
		"alpha/guides/deep/use.md": "deep/use.md",
		"alpha/SKILL.md":           "../SKILL.md",
		"alpha/assets/logo.png":    "../assets/logo.png",
		"beta/guides/use.md":       "../../beta/guides/use.md",
		"alpha/guides":             "../guides",
	} {
		got := linkTexts([]string{"alpha", "guides"}, strings.Split(file, "/"))
		if !slices.Equal(got, []string{want, "./" + want}) {
			t.Errorf("a link from alpha/guides to %s is %q, want %q", file, got, want)
		}
	}
}
