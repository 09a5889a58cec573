//go:build !unix

package bundle

// openFlags are none where the system has no FIFOs in its file system.
const openFlags = 0
