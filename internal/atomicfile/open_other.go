//go:build !unix

package atomicfile

// NonBlock are none where the system has no FIFOs in its file system.
const NonBlock = 0
