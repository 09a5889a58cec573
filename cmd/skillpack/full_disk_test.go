//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// oldOutputs builds a tree and changes it so that a further build replaces both
// outputs, with a Go file of some hundred kilobytes.
func oldOutputs(t *testing.T) (dir, oldManifest, oldGo string) {
	t.Helper()
	dir = newTree(t, "skills/a/x", "old\n")
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	if o := skillpack(t, dir, buildOut()...); o.status != 0 {
		t.Fatal(o)
	}
	oldManifest, oldGo = contentOf(t, filepath.Join(dir, "out/m.json")), contentOf(t, filepath.Join(dir, "out/g.go"))
	put(t, dir, "skills/a/x", strings.Repeat("new ", 100_000))
	return dir, oldManifest, oldGo
}

func buildOut() []string {
	return []string{"build", "--manifest", "out/m.json", "--go", "out/g.go", "--package", "p", "--embed", "inline"}
}

// TestFullDisk: an output that cannot be written, for whatever reason, ends the
// build with status 2 and a reason, and leaves both outputs as they were.
func TestFullDisk(t *testing.T) {
	// On a small file system that holds the old outputs, and has room for the new
	// manifest only.
	const small = "cp -r out keep && mount -t tmpfs -o size=96k,mode=777 tmpfs out && cp keep/* out"
	for _, c := range []struct {
		name, before, says string
		after              string // looks at the file system before it goes
	}{
		{"full", small, "g.go cannot be written: no space left on device", "ls -A out; cmp out/m.json keep/m.json && cmp out/g.go keep/g.go"},
		{"no inodes left", "cp -r out keep && mount -t tmpfs -o nr_inodes=3,mode=777 tmpfs out && cp keep/* out", "m.json cannot be written: no space left on device", "ls -A out; cmp out/m.json keep/m.json && cmp out/g.go keep/g.go"},
		{"read-only", "cp -r out keep && mount --bind out out && mount -o remount,bind,ro out", "m.json cannot be written: read-only file system", "ls -A out; cmp out/m.json keep/m.json && cmp out/g.go keep/g.go"},
		{"the Go file is a mount point", "cp -r out keep && mount --bind out/g.go out/g.go", "g.go cannot be written: device or resource busy", "ls -A out; cmp out/m.json keep/m.json && cmp out/g.go keep/g.go"},
		{"the manifest is a mount point", "cp -r out keep && mount --bind out/m.json out/m.json", "m.json cannot be written: device or resource busy", "ls -A out; cmp out/m.json keep/m.json && cmp out/g.go keep/g.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, oldManifest, oldGo := oldOutputs(t)
			path, err := program()
			if err != nil {
				t.Fatal(err)
			}
			script := `"$@"; status=$?; ` + c.after + ` && exit $status; exit 78`
			cmd := command(t, dir, "sh", append([]string{"-c", script, "sh", path}, buildOut()...)...)
			o := finish(t, inNamespace(t, cmd, c.before+" 2>mount.log"))
			if o.status == 77 {
				t.Skipf("this system does not mount it: %s: %s", c.before, contentOf(t, filepath.Join(dir, "mount.log")))
			}
			if o.status != 2 || !strings.Contains(o.stderr, c.says) || strings.Contains(o.stderr, "already written") {
				t.Errorf("%v\nwant status 2 and %q", o, c.says)
			}
			if o.stdout != "g.go\nm.json\n" {
				t.Errorf("in the folder are %q", o.stdout)
			}
			if contentOf(t, filepath.Join(dir, "keep/m.json")) != oldManifest || contentOf(t, filepath.Join(dir, "keep/g.go")) != oldGo {
				t.Error("the outputs changed")
			}
		})
	}
	t.Run("longest file", func(t *testing.T) { // needs no right to mount
		dir, oldManifest, oldGo := oldOutputs(t)
		path, err := program()
		if err != nil {
			t.Fatal(err)
		}
		// The manifest is below the limit, which shells count in units of their own.
		cmd := command(t, dir, "sh", append([]string{"-c", `ulimit -f 100; exec "$@"`, "sh", path}, buildOut()...)...)
		o := finish(t, cmd)
		unchanged(t, dir, oldManifest, oldGo)
		if o.status != 2 || !strings.Contains(o.stderr, "g.go cannot be written: file too large") {
			t.Error(o)
		}
	})
	t.Run("folder that cannot be written", func(t *testing.T) {
		dir, oldManifest, oldGo := oldOutputs(t)
		if err := os.Chmod(filepath.Join(dir, "out"), 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Join(dir, "out"), 0o755)
		o := finish(t, asNobody(command(t, dir, "skillpack", buildOut()...)))
		unchanged(t, dir, oldManifest, oldGo)
		if o.status != 2 || !strings.Contains(o.stderr, "m.json cannot be written: permission denied; change the permissions") {
			t.Error(o)
		}
		// What needs no change needs no permission.
		put(t, dir, "skills/a/x", "old\n")
		if o := finish(t, asNobody(command(t, dir, "skillpack", buildOut()...))); o.status != 0 {
			t.Error(o)
		}
	})
	t.Run("another's file in a sticky folder", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only the superuser can make a file of another user")
		}
		dir, oldManifest, oldGo := oldOutputs(t)
		for path, mode := range map[string]os.FileMode{"out": 0o777 | os.ModeSticky, "out/g.go": 0o666, "out/m.json": 0o666} {
			if err := os.Chmod(filepath.Join(dir, path), mode); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(filepath.Join(dir, "out/m.json"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		o := finish(t, asNobody(command(t, dir, "skillpack", buildOut()...)))
		if got := contentOf(t, filepath.Join(dir, "out/m.json")); got != oldManifest || contentOf(t, filepath.Join(dir, "out/g.go")) != oldGo {
			t.Error("an output changed, though the other could not be replaced")
		}
		if o.status != 2 || !strings.Contains(o.stderr, "g.go cannot be written: operation not permitted") {
			t.Error(o)
		}
	})
	t.Run("full device", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("no /dev/full here:", err)
		}
		dir := newTree(t)
		for _, args := range [][]string{{"build", "--no-go", "--manifest", "/dev/full"}, {"check", "--output", "json:/dev/full"}} {
			if o := skillpack(t, dir, args...); o.status != 2 || !strings.Contains(o.stderr, "no space left on device") {
				t.Errorf("%q: %v", args, o)
			}
		}
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		for _, args := range [][]string{{"build", "--no-go", "--manifest", "-"}, {"check", "--format", "json"}, {"rules"}, {"schema", "manifest"}, {"diff", "--format", "json", "skills", "skills"}, {"version"}} {
			cmd := command(t, dir, "skillpack", args...)
			cmd.Stdout = full
			if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("%q with its stdout on a full device: status %d", args, cmd.ProcessState.ExitCode())
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "skills.manifest.json")); err == nil {
			t.Error("an output came of it")
		}
	})
}

func unchanged(t *testing.T, dir, oldManifest, oldGo string) {
	t.Helper()
	if contentOf(t, filepath.Join(dir, "out/m.json")) != oldManifest || contentOf(t, filepath.Join(dir, "out/g.go")) != oldGo {
		t.Error("an output changed")
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestOtherFileSystem: outputs on another file system than the skills, one of
// them through a link, are replaced like any others.
func TestOtherFileSystem(t *testing.T) {
	dir, _, _ := oldOutputs(t)
	other, err := os.MkdirTemp("/dev/shm", "skillpack-test-")
	if err != nil {
		t.Skip("no second file system that can be written:", err)
	}
	defer os.RemoveAll(other)
	var here, there syscall.Stat_t
	if syscall.Stat(dir, &here) != nil || syscall.Stat(other, &there) != nil || here.Dev == there.Dev {
		t.Skip("/dev/shm is no file system of its own")
	}
	if err := os.Symlink(filepath.Join(other, "g.go"), filepath.Join(dir, "g.go")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		o := skillpack(t, dir, "build", "--manifest", filepath.Join(other, "m.json"), "--go", "g.go", "--embed", "inline", "--package", "p")
		if o.status != 0 {
			t.Fatal(o)
		}
	}
	if o := skillpack(t, dir, buildOut()...); o.status != 0 {
		t.Fatal(o)
	}
	for _, name := range []string{"m.json", "g.go"} {
		if contentOf(t, filepath.Join(other, name)) != contentOf(t, filepath.Join(dir, "out", name)) {
			t.Errorf("%s differs from the one beside the skills", name)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "g.go")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if left := append(leftovers(t, other), leftovers(t, dir)...); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestSecondMount: an output in the directory is part of no skill, also when its
// path reaches the directory by another name, as one in other letters does where
// their case does not count.
func TestSecondMount(t *testing.T) {
	dir := newTree(t, "skills/a/out.json", `{"skills": []}`)
	if err := os.Mkdir(filepath.Join(dir, "second"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, "skillpack", "build", "--no-go", "--manifest", "second/a/out.json", "skills")
	o := finish(t, inNamespace(t, cmd, "mount --bind skills second"))
	if o.status == 77 {
		t.Skip("this system does not mount a folder a second time")
	}
	if text := contentOf(t, filepath.Join(dir, "skills/a/out.json")); o.status != 0 || !strings.Contains(text, "skill://a/SKILL.md") || strings.Contains(text, "out.json") {
		t.Errorf("%v\nthe manifest is %s", o, text)
	}
}
