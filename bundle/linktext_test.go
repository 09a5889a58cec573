package bundle_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/bundle"
)

// TestDirIsLinkText names a file that git wrote in place of a symlink to the
// directory of skills, and files that only look like one.
func TestDirIsLinkText(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o777); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		"real":                             `is a symlink to "real" that git wrote as text`,
		"./real":                           `is a symlink to "./real" that git wrote as text`,
		"gone":                             "is a file: name the directory",
		"real\n":                           "is a file: name the directory",
		"real" + strings.Repeat("/", 2000): "is a file: name the directory",
	} {
		file := filepath.Join(dir, "skills")
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Read(context.Background(), bundle.Options{Dir: file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", content, err, want)
		}
	}
}

// TestLinkTextOutside holds that a link out of the directory counts when its
// target exists.
func TestLinkTextOutside(t *testing.T) {
	dir := t.TempDir()
	for path, content := range map[string]string{
		"real/SKILL.md":           "---\nname: real\n---\n",
		"skills/refunds/SKILL.md": "../../real/SKILL.md",
		"skills/returns":          "../real",
		"skills/none":             "../gone",
	} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := bundle.Read(context.Background(), bundle.Options{Dir: filepath.Join(dir, "skills")})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var got []string
	for _, f := range b.Findings {
		got = append(got, filepath.Base(filepath.FromSlash(f.Path))+" "+f.Rule)
	}
	if s := strings.Join(got, ", "); s != "none stray-file, SKILL.md symlink-as-text, returns symlink-as-text" {
		t.Errorf("got %s", s)
	}
}
