//go:build unix

package bundle

import "syscall"

// openFlags keep an open from waiting, should a FIFO have taken the place of the
// regular file that was listed.
const openFlags = syscall.O_NONBLOCK
