package bundle_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skillpack/skillpack/bundle"
)

func excludedFiles(b *bundle.Bundle, most int) (uris []string) {
	for _, u := range b.ExcludedFiles(most) {
		uris = append(uris, u.String())
	}
	return uris
}

// TestExcludedFiles wants the addresses of what was left out, secrets first, then
// one of each pattern, and of a folder a few of its files.
func TestExcludedFiles(t *testing.T) {
	dir := tree(t,
		"a/SKILL.md", "", "a/x.log", "x", "a/y.log", "x", "a/notes.md", "listed",
		"a/.git/config", "x", "a/.git/HEAD", "x", "a/.git/hooks/pre-push", "x", "a/.git/hooks/update", "x",
		"a/node/deep/er/than/this.js", "x", "a/.env", "x", "a/zz/.env.local", "x", "stray.log", "x",
		"b/SKILL.md", "", "b/draft one.txt", "x", ".skillpackignore", "*.log\n.env*\n",
	)
	options := bundle.Options{Dir: dir, Exclude: []string{"/b", "node/"}}
	want := []string{
		"skill://a/.env", "skill://a/zz/.env.local", // secrets
		"skill://.skillpackignore", "skill://b/SKILL.md", "skill://b/draft%20one.txt", "skill://stray.log", // at the top
		"skill://a/.git/HEAD", "skill://a/.git/config", "skill://a/.git/hooks/pre-push",
		"skill://a/x.log", "skill://a/y.log",
	}
	same(t, "excluded", excludedFiles(read(t, options), 20), want)
	same(t, "four of them", excludedFiles(read(t, options), 4), want[:4])
	options.Prefix = "acme"
	same(t, "with a prefix", excludedFiles(read(t, options), 1), []string{"skill://acme/a/.env"})
	one := bundle.Options{Dir: filepath.Join(dir, "a"), Exclude: []string{"*.log"}}
	if got := excludedFiles(read(t, one), 20); !slices.Contains(got, "skill://a/x.log") || !slices.Contains(got, "skill://a/.git/HEAD") {
		t.Errorf("excluded of a skill by itself: %q", got)
	}
}

// TestExcludedFilesAreBounded holds that of many names of one pattern a few are
// kept, and that those of other patterns are among the first.
func TestExcludedFilesAreBounded(t *testing.T) {
	names := []string{"a/SKILL.md", "", "a/b.tmp", "x", "a/z.bak", "x"}
	for i := range 40 {
		names = append(names, fmt.Sprintf("a/%02d.log", i), "x", fmt.Sprintf("a/.env.%02d", i), "x")
	}
	b := read(t, bundle.Options{Dir: tree(t, names...), Exclude: []string{"*.log", "*.tmp", "*.bak", ".env.*"}})
	got := excludedFiles(b, 1000)
	if len(got) != 16+16+2 {
		t.Errorf("%d addresses, want 16 secrets, 16 logs and 2 others", len(got))
	}
	for _, name := range []string{"skill://a/00.log", "skill://a/b.tmp", "skill://a/z.bak"} {
		if !slices.Contains(got[:min(len(got), 20)], name) {
			t.Errorf("%s is not among the first 20: %q", name, got)
		}
	}
}
