package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// stageBoth stages the two outputs of a run whose inputs are named.
func stageBoth(t *testing.T, first, second string) *Outputs {
	t.Helper()
	o := new(Outputs)
	for path, text := range map[string]string{"manifest": first, "go": second} {
		if _, err := o.Stage(context.Background(), path, writing(text)); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func commit(t *testing.T, o *Outputs) []string {
	t.Helper()
	changed, err := o.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestCommitsDoNotMix: of two runs the later one decides about every output, also
// about one that it found as it should be.
func TestCommitsDoNotMix(t *testing.T) {
	testfiles.In(t, map[string]string{"manifest": "old", "go": "same"})
	one := stageBoth(t, "one", "same") // leaves "go" as it is
	two := stageBoth(t, "two", "other")
	if got := commit(t, two); len(got) != 2 {
		t.Errorf("the second changed %q", got)
	}
	if got := commit(t, one); len(got) != 2 {
		t.Errorf("the first, which ended later, changed %q", got)
	}
	if m, g := readBack(t, "manifest"), readBack(t, "go"); m != "one" || g != "same" {
		t.Errorf("the outputs are %q and %q", m, g)
	}
	noTemps(t)
}

func TestCommitsSideBySide(t *testing.T) {
	canLock(t)
	testfiles.In(t, map[string]string{"manifest": "0", "go": "0", "d/x": ""})
	for round := range 20 {
		var runs sync.WaitGroup
		for run := range 8 {
			text := fmt.Sprint(round, run)
			o := stageBoth(t, text, text)
			runs.Go(func() {
				if _, err := o.Commit(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		runs.Wait()
		if m, g := readBack(t, "manifest"), readBack(t, "go"); m != g {
			t.Fatalf("the outputs are those of two runs: %q and %q", m, g)
		}
	}
	noTemps(t)
}

// TestCommitWaits: a run that waits for another can be ended, and has then
// replaced nothing.
func TestCommitWaits(t *testing.T) {
	canLock(t)
	testfiles.In(t, map[string]string{"manifest": "old", "go": "old"})
	unlock, err := lockFolders(context.Background(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	o := stageBoth(t, "new", "new")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if changed, err := o.Commit(ctx); !errors.Is(err, context.DeadlineExceeded) || len(changed) > 0 {
		t.Errorf("committed %q, %v", changed, err)
	}
	unlock()
	if readBack(t, "manifest") != "old" || readBack(t, "go") != "old" {
		t.Error("an output was replaced")
	}
	noTemps(t)
}

// TestLockFolders: one folder by two names is locked once, and two runs that name
// two folders in a different order do not wait for each other.
func TestLockFolders(t *testing.T) {
	canLock(t)
	testfiles.In(t, map[string]string{"a/x": "", "b/x": ""})
	testfiles.Link(t, "a", "link")
	free := func(dir string) bool {
		unlock, ok := tryLockFolder(dir)
		if ok {
			unlock()
		}
		return ok
	}
	unlock, err := lockFolders(context.Background(), []string{"link", "a"})
	if err != nil || free("a") || free("link") || !free("b") {
		t.Errorf("%v; with a locked, free are a: %v, link: %v, b: %v", err, free("a"), free("link"), free("b"))
	}
	if unlock(); !free("a") {
		t.Error("a stays locked")
	}
	for _, dirs := range [][]string{{"a", "b", "link"}, {"link", "b", "a"}, {"none", "a"}} {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		var runs sync.WaitGroup
		for range 4 {
			runs.Go(func() {
				for range 20 {
					unlock, err := lockFolders(ctx, dirs)
					if err != nil {
						t.Error(err)
						return
					}
					unlock()
				}
			})
		}
		runs.Wait()
		cancel()
	}
}

// TestWhileBusy holds the renames of Windows against a fake: what is in use is
// tried again for two seconds, and anything else, or anywhere else, is not.
func TestWhileBusy(t *testing.T) {
	inUse := &os.LinkError{Op: "rename", Err: syscall.Errno(32)}
	gone := &os.LinkError{Op: "rename", Err: syscall.Errno(2)}
	for _, c := range []struct {
		name, goos string
		errs       []error // of each try; the last one of all further ones
		tries      int     // 0 for as many as there is time for
		want       error
	}{
		{"at once", "windows", []error{nil}, 1, nil},
		{"in use, then not", "windows", []error{inUse, inUse, nil}, 3, nil},
		{"access denied, then not", "windows", []error{syscall.Errno(5), nil}, 2, nil},
		{"in use for ever", "windows", []error{inUse}, 0, inUse},
		{"in use, then gone", "windows", []error{inUse, gone}, 2, gone},
		{"another fault", "windows", []error{gone}, 1, gone},
		{"not Windows", "linux", []error{inUse}, 1, inUse},
	} {
		tries, slept := 0, time.Duration(0)
		err := whileBusy(c.goos, func(d time.Duration) { slept += d }, func() error {
			tries++
			return c.errs[min(tries, len(c.errs))-1]
		})
		if err != c.want || c.tries > 0 && tries != c.tries || slept > busyPatience || c.tries == 0 && (slept != busyPatience || tries > 100) {
			t.Errorf("%s: %v after %d tries and %v", c.name, err, tries, slept)
		}
	}
}

// TestTakeBackSaysWhatStays: where a file can have but one name, the error says
// what was replaced.
func TestTakeBackSaysWhatStays(t *testing.T) {
	testfiles.In(t, map[string]string{"new": "x", "kept": "new", ".skillpack-1.tmp": "old"})
	err := takeBack(errors.New("no"), []replaced{{path: "a", target: "a"}, {path: "kept", target: "kept", old: ".skillpack-1.tmp"}, {path: "new", target: "new", isNew: true}, {path: "b", target: "b"}})
	if err == nil || err.Error() != "no (already written: a, b)" {
		t.Errorf("got %v", err)
	}
	if err := takeBack(errors.New("no"), []replaced{{path: "a", target: "a"}}); err.Error() != "no (already written: a)" {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat("new"); err == nil || readBack(t, "kept") != "old" {
		t.Error("what could be taken back was not")
	}
}

// TestPipeAsOutput: a pipe is written once it has a reader, and waited for
// neither for ever nor after the end.
func TestPipeAsOutput(t *testing.T) {
	testfiles.In(t, nil)
	if err := testfiles.Pipe("pipe"); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	readerPatience = 200 * time.Millisecond
	t.Cleanup(func() { readerPatience = 5 * time.Second })
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := writeDirect(ctx, "pipe", writing("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no reader: %v", err)
	}
	if err := writeDirect(context.Background(), "pipe", writing("x")); err == nil || !strings.Contains(err.Error(), "a pipe that nobody reads") {
		t.Errorf("no reader for long: %v", err)
	}
	text := strings.Repeat("0123456789", 100_000) // more than a pipe holds
	read := make(chan string)
	go func() {
		time.Sleep(50 * time.Millisecond)
		b, _ := os.ReadFile("pipe")
		read <- string(b)
	}()
	if err := writeDirect(context.Background(), "pipe", writing(text)); err != nil {
		t.Error(err)
	}
	if got := <-read; got != text {
		t.Errorf("read %d bytes, want %d", len(got), len(text))
	}
	// A reader that does not read: the pipe fills up.
	reader, err := os.OpenFile("pipe", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err = writeDirect(ctx, "pipe", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a reader that does not read: %v", err)
	}
}
