package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// canLock skips the test where files cannot be locked.
func canLock(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := tryLock(f); err != nil {
		t.Skip("no locks here:", err)
	}
}

// TestLeftovers: what a killed run left goes at once, however young; what a run
// under way writes, and what only looks alike, stays.
func TestLeftovers(t *testing.T) {
	canLock(t)
	testfiles.In(t, map[string]string{".skillpack-1.tmp": "", ".skillpack-2.tmp": "", ".skillpackignore": "", ".skillpack-3": "", ".skillpack-d.tmp/x": ""})
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".skillpack-2.tmp", ".skillpackignore", ".skillpack-3", ".skillpack-d.tmp"} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	live, name, err := createTemp(dirFolder("."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, old, old); err != nil { // age says nothing
		t.Fatal(err)
	}
	if _, err := Write("out", writing("x")); err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(namesIn(t, "."))
	want := []string{".skillpack-3", ".skillpack-d.tmp", ".skillpackignore", "out", name}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left are %s, want %s", got, want)
	}
	live.Close() // as the end of its process does
	if _, err := Write("out", writing("y")); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, "."); got != ".skillpack-3 .skillpack-d.tmp .skillpackignore out" {
		t.Errorf("after the other run's end, left are %s", got)
	}
}

// TestLeftoversBelow: Replace removes the leftovers in the folder of its file.
func TestLeftoversBelow(t *testing.T) {
	canLock(t)
	dir := t.TempDir()
	testfiles.Put(t, filepath.Join(dir, "a", "f"), "old")
	testfiles.Put(t, filepath.Join(dir, "a", ".skillpack-1.tmp"), "")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := Replace(root, "a/f", []byte("new"), 0o644, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, filepath.Join(dir, "a")); got != "f" || readBack(t, filepath.Join(dir, "a", "f")) != "new" {
		t.Errorf("there is %s", got)
	}
}

// stolenFolder has a cleaner that removes a temporary file between its making
// and its locking.
type stolenFolder struct {
	dirFolder
	thefts int
}

func (s *stolenFolder) open(name string, flags int) (*os.File, error) {
	f, err := s.dirFolder.open(name, flags)
	if err == nil && s.thefts > 0 {
		s.thefts--
		err = os.Remove(f.Name())
	}
	return f, err
}

func TestCreateTempNoticesCleaner(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("Windows removes no open file")
	}
	dir := t.TempDir()
	f, name, err := createTemp(&stolenFolder{dirFolder(dir), 3})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := namesIn(t, dir); got != name {
		t.Errorf("there is %q, want %s", got, name)
	}
	if _, _, err := createTemp(&stolenFolder{dirFolder(dir), 1 << 20}); err == nil {
		t.Error("a file that is always removed was made")
	}
}
