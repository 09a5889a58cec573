// Package lazyregexp has regular expressions that are compiled when they are
// first used. A run of skillpack uses few of them, and each takes time to
// compile: those of package variables would be paid for by every run.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression of a pattern. The
// first call compiles it, and panics if that cannot be done.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
