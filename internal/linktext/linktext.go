// Package linktext recognises the text that git writes in place of a symlink
// where symlinks are switched off (core.symlinks=false, the default on Windows).
//
// It must not touch the file system: whether the target exists is for the caller
// to find out.
package linktext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is the longest target that file systems take, in bytes.
const longest = 1024

// Target returns the relative path that is the whole content of a file, as a
// symlink's text is. Git writes no line break behind it; editors add one, and
// that is accepted behind a path that no one writes for another purpose: one that
// starts with "../".
func Target(content []byte) (target string, ok bool) {
	if len(content) == 0 || len(content) > longest || !utf8.Valid(content) {
		return "", false
	}
	target = string(content)
	if strings.HasPrefix(target, "../") {
		target = strings.TrimSuffix(strings.TrimSuffix(target, "\n"), "\r")
	}
	switch {
	case strings.ContainsFunc(target, unicode.IsControl),
		strings.HasPrefix(target, "/"), strings.TrimSpace(target) != target,
		!strings.ContainsFunc(target, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
		strings.Contains(target, "://"):
		return "", false
	}
	return target, true
}

// Likely returns the target of a text that is a symlink's even where nothing
// tells whether the target exists: it leads up and has no space.
func Likely(content []byte) (target string, ok bool) {
	target, ok = Target(content)
	return target, ok && strings.HasPrefix(target, "../") && !strings.Contains(target, " ")
}
