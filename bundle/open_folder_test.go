package bundle

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFolderBecameFIFO: a FIFO that took the place of a folder after it was
// listed is not waited for.
func TestFolderBecameFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := makePipe(filepath.Join(dir, "f")); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	w := worker{newWalk(context.Background(), Options{Dir: dir}, root, new(ignores)), nil}
	done := make(chan error, 1)
	go func() {
		_, err := w.openFolder(&folder{parent: &folder{root: root}, name: "f", path: "f"})
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
