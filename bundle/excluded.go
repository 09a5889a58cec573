package bundle

import (
	"io/fs"
	"path"

	"github.com/skillpack/skillpack/manifest"
)

// What is remembered of the names that were left out: enough to choose from,
// however many there are.
const (
	mostOmitted      = 1024 // names in all
	mostOmittedOfOne = 16   // names of one pattern
)

// omitted are names that were left out, in the order of the tree.
type omitted struct {
	secrets  []string            // paths of those that secrets go by
	patterns []string            // of the others, as they are first met
	others   map[string][]string // paths, by pattern
	n        int
}

// add remembers a path, unless enough are known.
func (l *omitted) add(filePath, name, pattern string) {
	switch {
	case l.n >= mostOmitted:
		return
	case isSecret(name, &content{}):
		if len(l.secrets) >= mostOmittedOfOne {
			return
		}
		l.secrets = append(l.secrets, filePath)
	default:
		if l.others == nil {
			l.others = map[string][]string{}
		}
		if len(l.others[pattern]) == 0 {
			l.patterns = append(l.patterns, pattern)
		}
		if len(l.others[pattern]) >= mostOmittedOfOne {
			return
		}
		l.others[pattern] = append(l.others[pattern], filePath)
	}
	l.n++
}

// visit remembers what was left out in a folder and below it.
func (l *omitted) visit(f *folder) {
	for _, o := range f.others {
		if o.pattern != "" {
			l.add(joinPath(f.path, o.name), o.name, o.pattern)
		}
	}
	for _, sub := range f.folders {
		l.visit(sub)
	}
}

// inOrder returns the paths in which to look first: secrets, then one of each
// pattern, then the second of each.
func (l *omitted) inOrder() []string {
	all := l.secrets
	for i := range mostOmittedOfOne {
		for _, p := range l.patterns {
			if i < len(l.others[p]) {
				all = append(all, l.others[p][i])
			}
		}
	}
	return all
}

// ExcludedFiles returns the addresses that files left out would have if they were
// part of the skills, at most so many of them: first those whose names secrets go
// by, then some of each pattern. Of a folder that was left out whole it returns a
// few of the files that are in it now.
func (b *Bundle) ExcludedFiles(most int) []manifest.URI {
	var out []manifest.URI
	for _, at := range b.omitted.inOrder() {
		for _, file := range b.filesAt(at, 0) {
			if len(out) == most {
				return out
			}
			u := manifest.NewURI(joinPath(b.above, file))
			if _, err := manifest.ParseURI(u.String()); err == nil { // no name that no URI can have
				out = append(out, u)
			}
		}
	}
	return out
}

// Of a folder that was left out whole, this many files are named, from this many
// folders below it.
const (
	mostOfFolder = 3
	mostDeep     = 3
)

// filesAt returns a path that is no folder, or some files of the folder that it
// is. It returns nothing for what is gone or cannot be read.
func (b *Bundle) filesAt(at string, deep int) []string {
	info, err := b.root.Lstat(at)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		return []string{at}
	}
	if deep == mostDeep {
		return nil
	}
	entries, err := fs.ReadDir(b.root.FS(), at)
	if err != nil {
		return nil
	}
	var files []string
	for _, folders := range []bool{false, true} { // a folder's own files first
		for _, e := range entries {
			if e.IsDir() == folders && len(files) < mostOfFolder {
				files = append(files, b.filesAt(path.Join(at, e.Name()), deep+1)...)
			}
		}
	}
	return files[:min(len(files), mostOfFolder)]
}

// prefixOf returns what stands before a path below the directory in its skill
// path.
func (w *walk) prefixOf() string {
	if w.top.isSkill {
		return w.skillPath(w.top)
	}
	return w.options.Prefix
}
