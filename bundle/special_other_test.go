//go:build !unix

package bundle_test

import (
	"errors"
	"io"
)

func listen(string) (io.Closer, error) { return nil, errors.ErrUnsupported }

func makeDevice(string) error { return errors.ErrUnsupported }
