package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/gitattributes"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// Fixes are the changes to files that fix faults which need no guess. Nothing
// is written before [FileFix.Write]. Call Close when done.
type Fixes struct {
	Files []FileFix
	// Left says of files with faults that could be fixed why they are not, as in
	// "skills/a/SKILL.md: it is reached through a symlink".
	Left []string

	bundle     *Bundle
	wanted     func(lint.Finding) bool
	attributes *gitattributes.Dir
}

// FileFix is the change of one file.
type FileFix struct {
	// Path is the file as the user would name it, slash-separated.
	Path string
	// From is what the file was called before, in the same folder; "" when the
	// name stays.
	From string
	// Old and New are its content; Old is nil when there was no such file.
	Old, New []byte
	// Done says of each fixed fault what was done, as in "put quotes around 010".
	Done []string

	root       *os.Root
	name, from string // below root
}

// Fixes works out how to fix the bundle's findings: the faults in a SKILL.md
// that [frontmatter.Fix] knows, a SKILL.md whose name has the wrong case, and CRLF
// line ends that no .gitattributes keeps, for which a line is added to the one
// at the repository's top (in DIR, outside of a repository) and the file itself
// stays. Only what wanted reports true for is fixed. The error says that a file
// could not be read.
func (b *Bundle) Fixes(wanted func(lint.Finding) bool) (*Fixes, error) {
	f := &Fixes{bundle: b, wanted: wanted, attributes: gitattributes.New(b.Dir, readSmall)}
	texts, names := map[string]bool{}, map[string][]string{}
	var crlf []string
	for _, finding := range b.Findings {
		name, below := strings.CutPrefix(finding.Path, displayPrefix(b.Dir))
		if !below || name == "" || strings.Contains(name, `\`) || !wanted(finding) {
			continue // a path with a backslash is escaped, and not the file's own
		}
		rule, _ := lint.Lookup(finding.Rule)
		switch base := path.Base(name); {
		case finding.Rule == "crlf":
			crlf = append(crlf, name)
		case finding.Rule == "skill-file-case" && strings.EqualFold(base, manifest.SkillFile):
			folder := path.Dir(name)
			names[folder] = append(names[folder], name)
		case base == manifest.SkillFile && rule.Fixable:
			texts[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := f.text(name, name); err != nil {
			return nil, err
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(names)) {
		if err := f.rename(folder, names[folder]); err != nil {
			return nil, err
		}
	}
	f.lineEnds(crlf)
	return f, nil
}

// Close releases what the fixes hold open.
func (f *Fixes) Close() { f.attributes.Close() }

func (f *Fixes) shown(name string) string { return displayPrefix(f.bundle.Dir) + name }

func (f *Fixes) leave(name, format string, args ...any) {
	f.Left = append(f.Left, f.shown(name)+": "+fmt.Sprintf(format, args...))
}

// text fixes the content of a file that is, or becomes, a SKILL.md.
func (f *Fixes) text(from, to string) error {
	root := f.bundle.root
	if throughLink(root, from) {
		f.leave(from, "it is reached through a symlink, and the file it leads to is not changed")
		return nil
	}
	old, err := readSmall(root, from, longestText)
	if err != nil {
		return fmt.Errorf("cannot read %s again: %w", f.shown(from), atomicfile.Cause(err))
	}
	shown := f.shown(to)
	text, done := frontmatter.Fix(old, func(rule string) bool { return f.wanted(lint.New(rule, "").At(shown, 1, 1)) })
	fix := FileFix{Path: shown, Old: old, New: text, root: root, name: to}
	if from != to {
		fix.From, fix.from = f.shown(from), from
		fix.Done = append(fix.Done, "renamed "+message.Quote(path.Base(from))+" to "+manifest.SkillFile)
	}
	for _, p := range done {
		fix.Done = append(fix.Done, p.Message)
	}
	if len(fix.Done) > 0 {
		f.Files = append(f.Files, fix)
	}
	return nil
}

// rename names the one file of a folder that was meant to be its SKILL.md so.
// Harm: none. A reader that takes the name in any case reads the same text; any
// other saw no skill.
func (f *Fixes) rename(folder string, names []string) error {
	to := path.Join(folder, manifest.SkillFile)
	if len(names) > 1 {
		for _, name := range names {
			f.leave(name, "the folder has %d such files: rename the one that is meant", len(names))
		}
		return nil
	}
	if !vacant(f.bundle.root, names[0], to) {
		f.leave(names[0], "%s is there already", manifest.SkillFile)
		return nil
	}
	return f.text(names[0], to)
}

// vacant reports whether a file can be renamed without replacing another. Where
// case does not count, both names are the same file.
func vacant(root *os.Root, from, to string) bool {
	there, err := root.Lstat(to)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	own, ownErr := root.Lstat(from)
	return err == nil && ownErr == nil && os.SameFile(there, own)
}

// throughLink reports whether a path, or a folder on the way, is a symlink.
func throughLink(root *os.Root, name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		if info, err := root.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// lineEnds adds lines to the .gitattributes that keep files as they are. Harm:
// none. No reader of skills reads that file, and the skill keeps its bytes.
func (f *Fixes) lineEnds(names []string) {
	if len(names) == 0 {
		return
	}
	a := f.attributes
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = a.KeepingLine(name)
	}
	top := a.Top()
	if top == nil {
		return // the findings say what to do
	}
	fix := FileFix{Path: fromHere(filepath.Join(top.Name(), gitattributes.Name)), root: top, name: gitattributes.Name}
	info, err := top.Lstat(gitattributes.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && info.Mode().IsRegular():
		if fix.Old, err = readSmall(top, gitattributes.Name, gitattributes.MaxSize); err == nil {
			break
		}
		fallthrough
	default:
		f.Left = append(f.Left, fix.Path+": it is no file that can be read, and no line is added to it")
		return
	}
	// A .gitattributes further down can overrule the line.
	a.Try(withLines(fix.Old, lines))
	var kept []string
	for i, name := range names {
		if !a.Pinned(name, true) {
			f.leave(name, "a .gitattributes in a folder of its own overrules the one at the top")
			continue
		}
		kept = append(kept, lines[i])
		fix.Done = append(fix.Done, "added "+lines[i])
	}
	if fix.New = withLines(fix.Old, kept); len(kept) > 0 {
		f.Files = append(f.Files, fix)
	}
}

// withLines returns a text with lines added to its end, which end as those
// before them do.
func withLines(text []byte, lines []string) []byte {
	end := "\n"
	if strings.Contains(string(text), "\r\n") {
		end = "\r\n"
	}
	out := slices.Clone(text)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, end...)
	}
	for _, line := range lines {
		out = append(out, line+end...)
	}
	return out
}

// fromHere returns an absolute path as seen from the working directory,
// slash-separated.
func fromHere(full string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(resolve(wd), full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(full)
}
