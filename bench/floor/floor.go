// Package floor does the part of a build that nobody can do without, and nothing
// else: it walks a directory in parallel, reads every file once and hashes it.
// It checks nothing: no symlink, no file that changes under it, no limit.
package floor

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// Hash hashes every regular file at and below a directory, by as many workers as
// there are cores. It returns how many files and bytes that were, and one sum
// over all digests that does not depend on their order, so that no hash can be
// left out. The error is the first that any worker met.
func Hash(dir string) (files, bytes int64, sum [sha256.Size]byte, err error) {
	w := &walk{folders: []string{dir}, open: 1}
	w.wake.L = &w.mu
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			buffer := make([]byte, 256<<10)
			hash := sha256.New()
			var mine [sha256.Size]byte
			for {
				folder, ok := w.next()
				if !ok {
					break
				}
				w.done(w.readFolder(folder, func(path string) error {
					f, err := os.Open(path)
					if err != nil {
						return err
					}
					defer f.Close()
					hash.Reset()
					n := int64(0)
					for {
						k, err := f.Read(buffer)
						hash.Write(buffer[:k])
						n += int64(k)
						if err == io.EOF {
							break
						}
						if err != nil {
							return err
						}
					}
					w.files.Add(1)
					w.bytes.Add(n)
					for i, b := range hash.Sum(nil) {
						mine[i] ^= b
					}
					return nil
				}))
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			for i, b := range mine {
				sum[i] ^= b
			}
		})
	}
	group.Wait()
	return w.files.Load(), w.bytes.Load(), sum, w.err
}

// walk hands folders to the workers, the last one found first.
type walk struct {
	files, bytes atomic.Int64

	mu      sync.Mutex
	wake    sync.Cond
	folders []string
	open    int // folders waiting or being read
	err     error
}

func (w *walk) next() (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.folders) == 0 && w.open > 0 {
		w.wake.Wait()
	}
	if len(w.folders) == 0 {
		return "", false
	}
	last := len(w.folders) - 1
	folder := w.folders[last]
	w.folders = w.folders[:last]
	return folder, true
}

func (w *walk) done(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	if w.open--; w.open == 0 {
		w.wake.Broadcast()
	}
}

func (w *walk) readFolder(folder string, each func(path string) error) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			w.mu.Lock()
			w.folders = append(w.folders, filepath.Join(folder, e.Name()))
			w.open++
			w.wake.Signal()
			w.mu.Unlock()
		}
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if err := each(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
