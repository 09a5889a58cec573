package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Temporary files are named .skillpack-*.tmp and stand in the folder of the file
// they are to replace. The walk never takes one for a file of a skill. Whoever
// writes one holds a lock on it for as long; so the one of a run that was killed
// can be told from the one of a run under way, and the next run that writes into
// the folder removes it. Where files cannot be locked it does so after tempAge.
const (
	tempPrefix = ".skillpack-"
	tempSuffix = ".tmp"
	tempAge    = time.Hour
)

// isTemp reports whether a file name is that of a temporary file.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// tempName returns a name for a temporary file.
func tempName() string { return fmt.Sprintf("%s%08x%s", tempPrefix, rand.Uint32(), tempSuffix) }

// tempFolder is a folder that has temporary files, by their names.
type tempFolder interface {
	open(name string, flags int) (*os.File, error)
	lstat(name string) (fs.FileInfo, error)
	remove(name string) error
	list() ([]fs.DirEntry, error)
}

// dirFolder is a folder by its path.
type dirFolder string

func (d dirFolder) open(name string, flags int) (*os.File, error) {
	return os.OpenFile(filepath.Join(string(d), name), flags, 0o644)
}
func (d dirFolder) lstat(name string) (fs.FileInfo, error) {
	return os.Lstat(filepath.Join(string(d), name))
}
func (d dirFolder) remove(name string) error     { return os.Remove(filepath.Join(string(d), name)) }
func (d dirFolder) list() ([]fs.DirEntry, error) { return os.ReadDir(string(d)) }

// folderBelow is a folder below a root, slash-separated.
type folderBelow struct {
	root *os.Root
	dir  string
}

func (r folderBelow) open(name string, flags int) (*os.File, error) {
	return r.root.OpenFile(path.Join(r.dir, name), flags, 0o644)
}
func (r folderBelow) lstat(name string) (fs.FileInfo, error) {
	return r.root.Lstat(path.Join(r.dir, name))
}
func (r folderBelow) remove(name string) error { return r.root.Remove(path.Join(r.dir, name)) }
func (r folderBelow) list() ([]fs.DirEntry, error) {
	return fs.ReadDir(r.root.FS(), r.dir)
}

// createTemp makes a temporary file by a name that is not taken, and returns it
// locked; closing it ends the lock.
func createTemp(in tempFolder) (f *os.File, name string, err error) {
	for try := 0; try < 100; try++ {
		name = tempName()
		f, err = in.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		// Until it is locked another run can take it for a leftover.
		if err = tryLock(f); !errors.Is(err, errLocked) && is(in, name, f) {
			return f, name, nil
		}
		f.Close()
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	return nil, "", err
}

// is reports whether a name in a folder is that of an open file.
func is(in tempFolder, name string, f *os.File) bool {
	own, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := in.lstat(name)
	return err == nil && os.SameFile(own, there)
}

// removeLeftovers removes the temporary files of runs that were killed. What
// cannot be read or removed does not hinder what is to be written.
func removeLeftovers(in tempFolder) {
	entries, err := in.list()
	if err != nil {
		return
	}
	for _, e := range entries {
		if isTemp(e.Name()) && e.Type().IsRegular() {
			removeLeftover(in, e)
		}
	}
}

func removeLeftover(in tempFolder, e fs.DirEntry) {
	f, err := in.open(e.Name(), os.O_WRONLY|NonBlock)
	if err != nil {
		return
	}
	defer f.Close()
	switch err := tryLock(f); {
	case errors.Is(err, errLocked):
		return // its run is under way
	case err != nil:
		if info, err := f.Stat(); err != nil || time.Since(info.ModTime()) <= tempAge {
			return
		}
	}
	// The lock is given up last, so that no run can get hold of the file before it
	// is gone. Windows removes no open file, and needs no lock to protect one.
	if runtime.GOOS == "windows" {
		f.Close()
	}
	_ = in.remove(e.Name()) // the next run tries again
}
