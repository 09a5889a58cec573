package gitattributes

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/internal/pattern"
)

// Name tells git how to check files out, in any folder.
const Name = ".gitattributes"

// MaxSize is the size up to which the file is read, in bytes.
const MaxSize = 1 << 20

// Dir answers what a repository's .gitattributes files say of line ends.
// They are read when first asked for. Attributes kept outside the work tree are
// not consulted: another checkout does not have them.
type Dir struct {
	dir      string // the directory of skills, as the user named it
	readFile func(root *os.Root, name string, limit int64) ([]byte, error)

	mu     sync.Mutex
	opened bool
	repo   *os.Root // the repository's top, or the directory when it is in none
	inRepo bool
	base   string // the directory's path below repo
	files  map[string][]attributeLine
	macros map[string][]string
}

// attributeLine gives attributes to the files that a pattern matches.
type attributeLine struct {
	pattern.Pattern
	attributes []string
}

// lineEnds is what the attributes say of one file.
type lineEnds struct {
	text string // "set", "unset", another value such as "auto", or ""
	eol  string // "lf", "crlf" or ""
}

// New returns the attributes that hold in a directory. Read reads a
// regular file below a root, of at most limit bytes. Call [Dir.Close] when done.
func New(dir string, read func(root *os.Root, name string, limit int64) ([]byte, error)) *Dir {
	return &Dir{dir: dir, readFile: read, files: map[string][]attributeLine{}, macros: map[string][]string{
		"binary": {"-diff", "-merge", "-text"},
	}}
}

// Pinned reports whether a checkout leaves the CRLF line ends of a file below
// the directory as they are. Mixed ones are left only in files that are no text
// to git.
func (a *Dir) Pinned(file string, mixed bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.open() {
		return false
	}
	ends := a.lookup(path.Join(a.base, file))
	return ends.text == "unset" || ends.eol == "crlf" && !mixed
}

// Advice says which line, where, keeps a file below the directory as it is.
func (a *Dir) Advice(path string) string {
	line := a.KeepingLine(path)
	if a.inRepo {
		return fmt.Sprintf(`the line "%s" to the .gitattributes at the repository's top`, line)
	}
	return fmt.Sprintf(`the line "%s" to .gitattributes`, line)
}

// KeepingLine returns the line that keeps a file below the directory as it is,
// in the .gitattributes of the repository's top, or of the directory when it is
// in no repository.
func (a *Dir) KeepingLine(file string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open() && a.inRepo {
		return attributePattern("/", path.Join(a.base, file)) + " -text"
	}
	anywhere := ""
	if strings.Contains(file, "/") {
		anywhere = "**/"
	}
	return attributePattern(anywhere, file) + " -text"
}

// attributePattern writes a pattern that matches a path and nothing else,
// behind a prefix that is a pattern already.
func attributePattern(prefix, path string) string {
	text := prefix + strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(path)
	if strings.ContainsAny(text, " \t\"") || text[0] == '#' || message.Printable(path) != path {
		return strconv.Quote(text)
	}
	return text
}

// open finds and opens the repository's top.
func (a *Dir) open() bool {
	if a.opened {
		return a.repo != nil
	}
	a.opened = true
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	top := dir
	for parent := dir; ; parent = filepath.Dir(parent) {
		if _, err := os.Lstat(filepath.Join(parent, ".git")); err == nil {
			top, a.inRepo = parent, true
			break
		}
		if parent == filepath.Dir(parent) {
			break
		}
	}
	if rel, err := filepath.Rel(top, dir); err == nil && rel != "." {
		a.base = filepath.ToSlash(rel)
	}
	a.repo, err = os.OpenRoot(top)
	return err == nil
}

// Top returns the repository's top, or the directory when it is in none; nil
// when it cannot be opened.
func (a *Dir) Top() *os.Root {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open()
	return a.repo
}

// Try takes text for the content of the top's file from now on.
func (a *Dir) Try(text []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files[""] = a.parse(string(text), true)
}

// Close releases the repository's top.
func (a *Dir) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.repo != nil {
		a.repo.Close()
	}
}

// lookup returns the attributes of a path below the repository's top: the
// deepest file that speaks of it decides, and in it the last line.
func (a *Dir) lookup(file string) lineEnds {
	var all effect
	m := effects{a.macros, map[string][mostMacros + 1]*effect{}}
	name := path.Base(file)
	for dir, below := "", file; ; {
		for _, line := range a.read(dir) {
			if line.Match(below, name) {
				for _, attribute := range line.attributes {
					all = all.then(m.of(attribute, 0))
				}
			}
		}
		next, rest, ok := strings.Cut(below, "/")
		if !ok {
			return all.lineEnds()
		}
		dir, below = path.Join(dir, next), rest
	}
}

// read returns the lines of a folder's file; one that cannot be read has none,
// as for git.
func (a *Dir) read(dir string) []attributeLine {
	lines, ok := a.files[dir]
	if !ok {
		text, err := a.readFile(a.repo, path.Join(dir, Name), MaxSize)
		if err == nil {
			lines = a.parse(string(text), dir == "")
		}
		a.files[dir] = lines
	}
	return lines
}

// parse reads the text of a .gitattributes. Macros can be defined at the top
// only. Lines that are no valid ones are passed over, as git does.
func (a *Dir) parse(text string, top bool) []attributeLine {
	var lines []attributeLine
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		glob, rest := splitPattern(line)
		fields := strings.Fields(rest)
		if name, ok := strings.CutPrefix(glob, "[attr]"); ok {
			if top && name != "" {
				a.macros[name] = fields
			}
			continue
		}
		if glob == "" || glob[0] == '!' || strings.HasSuffix(glob, "/") {
			continue
		}
		// Braces have no meaning to git.
		glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(glob)
		if p, err := pattern.New(glob); err == nil {
			lines = append(lines, attributeLine{p, fields})
		}
	}
	return lines
}

// splitPattern cuts the pattern, which may be a quoted string, off a line.
func splitPattern(line string) (glob, rest string) {
	if line[0] == '"' {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", ""
		}
		glob, _ = strconv.Unquote(quoted) // a quoted prefix always unquotes
		return glob, line[len(quoted):]
	}
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// mostMacros is how deep macros are looked for within macros.
const mostMacros = 8

// effect is what attributes assign; nil is nothing.
type effect struct{ text, eol *string }

// then is one effect behind another.
func (e effect) then(next effect) effect {
	if next.text != nil {
		e.text = next.text
	}
	if next.eol != nil {
		e.eol = next.eol
	}
	return e
}

// lineEnds are the attributes with that effect.
func (e effect) lineEnds() (ends lineEnds) {
	if e.text != nil {
		ends.text = *e.text
	}
	if e.eol != nil {
		ends.eol = *e.eol
	}
	return ends
}

// effects works out what attributes assign. What a macro does is worked out once
// for each depth: macros that name each other would take forever.
type effects struct {
	macros map[string][]string
	done   map[string][mostMacros + 1]*effect
}

// of returns the effect of one attribute. Depth counts macros within macros.
func (m *effects) of(attribute string, depth int) effect {
	name, value, valued := strings.Cut(attribute, "=")
	switch {
	case valued:
	case strings.HasPrefix(name, "-"):
		name, value = name[1:], "unset"
	case strings.HasPrefix(name, "!"):
		name = name[1:]
	default:
		value = "set"
	}
	switch name {
	case "text":
		return effect{text: &value}
	case "eol":
		return effect{eol: &value}
	case "crlf": // what text and eol were called before git 1.7.2
		if value == "input" {
			set, lf := "set", "lf"
			return effect{&set, &lf}
		}
		return effect{text: &value}
	}
	if value != "set" || depth == mostMacros || m.macros[name] == nil {
		return effect{}
	}
	done := m.done[name]
	if done[depth] == nil {
		var e effect
		for _, inner := range m.macros[name] {
			e = e.then(m.of(inner, depth+1))
		}
		done[depth] = &e
		m.done[name] = done
	}
	return *done[depth]
}
