package serve

import (
	"regexp"
	"strings"
	"testing"
)

func TestMIMEType(t *testing.T) {
	for name, want := range map[string]string{
		"SKILL.md": "text/markdown", "README.MD": "text/markdown", "run.sh": "application/x-sh", "x.tar.gz": "application/gzip",
		"logo.svg": "image/svg+xml", "Makefile": "text/plain", ".env": "text/plain", "archive.": "text/plain", "strange.qqq": "text/plain",
	} {
		if got := mimeType(name, true); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := mimeType("strange.qqq", false); got != "application/octet-stream" {
		t.Errorf("bytes of an unknown kind: %s", got)
	}
	form := regexp.MustCompile(`^(text|application|image|audio|video|font)/[a-z0-9][a-z0-9.+-]*$`)
	for ending, kind := range mimeTypes {
		if !form.MatchString(kind) || ending != strings.ToLower(ending) || strings.ContainsAny(ending, ". ") {
			t.Errorf("entry %q: %q", ending, kind)
		}
	}
}
