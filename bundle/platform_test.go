package bundle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/unicode/norm"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// otherDisk stands for the disk of another platform: a file is there by every
// name that equals its own under a rule.
type otherDisk struct {
	files fstest.MapFS
	fold  func(string) string
}

func (d otherDisk) there(path string) bool { return d.real(path) != "" }

// real returns how the disk spells a path, or "".
func (d otherDisk) real(path string) string {
	found := ""
	_ = fs.WalkDir(d.files, ".", func(at string, _ fs.DirEntry, err error) error {
		if err == nil && d.fold(at) == d.fold(path) {
			found = at
		}
		return err
	})
	return found
}

func (d otherDisk) list(folder string) ([]fs.DirEntry, error) {
	real := d.real(folder)
	if real == "" {
		return nil, fs.ErrNotExist
	}
	return d.files.ReadDir(real)
}

// TestAsListed: an output is left out of a skill by whatever name it was given,
// on disks where letter case, or normal form, or neither counts.
func TestAsListed(t *testing.T) {
	files := fstest.MapFS{"Skill/Out.json": {}, "Skill/cafe\u0301/x": {}, "other": {}}
	exact := func(s string) string { return s }
	apfs := func(s string) string { return strings.ToLower(norm.NFD.String(s)) } // as HFS+
	for _, c := range []struct {
		name       string
		fold       func(string) string
		path, want string
	}{
		{"Linux", exact, "Skill/Out.json", "Skill/Out.json"},
		{"Linux", exact, "skill/out.json", "skill/out.json"}, // another file, yet to be written
		{"Linux", exact, "Skill/out.json", "Skill/out.json"},
		{"Linux", exact, "Skill/caf\u00e9/x", "Skill/caf\u00e9/x"},
		{"macOS", apfs, "skill/OUT.json", "Skill/Out.json"},
		{"macOS", apfs, "Skill/caf\u00e9/x", "Skill/cafe\u0301/x"},
		{"macOS", apfs, "SKILL/CAF\u00c9/new", "Skill/cafe\u0301/new"},
		{"macOS", apfs, "new/out.json", "new/out.json"},
		{"Windows", strings.ToLower, "SKILL/out.JSON", "Skill/Out.json"},
		{"Windows", strings.ToLower, "OTHER", "other"},
	} {
		disk := otherDisk{files, c.fold}
		if got := asListed(c.path, disk.list, disk.there); got != c.want {
			t.Errorf("%s: %+q is %+q, want %+q", c.name, c.path, got, c.want)
		}
	}
	broken := func(string) ([]fs.DirEntry, error) { return nil, errors.New("no") }
	if got := asListed("a/b", broken, func(string) bool { return true }); got != "a/b" {
		t.Errorf("a folder that cannot be listed: %s", got)
	}
}

// TestBelow: a directory that a path names in other letters is still the same.
func TestBelow(t *testing.T) {
	top := filepath.FromSlash("/home/Skills")
	anyCase := func(folder string) bool { return strings.EqualFold(folder, top) }
	for path, want := range map[string]string{
		"/home/skills/out.json":   "out.json",
		"/HOME/SKILLS/a/out.json": "a/out.json",
		"/home/out.json":          "",
		"/home/skills2/out.json":  "",
		"/out.json":               "",
	} {
		if got, ok := below(filepath.FromSlash(path), anyCase); ok != (want != "") || filepath.ToSlash(got) != want {
			t.Errorf("%s: %q, %v", path, got, ok)
		}
	}
}

// TestModesDoNotCount: what a platform does not keep makes no difference to the
// manifest, and neither does the order in which it lists.
func TestModesDoNotCount(t *testing.T) {
	dir := t.TempDir()
	testfiles.Put(t, filepath.Join(dir, "a", "SKILL.md"), "---\nname: a\ndescription: Does a. Use when it is to be done.\n---\n\nDo it.\n")
	testfiles.Put(t, filepath.Join(dir, "a", "run.sh"), "#!/bin/sh\n")
	fingerprint := func() string {
		b, err := Read(context.Background(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		return b.Manifest.Fingerprint().String()
	}
	prints := []string{fingerprint()}
	for _, mode := range []fs.FileMode{0o755, 0o444, 0o600} {
		if err := os.Chmod(filepath.Join(dir, "a", "run.sh"), mode); err != nil {
			t.Fatal(err)
		}
		prints = append(prints, fingerprint())
	}
	if len(slices.Compact(prints)) != 1 {
		t.Errorf("the fingerprints are %q", prints)
	}
}
