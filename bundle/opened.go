package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/skillpack/skillpack/internal/atomicfile"
)

// opened is a folder that is held open. What lies in it is opened through it, so
// that no change of the tree meanwhile leads anywhere else.
type opened interface {
	// list returns the entries in any order. It tells count how many there are
	// as it finds them, and ends with the error that count returns. It may use the
	// buffer meanwhile.
	list(buffer []byte, count func(int) error) ([]entry, error)
	// folder opens a folder below, by a name or a path, and file a regular file.
	// The error is an [errChanged] when what is there is not what was listed; the
	// info is that of the listing where the listing had to look.
	folder(path string, listed fs.FileInfo) (opened, fs.FileInfo, error)
	file(path string, listed fs.FileInfo) (source, snapshot, error)
	Close() error
}

// entry is one name of a folder.
type entry struct {
	name string
	mode fs.FileMode // its type bits
	info fs.FileInfo // nil when the listing told the type
}

func entryName(e entry) string { return e.name }

// source is an open regular file.
type source interface {
	io.ReadCloser
	snapshot() (snapshot, error)
}

// snapshot is what a file looked like at one time.
type snapshot struct {
	size     int64 // bytes
	modified time.Time
}

func snapshotOf(info fs.FileInfo) snapshot { return snapshot{info.Size(), info.ModTime()} }

// rootFolder opens through an [os.Root]. It serves every system, and follows the
// symlinks that stay inside it.
type rootFolder struct {
	root *os.Root
	dir  *os.File // for the listing; nil after it
	top  bool     // root is that of the whole bundle, which closes it
}

func (r *rootFolder) folder(path string, listed fs.FileInfo) (opened, fs.FileInfo, error) {
	// With the dot at its end a path is that of a folder or of nothing: OpenRoot
	// itself waits for the writer of a FIFO that has taken the folder's place.
	root, err := r.root.OpenRoot(path + "/.")
	if err != nil {
		return nil, nil, err
	}
	sub := &rootFolder{root: root}
	info, err := sub.begin()
	if err == nil && listed != nil && !stillSame(r.root, path, listed, info) {
		err = errChanged("another folder took its place")
	}
	if err != nil {
		sub.Close()
		return nil, nil, err
	}
	return sub, info, nil
}

// begin opens the folder for its listing.
func (r *rootFolder) begin() (fs.FileInfo, error) {
	var err error
	if r.dir, err = r.root.OpenFile(".", os.O_RDONLY|atomicfile.NonBlock, 0); err != nil {
		return nil, err
	}
	return r.dir.Stat()
}

func (r *rootFolder) list(_ []byte, count func(int) error) ([]entry, error) {
	defer func() {
		r.dir.Close()
		r.dir = nil
	}()
	var all []entry
	const most = 1024
	for {
		some, err := r.dir.ReadDir(most)
		for _, e := range some {
			// An entry of a root has been looked at; what is gone again is none.
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, entry{e.Name(), e.Type(), info})
		}
		if countErr := count(len(some)); countErr != nil {
			return nil, countErr
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(some) < most { // the end: the next call would only say so
			return all, nil
		}
	}
}

func (r *rootFolder) file(path string, listed fs.FileInfo) (source, snapshot, error) {
	f, info, err := openSame(r.root, path, listed)
	if err != nil {
		return nil, snapshot{}, err
	}
	return rootFile{f}, snapshotOf(info), nil
}

func (r *rootFolder) Close() error {
	if r.dir != nil {
		r.dir.Close()
	}
	if r.top {
		return nil
	}
	return r.root.Close()
}

// rootFile is a file that was opened through an [os.Root].
type rootFile struct{ *os.File }

func (f rootFile) snapshot() (snapshot, error) {
	info, err := f.Stat()
	if err != nil {
		return snapshot{}, err
	}
	return snapshotOf(info), nil
}

// openRootTop opens the directory itself for the walk.
func openRootTop(root *os.Root) (opened, fs.FileInfo, error) {
	top := &rootFolder{root: root, top: true}
	info, err := top.begin()
	if err != nil {
		top.Close()
		return nil, nil, err
	}
	return top, info, nil
}
