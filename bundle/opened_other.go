//go:build !linux

package bundle

import (
	"io/fs"
	"os"
)

// openTop opens the directory itself for the walk.
func openTop(root *os.Root, _ Options) (opened, fs.FileInfo, error) { return openRootTop(root) }
