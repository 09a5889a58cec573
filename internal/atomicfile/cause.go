package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// Cause returns what went wrong without the operation and the path, which the
// finding names already.
func Cause(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	var callErr *os.SyscallError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	case errors.As(err, &callErr):
		return callErr.Err
	}
	return err
}
