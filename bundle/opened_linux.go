package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// openTop opens the directory itself for the walk. Symlinks are followed by an
// [os.Root] only; a walk that follows none needs half of its system calls.
func openTop(root *os.Root, o Options) (opened, fs.FileInfo, error) {
	if o.FollowSymlinks {
		return openRootTop(root)
	}
	dir, err := root.OpenFile(".", os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, nil, err
	}
	return &fdFolder{int(dir.Fd()), dir}, nil, nil
}

// fdFolder opens one name after the other below a descriptor, and never follows a
// symlink: that is how an [os.Root] makes sure that nothing leads out of it. The
// kernel tells the type of an entry with its name, so that no entry needs a look.
type fdFolder struct {
	fd  int
	dir *os.File // that fd belongs to, or nil
}

// openBelow opens a name, which must not be that of a symlink.
func openBelow(fd int, name string, flags int) (int, error) {
	for {
		below, err := syscall.Openat(fd, name, flags|syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err != syscall.EINTR {
			return below, err
		}
	}
}

func (d *fdFolder) folder(path string, _ fs.FileInfo) (opened, fs.FileInfo, error) {
	fd := d.fd
	for name := range strings.SplitSeq(path, "/") {
		below, err := openBelow(fd, name, syscall.O_DIRECTORY)
		if fd != d.fd {
			syscall.Close(fd)
		}
		if err == syscall.ELOOP || err == syscall.ENOTDIR {
			err = errChanged("another entry took its place")
		}
		if err != nil {
			return nil, nil, err
		}
		fd = below
	}
	return &fdFolder{fd: fd}, nil, nil
}

// Offsets in a record of a listing (struct linux_dirent64).
const (
	recordLength = 16
	recordType   = 18
	recordName   = 19
)

// entryTypes are the types of entries by the numbers that the kernel has for them.
var entryTypes = map[byte]fs.FileMode{
	syscall.DT_REG: 0, syscall.DT_DIR: fs.ModeDir, syscall.DT_LNK: fs.ModeSymlink, syscall.DT_FIFO: fs.ModeNamedPipe,
	syscall.DT_SOCK: fs.ModeSocket, syscall.DT_CHR: fs.ModeDevice | fs.ModeCharDevice, syscall.DT_BLK: fs.ModeDevice,
}

func (d *fdFolder) list(buffer []byte, count func(int) error) ([]entry, error) {
	var all []entry
	for {
		n, err := syscall.ReadDirent(d.fd, buffer)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return all, nil
		}
		before := len(all)
		for rest := buffer[:n]; len(rest) > recordName; {
			length := int(binary.NativeEndian.Uint16(rest[recordLength:]))
			if length <= recordName || length > len(rest) {
				return nil, errors.New("the system lists it in a form that is not known")
			}
			name, _, _ := bytes.Cut(rest[recordName:length], []byte{0})
			kind := rest[recordType]
			rest = rest[length:]
			if string(name) == "." || string(name) == ".." {
				continue
			}
			e := entry{name: string(name)}
			var known bool
			if e.mode, known = entryTypes[kind]; !known {
				if e.mode, err = d.typeOf(e.name); errors.Is(err, fs.ErrNotExist) {
					continue
				} else if err != nil {
					return nil, err
				}
			}
			all = append(all, e)
		}
		if err := count(len(all) - before); err != nil {
			return nil, err
		}
	}
}

// typeOf returns the type of an entry on a file system that does not list it.
func (d *fdFolder) typeOf(name string) (fs.FileMode, error) {
	const openPath = 0x200000 // O_PATH: opens nothing but the name
	fd, err := openBelow(d.fd, name, openPath)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := fstat(fd, &stat); err != nil {
		return 0, err
	}
	mode, known := entryTypes[byte(stat.Mode&syscall.S_IFMT>>12)]
	if !known {
		mode = fs.ModeIrregular
	}
	return mode, nil
}

func (d *fdFolder) file(path string, _ fs.FileInfo) (source, snapshot, error) {
	fd, err := openBelow(d.fd, path, 0)
	switch {
	case err == syscall.ENOENT:
		err = errChanged("it was removed")
	case err == syscall.ELOOP || err == syscall.ENXIO:
		err = errChanged("another file took its place")
	}
	if err != nil {
		return nil, snapshot{}, err
	}
	var stat syscall.Stat_t
	if err = fstat(fd, &stat); err == nil && stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = errChanged("another file took its place")
	}
	if err != nil {
		syscall.Close(fd)
		return nil, snapshot{}, err
	}
	return fdFile(fd), snapshotOfStat(&stat), nil
}

func (d *fdFolder) Close() error {
	if d.dir != nil {
		return d.dir.Close()
	}
	return syscall.Close(d.fd)
}

func fstat(fd int, stat *syscall.Stat_t) error {
	for {
		if err := syscall.Fstat(fd, stat); err != syscall.EINTR {
			return err
		}
	}
}

func snapshotOfStat(stat *syscall.Stat_t) snapshot {
	return snapshot{stat.Size, time.Unix(stat.Mtim.Unix())}
}

// fdFile is an open regular file.
type fdFile int

func (f fdFile) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(f), p)
		switch {
		case err == syscall.EINTR:
		case err != nil: // EAGAIN included: the bytes of a true file are never waited for
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (f fdFile) snapshot() (snapshot, error) {
	var stat syscall.Stat_t
	err := fstat(int(f), &stat)
	return snapshotOfStat(&stat), err
}

func (f fdFile) Close() error { return syscall.Close(int(f)) }
