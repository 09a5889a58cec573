//go:build unix

package bundle_test

import (
	"io"
	"net"
	"syscall"
)

// listen makes a socket in the file system.
func listen(path string) (io.Closer, error) { return net.Listen("unix", path) }

// makeDevice makes the device that /dev/null is; only the superuser may.
func makeDevice(path string) error { return syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|3) }
