package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Commit puts every staged output in its place and returns the paths of those
// that changed. Each file is replaced by a rename, so that a crash leaves the old
// or the new one. When one cannot be replaced, those before it are put back; the
// error names any for which that failed, and ctx's own error means that nothing
// was replaced.
//
// Of several runs that replace the same files one commits after the other, so
// that what is there in the end is all from one of them. An output that needed
// no change when it was staged is written after all when another run has
// replaced it since.
func (o *Outputs) Commit(ctx context.Context) (changed []string, err error) {
	defer o.Abort()
	for _, s := range o.staged {
		if s.direct != nil {
			if err := s.direct(); err != nil {
				return changed, err
			}
			changed = append(changed, s.path)
		}
	}
	unlock, err := lockFolders(ctx, o.folders())
	if err != nil {
		return changed, err
	}
	defer unlock()
	if err := o.restage(ctx); err != nil {
		return changed, err
	}
	var done []replaced
	for i := range o.staged {
		s := &o.staged[i]
		if s.temp == nil {
			continue
		}
		one, err := s.replace()
		if err != nil {
			return changed, takeBack(outputError(s.path, "written", err), done)
		}
		done = append(done, one)
	}
	for _, one := range done {
		one.forget()
		changed = append(changed, one.path)
	}
	return changed, nil
}

// folders returns those of the files that may be replaced.
func (o *Outputs) folders() []string {
	var dirs []string
	for _, s := range o.staged {
		if s.direct == nil {
			dirs = append(dirs, filepath.Dir(s.target))
		}
	}
	return dirs
}

// restage stages those outputs again that were as they should be and are no
// longer: another run has replaced them.
func (o *Outputs) restage(ctx context.Context) error {
	for i, s := range o.staged {
		if s.temp != nil || s.direct != nil {
			continue
		}
		now, err := os.Stat(s.target)
		if err == nil && os.SameFile(now, s.same) && now.Size() == s.same.Size() && now.ModTime().Equal(s.same.ModTime()) {
			continue
		}
		again, err := stage(ctx, s.path, s.produce)
		if err != nil {
			return err
		}
		o.staged[i] = again
	}
	return nil
}

// replaced is an output in its place, and the way back.
type replaced struct {
	path, target string
	old          string // another name of the file that was replaced, or "" when there is none
	isNew        bool   // no file was replaced
}

// replace gives the temporary file its name.
func (s *staged) replace() (replaced, error) {
	done := replaced{path: s.path, target: s.target}
	if _, err := os.Lstat(s.target); errors.Is(err, fs.ErrNotExist) {
		done.isNew = true
	} else {
		done.old = keep(s.target)
	}
	if runtime.GOOS == "windows" { // which renames no open file
		s.temp.Close()
	}
	err := whileBusy(runtime.GOOS, time.Sleep, func() error { return os.Rename(s.temp.Name(), s.target) })
	if err != nil {
		done.forget()
		return done, err
	}
	s.temp.Close() // and with that the lock
	s.temp = nil
	return done, nil
}

// keep gives a file that is about to be replaced a second name, beside its own.
// It returns "" where a file can have but one.
func keep(target string) string {
	for range 100 {
		name := filepath.Join(filepath.Dir(target), tempName())
		if err := os.Link(target, name); err == nil {
			return name
		} else if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return ""
}

// forget gives up the way back.
func (r replaced) forget() {
	if r.old != "" {
		_ = os.Remove(r.old) // the next run removes it
	}
}

// takeBack undoes replacements, the last one first, and adds to the error which
// it could not undo.
func takeBack(err error, done []replaced) error {
	var left []string
	for _, r := range slices.Backward(done) {
		undone := errors.New("the old file has no second name")
		switch {
		case r.isNew:
			undone = os.Remove(r.target)
		case r.old != "":
			undone = whileBusy(runtime.GOOS, time.Sleep, func() error { return os.Rename(r.old, r.target) })
		}
		if undone != nil {
			left = append(left, r.path)
		}
	}
	if len(left) > 0 {
		slices.Reverse(left)
		return fmt.Errorf("%w (already written: %s)", err, strings.Join(left, ", "))
	}
	return err
}

// busyErrors are those of a call that may well succeed a moment later, by
// runtime.GOOS. On Windows a file cannot be replaced while an editor or a virus
// scanner has it open, nor opened while it is replaced.
var busyErrors = map[string][]syscall.Errno{
	"windows": {
		5,  // ERROR_ACCESS_DENIED
		32, // ERROR_SHARING_VIOLATION
		33, // ERROR_LOCK_VIOLATION
	},
}

// busyPatience is how long a file may be in use before that is an error.
const busyPatience = 2 * time.Second

// whileBusy repeats a call that fails because a file is in use, for as long as
// busyPatience.
func whileBusy(goos string, sleep func(time.Duration), call func() error) error {
	for waited, pause := time.Duration(0), time.Millisecond; ; pause *= 2 {
		err := call()
		busy := slices.ContainsFunc(busyErrors[goos], func(code syscall.Errno) bool { return errors.Is(err, code) })
		if !busy || waited >= busyPatience {
			return err
		}
		pause = min(pause, busyPatience-waited)
		sleep(pause)
		waited += pause
	}
}
