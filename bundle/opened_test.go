package bundle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/manifest"
)

// TestListingStops: both ways of opening a folder stop at the limit of entries,
// and say so.
func TestListingStops(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(*os.Root) (opened, fs.FileInfo, error){
		"os.Root": openRootTop,
		"own":     func(root *os.Root) (opened, fs.FileInfo, error) { return openTop(root, Options{}) },
	} {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		top, _, err := open(root)
		if err != nil {
			t.Fatal(err)
		}
		limit, counted := errors.New("too many"), 0
		if _, err := top.list(make([]byte, 1<<16), func(n int) error { counted += n; return limit }); err != limit || counted != 1 {
			t.Errorf("%s: %v after %d entries", name, err, counted)
		}
		top.Close()
	}
}

// brokenSource is an open file whose reading fails.
type brokenSource struct{ err error }

func (u brokenSource) Read([]byte) (int, error)    { return 0, u.err }
func (u brokenSource) Close() error                { return nil }
func (u brokenSource) snapshot() (snapshot, error) { return snapshot{size: 1}, nil }

func TestReadFails(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	failure := errors.New("disk on fire")
	if d, err := newReader().read(ctx, brokenSource{failure}, snapshot{size: 1}, keep{}); err != failure || d != (manifest.Digest{}) {
		t.Errorf("digest %v, %v", d, err)
	}
}

// TestOpenedAlike reads one tree through both ways of opening: a walk that follows
// symlinks goes through an os.Root, on Linux another does not.
func TestOpenedAlike(t *testing.T) {
	dir := t.TempDir()
	put := func(path, text string) {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	skill := "---\nname: a\ndescription: Does a. Use when a is to be done.\n---\n\nDo it.\n"
	put("a/SKILL.md", skill)
	put("a/empty", "")
	put("a/large.bin", strings.Repeat("x", largeFile+1))
	put("a/.git/config", "")
	put("a/b/c/é ü.md", "x\r\n")
	put("a/SKILL.md.d/x", "x")
	put("stray/x/y", "x")
	for i := range 700 { // more than one call lists, and more than one batch reads
		put("many/"+strings.Repeat("n", 60)+string(rune('a'+i%26))+strings.Repeat("z", i/26)+"/SKILL.md", skill)
	}
	for i := range mostOpen + 20 { // deeper than folders are held open
		put("a/deep"+strings.Repeat("/d", i)+"/f", "x")
	}
	var seen []*Bundle
	for _, follow := range []bool{false, true} {
		b, err := Read(context.Background(), Options{Dir: dir, FollowSymlinks: follow})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		seen = append(seen, b)
	}
	if n := seen[0].Summary.Files; n < 700 {
		t.Errorf("only %d files were read", n)
	}
	if !reflect.DeepEqual(seen[0].Manifest, seen[1].Manifest) || !reflect.DeepEqual(seen[0].Findings, seen[1].Findings) || seen[0].Summary != seen[1].Summary {
		t.Errorf("the two walks differ: %+v and %+v", seen[0].Summary, seen[1].Summary)
	}
}
