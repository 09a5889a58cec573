package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/testfiles"
)

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symlinks here:", err)
	}
}

func TestSymlinks(t *testing.T) {
	outside := tree(t, "secret.md", "secret\n", "folder/SKILL.md", "")
	for _, c := range []struct {
		name, link, target string // link lies below skill a, or below the directory when it starts with /
		refused            string // words of the message with FollowSymlinks; empty when it is followed
		file               string // that the followed link adds
	}{
		{"file in the skill", "l.md", "x.md", "", "a/l.md"},
		{"file in another skill", "l.md", "../b/y.md", "", "a/l.md"},
		{"folder in the skill", "l", "sub", "", "a/l/z.md"},
		{"skill folder", "/c", "a", "", "c/SKILL.md"},
		{"link to a link", "l.md", "../hop.md", "", "a/l.md"},
		{"out, relative", "l.md", "../../out.md", "outside", ""},
		{"out, absolute", "l.md", filepath.Join(outside, "secret.md"), "absolute", ""},
		{"out, absolute folder", "/c", filepath.Join(outside, "folder"), "absolute", ""},
		{"dangling", "l.md", "nothing.md", "does not exist", ""},
		{"itself", "l.md", "l.md", "", ""},
		{"parent folder", "l", "..", "would never end", ""},
		{"own folder", "l", ".", "would never end", ""},
		{"the top", "sub/l", "../..", "would never end", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, "a/SKILL.md", "", "a/x.md", "x\n", "a/sub/z.md", "z\n", "b/SKILL.md", "", "b/y.md", "y\n")
			symlink(t, "b/y.md", filepath.Join(dir, "hop.md"))
			link := filepath.Join(dir, "a", filepath.FromSlash(c.link))
			if strings.HasPrefix(c.link, "/") {
				link = filepath.Join(dir, filepath.FromSlash(c.link))
			}
			symlink(t, filepath.FromSlash(c.target), link)
			rel, _ := filepath.Rel(dir, link)
			at := filepath.ToSlash(rel) + " symlink"

			strict := read(t, bundle.Options{Dir: dir})
			if got := found(strict); !slices.Contains(got, at) {
				t.Errorf("not following, findings are %q", got)
			}
			if slices.Contains(files(strict), c.file) {
				t.Errorf("not following, there is %s", c.file)
			}

			b := read(t, bundle.Options{Dir: dir, FollowSymlinks: true, Exclude: []string{"/hop.md"}})
			if c.file == "" {
				if got := found(b); !slices.Contains(got, at) {
					t.Errorf("following, findings are %q", got)
				}
				for _, f := range b.Findings {
					if f.Rule == "symlink" && !strings.Contains(f.Message, c.refused) {
						t.Errorf("message %q does not say %q", f.Message, c.refused)
					}
				}
				return
			}
			if slices.Contains(found(b), at) {
				t.Errorf("following, findings are %q", found(b))
			}
			if !slices.Contains(files(b), c.file) {
				t.Errorf("following, there is no %s in %q", c.file, files(b))
			}
			for _, s := range b.Manifest.Skills {
				for _, r := range s.Resources {
					path, linked := b.File(r.URI)
					want := path == c.file || strings.HasPrefix(path, filepath.ToSlash(rel)+"/")
					if linked != want {
						t.Errorf("linked is %v for %s", linked, path)
					}
					if err := drain(b, r.URI); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

// TestSymlinkedSkill: the symlink is the only finding, not also a missing skill
// or stray files.
func TestSymlinkedSkill(t *testing.T) {
	dir := tree(t, "a/real.md", skillText("a", ""), "a/x.md", "x\n")
	symlink(t, "real.md", filepath.Join(dir, "a", "SKILL.md"))
	same(t, "findings", found(read(t, bundle.Options{Dir: dir})), []string{"a/SKILL.md symlink"})
	b := read(t, bundle.Options{Dir: dir, FollowSymlinks: true})
	same(t, "files", files(b), []string{"a/SKILL.md", "a/real.md", "a/x.md"})
}

// TestSymlinkBomb: links that multiply end the run with an error, in bounded
// time and memory.
func TestSymlinkBomb(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "")
	for level := range 8 {
		folder := filepath.Join(dir, fmt.Sprint("level", level))
		write(t, filepath.Join(folder, "x.md"), "x\n")
		for side := range 9 {
			symlink(t, fmt.Sprint("../level", level+1), filepath.Join(folder, fmt.Sprint("side", side)))
		}
	}
	write(t, filepath.Join(dir, "level8", "x.md"), "x\n")
	_, err := bundle.Read(context.Background(), bundle.Options{Dir: dir, FollowSymlinks: true})
	if err == nil || !strings.Contains(err.Error(), "over 16,384 files and folders behind symlinks") {
		t.Errorf("the error is %v", err)
	}
}

func TestSpecialFiles(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "", "stray/x", "x")
	if err := makeFIFO(filepath.Join(dir, "a", "pipe")); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	for _, path := range []string{"stray/pipe", "b/SKILL.md"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o777)
		if err := makeFIFO(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a/pipe special-file", "b/SKILL.md special-file", "stray stray-file", "stray/pipe special-file"}
	if socket, err := listen(filepath.Join(dir, "a", "socket")); err == nil {
		defer socket.Close()
		want = slices.Insert(want, 1, "a/socket special-file")
	}
	if err := makeDevice(filepath.Join(dir, "a", "null")); err == nil {
		want = slices.Insert(want, 0, "a/null special-file")
	}
	same(t, "findings", found(read(t, bundle.Options{Dir: dir})), want)

	symlink(t, "../a/pipe", filepath.Join(dir, "stray", "link"))
	want = slices.Insert(want, len(want)-1, "stray/link special-file")
	same(t, "findings when following", found(read(t, bundle.Options{Dir: dir, FollowSymlinks: true})), want)

	if _, err := bundle.Read(context.Background(), bundle.Options{Dir: filepath.Join(dir, "a", "pipe")}); err == nil || !strings.Contains(err.Error(), "a FIFO") {
		t.Errorf("a FIFO as the directory: %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	if testfiles.AsNobody(t) {
		return
	}
	dir := tree(t, "a/SKILL.md", "", "a/x.md", "x\n", "a/sub/y.md", "y\n", "b/SKILL.md", "", "c/x", "x")
	for path, mode := range map[string]os.FileMode{"a/x.md": 0, "a/sub": 0, "b/SKILL.md": 0, "c": 0} {
		path = filepath.Join(dir, path)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o700) })
	}
	b := read(t, bundle.Options{Dir: dir})
	same(t, "findings", found(b), []string{"a/sub unreadable", "a/x.md unreadable", "b/SKILL.md unreadable", "c unreadable"})
	same(t, "files", files(b), []string{"a/SKILL.md"})
}

// TestGrowing: a file that is written to while it is read is a finding, or has
// the digest of what was read; never one of bytes that were not all there.
func TestGrowing(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "", "a/log.txt", strings.Repeat("x", 3<<20))
	log, err := os.OpenFile(filepath.Join(dir, "a", "log.txt"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		defer log.Close()
		for {
			select {
			case <-stop:
				return
			default:
				log.WriteString("more\n")
			}
		}
	})
	reported := false
	for start := time.Now(); !reported && time.Since(start) < 20*time.Second; {
		got := found(read(t, bundle.Options{Dir: dir}))
		reported = slices.Contains(got, "a/log.txt changed-while-reading")
	}
	close(stop)
	writer.Wait()
	if !reported {
		t.Error("a file that grew all the time was never reported")
	}
}

// TestSwapped: a folder and a file that become symlinks while the tree is read
// never bring in what they lead to.
func TestSwapped(t *testing.T) {
	outside := tree(t, "y.md", "outside\n")
	dir := tree(t, "a/SKILL.md", "", "a/sub/y.md", "inside\n", "a/x.md", "inside\n")
	for i := range 50 {
		write(t, filepath.Join(dir, "a", fmt.Sprintf("f%02d.md", i)), "inside\n")
	}
	sub, file := filepath.Join(dir, "a", "sub"), filepath.Join(dir, "a", "x.md")
	symlink(t, outside, filepath.Join(dir, "probe"))
	os.Remove(filepath.Join(dir, "probe"))
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, pair := range [][2]string{{sub, outside}, {file, filepath.Join(outside, "y.md")}} {
				os.Rename(pair[0], pair[0]+"~")
				os.Symlink(pair[1], pair[0])
				os.Remove(pair[0])
				os.Rename(pair[0]+"~", pair[0])
			}
		}
	})
	for start := time.Now(); time.Since(start) < time.Second; {
		b, err := bundle.Read(context.Background(), bundle.Options{Dir: dir, FollowSymlinks: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Manifest.Skills {
			for _, r := range s.Resources {
				if r.Size == int64(len("outside\n")) {
					t.Errorf("%s was read from outside", r.URI)
				}
			}
		}
		for _, f := range b.Findings {
			if f.Rule != "symlink" && f.Rule != "changed-while-reading" && f.Rule != "unreadable" {
				t.Errorf("finding %s: %s", f.Rule, f.Message)
			}
		}
		b.Close()
	}
	close(stop)
	swapper.Wait()
}

// TestDeep: a tree of 10,000 levels is read to where its paths become too long.
func TestDeep(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "")
	makeDeep(t, filepath.Join(dir, "a"), 10_000)
	b := read(t, bundle.Options{Dir: dir})
	same(t, "findings", found(b), []string{"a/" + strings.Repeat("d/", 511) + "d path-length"})
}

// makeDeep makes folders inside each other, all named d, and takes them away at
// the end of the test.
func makeDeep(t *testing.T, dir string, levels int) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range levels {
		if err := root.Mkdir("d", 0o777); err != nil {
			t.Fatal(err)
		}
		next, err := root.OpenRoot("d")
		if err != nil {
			t.Fatal(err)
		}
		root.Close()
		root = next
	}
	root.Close()
	t.Cleanup(func() {
		// From the top, since the whole path is longer than a system call takes.
		first, second := filepath.Join(dir, "d"), filepath.Join(dir, "e")
		for os.Rename(filepath.Join(first, "d"), second) == nil {
			os.Remove(first)
			os.Rename(second, first)
		}
	})
}

// TestWide: many open folders do not use up file descriptors.
func TestWide(t *testing.T) {
	files := []string{"a/SKILL.md", ""}
	for i := range 300 {
		path := "a/" + strings.Repeat("d/", i) // one chain of folders with a file in each
		files = append(files, path+"x.md", "x\n", path+"e/y.md", "y\n")
	}
	b := read(t, bundle.Options{Dir: tree(t, files...)})
	if len(b.Findings) != 1 || b.Findings[0].Rule != "resource-limit-exceeded" || b.Summary.Files != 601 {
		t.Errorf("%+v, findings %q", b.Summary, found(b))
	}
}

func TestCancel(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "")
	for i := range 4 {
		path := filepath.Join(dir, "a", fmt.Sprint("large", i))
		write(t, path, "")
		if err := os.Truncate(path, 1<<30); err != nil { // sparse
			t.Skip(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := bundle.Read(ctx, bundle.Options{Dir: dir})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v to end", d)
	}
}

func TestHugeFile(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "", "a/huge", "")
	if err := os.Truncate(filepath.Join(dir, "a", "huge"), 1<<40); err != nil {
		t.Skip("no sparse files here:", err)
	}
	b := read(t, bundle.Options{Dir: dir})
	same(t, "findings", found(b), []string{"a/huge unreadable"})
	if m := b.Findings[0].Message; !strings.Contains(m, "1,099,511,627,776 bytes and was not read") {
		t.Error(m)
	}
}

func TestNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the file system does not store these names")
	}
	dir := tree(t,
		"top/Team A/skill/SKILL.md", "", // reported once, though two skills lie below
		"top/Team A/other/SKILL.md", "",
		"a/SKILL.md", "", "a/aux.md", "x\n", "a/x y/1.md", "x\n", "a/x y/2.md", "x\n",
		"a/\xff.md", "x\n", "a/b\nc.md", "x\n", `a/b\c.md`, "x\n", "a/e\u0301.md", "x\n", "a/\u00e9.md", "x\n",
		"a/Readme.md", "x\n", "a/README.md", "x\n", "a/docs/x", "x\n", "a/DOCS/x", "x\n",
		"Stray B/x", "x\n", // no skill: only stray
	)
	same(t, "findings", found(read(t, bundle.Options{Dir: dir})), []string{
		"Stray B stray-file",
		`a/Readme.md path-collision`,
		`a/\xff.md path-encoding`,
		"a/aux.md path-reserved",
		`a/b\\c.md path-encoding`,
		`a/b\nc.md path-encoding`,
		"a/docs path-collision",
		"a/e\u0301.md path-not-nfc",
		"a/x y path-portability",
		"a/\u00e9.md path-collision",
		"a/\u00e9.md path-portability",
		"top/Team A path-portability",
	})
}

func TestPathLength(t *testing.T) {
	segment := strings.Repeat("s", 250)
	long := strings.Join([]string{segment, segment, segment, segment}, "/") // 1,003 bytes
	dir := tree(t, "a/SKILL.md", "", "a/"+long+"/x.md", "x\n", "a/"+long+"/a-name-of-twenty.md", "x\n")
	same(t, "findings", found(read(t, bundle.Options{Dir: dir})), []string{"a/" + long + "/a-name-of-twenty.md path-length"})
	got := found(read(t, bundle.Options{Dir: dir, Prefix: "a-prefix/of/twenty-five-b"}))
	same(t, "findings with a prefix", got, []string{"a/" + long + " path-length"})
}
