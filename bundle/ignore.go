package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/internal/pattern"
	"github.com/skillpack/skillpack/lint"
)

// ignoreFile holds a directory's own patterns, at its top.
const ignoreFile = ".skillpackignore"

// longestIgnore is the most of an ignoreFile that is read, in bytes.
const longestIgnore = 1 << 20

// ignores says which files and folders are left out.
type ignores struct {
	lines []ignoreLine
	// always counts what the fixed names left out, own what is skillpack's.
	always [len(alwaysIgnored)]atomic.Int64
	own    []ownFile
}

// ignoreLine is one line of an ignoreFile or one option.
type ignoreLine struct {
	pattern.Pattern
	text   string // as the user wrote it
	folder bool   // matches folders only
	negate bool   // takes back in
	count  *atomic.Int64
}

type ownFile struct {
	path  string
	count *atomic.Int64
}

// alwaysIgnored are the names that are never part of a skill.
var alwaysIgnored = [...]struct {
	text  string
	match func(name string, folder bool) bool
}{
	{".git", named(".git")},
	{".hg", named(".hg")},
	{".svn", named(".svn")},
	{".jj", named(".jj")},
	{"__pycache__", named("__pycache__")},
	{".DS_Store", named(".DS_Store")},
	{"Thumbs.db", fileNamed("Thumbs.db")},
	{"desktop.ini", fileNamed("desktop.ini")},
	{"*.pyc", func(name string, folder bool) bool { return !folder && strings.HasSuffix(name, ".pyc") }},
	{".*.sw?", func(name string, folder bool) bool { return !folder && isSwapFile(name) }},
	{".#*", func(name string, folder bool) bool { return !folder && strings.HasPrefix(name, ".#") }},
	{"#*#", func(name string, folder bool) bool {
		return !folder && len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#'
	}},
	{"*~", func(name string, folder bool) bool { return !folder && len(name) > 1 && name[len(name)-1] == '~' }},
	{".skillpack-*", func(name string, folder bool) bool { return !folder && strings.HasPrefix(name, ".skillpack-") }},
}

func named(want string) func(string, bool) bool {
	return func(name string, _ bool) bool { return name == want }
}

// fileNamed matches in any letter case: the file comes from Windows.
func fileNamed(want string) func(string, bool) bool {
	return func(name string, folder bool) bool {
		return len(name) == len(want) && !folder && strings.EqualFold(name, want)
	}
}

// isSwapFile reports whether vim uses a name for the swap file of another.
func isSwapFile(name string) bool {
	n := len(name)
	return n > len("..swp") && name[0] == '.' && name[n-4:n-1] == ".sw" && 'a' <= name[n-1] && name[n-1] <= 'p'
}

// readIgnore reads the directory's ignoreFile, named shown in messages, and
// adds the patterns of the options. It returns an error for an invalid pattern,
// and for a file that is there and cannot be read.
func readIgnore(root *os.Root, shown string, exclude, own []string) (*ignores, error) {
	g := new(ignores)
	for _, path := range append([]string{ignoreFile}, own...) {
		if !slices.ContainsFunc(g.own, func(o ownFile) bool { return o.path == path }) {
			g.own = append(g.own, ownFile{path, new(atomic.Int64)})
		}
	}
	text, err := readSmall(root, ignoreFile, longestIgnore)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", shown, atomicfile.Cause(err))
	default:
		if err := g.addLines(string(text), shown); err != nil {
			return nil, err
		}
	}
	for _, text := range exclude {
		if err := g.add(text); err != nil {
			return nil, fmt.Errorf("the pattern %s to exclude is invalid: %w", message.Quote(text), err)
		}
	}
	return g, nil
}

// addLines adds the patterns of an ignoreFile's text.
func (g *ignores) addLines(text, shown string) error {
	text = strings.TrimPrefix(text, "\uFEFF")
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = trimSpaces(strings.TrimRight(line, "\r\n"))
		if line == "" || line[0] == '#' {
			continue
		}
		if err := g.add(line); err != nil {
			return fmt.Errorf("%s:%d: the pattern %s is invalid: %w", shown, number, message.Quote(line), err)
		}
	}
	return nil
}

// trimSpaces cuts spaces off the end of a line, except one behind a backslash.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " \t")
	if strings.HasSuffix(trimmed, `\`) && len(trimmed) < len(line) {
		trimmed = line[:len(trimmed)+1]
	}
	return trimmed
}

// add adds one pattern.
func (g *ignores) add(text string) error {
	glob, negate := strings.CutPrefix(text, "!")
	glob, folder := strings.CutSuffix(glob, "/")
	p, err := pattern.New(strings.TrimPrefix(glob, "./"))
	if err != nil {
		return err
	}
	g.lines = append(g.lines, ignoreLine{p, text, folder, negate, new(atomic.Int64)})
	return nil
}

// decided is the number of the line that decides about a path, from 1; 0 when
// none matches.
type decided int

// fixed reports whether a path is left out whatever the lines say, and counts
// it. Such a path is never taken back in.
func (g *ignores) fixed(path, name string, folder bool) bool {
	for i := range alwaysIgnored {
		if alwaysIgnored[i].match(name, folder) {
			g.always[i].Add(1)
			return true
		}
	}
	for _, own := range g.own {
		if own.path == path && !folder {
			own.count.Add(1)
			return true
		}
	}
	return false
}

// decide returns the line that decides about a path: the last that matches it
// or a folder above it, of which folder is the one that decides about them.
func (g *ignores) decide(above decided, path, name string, folder bool) decided {
	for i := len(g.lines); i > int(above); i-- {
		line := &g.lines[i-1]
		if (folder || !line.folder) && line.Match(path, name) {
			return decided(i)
		}
	}
	return above
}

// excludes reports whether a decision leaves out.
func (g *ignores) excludes(d decided) bool { return d > 0 && !g.lines[d-1].negate }

// count counts a file or folder that a decision left out.
func (g *ignores) count(d decided) { g.lines[d-1].count.Add(1) }

// mayTakeBack reports whether a line after the one that left a folder out could
// match something below the folder and take it back in.
func (g *ignores) mayTakeBack(d decided, folder string) bool {
	for i := int(d); i < len(g.lines); i++ {
		if line := &g.lines[i]; line.negate && line.reaches(folder) {
			return true
		}
	}
	return false
}

// reaches reports whether a pattern could match a path below a folder. It is
// exact up to the pattern's first special character.
func (l *ignoreLine) reaches(folder string) bool {
	if !l.Anchored {
		return true
	}
	literal := l.Glob
	if i := strings.IndexAny(literal, `*?[{\`); i >= 0 {
		literal = literal[:i]
		below := folder + "/"
		return strings.HasPrefix(literal, below) || strings.HasPrefix(below, literal)
	}
	return strings.HasPrefix(literal, folder+"/")
}

// exclusions returns the counts: of the user's patterns all, in their order, of
// the fixed names those that left something out.
func (g *ignores) exclusions() []lint.Exclusion {
	var out []lint.Exclusion
	for i := range alwaysIgnored {
		if n := g.always[i].Load(); n > 0 {
			out = append(out, lint.Exclusion{Pattern: alwaysIgnored[i].text, Count: int(n)})
		}
	}
	for _, own := range g.own {
		if n := own.count.Load(); n > 0 {
			out = append(out, lint.Exclusion{Pattern: message.Printable(own.path), Count: int(n)})
		}
	}
	for _, line := range g.lines {
		if !line.negate {
			out = append(out, lint.Exclusion{Pattern: message.Printable(line.text), Count: int(line.count.Load())})
		}
	}
	return out
}

// readSmall reads a regular file whole. It returns an error when the file has
// over most bytes.
func readSmall(root *os.Root, path string, most int64) ([]byte, error) {
	f, err := openRegular(root, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(f, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("it has over %s bytes", message.Number(most))
	}
	return b.Bytes(), err
}
