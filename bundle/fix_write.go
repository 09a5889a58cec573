package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/gitattributes"
)

// Write makes the change. The file is replaced by a rename, so that a reader
// sees the old or the new content, and keeps its permissions; one that gets
// another name gets its content first. No symlink is followed, and nothing is
// written outside DIR but for the .gitattributes at the repository's top. The
// error names the file and says why it could not be written, which it also is
// not when it is no longer the one that the fix was made for.
func (x FileFix) Write() error {
	if err := x.write(); err != nil {
		return fmt.Errorf("%s cannot be fixed: %w", x.Path, atomicfile.Cause(err))
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
		unchanged := func() error {
			if x.Old == nil {
				return nil
			}
			now, err := readSmall(x.root, from, max(longestText, gitattributes.MaxSize))
			if err == nil && !bytes.Equal(now, x.Old) {
				err = errors.New("it was changed meanwhile; try again")
			}
			return err
		}
		if err := atomicfile.Replace(x.root, from, x.New, perm, unchanged); err != nil {
			return err
		}
	}
	if x.from != "" {
		return x.root.Rename(x.from, x.name)
	}
	return nil
}
