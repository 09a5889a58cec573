//go:build unix

package atomicfile

import "syscall"

// NonBlock keep an open from waiting, should a FIFO have taken the place of the
// regular file that was listed.
const NonBlock = syscall.O_NONBLOCK
