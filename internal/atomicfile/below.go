package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"time"
)

// Replace writes a file below a root by a rename, so that a reader sees the
// old or the new content. The name is slash-separated. An existing file gets the
// permissions perm; for a new one perm is 0, and it gets 0644 less the umask.
// Check runs last before the rename, and its error keeps the old file. Nothing
// is left behind on an error.
func Replace(root *os.Root, name string, content []byte, perm fs.FileMode, check func() error) error {
	folder := folderBelow{root, path.Dir(name)}
	removeLeftovers(folder)
	f, base, err := createTemp(folder)
	if err != nil {
		return err
	}
	temp := path.Join(folder.dir, base)
	_, err = f.Write(content)
	if err == nil && perm != 0 {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync()
	}
	// The file stays open, and so locked, until it has its name.
	if runtime.GOOS == "windows" { // which renames no open file
		err = errors.Join(err, f.Close())
	} else {
		defer f.Close()
	}
	if err == nil {
		err = check()
	}
	if err == nil {
		err = whileBusy(runtime.GOOS, time.Sleep, func() error { return root.Rename(temp, name) })
	}
	if err != nil {
		_ = root.Remove(temp) // the first error is the one to report
	}
	return err
}
