//go:build unix

package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// killed is a folder whose outputs are built in turn from two states of the
// skills, by runs that may be killed.
type killed struct {
	dir    string
	states [2]string    // contents of skills/a/x
	want   [2][2]string // the manifest and the Go file of each state
}

func newKilled(t *testing.T) *killed {
	t.Helper()
	k := &killed{dir: newTree(t), states: [2]string{strings.Repeat("one ", 50_000), strings.Repeat("two ", 60_000)}}
	if err := os.Mkdir(filepath.Join(k.dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range k.states {
		k.set(t, i)
		if o := skillpack(t, k.dir, buildOut()...); o.status != 0 {
			t.Fatal(o)
		}
		k.want[i] = k.outputs(t)
	}
	return k
}

func (k *killed) set(t *testing.T, state int) { put(t, k.dir, "skills/a/x", k.states[state]) }

func (k *killed) outputs(t *testing.T) [2]string {
	return [2]string{contentOf(t, filepath.Join(k.dir, "out/m.json")), contentOf(t, filepath.Join(k.dir, "out/g.go"))}
}

// check holds the outputs after a run that was killed: each is the whole old or
// the whole new one, and the next run succeeds and leaves nothing but them.
func (k *killed) check(t *testing.T, state int, when string) {
	t.Helper()
	for i, got := range k.outputs(t) {
		if got != k.want[0][i] && got != k.want[1][i] {
			t.Fatalf("killed %s: output %d is neither the old nor the new one, with %d bytes", when, i, len(got))
		}
	}
	left := len(leftovers(t, k.dir))
	if o := skillpack(t, k.dir, buildOut()...); o.status != 0 {
		t.Fatalf("killed %s, the next run: %v", when, o)
	}
	if k.outputs(t) != k.want[state] {
		t.Errorf("killed %s: the next run's outputs are wrong", when)
	}
	if still := leftovers(t, k.dir); len(still) > 0 {
		t.Errorf("killed %s, which left %d: still there are %q", when, left, still)
	}
}

// TestKilledAnywhere kills builds after a random time.
func TestKilledAnywhere(t *testing.T) {
	testfiles.Slow(t, "runs some hundred processes")
	k := newKilled(t)
	start := time.Now()
	k.set(t, 0)
	if o := skillpack(t, k.dir, buildOut()...); o.status != 0 {
		t.Fatal(o)
	}
	usual := time.Since(start)
	const rounds = 30
	ended := 0
	for round := range rounds {
		state := (round + 1) % 2
		k.set(t, state)
		cmd := command(t, k.dir, "skillpack", buildOut()...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		delay := rand.N(usual + usual/4)
		time.Sleep(delay)
		_ = cmd.Process.Kill() // it may have ended
		if cmd.Wait() == nil {
			ended++
		}
		k.check(t, state, fmt.Sprint("after ", delay))
	}
	if ended == rounds {
		t.Errorf("all %d runs ended before they were killed", rounds)
	}
}

// TestKilledAtCalls kills builds at each system call that makes, fills, locks,
// names or removes a file, in turn: the first one of a kind, the second, and so
// on, until the run has no further one.
func TestKilledAtCalls(t *testing.T) {
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "-e", "inject=getppid:signal=KILL", "true").Run(); err != nil {
		t.Skip("strace cannot be run here:", err)
	}
	testfiles.Slow(t, "runs some hundred processes")
	for _, call := range []string{"flock", "fsync", "fchmod", "linkat", "renameat", "unlinkat", "getdents64"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			k := newKilled(t)
			k.set(t, 0)
			if o := skillpack(t, k.dir, buildOut()...); o.status != 0 {
				t.Fatal(o)
			}
			const most = 40
			kills := 0
			for n := 1; ; n++ {
				if n > most {
					t.Fatalf("the run makes over %d calls of %s", most, call)
				}
				k.set(t, 1)
				path, err := program()
				if err != nil {
					t.Fatal(err)
				}
				// All calls are counted together only with one thread to make them.
				args := append([]string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n), path}, buildOut()...)
				cmd := command(t, k.dir, "strace", args...)
				cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
				err = cmd.Run()
				status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
				if err == nil {
					break // it has fewer
				}
				if !status.Signaled() || status.Signal() != syscall.SIGKILL {
					t.Fatalf("strace: %v", err)
				}
				kills++
				k.check(t, 1, fmt.Sprintf("at %s number %d", call, n))
				k.set(t, 0)
				if o := skillpack(t, k.dir, buildOut()...); o.status != 0 {
					t.Fatal(o)
				}
			}
			if kills == 0 {
				t.Errorf("the run makes no call of %s", call)
			}
			t.Logf("killed at %d calls", kills)
		})
	}
}

// TestKilledPipe: a run whose stdout is closed before all is written replaces
// nothing, and what it leaves the next run removes.
func TestKilledPipe(t *testing.T) {
	k := newKilled(t)
	k.set(t, 0)
	before := k.outputs(t)
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	// The Go file, which goes to stdout, is more than a pipe holds.
	cmd := command(t, k.dir, "sh", "-c", `{ "$0" build --manifest out/m.json --go - --package p --embed inline skills 2>err; echo $? >status; } | head -c 1`, path)
	if out, err := cmd.Output(); err != nil || len(out) != 1 {
		t.Fatalf("%q, %v", out, err)
	}
	if got := k.outputs(t); got != before {
		t.Error("an output was replaced")
	}
	if status := strings.TrimSpace(contentOf(t, filepath.Join(k.dir, "status"))); status == "0" {
		t.Error("a run whose output nobody took ended with 0")
	}
	k.check(t, 0, "by a closed pipe")
}

// TestInterrupted: SIGINT and SIGTERM end a build with status 2, in the middle of
// what it does, and nothing is left behind.
func TestInterrupted(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(fmt.Sprint(signal), func(t *testing.T) {
			t.Parallel()
			k := newKilled(t)
			k.set(t, 0)
			before := k.outputs(t)
			// A pipe that is read and yet full holds the run up before it commits.
			if err := syscall.Mkfifo(filepath.Join(k.dir, "pipe"), 0o666); err != nil {
				t.Fatal(err)
			}
			reader, err := os.OpenFile(filepath.Join(k.dir, "pipe"), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			cmd := command(t, k.dir, "skillpack", "build", "--manifest", "out/m.json", "--go", "pipe.go", "--package", "p", "--embed", "inline")
			if err := os.Symlink("pipe", filepath.Join(k.dir, "pipe.go")); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for start := time.Now(); len(leftovers(t, k.dir)) == 0 && time.Since(start) < patience/2; {
				time.Sleep(time.Millisecond)
			}
			if len(leftovers(t, k.dir)) == 0 {
				t.Error("no output was staged")
			}
			time.Sleep(100 * time.Millisecond)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // its status is looked at
			if got := cmd.ProcessState.ExitCode(); got != 2 {
				t.Errorf("exit status %d, want 2", got)
			}
			if k.outputs(t) != before {
				t.Error("an output was replaced")
			}
			if left := leftovers(t, k.dir); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}
