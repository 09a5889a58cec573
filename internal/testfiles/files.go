package testfiles

import (
	"os"
	"path/filepath"
	"testing"
)

// In changes to a new folder and lays files out in it.
func In(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		Put(t, name, content)
	}
}

// Put writes a file, and the folders that lead to it.
func Put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Link makes a symlink, or skips the test where there are none.
func Link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}
