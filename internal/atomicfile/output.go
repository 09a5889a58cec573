package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Outputs is a set of files that are replaced together: first every one is
// staged, then all are committed. Until then nothing a reader can see has
// changed. The zero Outputs is ready for use.
type Outputs struct {
	staged []staged
}

// staged is one output between Stage and Commit.
type staged struct {
	path    string // as the caller named it
	target  string // the file to replace: path with its symlinks followed
	produce func(io.Writer) error
	direct  func() error // writes into what cannot be replaced, else nil
	temp    *os.File     // the complete new content; nil when nothing is to be replaced
	same    fs.FileInfo  // the target, which is as it should be; nil when it is not
}

// Stage prepares the output at path. It calls write to compare what it writes
// with the file on disk, up to the first difference, and, when there is one, a
// second time to write a temporary file beside it; write must write the same
// bytes each time. It reports whether Commit will change the file: a file with
// this very content is not touched, not even its modification time.
//
// A symlink stays, and the file it leads to is replaced; an existing file keeps
// its permissions, a new one gets 0644 less the umask. What is neither a file
// nor a folder (a pipe, /dev/null) is written into when it is committed. The
// error names the path and says why it cannot be written; it is ctx's own when
// ctx ended, and write's own when write failed. Nothing is left behind then.
func (o *Outputs) Stage(ctx context.Context, path string, write func(io.Writer) error) (changed bool, err error) {
	produce := func(w io.Writer) error {
		if err := write(contextWriter{ctx, w}); err != nil {
			return err
		}
		return ctx.Err()
	}
	next, err := stage(ctx, path, produce)
	if err != nil {
		return false, err
	}
	for _, s := range o.staged {
		if s.target == next.target {
			next.abort()
			return false, fmt.Errorf("%s and %s are the same file: give each output a file of its own", s.path, path)
		}
	}
	o.staged = append(o.staged, next)
	return next.same == nil, nil
}

// stage prepares one output, of which produce makes the content.
func stage(ctx context.Context, path string, produce func(io.Writer) error) (staged, error) {
	next := staged{path: path, produce: produce}
	var old fs.FileInfo
	var err error
	if next.target, old, err = Target(path); err != nil {
		return next, err
	}
	if old != nil && !old.Mode().IsRegular() {
		next.direct = func() error { return writeDirect(ctx, path, produce) }
		return next, nil
	}
	folder := dirFolder(filepath.Dir(next.target))
	if unlock, ok := tryLockFolder(string(folder)); ok {
		removeLeftovers(folder)
		unlock()
	}
	if next.same, _, err = compare(path, produce); err == nil && next.same == nil {
		next.temp, err = writeTemp(path, next.target, old, produce)
	}
	return next, err
}

// abort removes what was staged.
func (s *staged) abort() {
	if s.temp == nil {
		return
	}
	if runtime.GOOS == "windows" { // which removes no open file
		s.temp.Close()
	}
	_ = os.Remove(s.temp.Name()) // the next run removes it
	s.temp.Close()
	s.temp = nil
}

// Abort removes what was staged and not committed. It is harmless after Commit.
func (o *Outputs) Abort() {
	for i := range o.staged {
		o.staged[i].abort()
	}
	o.staged = nil
}

// Write writes one file as [Outputs] does and reports whether it changed.
func Write(path string, write func(io.Writer) error) (changed bool, err error) {
	var o Outputs
	if changed, err = o.Stage(context.Background(), path, write); err != nil {
		return false, err
	}
	_, err = o.Commit(context.Background())
	return changed && err == nil, err
}

// contextWriter fails once its context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c contextWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// Target follows the symlinks of an output's path. The info is nil when
// there is no file yet.
func Target(path string) (target string, info fs.FileInfo, err error) {
	if path == "" {
		return "", nil, errors.New("the path of an output is empty: name a file")
	}
	target = path
	for range 40 { // as many links as the system itself would follow
		dir, err := filepath.EvalSymlinks(filepath.Dir(target))
		if err != nil {
			return "", nil, outputError(path, "written", err)
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return "", nil, outputError(path, "written", err)
		}
		if os.IsPathSeparator(target[len(target)-1]) {
			return "", nil, fmt.Errorf("%s cannot be written: it names a folder; add a file name", path)
		}
		target = filepath.Join(dir, filepath.Base(target))
		info, err = os.Lstat(target)
		if errors.Is(err, fs.ErrNotExist) {
			return target, nil, nil
		}
		if err != nil {
			return "", nil, outputError(path, "written", err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return target, info, checkTarget(path, info)
		}
		link, err := os.Readlink(target)
		if err != nil {
			return "", nil, outputError(path, "written", err)
		}
		// The link of an open pipe (/dev/stdout) leads to no path at all.
		if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
			return target, info, checkTarget(path, info)
		}
		if !filepath.IsAbs(link) {
			link = dir + string(filepath.Separator) + link
		}
		target = link
	}
	return "", nil, fmt.Errorf("%s cannot be written: it is a loop of symlinks", path)
}

// checkTarget returns an error for an existing output that must not be replaced.
func checkTarget(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s cannot be written: it is a folder; name a file", path)
	case info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s cannot be written: the file is read-only; make it writable (chmod u+w) or name another", path)
	}
	return nil
}

// writeTemp writes the new content beside the target and returns the file, still
// open. Nothing is left of it on an error, or when write panics.
func writeTemp(path, target string, old fs.FileInfo, write func(io.Writer) error) (*os.File, error) {
	f, _, err := createTemp(dirFolder(filepath.Dir(target)))
	if err != nil {
		return nil, outputError(path, "written", err)
	}
	temp := staged{temp: f}
	complete := false
	defer func() {
		if !complete {
			temp.abort()
		}
	}()
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return nil, outputError(path, "written", err)
		}
	}
	out := outputWriter{f: f}
	if err := write(&out); out.err != nil {
		return nil, outputError(path, "written", out.err)
	} else if err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, outputError(path, "written", err)
	}
	complete = true
	return f, nil
}

// readerPatience is how long a pipe may be without a reader. Tests shorten it.
var readerPatience = 5 * time.Second

// writeDirect writes into what is no regular file and so cannot be replaced. A
// pipe is waited for until somebody reads it, but neither for ever nor beyond
// the end of ctx.
func writeDirect(ctx context.Context, path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|NonBlock, 0)
	for start := time.Now(); isUnread(path, err); f, err = os.OpenFile(path, os.O_WRONLY|NonBlock, 0) {
		if time.Since(start) > readerPatience {
			return fmt.Errorf("%s cannot be written: it is a pipe that nobody reads; start its reader, or name a file", path)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err != nil {
		return outputError(path, "written", err)
	}
	// It has an effect on what is waited for, as a full pipe is, and nothing else.
	defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(1, 0)) })()
	out := outputWriter{f: f}
	err = write(&out)
	closeErr := f.Close()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case out.err != nil:
		return outputError(path, "written", out.err)
	case err == nil && closeErr != nil:
		return outputError(path, "written", closeErr)
	}
	return err
}

// isUnread reports whether a pipe could not be opened because nobody reads it.
func isUnread(path string, err error) bool {
	if !errors.Is(err, syscall.ENXIO) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}

// outputWriter keeps the error of writing apart from those of what is written.
type outputWriter struct {
	f   *os.File
	err error
}

func (w *outputWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// outputError says what hinders an output from being read or written, and what
// to do about it.
func outputError(path, done string, err error) error {
	reason := Cause(err) // without a path, which can be that of the temporary file
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(filepath.Dir(path)): // Windows says it of bad names, too
		return fmt.Errorf("%s cannot be %s: the folder %s does not exist; create it first", path, done, filepath.Dir(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be %s: %w; change the permissions of the file and its folder, or name another file", path, done, reason)
	}
	return fmt.Errorf("%s cannot be %s: %w", path, done, reason)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
