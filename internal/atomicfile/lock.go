package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// lockPatience is how long a run waits for another that replaces files in the
// same folder, which is a matter of milliseconds.
const lockPatience = 30 * time.Second

// errLocked is the error of locking what another has locked. Any other error
// of [tryLock] means that there are no locks here.
var errLocked = errors.New("it is locked")

// lockFolders keeps other runs from replacing files in the folders until unlock
// is called. A folder that cannot be locked, as on some network file systems, is
// left unlocked. The error is ctx's own, or says that another run does not end.
func lockFolders(ctx context.Context, dirs []string) (unlock func(), err error) {
	var open []*os.File
	unlock = func() {
		for _, f := range open {
			unlockFolder(f)
		}
	}
	// All runs lock in one order, so that no two wait for each other.
	for _, dir := range slices.Compact(slices.Sorted(slices.Values(dirs))) {
		f, err := openFolderLock(dir)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		if err != nil || slices.ContainsFunc(open, func(other *os.File) bool {
			info2, err := other.Stat()
			return err == nil && os.SameFile(info, info2) // by another name
		}) {
			f.Close()
			continue
		}
		switch err := waitForLock(ctx, f); {
		case err == nil:
			open = append(open, f)
		case errors.Is(err, errLocked):
			f.Close()
			unlock()
			return nil, fmt.Errorf("another run has been replacing files in %s for %v: wait for it, or end it", dir, lockPatience)
		case ctx.Err() != nil:
			f.Close()
			unlock()
			return nil, ctx.Err()
		default:
			f.Close()
		}
	}
	return unlock, nil
}

// waitForLock locks an open file. The error is that of the last try, or of ctx.
func waitForLock(ctx context.Context, f *os.File) error {
	start, pause := time.Now(), time.Millisecond
	for {
		err := tryLock(f)
		if !errors.Is(err, errLocked) || time.Since(start) > lockPatience {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
}

// tryLockFolder locks a folder unless another run has locked it, or it cannot be
// locked.
func tryLockFolder(dir string) (unlock func(), ok bool) {
	f, err := openFolderLock(dir)
	if err != nil {
		return nil, false
	}
	if err := tryLock(f); err != nil {
		f.Close()
		return nil, false
	}
	return func() { unlockFolder(f) }, true
}
