package atomicfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// writing returns what writes a text, in pieces.
func writing(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		for rest := s; len(rest) > 0; {
			n := min(len(rest), 1000)
			if _, err := io.WriteString(w, rest[:n]); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	}
}

func readBack(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// noTemps fails when a temporary file is left in the current folder.
func noTemps(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && isTemp(d.Name()) {
			t.Errorf("%s is left behind", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWriteFile(t *testing.T) {
	long := strings.Repeat("0123456789\n", 20_000)
	for _, test := range []struct{ name, old, new string }{
		{"unchanged", long, long},
		{"both empty", "", ""},
		{"emptied", long, ""},
		{"filled", "", long},
		{"longer", long, long + "x"},
		{"shorter", long, long[:len(long)-1]},
		{"first byte", "x" + long[1:], long},
		{"last byte", long, long[:len(long)-1] + "x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			testfiles.In(t, map[string]string{"out": test.old})
			past := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := os.Chtimes("out", past, past); err != nil {
				t.Fatal(err)
			}
			changed, err := Write("out", writing(test.new))
			if err != nil || changed != (test.old != test.new) {
				t.Errorf("changed %v, %v", changed, err)
			}
			if readBack(t, "out") != test.new {
				t.Error("the content is wrong")
			}
			info, err := os.Stat("out")
			if err != nil || info.ModTime().Equal(past) == changed {
				t.Errorf("modified %v, %v", info.ModTime(), err)
			}
			noTemps(t)
		})
	}
}

func TestWriteFileKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	testfiles.In(t, map[string]string{"old": "x"})
	if err := os.Chmod("old", 0o640); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"old": 0o640, "new": 0o644} {
		if _, err := Write(name, writing("y")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode()&^want != 0 || info.Mode()&0o600 != 0o600 {
			t.Errorf("%s has %v, %v", name, info.Mode(), err)
		}
	}
}

func TestWriteFileThroughSymlinks(t *testing.T) {
	testfiles.In(t, map[string]string{"real/target": "old"})
	testfiles.Link(t, "real/target", "direct")
	testfiles.Link(t, "real", "folder")
	testfiles.Link(t, "../direct", "real/back")
	testfiles.Link(t, "real/not-yet", "dangling")
	for name, target := range map[string]string{
		"direct":        "real/target",
		"folder/target": "real/target",
		"folder/back":   "real/target",
		"dangling":      "real/not-yet",
		"folder/new":    "real/new",
	} {
		changed, err := Write(name, writing(name))
		if err != nil || !changed || readBack(t, target) != name {
			t.Errorf("%s: changed %v, %v; %s holds %q", name, changed, err, target, readBack(t, target))
		}
		if changed, err := Write(name, writing(name)); err != nil || changed {
			t.Errorf("%s again: changed %v, %v", name, changed, err)
		}
	}
	for _, name := range []string{"direct", "folder", "dangling"} {
		if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no symlink any more (%v)", name, err)
		}
	}
	noTemps(t)
}

func TestWriteFileRefuses(t *testing.T) {
	testfiles.In(t, map[string]string{"file": "x", "locked": "x", "d/f": "x"})
	testfiles.Link(t, "loop2", "loop1")
	testfiles.Link(t, "loop1", "loop2")
	testfiles.Link(t, "d", "to-folder")
	if err := os.Chmod("locked", 0o444); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, reason string }{
		{"", "empty"},
		{"d", "it is a folder; name a file"},
		{"d/", "names a folder"},
		{"to-folder", "it is a folder; name a file"},
		{"none/out", "the folder none does not exist; create it first"},
		{"file/out", "not a directory"},
		{"locked", "the file is read-only"},
		{"loop1", "loop of symlinks"},
		{strings.Repeat("n", 300), "too long"},
	} {
		changed, err := Write(test.path, writing("new"))
		if err == nil || changed || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%.40q: changed %v, %v; want %q", test.path, changed, err, test.reason)
			continue
		}
		if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), test.path) || strings.Contains(err.Error(), tempPrefix) {
			t.Errorf("%.40q: the message is %q", test.path, err)
		}
	}
	if readBack(t, "locked") != "x" {
		t.Error("a read-only file was replaced")
	}
	noTemps(t)
}

func TestWriteFileIntoFolderThatCannotBeWritten(t *testing.T) {
	if testfiles.AsNobody(t) {
		return
	}
	testfiles.In(t, map[string]string{"d/same": "x", "d/other": "y"})
	if err := os.Chmod("d", 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("d", 0o755)
	if changed, err := Write("d/same", writing("x")); changed || err != nil {
		t.Errorf("an output that does not change: %v, %v", changed, err)
	}
	if _, err := Write("d/other", writing("x")); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "change the permissions") {
		t.Errorf("got %v", err)
	}
}

func TestStageLeavesNothingBehind(t *testing.T) {
	failure := errors.New("disk on fire")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name  string
		ctx   context.Context
		write func(io.Writer) error
		want  error
	}{
		{"write fails", context.Background(), func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return failure }, failure},
		{"write fails at once", context.Background(), func(io.Writer) error { return failure }, failure},
		{"ended before", ended, writing("new"), context.Canceled},
		{"ended, nothing to write", ended, writing(""), context.Canceled},
	} {
		for _, file := range []string{"old", "new"} {
			t.Run(test.name+" "+file, func(t *testing.T) {
				testfiles.In(t, map[string]string{"old": "old", "first": "1"})
				var o Outputs
				if _, err := o.Stage(context.Background(), "first", writing("2")); err != nil {
					t.Fatal(err)
				}
				if _, err := o.Stage(test.ctx, file, test.write); !errors.Is(err, test.want) {
					t.Errorf("got %v", err)
				}
				o.Abort()
				noTemps(t)
				if readBack(t, "old") != "old" || readBack(t, "first") != "1" {
					t.Error("an output was changed")
				}
				if _, err := os.Stat("new"); err == nil {
					t.Error("a new output is there")
				}
			})
		}
	}
	t.Run("ends while writing", func(t *testing.T) {
		testfiles.In(t, nil)
		ctx, cancel := context.WithCancel(context.Background())
		var o Outputs
		_, err := o.Stage(ctx, "new", func(w io.Writer) error {
			for {
				if _, err := io.WriteString(w, "more"); err != nil {
					return err
				}
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		noTemps(t)
	})
	t.Run("panics", func(t *testing.T) {
		testfiles.In(t, nil)
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
			noTemps(t)
		}()
		_, _ = Write("new", func(io.Writer) error { panic("fault") })
	})
}

func TestOutputsCommitTogether(t *testing.T) {
	testfiles.In(t, map[string]string{"a": "1", "same": "s", "d/c": "3"})
	var o Outputs
	for _, out := range []struct {
		path, text string
		changed    bool
	}{{"a", "one", true}, {"same", "s", false}, {"b", "two", true}, {"d/c", "three", true}} {
		if changed, err := o.Stage(context.Background(), out.path, writing(out.text)); err != nil || changed != out.changed {
			t.Errorf("%s: changed %v, %v", out.path, changed, err)
		}
	}
	if readBack(t, "a") != "1" || readBack(t, "d/c") != "3" {
		t.Error("an output changed before the commit")
	}
	if _, err := o.Stage(context.Background(), "./d/../a", writing("x")); err == nil || !strings.Contains(err.Error(), "are the same file") {
		t.Errorf("one file twice: %v", err)
	}
	changed, err := o.Commit(context.Background())
	if err != nil || strings.Join(changed, " ") != "a b d/c" {
		t.Errorf("committed %v, %v", changed, err)
	}
	for name, want := range map[string]string{"a": "one", "same": "s", "b": "two", "d/c": "three"} {
		if got := readBack(t, name); got != want {
			t.Errorf("%s holds %q", name, got)
		}
	}
	noTemps(t)
	if again, err := o.Commit(context.Background()); err != nil || len(again) > 0 {
		t.Errorf("a second commit: %v, %v", again, err)
	}
}

// TestCommitTakesBack: an output that cannot be replaced keeps the others from
// being so, whichever of them it is.
func TestCommitTakesBack(t *testing.T) {
	for _, bad := range []string{"a", "b", "c"} {
		t.Run(bad, func(t *testing.T) {
			testfiles.In(t, map[string]string{"a": "1", "c": "3"})
			past := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := os.Chtimes("a", past, past); err != nil {
				t.Fatal(err)
			}
			var o Outputs
			for _, path := range []string{"a", "b", "c"} {
				if _, err := o.Stage(context.Background(), path, writing("new")); err != nil {
					t.Fatal(err)
				}
			}
			_ = os.Remove(bad)
			testfiles.Put(t, bad+"/in-the-way", "")
			changed, err := o.Commit(context.Background())
			if err == nil || !strings.HasPrefix(err.Error(), bad+" cannot be written") || strings.Contains(err.Error(), "already") || len(changed) > 0 {
				t.Errorf("committed %v, %v", changed, err)
			}
			for name, want := range map[string]string{"a": "1", "b": "", "c": "3"} {
				if got, err := os.ReadFile(name); name != bad && (string(got) != want || (err != nil) != (want == "")) {
					t.Errorf("%s holds %q, %v", name, got, err)
				}
			}
			if info, err := os.Stat("a"); bad != "a" && (err != nil || !info.ModTime().Equal(past)) {
				t.Error("the output that was put back is not the old file")
			}
			noTemps(t)
		})
	}
}

func TestWriteFileIntoDevice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /dev/null")
	}
	testfiles.In(t, nil)
	testfiles.Link(t, "/dev/null", "null")
	for _, path := range []string{"/dev/null", "null"} {
		if changed, err := Write(path, writing("x")); err != nil || !changed {
			t.Errorf("%s: changed %v, %v", path, changed, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeDevice == 0 {
			t.Fatalf("%s is no device any more (%v)", path, err)
		}
	}
}

func TestCompare(t *testing.T) {
	testfiles.In(t, map[string]string{"f": "abc", "empty": "", "d/x": ""})
	failure := errors.New("disk on fire")
	for _, test := range []struct {
		path          string
		write         func(io.Writer) error
		same, missing bool
		reason        string
	}{
		{"f", writing("abc"), true, false, ""},
		{"f", writing("ab"), false, false, ""},
		{"f", writing("abcd"), false, false, ""},
		{"f", writing("abd"), false, false, ""},
		{"f", writing(""), false, false, ""},
		{"empty", writing(""), true, false, ""},
		{"empty", writing("a"), false, false, ""},
		{"none", writing("a"), false, true, ""},
		{"no/ne", writing("a"), false, true, ""},
		{"d", writing("a"), false, false, "no regular file"},
		{"f/x", writing("a"), false, false, "not a directory"},
		{"f", func(w io.Writer) error { _, _ = io.WriteString(w, "ab"); return failure }, false, false, "disk on fire"},
		// A writer that goes on after an error does not turn a difference into a match.
		{"f", func(w io.Writer) error { _, _ = io.WriteString(w, "x"); _, _ = io.WriteString(w, "abc"); return nil }, false, false, ""},
	} {
		same, missing, err := Compare(test.path, test.write)
		if same != test.same || missing != test.missing || (err != nil) != (test.reason != "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: same %v, missing %v, %v", test.path, same, missing, err)
		}
	}
}
