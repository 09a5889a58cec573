package pattern

import (
	"errors"
	"fmt"
	"math"

	"github.com/bmatcuk/doublestar/v4"
)

// The bounds of one pattern. Matching tries every combination of alternatives
// in braces.
const (
	longestPattern   = 1024 // bytes
	mostAlternatives = 256
)

// Check returns an error that says what is wrong with a doublestar
// pattern, or nil for one that can be matched with any path in little time.
func Check(glob string) error {
	switch {
	case len(glob) > longestPattern:
		return errors.New("it is over 1,024 bytes long")
	case !doublestar.ValidatePattern(glob):
		return errors.New(`a "[" or "{" is not closed, or a "\" ends it: put a "\" before a character that stands for itself`)
	case alternatives(glob) > mostAlternatives:
		return fmt.Errorf("its braces stand for over %d patterns: write several patterns", mostAlternatives)
	}
	return nil
}

// alternatives returns how many patterns without braces a valid pattern stands
// for, or a large number.
func alternatives(glob string) float64 {
	// Of each open group, how many the alternatives before the last comma stand
	// for, and how many the text since then.
	type group struct{ before, since float64 }
	open := []group{{0, 1}}
	for i := 0; i < len(glob); i++ {
		top := &open[len(open)-1]
		switch glob[i] {
		case '\\':
			i++
		case '[':
			for i++; i < len(glob) && glob[i] != ']'; i++ {
				if glob[i] == '\\' {
					i++
				}
			}
		case '{':
			open = append(open, group{0, 1})
		case ',':
			if len(open) > 1 {
				top.before, top.since = top.before+top.since, 1
			}
		case '}':
			if len(open) > 1 {
				open = open[:len(open)-1]
				open[len(open)-1].since *= top.before + top.since
			}
		}
	}
	if len(open) > 1 {
		return math.Inf(1) // closed in a way that only the matcher sees
	}
	return open[0].since
}
