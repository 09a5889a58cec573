//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

// tryLock returns an error: there are no locks that end with the process.
func tryLock(*os.File) error { return errors.ErrUnsupported }

func openFolderLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func unlockFolder(*os.File) {}
