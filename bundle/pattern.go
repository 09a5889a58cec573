package bundle

import (
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/skillpack/skillpack/lint"
)

// pattern is a doublestar pattern of paths below some folder.
type pattern struct {
	glob string
	// anchored patterns are matched with the whole path, others with any one name.
	anchored bool
}

// newPattern reads a pattern: one with a slash, other than at its end, is
// anchored. It returns an error that says what is wrong with it.
func newPattern(text string) (pattern, error) {
	glob, leading := strings.CutPrefix(text, "/")
	p := pattern{glob: glob, anchored: leading || strings.Contains(glob, "/")}
	if glob == "" {
		return p, errors.New("it is empty")
	}
	if err := lint.CheckPattern(glob); err != nil {
		return p, err
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
