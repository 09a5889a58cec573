//go:build !unix

package bundle

import (
	"errors"
	"testing"
)

// AsNobody skips the test: there are no permissions of this kind.
func AsNobody(t *testing.T) bool {
	t.Skip("no permission bits here")
	return true
}

func makePipe(string) error { return errors.ErrUnsupported }
