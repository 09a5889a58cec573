//go:build !unix

package testfiles

import (
	"errors"
	"testing"
)

// AsNobody skips the test: there are no permissions of this kind.
func AsNobody(t *testing.T) bool {
	t.Skip("no permission bits here")
	return true
}

// Pipe fails: there are no FIFOs here.
func Pipe(string) error { return errors.ErrUnsupported }
