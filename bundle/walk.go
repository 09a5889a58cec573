package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// mostEntries bounds the files and folders below a directory, mostLinked those of
// them that are reached through symlinks, which can make many out of few.
const (
	mostEntries = 1 << 20
	mostLinked  = 1 << 16
)

// mostOpen bounds the folders that are held open for their subfolders. Those of
// further folders are opened by their whole path.
const mostOpen = 128

// batchSize is how many files of a folder make one job.
const batchSize = 64

// largeFile is the size from which a file is a job of its own, in bytes.
const largeFile = 1 << 20

// walk reads a tree.
type walk struct {
	ctx        context.Context
	options    Options
	root       *os.Root
	ignores    *ignores
	attributes *attributes
	top        *folder
	base       string // the directory's own name
	display    string // what stands before a path below the directory to show it
	queue      *queue
	entries    atomic.Int64
	viaLinks   atomic.Int64 // of entries, those reached through symlinks
	open       atomic.Int32

	mu       sync.Mutex
	findings []lint.Finding
}

// worker is one of the goroutines of a walk.
type worker struct {
	*walk
	reader *reader
}

func newWalk(ctx context.Context, o Options, root *os.Root, g *ignores) *walk {
	return &walk{ctx: ctx, options: o, root: root, ignores: g, attributes: newAttributes(o.Dir), queue: newQueue(), display: displayPrefix(o.Dir)}
}

// run reads the whole tree. It returns an error when it could not: ctx has
// ended, the directory itself cannot be read, or it holds too much.
func (w *walk) run() error {
	abs, err := filepath.Abs(w.options.Dir)
	if err != nil {
		return fmt.Errorf("cannot find the directory %s: %w", quote(w.options.Dir), err)
	}
	w.base = filepath.Base(abs)
	w.top = &folder{root: w.root}
	w.top.uses.Add(1) // the bundle's own
	w.open.Add(1)
	w.queue.push(job{folder: w.top})
	defer w.attributes.close()
	defer context.AfterFunc(w.ctx, func() { w.queue.stop(w.ctx.Err()) })()
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			worker := worker{w, newReader()}
			for {
				j, ok := w.queue.next()
				if !ok {
					return
				}
				worker.do(j)
				w.queue.done()
			}
		})
	}
	group.Wait()
	// A worker may have seen the end of ctx before the queue was told.
	return cmp.Or(w.queue.stopped(), w.ctx.Err())
}

// shown returns a path below the directory as the user would name it.
func (w *walk) shown(path string) string {
	if path == "" {
		return filepath.ToSlash(w.options.Dir)
	}
	return w.display + printable(path)
}

// skillPath returns the skill path that a folder has, or would have.
func (w *walk) skillPath(f *folder) string {
	if f.parent == nil {
		return joinPath(w.options.Prefix, w.base)
	}
	return joinPath(w.options.Prefix, f.path)
}

// report adds a finding about a path in a folder.
func (w *walk) report(in *folder, f lint.Finding) {
	if in != nil && in.skill != nil {
		f = f.Of(printable(w.skillPath(in.skill)))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.findings = append(w.findings, f)
}

// reportPath adds a finding about a file or folder below the directory.
func (w *walk) reportPath(in *folder, path, rule, format string, args ...any) {
	w.report(in, lint.New(rule, format, args...).At(w.shown(path), 0, 0))
}

// reportError adds the finding for a file or folder that cannot be read.
func (w *walk) reportError(in *folder, path, what string, err error) {
	var changed errChanged
	switch {
	case w.ctx.Err() != nil:
	case errors.As(err, &changed):
		w.reportPath(in, path, "changed-while-reading", "the %s changed while it was read: %v; run again when nothing writes to it", what, changed)
	case errors.Is(err, fs.ErrNotExist):
		w.reportPath(in, path, "changed-while-reading", "the %s was removed while its folder was read; run again when nothing writes to it", what)
	case errors.Is(err, fs.ErrPermission):
		w.reportPath(in, path, "unreadable", "the %s cannot be read: %v; make it readable or exclude it", what, cause(err))
	default:
		w.reportPath(in, path, "unreadable", "the %s cannot be read: %v", what, cause(err))
	}
}

func (w *worker) do(j job) {
	defer w.release(j.folder)
	if j.end > 0 {
		w.readFiles(j)
		return
	}
	j.folder.uses.Add(1)
	if err := w.readFolder(j.folder); err != nil {
		j.folder.unread = true
		if j.folder.parent == nil && w.ctx.Err() == nil {
			w.queue.stop(fmt.Errorf("cannot read the directory %s: %w", quote(w.options.Dir), cause(err)))
			return
		}
		w.reportError(j.folder.parent, j.folder.path, "folder", err)
	}
}

// release ends one use of an open folder.
func (w *walk) release(f *folder) {
	if f.uses.Add(-1) == 0 && f.root != nil {
		f.root.Close()
		f.root = nil
		w.open.Add(-1)
	}
}

// openFolder opens a folder through its parent, or by its path when the parent
// is not held open, and returns it for listing.
func (w *worker) openFolder(f *folder) (*os.File, error) {
	if f.parent != nil {
		root, name := w.root, f.path
		if f.via != nil {
			defer func() {
				w.release(f.via)
				f.via = nil
			}()
			if !f.link {
				root, name = f.via.root, f.name
			}
		}
		var err error
		if f.root, err = root.OpenRoot(name); err != nil {
			return nil, err
		}
		w.open.Add(1)
	}
	dir, err := f.root.OpenFile(".", os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	info, err := dir.Stat()
	if err == nil && f.info != nil && !os.SameFile(f.info, info) {
		err = errChanged("another folder took its place")
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	f.info = nil
	if w.options.FollowSymlinks {
		f.info = info
	}
	return dir, nil
}

// list returns the entries of a folder, sorted by name.
func (w *worker) list(f *folder, dir *os.File) ([]fs.DirEntry, error) {
	defer dir.Close()
	var all []fs.DirEntry
	const most = 1024
	for {
		some, err := dir.ReadDir(most)
		all = append(all, some...)
		if w.entries.Add(int64(len(some))) > mostEntries {
			w.queue.stop(fmt.Errorf("%s holds over %s files and folders: name a directory with skills only, or exclude the others", quote(w.options.Dir), number(mostEntries)))
		}
		if f.linked && w.viaLinks.Add(int64(len(some))) > mostLinked {
			w.queue.stop(fmt.Errorf("%s has over %s files and folders behind symlinks: put copies in their place, or exclude them", quote(w.options.Dir), number(mostLinked)))
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(some) < most { // the end: the next call would only say so
			break
		}
		if err := w.queue.stopped(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// readFolder reads one folder: its names, and its files if they are part of a
// skill. Its subfolders become jobs.
func (w *worker) readFolder(f *folder) error {
	dir, err := w.openFolder(f)
	if err != nil {
		return err
	}
	entries, err := w.list(f, dir)
	if err != nil {
		return err
	}
	if f.parent != nil {
		f.skill = f.parent.skill
	}
	if w.holdsSkill(f, entries) {
		f.isSkill, f.skill = true, f
	}
	for _, entry := range entries {
		w.classify(f, entry)
	}
	jobs := make([]job, 0, len(f.folders))
	for _, sub := range slices.Backward(f.folders) {
		sub.skill = f.skill
		if w.open.Load() < mostOpen {
			f.uses.Add(1)
			sub.via = f
		}
		jobs = append(jobs, job{folder: sub})
	}
	if f.skill == nil {
		w.lookForMisnamed(f)
		w.queue.push(jobs...)
		return nil
	}
	for i := batchSize; i < len(f.files); i += batchSize {
		f.uses.Add(1)
		jobs = append(jobs, job{f, i, min(i+batchSize, len(f.files))})
	}
	w.queue.push(jobs...)
	for i := range min(batchSize, len(f.files)) {
		w.readFile(f, i, false)
	}
	return nil
}

// holdsSkill reports whether a folder has a SKILL.md, be it one that cannot be
// read.
func (w *worker) holdsSkill(f *folder, entries []fs.DirEntry) bool {
	i, ok := find(entries, manifest.SkillFile, fs.DirEntry.Name)
	return ok && !entries[i].IsDir() &&
		!w.ignores.excludes(w.ignores.decide(f.decision, joinPath(f.path, manifest.SkillFile), manifest.SkillFile, false))
}

// classify puts one entry of a folder where it belongs.
func (w *worker) classify(f *folder, entry fs.DirEntry) {
	name, mode := entry.Name(), entry.Type()
	path := joinPath(f.path, name)
	link := mode&fs.ModeSymlink != 0
	// A symlink may be meant as a folder, so patterns for folders match it too.
	asFolder := mode.IsDir() || link
	if w.ignores.fixed(path, name, mode.IsDir()) {
		f.others = append(f.others, other{name: name, pattern: name})
		return
	}
	decision := w.ignores.decide(f.decision, path, name, asFolder)
	excluded := w.ignores.excludes(decision)
	if excluded && !(mode.IsDir() && w.ignores.mayTakeBack(decision, path)) {
		w.ignores.count(decision)
		f.others = append(f.others, other{name, w.ignores.lines[decision-1].text})
		return
	}
	if w.tooLong(f, path, name) {
		f.others = append(f.others, other{name: name})
		return
	}
	info, err := entry.Info()
	if err == nil && link {
		info, err = w.follow(f, path, name)
	}
	switch {
	case err != nil:
		w.reportError(f, path, "entry", err)
		f.others = append(f.others, other{name: name})
		return
	case info == nil:
		f.others = append(f.others, other{name: name})
		return
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		f.folders = append(f.folders, &folder{parent: f, name: name, path: path, info: info, link: link, linked: f.linked || link, decision: decision, excluded: excluded})
	case mode.IsRegular():
		f.files = append(f.files, file{name: name, info: info, link: link})
	default:
		w.reportPath(f, path, "special-file", "%s is no part of a skill: delete it or exclude it", kindOf(mode))
		f.others = append(f.others, other{name: name})
	}
}

// tooLong reports a path that cannot be stored everywhere.
func (w *worker) tooLong(f *folder, path, name string) bool {
	whole := joinPath(w.options.Prefix, path)
	if w.top.isSkill {
		whole = joinPath(w.skillPath(w.top), path)
	}
	switch {
	case len(name) > longestName:
		w.reportPath(f, path, "path-length", "the name has %d bytes: at most %d fit everywhere", len(name), longestName)
	case len(whole) > longestPath:
		w.reportPath(f, path, "path-length", "the path has %s bytes, prefix included: at most %s fit everywhere, and nothing below was read", number(len(whole)), number(longestPath))
	default:
		return false
	}
	return true
}

// follow returns what a symlink leads to, or nil when it is not to be followed,
// which it reports.
func (w *worker) follow(f *folder, link, name string) (fs.FileInfo, error) {
	target, err := f.root.Readlink(name)
	if err != nil {
		return nil, err
	}
	if !w.options.FollowSymlinks {
		w.reportPath(f, link, "symlink", "a symlink to %s: put a copy in its place, or pass --follow-symlinks if it leads to a target inside %s", quote(target), w.shown(""))
		return nil, nil
	}
	refuse := func(format string, args ...any) (fs.FileInfo, error) {
		w.reportPath(f, link, "symlink", "a symlink to %s, "+format, append([]any{quote(target)}, args...)...)
		return nil, nil
	}
	info, err := w.root.Stat(link)
	switch {
	case err == nil:
	case filepath.IsAbs(target):
		return refuse("an absolute path, which is another place on another machine: write a relative one that stays inside %s", w.shown(""))
	case errors.Is(err, fs.ErrNotExist):
		return refuse("which does not exist: mend or delete it")
	case !f.linked && !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(link), filepath.ToSlash(target)))):
		return refuse("which is outside %s: put a copy in its place", w.shown(""))
	default:
		return refuse("which cannot be followed: %v", cause(err))
	}
	if info.IsDir() {
		for above := f; above != nil; above = above.parent {
			if os.SameFile(above.info, info) {
				return refuse("a folder that it lies in itself: following it would never end")
			}
		}
	}
	return info, nil
}

// readFiles reads some files of a folder.
func (w *worker) readFiles(j job) {
	for i := j.first; i < j.end; i++ {
		w.readFile(j.folder, i, j.end-j.first == 1)
	}
}

// readFile reads a file of a skill: its digest, and what its bytes look like. A
// large one becomes a job of its own first.
func (w *worker) readFile(f *folder, i int, own bool) {
	if w.ctx.Err() != nil {
		return
	}
	fl := &f.files[i]
	filePath := joinPath(f.path, fl.name)
	switch {
	case fl.info.Size() > longestFile:
		w.reportPath(f, filePath, "unreadable", "the file has %s and was not read: a skill has at most %s in all", counted(fl.info.Size(), "byte"), number(manifest.MaxBytes))
		return
	case fl.info.Size() >= largeFile && !own:
		f.uses.Add(1)
		w.queue.push(job{f, i, i + 1})
		return
	}
	root, name := f.root, fl.name
	if fl.link {
		root, name = w.root, filePath
	}
	open, info, err := openSame(root, name, fl.info)
	fl.info = nil
	if err != nil {
		w.reportError(f, filePath, "file", err)
		return
	}
	defer open.Close()
	keep := 0
	if f.isSkill && fl.name == manifest.SkillFile {
		keep = longestText
	}
	digest, err := w.reader.read(w.ctx, open, info, keep)
	if err != nil {
		w.reportError(f, filePath, "file", err)
		return
	}
	fl.size, fl.digest, fl.read = info.Size(), digest, true
	w.checkContent(f, fl, filePath)
}
