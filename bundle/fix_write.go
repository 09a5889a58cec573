package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"time"
)

// Write makes the change. The file is replaced by a rename, so that a reader
// sees the old or the new content, and keeps its permissions; one that gets
// another name gets its content first. No symlink is followed, and nothing is
// written outside DIR but for the .gitattributes at the repository's top. The
// error names the file and says why it could not be written, which it also is
// not when it is no longer the one that the fix was made for.
func (x FileFix) Write() error {
	if err := x.write(); err != nil {
		return fmt.Errorf("%s cannot be fixed: %w", x.Path, cause(err))
	}
	return nil
}

func (x FileFix) write() error {
	from := x.name
	if x.from != "" {
		from = x.from
		if !vacant(x.root, from, x.name) {
			return errors.New("another file has taken its place; try again")
		}
	}
	if throughLink(x.root, from) {
		return errors.New("it is reached through a symlink; try again")
	}
	perm := fs.FileMode(0)
	if x.Old != nil {
		info, err := x.root.Lstat(from)
		if err != nil {
			return err
		}
		if perm = info.Mode().Perm(); perm&0o222 == 0 {
			return errors.New("the file is read-only; make it writable (chmod u+w)")
		}
	} else if _, err := x.root.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
		return errors.New("it has come up meanwhile; try again")
	}
	if !bytes.Equal(x.Old, x.New) || x.Old == nil {
		if err := x.replace(from, perm); err != nil {
			return err
		}
	}
	if x.from != "" {
		return x.root.Rename(x.from, x.name)
	}
	return nil
}

// replace puts the new content in the place of a file, or of none when there
// was none.
func (x FileFix) replace(name string, perm fs.FileMode) error {
	folder := folderBelow{x.root, path.Dir(name)}
	removeLeftovers(folder)
	f, base, err := createTemp(folder)
	if err != nil {
		return err
	}
	temp := path.Join(folder.dir, base)
	_, err = f.Write(x.New)
	if err == nil && x.Old != nil {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync()
	}
	// The file stays open, and with that locked, until it has its name.
	if runtime.GOOS == "windows" { // which renames no open file
		err = errors.Join(err, f.Close())
	} else {
		defer f.Close()
	}
	if err == nil && x.Old != nil {
		now, readErr := readSmall(x.root, name, max(longestText, longestAttributes))
		if err = readErr; err == nil && !bytes.Equal(now, x.Old) {
			err = errors.New("it was changed meanwhile; try again")
		}
	}
	if err == nil {
		err = whileBusy(runtime.GOOS, time.Sleep, func() error { return x.root.Rename(temp, name) })
	}
	if err != nil {
		_ = x.root.Remove(temp) // the first error is the one to tell
	}
	return err
}
