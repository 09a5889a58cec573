package bundle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestNothingElseIsOpened tries to open what took the place of a listed entry.
func TestNothingElseIsOpened(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "folder/sub"), 0o777),
		os.WriteFile(filepath.Join(dir, "folder/sub/file"), []byte("x"), 0o666),
		os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o666),
		os.Symlink("folder", filepath.Join(dir, "link")),
		os.Symlink("file", filepath.Join(dir, "filelink")),
		syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	top, _, err := openTop(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer top.Close()
	for path, ok := range map[string]bool{"folder": true, "folder/sub": true, "link": false, "link/sub": false, "file": false, "fifo": false} {
		f, _, err := top.folder(path, nil)
		var changed errChanged
		if (err == nil) != ok || err != nil && !errors.As(err, &changed) {
			t.Errorf("folder %s: %v", path, err)
		}
		if err == nil {
			f.Close()
		}
	}
	for path, ok := range map[string]bool{"file": true, "filelink": false, "folder": false, "fifo": false, "gone": false} {
		f, _, err := top.file(path, nil)
		var changed errChanged
		if (err == nil) != ok || err != nil && !errors.As(err, &changed) {
			t.Errorf("file %s: %v", path, err)
		}
		if err == nil {
			f.Close()
		}
	}
	for name, want := range map[string]os.FileMode{"folder": os.ModeDir, "file": 0, "link": os.ModeSymlink, "fifo": os.ModeNamedPipe} {
		if mode, err := top.(*fdFolder).typeOf(name); err != nil || mode != want {
			t.Errorf("type of %s: %v, %v, want %v", name, mode, err, want)
		}
	}
}

// TestNothingStaysOpen counts the descriptors after a walk and after one that was
// stopped.
func TestNothingStaysOpen(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		path := filepath.Join(dir, "a", string(rune('a'+i%26)), string(rune('a'+i/26)), "x")
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: a\ndescription: b\n---\nx\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	read := func(ctx context.Context) {
		if b, err := Read(ctx, Options{Dir: dir}); err == nil {
			b.Close()
		}
	}
	read(context.Background())
	before := open()
	for range 20 {
		read(context.Background())
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		read(ctx)
	}
	if after := open(); after > before {
		t.Errorf("%d descriptors were open, and now %d are", before, after)
	}
}
