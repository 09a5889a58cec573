//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// binary builds skillpack for a test and returns its path.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "skillpack")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	return path
}

// lockedBuffer is a buffer that is read while a process writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// clipped keeps the first MiB of a stream, enough to judge it by. The buffer
// is no embedded field: its ReadFrom would get around the clipping.
type clipped struct {
	kept  bytes.Buffer
	total int
}

func (c *clipped) Write(b []byte) (int, error) {
	c.total += len(b)
	c.kept.Write(b[:min(len(b), max(0, 1<<20-c.kept.Len()))])
	return len(b), nil
}

// String leaves out a character that the clipping halved.
func (c *clipped) String() string {
	s := c.kept.String()
	for i := 0; c.total > len(s) && i < 3 && !utf8.ValidString(s[max(0, len(s)-4):]); i++ {
		s = s[:len(s)-1]
	}
	return s
}

func (c *clipped) head() string {
	s := c.String()
	return fmt.Sprintf("(%d bytes) %q", c.total, s[:min(len(s), 1500)])
}

// watch follows the greatest resident size of a process in MiB. The kernel's own
// count, in rusage, starts on Linux from the size of the test that forked it: it
// tells nothing below that, where the high-water mark of the process itself, read
// while it runs, takes its place.
func watch(pid int) (peak func(*os.ProcessState) int64) {
	var high atomic.Int64
	done := make(chan bool)
	go func() {
		for {
			b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if _, rest, ok := strings.Cut(string(b), "VmHWM:"); ok {
				kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				high.Store(max(high.Load(), kib>>10))
			}
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func(p *os.ProcessState) int64 {
		close(done)
		usage, ok := p.SysUsage().(*syscall.Rusage)
		switch {
		case !ok:
			return high.Load()
		case runtime.GOOS == "linux":
			var own syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil || usage.Maxrss <= own.Maxrss {
				return high.Load()
			}
		case runtime.GOOS == "darwin":
			return usage.Maxrss >> 20
		}
		return usage.Maxrss >> 10
	}
}

// gone checks that every process that took a lock in dir has ended.
func gone(t *testing.T, dir string) {
	locks, _ := filepath.Glob(filepath.Join(dir, "lock-*"))
	if len(locks) == 0 {
		t.Error("the child never ran")
	}
	for _, path := range locks {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for deadline := time.Now().Add(time.Second); ; time.Sleep(20 * time.Millisecond) {
			if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
				break
			}
			if time.Now().After(deadline) {
				b, _ := os.ReadFile(path)
				t.Errorf("%s, pid %s, outlives lint", filepath.Base(path), b)
				if pid, err := strconv.Atoi(string(b)); err == nil && pid > 1 {
					syscall.Kill(pid, syscall.SIGKILL)
				}
				break
			}
		}
	}
}
