package bundle

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// longestFile is the size up to which a file is read at all, in bytes. A skill
// may have a fraction of it; a sparse file can claim to have any number.
const longestFile = 1 << 30

// bufferSize is how much of a file is in memory at a time, in bytes.
const bufferSize = 256 << 10

// errChanged is the error of reading a file that is no longer what it was.
type errChanged string

func (e errChanged) Error() string { return string(e) }

// openRegular opens a path that leads to a regular file, symlinks on the way
// followed within root. Anything else is not opened.
func openRegular(root *os.Root, path string) (*os.File, error) {
	before, err := root.Stat(path)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s, not a file", kindOf(before.Mode()))
	}
	f, _, err := openSame(root, path, before)
	return f, err
}

// readPatience is how long the bytes of a file may be waited for. Those of a true
// file are never: it is one that a file system makes up, and would wait for ever.
const readPatience = 10 * time.Second

// openSame opens a file that was looked at before. It returns an [errChanged]
// when another has taken its place.
func openSame(root *os.Root, path string, before fs.FileInfo) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(path, os.O_RDONLY|atomicfile.NonBlock, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errChanged("it was removed")
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !(info.Mode().IsRegular() && stillSame(root, path, before, info)) {
		err = errChanged("another file took its place")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	_ = f.SetReadDeadline(time.Now().Add(readPatience)) // a true file has none
	return f, info, nil
}

// stillSame reports whether what was opened is what was looked at before. There
// are file systems whose listings number their files otherwise than open files
// are numbered; what counts then is that the name, which must not be that of a
// symlink, still leads to what was opened.
func stillSame(root *os.Root, path string, before, opened fs.FileInfo) bool {
	if os.SameFile(before, opened) {
		return true
	}
	now, err := root.Lstat(path)
	return err == nil && os.SameFile(now, opened)
}

// reader hashes one file after the other, with one buffer.
type reader struct {
	buffer  []byte
	hash    hash.Hash
	content content
}

func newReader() *reader {
	return &reader{buffer: make([]byte, bufferSize), hash: sha256.New()}
}

// read reads an open file to its end and returns its digest. What the bytes
// look like is then in r.content, and their start in r.content.text, as far as
// keep says. It returns an [errChanged] when the file has not the size or
// not the modification time any more that it had before.
func (r *reader) read(ctx context.Context, f source, before snapshot, keep keep) (manifest.Digest, error) {
	r.hash.Reset()
	r.content.reset(keep)
	size := before.size
	var n int64
	// A file of no bytes is read as well: there are file systems that say so of
	// files they make up.
	for n < size || n == 0 {
		if err := ctx.Err(); err != nil {
			return manifest.Digest{}, err
		}
		k, err := f.Read(r.buffer)
		r.hash.Write(r.buffer[:k])
		r.content.add(r.buffer[:k])
		n += int64(k)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return manifest.Digest{}, err
		}
	}
	after, err := f.snapshot()
	switch {
	case err != nil:
		return manifest.Digest{}, err
	case n > size || after.size > size:
		return manifest.Digest{}, errChanged(fmt.Sprintf("it had %s and grew", message.Counted(size, "byte")))
	case n != size || after.size != size:
		return manifest.Digest{}, errChanged(fmt.Sprintf("it had %s and has %s", message.Counted(size, "byte"), message.Number(min(n, after.size))))
	case !after.modified.Equal(before.modified):
		return manifest.Digest{}, errChanged("it was written to")
	}
	r.content.hidden.End()
	return manifest.Digest(r.hash.Sum(nil)), nil
}

// verifier is a file that fails at its end when it is not the listed one.
type verifier struct {
	file  *os.File
	hash  hash.Hash
	want  manifest.Resource
	shown string
	n     int64
	err   error
}

func newVerifier(f *os.File, want manifest.Resource, shown string) *verifier {
	return &verifier{file: f, hash: sha256.New(), want: want, shown: shown}
}

// Read reads the file; the error of a changed file takes the place of io.EOF.
func (v *verifier) Read(p []byte) (int, error) {
	if v.err != nil {
		return 0, v.err
	}
	n, err := v.file.Read(p)
	v.hash.Write(p[:n])
	v.n += int64(n)
	switch {
	case v.n > v.want.Size:
		err = v.changed()
	case errors.Is(err, io.EOF) && (v.n != v.want.Size || manifest.Digest(v.hash.Sum(nil)) != v.want.Digest):
		err = v.changed()
	}
	v.err = err
	return n, err
}

func (v *verifier) changed() error {
	return fmt.Errorf("%s changed since it was read: run the build again", v.shown)
}

// Close closes the file.
func (v *verifier) Close() error { return v.file.Close() }
