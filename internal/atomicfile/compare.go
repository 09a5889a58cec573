package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"time"
)

// Compare reports whether the file at path holds exactly what write writes, or
// is missing. It reads and writes side by side, in bounded memory, and stops
// write at the first difference with an error of its own, which write should
// hand back. The error is write's, or says why the file cannot be read.
func Compare(path string, write func(io.Writer) error) (same, missing bool, err error) {
	info, missing, err := compare(path, write)
	return info != nil, missing, err
}

// SameButLineEnds reports whether the file at path holds what write writes once
// its CRLF line ends are LF, which is what a checkout on Windows makes of it. A
// file that cannot be read is not the same.
func SameButLineEnds(path string, write func(io.Writer) error) bool {
	same, _, err := compareThrough(path, write, func(r io.Reader) io.Reader { return &lfReader{r: bufio.NewReader(r)} })
	return err == nil && same != nil
}

// lfReader reads a text with LF in place of CRLF.
type lfReader struct{ r *bufio.Reader }

func (l *lfReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		b, err := l.r.ReadByte()
		if err != nil {
			return n, err
		}
		if b == '\r' {
			if next, _ := l.r.Peek(1); len(next) == 1 && next[0] == '\n' {
				continue
			}
		}
		p[n] = b
		n++
	}
	return n, nil
}

// compare is [Compare]; it returns the file when it is the same, else nil.
func compare(path string, write func(io.Writer) error) (same fs.FileInfo, missing bool, err error) {
	return compareThrough(path, write, func(r io.Reader) io.Reader { return r })
}

// compareThrough compares what a filter makes of the file.
func compareThrough(path string, write func(io.Writer) error, filter func(io.Reader) io.Reader) (same fs.FileInfo, missing bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("%s cannot be compared: it is no regular file", path)
	}
	var f *os.File
	err = whileBusy(runtime.GOOS, time.Sleep, func() (err error) { // another run may just replace it
		f, err = os.OpenFile(path, os.O_RDONLY|NonBlock, 0)
		return err
	})
	if err == nil {
		defer f.Close()
		info, err = f.Stat()
	}
	if err != nil {
		return nil, false, outputError(path, "read", err)
	}
	c := comparer{r: bufio.NewReaderSize(filter(f), 64<<10)}
	err = write(&c)
	switch {
	case c.err != nil:
		return nil, false, outputError(path, "read", c.err)
	case c.differs:
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	_, err = c.r.ReadByte()
	if err != nil && err != io.EOF {
		return nil, false, outputError(path, "read", err)
	}
	if err == nil {
		return nil, false, nil
	}
	return info, false, nil
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
