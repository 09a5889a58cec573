//go:build unix

package main_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// hostileTree is a folder with a directory skills, of which something is odd, and
// what check says of it.
type hostileTree struct {
	name   string
	files  []string // beside a faultless skills/a, path and text in turn
	make   func(dir string) error
	args   []string
	nobody bool     // permissions matter
	status int      // 2 for a reason in stderr instead of findings
	want   []string // the findings, "path rule"; or words of stderr
}

func link(target, path string) func(string) error {
	return func(dir string) error { return os.Symlink(target, filepath.Join(dir, path)) }
}

func fifo(path string) func(string) error {
	return func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, path), 0o666) }
}

func socket(path string) func(string) error {
	return func(dir string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, path)})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	}
}

// device makes what /dev/zero is, which never ends.
func device(path string) func(string) error {
	return func(dir string) error {
		return syscall.Mknod(filepath.Join(dir, path), syscall.S_IFCHR|0o666, 1<<8|5)
	}
}

func chmod(mode os.FileMode, path string) func(string) error {
	return func(dir string) error { return os.Chmod(filepath.Join(dir, path), mode) }
}

func sparse(path string) func(string) error {
	return func(dir string) error {
		f, err := os.Create(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		return errors.Join(f.Truncate(1<<40), f.Close())
	}
}

func hostileTrees() []hostileTree {
	follow := []string{"--follow-symlinks"}
	// Linux lists a folder that nothing in can be opened; an os.Root opens none.
	unentered := "skills/a/f unreadable"
	if runtime.GOOS == "linux" {
		unentered = "skills/a/f/x unreadable"
	}
	trees := []hostileTree{
		{name: "FIFO", make: fifo("skills/a/p"), status: 1, want: []string{"skills/a/p special-file"}},
		{name: "FIFO as SKILL.md", files: []string{"skills/b/x", "x"}, make: fifo("skills/b/SKILL.md"), status: 1, want: []string{"skills/b/SKILL.md special-file"}},
		{name: "FIFO as skill.md", files: []string{"skills/b/x", "x"}, make: fifo("skills/b/skill.md"), status: 1, want: []string{"skills/b stray-file", "skills/b/skill.md special-file"}},
		{name: "FIFO as .skillpackignore", make: fifo("skills/.skillpackignore"), status: 2, want: []string{"skills/.skillpackignore", "a FIFO"}},
		{name: "FIFO as .gitattributes", files: []string{"skills/a/x", "x\r\n", ".git/HEAD", "x"}, make: fifo(".gitattributes"), want: []string{"skills/a/x crlf"}},
		{name: "FIFO as skillpack.yaml", make: fifo("skillpack.yaml"), status: 2, want: []string{"skillpack.yaml: it is no regular file"}},
		{name: "device as skillpack.yaml", make: link("/dev/zero", "skillpack.yaml"), status: 2, want: []string{"skillpack.yaml: it is no regular file"}},
		{name: "FIFO as the directory", make: fifo("pipe"), args: []string{"pipe"}, status: 2, want: []string{"pipe is a file, not a skills directory"}},
		{name: "socket", make: socket("skills/a/s"), status: 1, want: []string{"skills/a/s special-file"}},
		{name: "socket as SKILL.md", files: []string{"skills/b/x", "x"}, make: socket("skills/b/SKILL.md"), status: 1, want: []string{"skills/b/SKILL.md special-file"}},
		{name: "device", make: device("skills/a/zero"), status: 1, want: []string{"skills/a/zero special-file"}},
		{name: "device as SKILL.md", files: []string{"skills/b/x", "x"}, make: device("skills/b/SKILL.md"), status: 1, want: []string{"skills/b/SKILL.md special-file"}},
		{name: "folder as SKILL.md", files: []string{"skills/b/SKILL.md/x", "x"}, status: 1, want: []string{"skills/b/SKILL.md skill-file-case"}},

		{name: "hard links", files: []string{"outside", "x\n"}, make: func(dir string) error {
			return errors.Join(os.Link(filepath.Join(dir, "skills/a/SKILL.md"), filepath.Join(dir, "skills/a/copy.md")), os.Link(filepath.Join(dir, "outside"), filepath.Join(dir, "skills/a/out")))
		}},
		{name: "link to a device", make: link("/dev/zero", "skills/a/l"), status: 1, want: []string{"skills/a/l symlink"}},
		{name: "link to a device by a relative path", make: link("../../../../../../../../dev/zero", "skills/a/l"), args: follow, status: 1, want: []string{"skills/a/l symlink"}},
		{name: "link to a FIFO", files: []string{"skills/x", "x"}, make: func(dir string) error {
			return errors.Join(fifo("skills/a/p")(dir), link("p", "skills/a/l")(dir), os.Remove(filepath.Join(dir, "skills/x")))
		}, args: follow, status: 1, want: []string{"skills/a/l special-file", "skills/a/p special-file"}},
		{name: "links in a loop", make: func(dir string) error { return errors.Join(link("m", "skills/a/l")(dir), link("l", "skills/a/m")(dir)) }, args: follow, status: 1, want: []string{"skills/a/l symlink", "skills/a/m symlink"}},
		{name: "link to the root", make: link("/", "skills/a/l"), args: follow, status: 1, want: []string{"skills/a/l symlink"}},
		{name: "dangling link as SKILL.md", files: []string{"skills/b/x", "x"}, make: link("gone", "skills/b/SKILL.md"), args: follow, status: 1, want: []string{"skills/b/SKILL.md symlink"}},
		{name: "SKILL.md that links to itself", files: []string{"skills/b/x", "x"}, make: link("SKILL.md", "skills/b/SKILL.md"), args: follow, status: 1, want: []string{"skills/b/SKILL.md symlink"}},

		{name: "file that cannot be read", files: []string{"skills/a/x", "x"}, make: chmod(0, "skills/a/x"), nobody: true, status: 1, want: []string{"skills/a/x unreadable"}},
		{name: "SKILL.md that cannot be read", make: chmod(0, "skills/a/SKILL.md"), nobody: true, status: 1, want: []string{"skills/a/SKILL.md unreadable"}},
		{name: "folder that cannot be listed", files: []string{"skills/a/f/x", "x"}, make: chmod(0o311, "skills/a/f"), nobody: true, status: 1, want: []string{"skills/a/f unreadable"}},
		{name: "folder that cannot be entered", files: []string{"skills/a/f/x", "x"}, make: chmod(0o644, "skills/a/f"), nobody: true, status: 1, want: []string{unentered}},
		{name: "skill that cannot be read", files: []string{"skills/b/SKILL.md", ""}, make: chmod(0, "skills/b"), nobody: true, status: 1, want: []string{"skills/b unreadable"}},
		{name: "directory that cannot be read", make: chmod(0, "skills"), nobody: true, status: 2, want: []string{"skills", "permission denied"}},
		{name: "configuration that cannot be read", files: []string{"skillpack.yaml", "prefix: x\n"}, make: chmod(0, "skillpack.yaml"), nobody: true, status: 2, want: []string{"skillpack.yaml: permission denied"}},
		{name: "patterns that cannot be read", files: []string{"skills/.skillpackignore", "x\n"}, make: chmod(0, "skills/.skillpackignore"), nobody: true, status: 2, want: []string{".skillpackignore", "permission denied"}},

		{name: "sparse file", make: sparse("skills/a/huge"), status: 1, want: []string{"skills/a/huge unreadable"}},
		{name: "sparse SKILL.md", make: sparse("skills/a/SKILL.md"), status: 1, want: []string{"skills/a/SKILL.md unreadable"}},
		{name: "sparse .skillpackignore", make: sparse("skills/.skillpackignore"), status: 2, want: []string{".skillpackignore", "over 1,048,576 bytes"}},
		{name: "sparse .gitattributes", files: []string{"skills/a/x", "x\r\n", ".git/HEAD", "x"}, make: sparse(".gitattributes"), want: []string{"skills/a/x crlf"}},
		{name: "sparse skillpack.yaml", make: sparse("skillpack.yaml"), status: 2, want: []string{"skillpack.yaml: it has over 1 MiB"}},
	}
	// Links of /proc lead to open files and to whole file systems, whatever their
	// text says.
	for _, magic := range []string{"/proc/self/fd/0", "/proc/self/exe", "/proc/self/root", "/proc/self/cwd", "/dev/stdin", "/dev/fd/1"} {
		for _, args := range [][]string{nil, follow} {
			trees = append(trees, hostileTree{name: fmt.Sprint("link to ", magic, args), make: link(magic, "skills/a/l"), args: args, status: 1, want: []string{"skills/a/l symlink"}})
		}
	}
	return trees
}

// TestHostileTrees: whatever a folder holds is found and named, in bounded time
// and memory, and a build then writes nothing.
func TestHostileTrees(t *testing.T) {
	testfiles.Slow(t, "runs some hundred processes")
	for _, h := range hostileTrees() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			dir := newTree(t, h.files...)
			if h.make != nil {
				if err := h.make(dir); errors.Is(err, syscall.EPERM) {
					t.Skip("only the superuser may make this:", err)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { restorePermissions(dir) })
			run := func(args ...string) ending {
				cmd := command(t, dir, "skillpack", append(args, h.args...)...)
				if h.nobody {
					asNobody(cmd)
				}
				return finish(t, cmd)
			}
			o := run("check", "--format", "json")
			if o.status != h.status {
				t.Errorf("%v\nwant status %d", o, h.status)
			}
			if h.status == 2 {
				for _, words := range h.want {
					if !strings.Contains(o.stderr, words) {
						t.Errorf("%v\nwant %q in stderr", o, words)
					}
				}
			} else if got, _ := findings(t, o); !slices.Equal(got, h.want) {
				t.Errorf("findings %q\n    want %q", got, h.want)
			}
			if o := run("build", "--manifest", "out.json", "--no-go"); o.status != h.status {
				t.Errorf("build: %v", o)
			}
			if _, err := os.Lstat(filepath.Join(dir, "out.json")); (err == nil) != (h.status == 0) {
				t.Errorf("the build's output after status %d: %v", h.status, err)
			}
		})
	}
}

// restorePermissions lets the test's folders be removed.
func restorePermissions(dir string) {
	for _, path := range []string{"skills", "skills/a", "skills/a/f", "skills/b"} {
		path = filepath.Join(dir, path)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			_ = os.Chmod(path, 0o755)
		}
	}
}

// TestHostileInputs: what stands where a file of the build is looked for makes
// nothing wait or grow.
func TestHostileInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(string) error
		args []string
		want int
		says string
	}{
		{"FIFO as a Go file beside", fifo("x.go"), []string{"build"}, 0, "wrote skills_gen.go"},
		{"sparse Go file beside", sparse("x.go"), []string{"build"}, 0, "wrote skills_gen.go"},
		{"FIFO as the manifest to compare", fifo("skills.manifest.json"), []string{"build", "--check"}, 2, "it is no regular file"},
		{"FIFO as the manifest to write", fifo("skills.manifest.json"), []string{"build", "--no-go"}, 2, "a pipe that nobody reads"},
		{"device as the manifest to compare", link("/dev/zero", "skills.manifest.json"), []string{"build", "--check"}, 2, "it is no regular file"},
		{"FIFO as the manifest of lint", fifo("skills.manifest.json"), []string{"lint", "http://127.0.0.1:1/mcp"}, 2, "it is no regular file"},
		{"sparse manifest to replace", sparse("skills.manifest.json"), []string{"build", "--no-go"}, 2, "no manifest of a build"},
		{"device as an editor's file", link("/dev/zero", "mcp.json"), []string{"lint", "--no-manifest", "--mcp-config", "mcp.json", "--server", "x"}, 2, "over 1 MiB"},
		{"socket as the manifest to write", socket("skills.manifest.json"), []string{"build", "--no-go"}, 2, "cannot be written"},
		{"FIFO as skillpack.yaml, completing", fifo("skillpack.yaml"), []string{"lint", "--server", "--generate-shell-completion"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := newTree(t)
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
			if o := skillpack(t, dir, c.args...); o.status != c.want || !strings.Contains(o.stderr, c.says) {
				t.Errorf("%v\nwant status %d and %q", o, c.want, c.says)
			}
			if left := leftovers(t, dir); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestHostileNames: each name has the finding it deserves, and none reaches the
// terminal as it is.
func TestHostileNames(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("the file system stores not all of these names")
	}
	names := map[string]string{ // by name, the rule
		"-": "", "-rf": "", "--help": "", "~": "", ".": "-", "..x": "", "...": "path-reserved",
		strings.Repeat("n", 255): "", strings.Repeat("é", 127): "path-portability",
		"\xff\xfe": "path-encoding", "a\xc3": "path-encoding", "\xed\xa0\x80": "path-encoding",
		"a\nb": "path-encoding", "a\tb": "path-encoding", "\x01": "path-encoding", "\x1b[2J": "path-encoding", "a\x7f": "path-encoding", `a\b`: "path-encoding",
		"\r": "path-encoding", "\u0085": "path-portability", "\u2028": "path-portability",
		"a\u202egpj.md": "path-portability", "\u200f": "path-portability", "\u200b": "path-portability", "\ufeff": "path-portability",
		"cafe\u0301": "path-not-nfc", "\u212b": "path-not-nfc", "caf\u00e9": "path-portability", "\U0001F600": "path-portability",
		"CON": "path-reserved", "aux.txt": "path-reserved", "COM1": "path-reserved", "lpt9.md": "path-reserved", "NUL.tar.gz": "path-reserved", "COM\u00b9": "path-reserved",
		"end.": "path-reserved", "end ": "path-reserved", " start": "path-portability", "a:b": "path-reserved", "C:": "path-reserved", "x?": "path-reserved", "a*": "path-reserved",
		`a"b`: "path-reserved", "a|b": "path-reserved", "<x>": "path-reserved",
		"$(touch owned)": "path-portability", "`x`": "path-portability", "'": "path-portability", "%2F": "path-portability", "a%00b": "path-portability",
		"::error file=a::owned": "path-reserved", "&lt;": "path-portability",
	}
	dir := newTree(t)
	var want []string
	for name, rule := range names {
		if rule == "-" {
			continue
		}
		put(t, dir, "skills/a/"+name, "x\n")
		if rule != "" {
			want = append(want, rule)
		}
	}
	put(t, dir, "skills/a/Readme", "x\n", "skills/a/README", "x\n", "skills/a/stra\u00dfe", "x\n", "skills/a/STRA\u1e9eE", "x\n")
	// Of a pair that clashes each name is judged, and one more finding is about the pair.
	want = append(want, "path-collision", "path-collision", "path-portability", "path-portability")
	// caf\u00e9 and cafe\u0301 are one name as well.
	want = append(want, "path-collision")
	slices.Sort(want)
	o := skillpack(t, dir, "check", "--format", "json")
	_, full := findings(t, o)
	var got []string
	for _, f := range full {
		got = append(got, f.Rule)
	}
	slices.Sort(got)
	if o.status != 1 || !slices.Equal(got, want) {
		t.Errorf("status %d, rules %q\nwant %q", o.status, got, want)
	}
	for _, format := range append([]string{"text"}, reports...) {
		o := skillpack(t, dir, "check", "--format", format)
		for i, r := range o.stdout {
			if unicode.IsControl(r) && r != '\n' || strings.ContainsRune("\u202e\u200f\u2028\ufeff", r) || r == unicode.ReplacementChar {
				t.Errorf("%s has the raw character %U: %q", format, r, o.stdout[max(0, i-40):min(len(o.stdout), i+40)])
				break
			}
		}
		if strings.Contains(o.stdout, "\n::error file=a::owned") {
			t.Errorf("%s has a line that a file name made", format)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("a file name was run")
	}
}

// TestDirectoryNames: a directory of any name is one that commands take.
func TestDirectoryNames(t *testing.T) {
	for _, c := range []struct {
		arg, name string
		status    int
	}{
		{"./-", "-", 0}, {"./-rf", "-rf", 0}, {"help", "help", 0}, {"a b", "a b", 0}, {"é", "é", 0}, {"\xff", "\xff", 0}, {"a\nb", "a\nb", 0}, {"a\\b", "a\\b", 0}, {"a:b", "a:b", 0},
		{"..x", "..x", 0}, {"./$HOME", "$HOME", 0}, {strings.Repeat("n", 255), strings.Repeat("n", 255), 0},
	} {
		t.Run(fmt.Sprintf("%.20q", c.name), func(t *testing.T) {
			t.Parallel()
			dir := newTree(t)
			if err := os.Rename(filepath.Join(dir, "skills"), filepath.Join(dir, c.name)); err != nil {
				t.Skip("this file system does not store the name:", err)
			}
			if o := skillpack(t, dir, "build", c.arg); o.status != c.status {
				t.Errorf("build: %v", o)
			}
			if o := skillpack(t, dir, "build", "--check", c.arg); o.status != 0 {
				t.Errorf("build --check: %v", o)
			}
		})
	}
}

// TestManyEntries: a skill with far too many files is one finding, and a folder
// with many more that are excluded none.
func TestManyEntries(t *testing.T) {
	testfiles.Slow(t, "makes 20,000 files")
	dir := newTree(t)
	if err := os.Mkdir(filepath.Join(dir, "skills/a/many"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 20_000 {
		f, err := os.Create(filepath.Join(dir, "skills/a/many", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	o := skillpack(t, dir, "check", "--format", "json")
	if got, _ := findings(t, o); o.status != 1 || !slices.Equal(got, []string{"skills/a/SKILL.md resource-limit-exceeded"}) {
		t.Errorf("status %d, findings %q", o.status, got)
	}
	if o := skillpack(t, dir, "check", "--exclude", "many/"); o.status != 0 {
		t.Error(o)
	}
}

// TestEndlessFiles: files that a file system makes up, of no size and without an
// end, or that are waited for. They are mounted in the place of a file, since no
// link leads to them.
func TestEndlessFiles(t *testing.T) {
	for _, c := range []struct{ name, mount string }{
		{"no end", "mount --bind /proc/$$/pagemap skills/a/x"},
		{"no size", "mount --bind /proc/cpuinfo skills/a/x"},
		{"waits for ever", "mkdir t && mount -t tracefs t t && mount --bind t/trace_pipe skills/a/x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := newTree(t, "skills/a/x", "x")
			o := finish(t, inNamespace(t, command(t, dir, "skillpack", "check", "--format", "json"), c.mount+" 2>/dev/null"))
			if o.status == 77 {
				t.Skip("this system does not mount it: ", c.mount)
			}
			got, _ := findings(t, o)
			if o.status != 1 || len(got) != 1 || got[0] != "skills/a/x changed-while-reading" && got[0] != "skills/a/x unreadable" {
				t.Errorf("findings %q\n%v", got, o)
			}
		})
	}
}
