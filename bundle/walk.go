package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/gitattributes"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// mostEntries bounds the files and folders below a directory, mostLinked those of
// them that are reached through symlinks, which can make many out of few.
const (
	mostEntries = 1 << 20
	mostLinked  = 1 << 14
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
	attributes *gitattributes.Dir
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
	return &walk{ctx: ctx, options: o, root: root, ignores: g, attributes: gitattributes.New(o.Dir, readSmall), queue: newQueue(), display: displayPrefix(o.Dir)}
}

// run reads the whole tree. It returns an error when it could not: ctx has
// ended, the directory itself cannot be read, or it holds too much.
func (w *walk) run() error {
	abs, err := filepath.Abs(w.options.Dir)
	if err != nil {
		return fmt.Errorf("cannot find the directory %s: %w", message.Quote(w.options.Dir), err)
	}
	w.base = filepath.Base(abs)
	top, info, err := openTop(w.root, w.options)
	if err != nil {
		return fmt.Errorf("cannot read the directory %s: %w", message.Quote(w.options.Dir), atomicfile.Cause(err))
	}
	w.top = &folder{opened: top, info: info}
	w.top.uses.Add(1) // the walk's own
	w.open.Add(1)
	defer w.closeAll(w.top)
	w.queue.push(job{folder: w.top})
	defer w.attributes.Close()
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
	return w.display + message.Printable(path)
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
		f = f.Of(message.Printable(w.skillPath(in.skill)))
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
		w.reportPath(in, path, "unreadable", "the %s cannot be read: %v; make it readable or exclude it", what, atomicfile.Cause(err))
	default:
		w.reportPath(in, path, "unreadable", "the %s cannot be read: %v", what, atomicfile.Cause(err))
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
			w.queue.stop(fmt.Errorf("cannot read the directory %s: %w", message.Quote(w.options.Dir), atomicfile.Cause(err)))
			return
		}
		w.reportError(j.folder.parent, j.folder.path, "folder", err)
	}
}

// release ends one use of an open folder.
func (w *walk) release(f *folder) {
	if f.uses.Add(-1) == 0 && f.opened != nil {
		w.close(f)
	}
}

func (w *walk) close(f *folder) {
	f.opened.Close()
	f.opened = nil
	w.open.Add(-1)
}

// closeAll closes what is still open when the walk has ended: the directory
// itself, and after a walk that was stopped, any folder.
func (w *walk) closeAll(f *folder) {
	if f.opened != nil {
		w.close(f)
	}
	for _, sub := range f.folders {
		w.closeAll(sub)
	}
}

// openFolder opens a folder through its parent, or by its path when the parent
// is not held open.
func (w *worker) openFolder(f *folder) error {
	if f.parent == nil {
		return nil
	}
	from, name := w.top.opened, f.path
	if f.via != nil {
		defer func() { // last: the folder is opened through it
			w.release(f.via)
			f.via = nil
		}()
		if !f.link {
			from, name = f.via.opened, f.name
		}
	}
	open, info, err := from.folder(name, f.info)
	if err != nil {
		return err
	}
	w.open.Add(1)
	f.opened, f.info = open, nil
	if w.options.FollowSymlinks {
		f.info = info
	}
	return nil
}

// list returns the entries of a folder, sorted by name.
func (w *worker) list(f *folder) ([]entry, error) {
	all, err := f.opened.list(w.reader.buffer, func(n int) error {
		if w.entries.Add(int64(n)) > mostEntries {
			w.queue.stop(fmt.Errorf("%s holds over %s files and folders: name a directory with skills only, or exclude the others", message.Quote(w.options.Dir), message.Number(mostEntries)))
		}
		if f.linked && w.viaLinks.Add(int64(n)) > mostLinked {
			w.queue.stop(fmt.Errorf("%s has over %s files and folders behind symlinks: put copies in their place, or exclude them", message.Quote(w.options.Dir), message.Number(mostLinked)))
		}
		return w.queue.stopped()
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// readFolder reads one folder: its names, and its files if they are part of a
// skill. Its subfolders become jobs.
func (w *worker) readFolder(f *folder) error {
	if err := w.openFolder(f); err != nil {
		return err
	}
	entries, err := w.list(f)
	if err != nil {
		return err
	}
	if f.parent != nil {
		f.skill = f.parent.skill
	}
	if w.holdsSkill(f, entries) {
		f.isSkill, f.skill = true, f
	}
	for _, e := range entries {
		w.classify(f, e)
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
		w.lookForLinkTexts(f)
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
	from, name := f.opened, fl.name
	if fl.link {
		from, name = w.top.opened, filePath
	}
	open, now, err := from.file(name, fl.info)
	if err != nil {
		w.reportError(f, filePath, "file", err)
		return
	}
	defer open.Close()
	switch {
	case now.size > longestFile:
		w.reportPath(f, filePath, "unreadable", "the file has %s and was not read: a skill has at most %s in all", message.Counted(now.size, "byte"), message.Number(manifest.MaxBytes))
		return
	case now.size >= largeFile && !own:
		f.uses.Add(1)
		w.queue.push(job{f, i, i + 1})
		return
	}
	fl.info = nil
	var kept keep
	switch {
	case f.isSkill && fl.name == manifest.SkillFile:
		kept.bytes = longestText
	case isReference(fl.name):
		kept = keep{bytes: longestReference, fenced: true}
	}
	digest, err := w.reader.read(w.ctx, open, now, kept)
	if err != nil {
		w.reportError(f, filePath, "file", err)
		return
	}
	fl.size, fl.digest, fl.read = now.size, digest, true
	w.checkContent(f, fl, filePath)
}
