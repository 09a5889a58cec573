//go:build !unix

package bundle_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
