package bundle

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Temporary files of outputs are named .skillpack-*.tmp and stand in the folder
// of the output. A run that was killed can leave one behind; the walk never
// takes one for a file of a skill, and the next run that writes into the folder
// removes it once it is an hour old.
const (
	tempPrefix = ".skillpack-"
	tempSuffix = ".tmp"
	tempAge    = time.Hour
)

// isTemp reports whether a file name is that of a temporary output.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Outputs is a set of files that are replaced together: first every one is
// staged, then all are committed. Until then nothing a reader can see has
// changed. The zero Outputs is ready for use.
type Outputs struct {
	staged []staged
}

// staged is one output between Stage and Commit.
type staged struct {
	path   string // as the caller named it
	target string // the file to replace: path with its symlinks followed
	temp   string // the complete new content, or "" when there is nothing to rename
	direct func() error
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
	target, old, err := outputTarget(path)
	if err != nil {
		return false, err
	}
	for _, s := range o.staged {
		if s.target == target {
			return false, fmt.Errorf("%s and %s are the same file: give each output a file of its own", s.path, path)
		}
	}
	if old != nil && !old.Mode().IsRegular() {
		o.staged = append(o.staged, staged{path, target, "", func() error { return writeDirect(path, produce) }})
		return true, nil
	}
	same, _, err := Compare(path, produce)
	if err != nil {
		return false, err
	}
	temp := ""
	if !same {
		if temp, err = writeTemp(path, target, old, produce); err != nil {
			return false, err
		}
	}
	o.staged = append(o.staged, staged{path, target, temp, nil})
	return !same, nil
}

// Commit puts every staged output in its place and returns the paths of those
// that changed. Each file is replaced by a rename, so that a crash leaves the old
// or the new one. When a rename fails, which nothing but a change made since
// Stage can cause, the error names the outputs already replaced.
func (o *Outputs) Commit() (changed []string, err error) {
	defer o.Abort()
	for _, s := range o.staged {
		if s.direct != nil {
			if err := s.direct(); err != nil {
				return changed, err
			}
			changed = append(changed, s.path)
		}
	}
	for i, s := range o.staged {
		if s.temp == "" {
			continue
		}
		if err := os.Rename(s.temp, s.target); err != nil {
			err = outputError(s.path, "written", err)
			if len(changed) > 0 {
				err = fmt.Errorf("%w (already written: %s)", err, strings.Join(changed, ", "))
			}
			return changed, err
		}
		o.staged[i].temp = ""
		changed = append(changed, s.path)
	}
	return changed, nil
}

// Abort removes what was staged and not committed. It is harmless after Commit.
func (o *Outputs) Abort() {
	for _, s := range o.staged {
		if s.temp != "" {
			_ = os.Remove(s.temp) // nothing depends on its absence
		}
	}
	o.staged = nil
}

// WriteFile writes one file as [Outputs] does and reports whether it changed.
func WriteFile(path string, write func(io.Writer) error) (changed bool, err error) {
	var o Outputs
	if changed, err = o.Stage(context.Background(), path, write); err != nil {
		return false, err
	}
	_, err = o.Commit()
	return changed && err == nil, err
}

// Compare reports whether the file at path holds exactly what write writes, or
// is missing. It reads and writes side by side, in bounded memory, and stops
// write at the first difference with an error of its own, which write should
// hand back. The error is write's, or says why the file cannot be read.
func Compare(path string, write func(io.Writer) error) (same, missing bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return false, false, fmt.Errorf("%s cannot be compared: it is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return false, false, outputError(path, "read", err)
	}
	defer f.Close()
	c := comparer{r: bufio.NewReaderSize(f, 64<<10)}
	err = write(&c)
	switch {
	case c.err != nil:
		return false, false, outputError(path, "read", c.err)
	case c.differs:
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	_, err = c.r.ReadByte()
	if err != nil && err != io.EOF {
		return false, false, outputError(path, "read", err)
	}
	return err == io.EOF, false, nil
}

// errDiffers ends a comparison.
var errDiffers = errors.New("the content differs")

// comparer compares what is written to it with what r gives.
type comparer struct {
	r       *bufio.Reader
	buf     [32 << 10]byte
	differs bool
	err     error // of reading
}

func (c *comparer) Write(p []byte) (int, error) {
	if c.differs {
		return 0, errDiffers
	}
	for rest := p; len(rest) > 0 && c.err == nil; {
		have := c.buf[:min(len(rest), len(c.buf))]
		n, err := io.ReadFull(c.r, have)
		if err == io.EOF || err == io.ErrUnexpectedEOF || string(have[:n]) != string(rest[:n]) {
			c.differs = true
			return 0, errDiffers
		}
		c.err = err
		rest = rest[n:]
	}
	if c.err != nil {
		return 0, c.err
	}
	return len(p), nil
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

// outputTarget follows the symlinks of an output's path. The info is nil when
// there is no file yet.
func outputTarget(path string) (target string, info fs.FileInfo, err error) {
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

// writeTemp writes the new content beside the target and returns the file's
// name. Nothing is left of it on an error, or when write panics.
func writeTemp(path, target string, old fs.FileInfo, write func(io.Writer) error) (temp string, err error) {
	dir := filepath.Dir(target)
	removeLeftovers(dir)
	f, err := createTemp(func(name string) (*os.File, error) {
		return os.OpenFile(filepath.Join(dir, name), tempFlags, 0o644)
	})
	if err != nil {
		return "", outputError(path, "written", err)
	}
	complete := false
	defer func() {
		if !complete {
			f.Close()
			_ = os.Remove(f.Name()) // the first error is the one to tell
		}
	}()
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return "", outputError(path, "written", err)
		}
	}
	out := outputWriter{f: f}
	if err := write(&out); out.err != nil {
		return "", outputError(path, "written", out.err)
	} else if err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", outputError(path, "written", err)
	}
	if err := f.Close(); err != nil {
		return "", outputError(path, "written", err)
	}
	complete = true
	return f.Name(), nil
}

// tempFlags are those to open a temporary file with.
const tempFlags = os.O_WRONLY | os.O_CREATE | os.O_EXCL

// createTemp opens a temporary file by a name that is not taken.
func createTemp(open func(name string) (*os.File, error)) (*os.File, error) {
	for try := 0; ; try++ {
		f, err := open(fmt.Sprintf("%s%08x%s", tempPrefix, rand.Uint32(), tempSuffix))
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// removeLeftovers removes old temporary files. What cannot be read or removed
// does not hinder the output.
func removeLeftovers(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !isTemp(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > tempAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// writeDirect writes into what is no regular file and so cannot be replaced.
func writeDirect(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return outputError(path, "written", err)
	}
	out := outputWriter{f: f}
	err = write(&out)
	closeErr := f.Close()
	switch {
	case out.err != nil:
		return outputError(path, "written", out.err)
	case err == nil && closeErr != nil:
		return outputError(path, "written", closeErr)
	}
	return err
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
	reason := cause(err) // without a path, which can be that of the temporary file
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be %s: the folder %s does not exist; create it first", path, done, filepath.Dir(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be %s: %w; change the permissions of the file and its folder, or name another file", path, done, reason)
	}
	return fmt.Errorf("%s cannot be %s: %w", path, done, reason)
}
