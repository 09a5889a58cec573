//go:build unix

package bundle_test

import "syscall"

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o666) }
