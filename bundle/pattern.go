package bundle

import (
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pattern is a doublestar pattern of paths below some folder.
type pattern struct {
	glob string
	// anchored patterns are matched with the whole path, others with any one name.
	anchored bool
}

// The bounds of one pattern. Matching tries every combination of alternatives.
const (
	longestPattern   = 1024 // bytes
	mostAlternatives = 8    // groups in braces
)

// newPattern reads a pattern: one with a slash, other than at its end, is
// anchored. It returns an error that says what is wrong with it.
func newPattern(text string) (pattern, error) {
	glob, leading := strings.CutPrefix(text, "/")
	p := pattern{glob: glob, anchored: leading || strings.Contains(glob, "/")}
	switch {
	case glob == "":
		return p, errors.New("it is empty")
	case len(glob) > longestPattern:
		return p, errors.New("it is over 1,024 bytes long")
	case strings.Count(glob, "{") > mostAlternatives:
		return p, errors.New("it has over 8 groups in braces: write several patterns")
	case !doublestar.ValidatePattern(glob):
		return p, errors.New(`a "[" or "{" is not closed, or a "\" ends it: put a "\" before a character that stands for itself`)
	}
	if p.anchored {
		for segment := range strings.SplitSeq(glob, "/") {
			switch segment {
			case "":
				return p, errors.New("it has an empty segment")
			case ".", "..":
				return p, errors.New(`it has a "` + segment + `" segment: write the path below the directory`)
			}
		}
	}
	return p, nil
}

// match reports whether the pattern is one of a path, whose last name is name.
func (p pattern) match(path, name string) bool {
	if !p.anchored {
		path = name
	}
	return doublestar.MatchUnvalidated(p.glob, path)
}
