package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// TestVersionOfBuilds builds the program in each of the ways in which people get
// it, and reads what it says of itself.
func TestVersionOfBuilds(t *testing.T) {
	testfiles.Slow(t, "builds the program several times")
	const tag = "v0.98.7"
	work := t.TempDir()
	clone := filepath.Join(work, "clone")
	run := func(dir string, env []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), env...)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, errs.String())
		}
		return string(out)
	}
	root := strings.TrimSpace(run(".", nil, "git", "rev-parse", "--show-toplevel"))
	run(".", nil, "git", "clone", "--quiet", root, clone)
	// What is tested is the tree as it is, committed or not.
	for name := range strings.SplitSeq(run(root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		if strings.HasSuffix(name, ".go") {
			copyFile(t, filepath.Join(clone, name), filepath.Join(root, name))
		}
	}
	run(clone, nil, "git", "add", "-A")
	run(clone, nil, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--allow-empty", "-m", "the tree as it is")
	git := func(args ...string) string {
		return strings.TrimSpace(run(clone, []string{"TZ=UTC"}, "git", args...))
	}
	commit := git("rev-parse", "HEAD")
	at := git("log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd")
	stamp := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(at)
	says := func(out, version, commit string) {
		t.Helper()
		want := "skillpack      " + version + "\ncommit         " + commit + "\ngo             go1."
		if !strings.HasPrefix(out, want) {
			t.Errorf("skillpack version says\n%swant it to start\n%s", out, want)
		}
	}
	build := func(flags ...string) string {
		t.Helper()
		program := filepath.Join(work, "skillpack")
		run(clone, nil, "go", append(append([]string{"build"}, flags...), "-o", program, "./cmd/skillpack")...)
		return run(clone, nil, program, "version")
	}
	release := []string{"-trimpath", "-buildvcs=true", "-ldflags=-s -w"} // those of .goreleaser.yaml

	says(build("-buildvcs=false"), "devel", "unknown")
	git("tag", tag)
	says(build(release...), tag, commit+" of "+at)
	git("tag", "-d", tag)
	says(build(release...), "v0.0.0-"+stamp+"-"+commit[:12], commit+" of "+at)
	if err := os.WriteFile(filepath.Join(clone, "LICENSE"), []byte("changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(build(release...), "v0.0.0-"+stamp+"-"+commit[:12]+"+dirty", commit+" of "+at+", modified")
	git("checkout", "--quiet", "LICENSE")
	says(run(clone, []string{"GOFLAGS=-buildvcs=false"}, "go", "run", "./cmd/skillpack", "version"), "devel", "unknown")

	// go install of a version fetches a module from a proxy: here a folder, with the
	// modules that are downloaded already behind it.
	served := filepath.Join(work, "proxy")
	serveModule(t, clone, filepath.Join(served, "github.com/skillpack/skillpack/@v"), tag)
	cache := strings.TrimSpace(run(".", nil, "go", "env", "GOMODCACHE"))
	env := []string{
		"GOPROXY=file://" + filepath.ToSlash(served) + ",file://" + filepath.ToSlash(cache) + "/cache/download",
		"GONOSUMDB=*", "GOFLAGS=-modcacherw -trimpath", "GOMODCACHE=" + filepath.Join(work, "modules"), "GOBIN=" + filepath.Join(work, "bin"),
	}
	run(work, env, "go", "install", "github.com/skillpack/skillpack/cmd/skillpack@"+tag)
	says(run(work, nil, filepath.Join(work, "bin/skillpack"), "version"), tag, "unknown")
}

// copyFile copies a file, or removes the copy of one that is gone.
func copyFile(t *testing.T, to, from string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Remove(to)
	} else if err == nil {
		if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
			err = os.WriteFile(to, text, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// serveModule writes what a module proxy serves of a checkout.
func serveModule(t *testing.T, checkout, dir, version string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(1795996800, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{version + ".info": info, version + ".mod": mod, "list": []byte(version + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, version+".zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := modzip.CreateFromDir(f, module.Version{Path: "github.com/skillpack/skillpack", Version: version}, checkout); err != nil {
		t.Fatal(err)
	}
	if z, err := zip.OpenReader(path); err != nil || z.Close() != nil || len(z.File) < 100 {
		t.Fatalf("the module's archive cannot be read: %v", err)
	}
}
