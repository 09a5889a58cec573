package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// Options say what to read and what to leave out.
type Options struct {
	// Dir is the directory that holds the skills; it may be one itself, and it
	// may be a symlink.
	Dir string
	// Prefix is a slash-separated path put before every skill path, or "".
	Prefix string
	// Exclude are patterns of files and folders to leave out, in the form of the
	// lines of .skillpackignore and after them.
	Exclude []string
	// FollowSymlinks follows symlinks that lead to a target inside Dir. Without
	// it a symlink is an error.
	FollowSymlinks bool
	// Own are paths of files that skillpack itself reads or writes, as the user
	// named them. Those that lie inside Dir belong to no skill.
	Own []string
}

// Bundle is a directory of skills as it was read. It keeps the directory open
// for [Bundle.Open]; call Close when done.
type Bundle struct {
	// Dir is the directory as the user named it.
	Dir string
	// Manifest has an entry for every skill whose SKILL.md could be read, sorted.
	// It must not be used as a build's result when Findings hold an error.
	Manifest manifest.Manifest
	// Findings are everything that is wrong, sorted by path, line, column and
	// rule, at the severity of each rule's default.
	Findings []lint.Finding
	// Summary counts skills, the distinct files in them and their bytes, and what
	// was left out.
	Summary lint.Summary
	// Excluded says, by pattern, how many files and folders were left out; a
	// folder left out whole counts once. A pattern the user wrote is there even
	// when it matched nothing.
	Excluded []lint.Exclusion

	root   *os.Root
	dirs   map[manifest.URI]string // the folder of each skill, by the skill's URI
	linked map[string]bool         // paths of files reached through a symlink
	index  func() map[manifest.URI]place

	omitted omitted
	above   string // what is before a path below Dir in its skill path
}

// place says where a listed file is, and what was found there.
type place struct {
	path     string // below Dir, slash-separated
	resource manifest.Resource
}

// Read reads the directory. It returns an error only when it cannot do its
// work: Dir is no readable directory, an option is wrong, there are more files
// than any use of skills accounts for, or ctx has ended. Faults of the skills
// are findings.
func Read(ctx context.Context, o Options) (*Bundle, error) {
	if err := checkPrefix(o.Prefix); err != nil {
		return nil, err
	}
	root, err := openDir(o.Dir)
	if err != nil {
		return nil, err
	}
	b, err := read(ctx, o, root)
	if err != nil {
		root.Close()
		return nil, err
	}
	return b, nil
}

func read(ctx context.Context, o Options, root *os.Root) (*Bundle, error) {
	own, err := ownNames(o.Dir, o.Own)
	if err != nil {
		return nil, err
	}
	for i, path := range own {
		own[i] = asListed(path, root.FS().(fs.ReadDirFS).ReadDir, func(path string) bool {
			_, err := root.Lstat(path)
			return err == nil
		})
	}
	ignored, err := readIgnore(root, displayPrefix(o.Dir)+ignoreFile, o.Exclude, own)
	if err != nil {
		return nil, err
	}
	w := newWalk(ctx, o, root, ignored)
	if err := w.run(); err != nil {
		return nil, err
	}
	b := &Bundle{Dir: o.Dir, root: root, Excluded: ignored.exclusions()}
	if err := w.assemble(b); err != nil {
		return nil, err
	}
	b.index = sync.OnceValue(b.places)
	return b, nil
}

// openDir opens the directory to read. The directory is looked at first, to say
// what it is instead.
func openDir(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no directory %s: name the directory that holds the skills", message.Quote(dir))
	case err != nil:
		return nil, fmt.Errorf("cannot read the directory %s: %w", message.Quote(dir), atomicfile.Cause(err))
	case !info.IsDir():
		if target, ok := dirLinkText(dir, info); ok {
			return nil, fmt.Errorf("%s is a symlink to %s that git wrote as text: check out with core.symlinks=true, or name the directory itself", message.Quote(dir), message.Quote(target))
		}
		return nil, fmt.Errorf("%s is %s: name the directory that holds the skills", message.Quote(dir), kindOf(info.Mode()))
	}
	root, err := os.OpenRoot(dir + string(filepath.Separator) + ".") // as for any folder, see [worker.openFolder]
	if err != nil {
		return nil, fmt.Errorf("cannot read the directory %s: %w", message.Quote(dir), atomicfile.Cause(err))
	}
	return root, nil
}

// ownNames returns the paths below dir of those files that lie inside it.
func ownNames(dir string, files []string) ([]string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot find the directory %s: %w", message.Quote(dir), err)
	}
	real := resolve(abs)
	top, err := os.Stat(real)
	if err != nil {
		return nil, fmt.Errorf("cannot find the directory %s: %w", message.Quote(dir), atomicfile.Cause(err))
	}
	isTop := func(folder string) bool {
		info, err := os.Stat(folder)
		return err == nil && os.SameFile(info, top)
	}
	var own []string
	for _, file := range files {
		if file == "" {
			continue
		}
		path, err := filepath.Abs(file)
		if err != nil {
			return nil, fmt.Errorf("cannot find the file %s: %w", message.Quote(file), err)
		}
		// Only the folder is resolved: the file may not exist yet. What a link leads
		// to is the file that is written.
		paths := []string{filepath.Join(resolve(filepath.Dir(path)), filepath.Base(path))}
		if target, _, err := atomicfile.Target(path); err == nil && target != paths[0] {
			paths = append(paths, target)
		}
		for _, path := range paths {
			if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
				own = append(own, filepath.ToSlash(rel))
			} else if rel, ok := below(path, isTop); ok {
				own = append(own, filepath.ToSlash(rel))
			}
		}
	}
	slices.Sort(own)
	return slices.Compact(own), nil
}

// below returns what is left of a path behind the folder that isTop is true for.
// That folder may have another name in the path than elsewhere: one in another
// letter case, where that does not count, or that of a second mount.
func below(path string, isTop func(folder string) bool) (rel string, ok bool) {
	rel = filepath.Base(path)
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		if isTop(folder) {
			return rel, true
		}
		if folder == filepath.Dir(folder) {
			return "", false
		}
		rel = filepath.Join(filepath.Base(folder), rel)
	}
}

// asListed returns a path below the directory with every name spelled as its
// folder lists it. Where letter case and normal form do not count, a file can be
// there by a name that no listing has.
func asListed(path string, list func(folder string) ([]fs.DirEntry, error), there func(path string) bool) string {
	listed := ""
	for name := range strings.SplitSeq(path, "/") {
		next := joinPath(listed, name)
		if there(next) {
			entries, err := list(cmp.Or(listed, "."))
			if err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
				for _, e := range entries {
					if foldName(e.Name()) == foldName(name) {
						next = joinPath(listed, e.Name())
					}
				}
			}
		}
		listed = next
	}
	return listed
}

// resolve follows the symlinks of a path as far as it exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}

// File returns where a resource of the manifest is: its path below Dir,
// slash-separated, and whether it was reached through a symlink. The path of a
// URI that the manifest does not list is "".
func (b *Bundle) File(uri manifest.URI) (path string, linked bool) {
	at := b.index()[uri]
	return at.path, b.linked[at.path]
}

// Open reads a resource of the manifest once more. Reading fails, at the latest
// at the end of the file, when its bytes are no longer those the manifest
// describes; so nothing may be trusted before io.EOF. It returns an error that
// wraps fs.ErrNotExist for a URI that the manifest does not list.
func (b *Bundle) Open(uri manifest.URI) (io.ReadCloser, error) {
	at, ok := b.index()[uri]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: uri.String(), Err: fs.ErrNotExist}
	}
	shown := displayPrefix(b.Dir) + message.Printable(at.path)
	f, err := openRegular(b.root, at.path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s again: %w", shown, atomicfile.Cause(err))
	}
	return newVerifier(f, at.resource, shown), nil
}

// Close releases the directory.
func (b *Bundle) Close() error { return b.root.Close() }

// places finds the file of every listed URI.
func (b *Bundle) places() map[manifest.URI]place {
	index := make(map[manifest.URI]place, b.Summary.Files)
	for _, s := range b.Manifest.Skills {
		dir := b.dirs[s.URI]
		for _, r := range s.Resources {
			if _, ok := index[r.URI]; !ok {
				index[r.URI] = place{joinPath(dir, s.File(r)), r}
			}
		}
	}
	return index
}

// joinPath joins two slash-separated paths below the directory, of which
// either may be the directory itself, "".
func joinPath(dir, name string) string {
	if dir == "" || name == "" {
		return dir + name
	}
	return dir + "/" + name
}

// displayPrefix returns what stands before a path below a directory to show it
// as the user would name it.
func displayPrefix(dir string) string {
	return strings.TrimSuffix(filepath.ToSlash(filepath.Join(dir, "x")), "x")
}
