package gofile

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/mod/module"

	"github.com/skillpack/skillpack/internal/message"
)

// EmbedProblem returns an error that says why go:embed cannot carry a file with
// this path, or nil when its name allows it. The path is slash-separated and
// relative to the folder of the Go file. What only the file system knows
// (symlinks, a go.mod on the way) is not looked at.
func EmbedProblem(path string) error {
	if path == ".." || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "/") {
		return fmt.Errorf("%s is not below the folder of the Go file", message.Quote(path))
	}
	if path == "" {
		return errors.New("the path is empty")
	}
	// The go command refuses these as the names of any input of a package, so
	// that none of them reads like a flag of the compiler.
	if c := path[0]; c < 0x80 && !isAlphanumeric(c) && c != '.' && c != '_' {
		return fmt.Errorf("%s starts with %q beside the Go file", message.Quote(path), c)
	}
	if strings.HasPrefix(path, "_cgo_") {
		return fmt.Errorf("%s starts with _cgo_ beside the Go file", message.Quote(path))
	}
	for _, name := range strings.Split(path, "/") {
		switch name {
		case ".git", ".hg", ".svn", ".bzr":
			return fmt.Errorf("%s lies in a version-control folder", message.Quote(path))
		}
		var invalid *module.InvalidPathError
		if err := module.CheckFilePath(name); errors.As(err, &invalid) {
			return fmt.Errorf("%s holds a name that Go modules refuse: %w", message.Quote(path), invalid.Err)
		} else if err != nil {
			return fmt.Errorf("%s holds a name that Go modules refuse: %w", message.Quote(path), err)
		}
	}
	return nil
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// embedPattern returns the argument of //go:embed that matches one file and no
// other. The path has no [EmbedProblem], so "[" is the only character in it
// that a pattern reads otherwise.
func embedPattern(path string) string {
	pattern := strings.ReplaceAll(path, "[", "[[]")
	if strings.ContainsFunc(pattern, unicode.IsSpace) {
		return goQuote(pattern)
	}
	return pattern
}
