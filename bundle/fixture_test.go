package bundle_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/bundle"
)

// skillText returns a valid SKILL.md.
func skillText(name, body string) string {
	if body == "" {
		body = "Do it.\n"
	}
	return "---\nname: " + name + "\ndescription: Does " + name + ". Use when it is to be done.\n---\n\n" + body
}

// write writes a file and the folders above it.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree writes files, given as path and text in turn, to a new directory. The
// text of a SKILL.md may be left to skillText.
func tree(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path, text := files[i], files[i+1]
		if text == "" && filepath.Base(path) == "SKILL.md" {
			text = skillText(filepath.Base(filepath.Dir(filepath.Join(dir, path))), "")
		}
		write(t, filepath.Join(dir, filepath.FromSlash(path)), text)
	}
	return dir
}

// read reads a directory and closes it when the test ends.
func read(t testing.TB, o bundle.Options) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Read(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// found returns the findings as "path rule", paths below dir, without those that
// are off by default.
func found(b *bundle.Bundle) []string {
	var out []string
	for _, f := range b.Findings {
		if f.Severity == 0 {
			continue
		}
		path := strings.TrimPrefix(strings.TrimPrefix(f.Path, filepath.ToSlash(b.Dir)), "/")
		out = append(out, strings.TrimSpace(path+" "+f.Rule))
	}
	return out
}

// files returns the paths of all resources, as the manifest has them.
func files(b *bundle.Bundle) []string {
	var out []string
	for _, s := range b.Manifest.Skills {
		for _, r := range s.Resources {
			out = append(out, r.URI.Path())
		}
	}
	return out
}

// same fails the test when two lists differ.
func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
