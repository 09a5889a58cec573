package bundle

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// TestFolderBecameFIFO: a FIFO that took the place of a folder after it was
// listed is not waited for.
func TestFolderBecameFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := testfiles.Pipe(filepath.Join(dir, "f")); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, follow := range []bool{false, true} { // each way to open has its own
		top, _, err := openTop(root, Options{FollowSymlinks: follow})
		if err != nil {
			t.Fatal(err)
		}
		defer top.Close()
		done := make(chan error, 1)
		go func() {
			_, _, err := top.folder("f", nil)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Error("a FIFO was opened as a folder")
			}
		case <-time.After(10 * time.Second):
			t.Error("the FIFO was waited for")
			if f, err := os.OpenFile(filepath.Join(dir, "f"), os.O_RDWR, 0); err == nil {
				f.Close() // ends the wait
			}
		}
	}
}
