//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file or folder until it is closed. The system ends the
// lock with the process, however that ends.
func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		default:
			return err
		}
	}
}

// openFolderLock opens what is locked in place of a folder: the folder itself.
func openFolderLock(dir string) (*os.File, error) { return os.Open(dir) }

func unlockFolder(f *os.File) { f.Close() }
