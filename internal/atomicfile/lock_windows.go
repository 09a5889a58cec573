package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

const (
	lockExclusive   = 2  // LOCKFILE_EXCLUSIVE_LOCK
	lockImmediately = 1  // LOCKFILE_FAIL_IMMEDIATELY
	lockViolation   = 33 // ERROR_LOCK_VIOLATION
)

// tryLock locks an open file until it is closed. What is locked is a byte behind
// all that a file can have, since a lock keeps others from reading its range.
func tryLock(f *os.File) error {
	at := syscall.Overlapped{OffsetHigh: 1<<31 - 1}
	ok, _, err := lockFileEx.Call(f.Fd(), lockExclusive|lockImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, syscall.Errno(lockViolation)):
		return errLocked
	}
	return err
}

// openFolderLock opens what is locked in place of a folder, which Windows cannot
// lock: a file in it, with the name of a temporary one.
func openFolderLock(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, tempPrefix+"lock"+tempSuffix), os.O_RDWR|os.O_CREATE, 0o644)
}

// unlockFolder also removes the file; that fails while another run has it open,
// which then removes it.
func unlockFolder(f *os.File) {
	f.Close()
	_ = os.Remove(f.Name())
}
