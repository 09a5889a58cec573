package pattern

import (
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Pattern is a doublestar pattern of paths below some folder.
type Pattern struct {
	Glob string
	// Anchored patterns are matched with the whole path, others with any one name.
	Anchored bool
}

// New reads a pattern: one with a slash, other than at its end, is
// anchored. It returns an error that says what is wrong with it.
func New(text string) (Pattern, error) {
	glob, leading := strings.CutPrefix(text, "/")
	p := Pattern{Glob: glob, Anchored: leading || strings.Contains(glob, "/")}
	if glob == "" {
		return p, errors.New("it is empty")
	}
	if err := Check(glob); err != nil {
		return p, err
	}
	if p.Anchored {
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

// Match reports whether the pattern is one of a path, whose last name is name.
func (p Pattern) Match(path, name string) bool {
	if !p.Anchored {
		path = name
	}
	return doublestar.MatchUnvalidated(p.Glob, path)
}
