//go:build unix

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ending is what came of a process.
type ending struct {
	status         int // -1 when a signal ended it
	stdout, stderr string
}

func (o ending) String() string {
	return fmt.Sprintf("exit status %d\nstdout: %.2000s\nstderr: %.2000s", o.status, o.stdout, o.stderr)
}

// patience is how long a process may take: far longer than any does, and far
// shorter than for ever.
const patience = time.Minute

// program returns the path of skillpack, which is this test binary by that name,
// where every user can run it.
var program = sync.OnceValues(func() (string, error) {
	self, err := exec.LookPath("skillpack") // in the PATH that TestMain made
	if err != nil {
		return "", err
	}
	from, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer from.Close()
	dir := filepath.Join(filepath.Dir(filepath.Dir(self)), "public")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
		return "", err
	}
	to, err := os.OpenFile(filepath.Join(dir, "skillpack"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return to.Name(), errors.Join(err, to.Close())
})

// command is a command that runs in a folder, with skillpack in its PATH.
func command(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	if name == "skillpack" {
		name = path
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GOPACKAGE=", "GOCOVERDIR=", "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"))
	cmd.WaitDelay = time.Second
	return cmd
}

// finish runs a command to its end. It fails the test when that does not come,
// and for an end by a crash.
func finish(t *testing.T, cmd *exec.Cmd) ending {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	o := ending{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if time.Since(start) >= patience {
		t.Fatalf("%v did not end in %v: %v", cmd.Args, patience, o)
	}
	for _, crash := range []string{"panic:", "fatal error:", "goroutine ", "DATA RACE"} {
		if strings.Contains(o.stderr, crash) {
			t.Fatalf("%v crashed: %v", cmd.Args, o)
		}
	}
	return o
}

// skillpack runs skillpack in a folder.
func skillpack(t *testing.T, dir string, args ...string) ending {
	t.Helper()
	return finish(t, command(t, dir, "skillpack", args...))
}

// asNobody makes a command run as a user whom permissions bind: nobody, when the
// superuser runs the test.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// inNamespace makes a command run in a mount namespace of its own, behind a
// line of shell that mounts there. It skips the test where that is not allowed.
func inNamespace(t *testing.T, cmd *exec.Cmd, mount string) *exec.Cmd {
	t.Helper()
	how := "-rm"
	if os.Geteuid() == 0 {
		how = "-m" // whom more can be mounted for
	}
	if err := exec.Command("unshare", how, "true").Run(); err != nil {
		t.Skipf("this system does not let the user mount (unshare %s): %v", how, err)
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Fatal(err)
	}
	script := mount + ` || exit 77; exec "$@"`
	cmd.Args = append([]string{"unshare", how, "sh", "-c", script, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = unshare
	return cmd
}

// finding is a finding of the JSON report.
type finding struct{ Rule, Path, Message, Severity string }

// findings returns what a JSON report on stdout says, as "path rule", sorted.
func findings(t *testing.T, o ending) (all []string, full []finding) {
	t.Helper()
	var r struct {
		Findings []finding
	}
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("no JSON report: %v\n%v", err, o)
	}
	for _, f := range r.Findings {
		all = append(all, f.Path+" "+f.Rule)
	}
	slices.Sort(all)
	return all, r.Findings
}

// skillOf returns the SKILL.md of a faultless skill.
func skillOf(name string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ". Use when it is to be done.\n---\n\nDo it.\n"
}

// put writes files, given as path and text in turn, below a folder. The text of
// a SKILL.md may be left to skillOf.
func put(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path, text := filepath.Join(dir, files[i]), files[i+1]
		if text == "" && filepath.Base(path) == "SKILL.md" {
			text = skillOf(filepath.Base(filepath.Dir(path)))
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newTree makes a folder, which every user can enter, with a faultless skill a in
// the directory skills, and the files that are given.
func newTree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for at := dir; at != os.TempDir() && at != "/" && at != "."; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o055 != 0o055 {
			_ = os.Chmod(at, 0o755) // those that are the test's own
		}
	}
	put(t, dir, append([]string{"skills/a/SKILL.md", ""}, files...)...)
	return dir
}

// leftovers returns the temporary files below a folder.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".skillpack-") {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// contentOf returns a file's text, "" when there is none.
func contentOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}
