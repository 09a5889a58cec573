//go:build unix

package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// The victim's contents, complete. Some are of one size, so that only the time of
// a file that is written in place tells them apart.
var victims = []string{strings.Repeat("first ", 1<<18), strings.Repeat("other ", 1<<18), "short\n"}

// outsideText stands outside of the directory, and must never be read.
const outsideText = "outside\n"

// mover changes a tree, in folder skills of dir, once.
type mover func(victim, folder, outside string, round int)

// movers are the second process of TestMovingTrees. Their errors are no concern:
// the change may just have been undone.
var movers = map[string]mover{
	"replaced": func(victim, _, _ string, round int) {
		os.WriteFile(victim+"~", []byte(victims[round%3]), 0o644)
		os.Rename(victim+"~", victim)
	},
	"written in place": func(victim, _, _ string, round int) { os.WriteFile(victim, []byte(victims[round%3]), 0o644) },
	"growing": func(victim, _, _ string, round int) {
		f, err := os.OpenFile(victim, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			f.WriteString("first ")
			f.Close()
		}
		if round%4096 == 4095 {
			os.Truncate(victim, 6<<18)
		}
	},
	"shrinking": func(victim, _, _ string, round int) {
		if round%200 == 0 {
			os.WriteFile(victim+"~", []byte(victims[0]), 0o644)
			os.Rename(victim+"~", victim)
		}
		os.Truncate(victim, int64(200-round%200)*6<<10)
	},
	"removed": func(victim, _, _ string, round int) {
		os.Remove(victim)
		time.Sleep(time.Millisecond)
		os.WriteFile(victim+"~", []byte(victims[round%3]), 0o644)
		os.Rename(victim+"~", victim)
		time.Sleep(time.Millisecond)
	},
	"link to outside": func(victim, _, outside string, round int) {
		os.Symlink(filepath.Join(outside, "x"), victim+"~")
		os.Rename(victim+"~", victim)
		os.WriteFile(victim+"~", []byte(victims[round%3]), 0o644)
		os.Rename(victim+"~", victim)
	},
	"FIFO": func(victim, _, _ string, round int) {
		syscall.Mkfifo(victim+"~", 0o666)
		os.Rename(victim+"~", victim)
		os.WriteFile(victim+"~", []byte(victims[round%3]), 0o644)
		os.Rename(victim+"~", victim)
	},
	"folder": func(victim, _, _ string, round int) {
		os.Remove(victim)
		os.Mkdir(victim, 0o755)
		os.Remove(victim)
		os.WriteFile(victim, []byte(victims[round%3]), 0o644)
	},
	"folder becomes a link": func(_, folder, outside string, _ int) {
		os.Rename(folder, folder+"~")
		os.Symlink(outside, folder)
		os.Remove(folder)
		os.Rename(folder+"~", folder)
	},
	"folder becomes a FIFO": func(_, folder, _ string, _ int) {
		os.Rename(folder, folder+"~")
		syscall.Mkfifo(folder, 0o666)
		os.Remove(folder)
		os.Rename(folder+"~", folder)
	},
	"folder removed": func(_, folder, _ string, _ int) {
		os.RemoveAll(folder)
		os.MkdirAll(folder, 0o755)
		os.WriteFile(filepath.Join(folder, "x"), []byte("inside\n"), 0o644)
	},
	"folder moved into another": func(_, folder, _ string, _ int) {
		os.Rename(folder, filepath.Join(filepath.Dir(folder), "b", "moved"))
		os.Rename(filepath.Join(filepath.Dir(folder), "b", "moved"), folder)
	},
	"permissions": func(victim, folder, _ string, round int) {
		os.Chmod(victim, os.FileMode(round%2)*0o644)
		os.Chmod(folder, os.FileMode(round%2)*0o755)
	},
}

// init makes this test binary the second process. It goes on until its stdin ends.
func init() {
	if len(os.Args) != 4 || os.Args[1] != "tree-mover" {
		return
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	move, dir := movers[os.Args[2]], os.Args[3]
	a := filepath.Join(dir, "skills", "a")
	for round := 0; ; round++ {
		move(filepath.Join(a, "victim"), filepath.Join(a, "folder"), filepath.Join(dir, "outside"), round)
	}
}

// wasThere reports whether a digest is that of a content that the victim had.
func wasThere(digest string, size int64) bool {
	texts := slices.Clone(victims)
	if size%6 == 0 && size <= 6<<20 {
		texts = append(texts, strings.Repeat("first ", int(size/6)), strings.Repeat("other ", int(size/6)))
	}
	if size < 6<<18 { // written or truncated up to there
		for _, text := range victims {
			texts = append(texts, text[:min(len(text), int(size))])
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return int64(len(text)) == size && fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) == digest
	})
}

// TestMovingTrees: while a second process changes the tree, a build ends with
// findings that say so, or with the digests of contents that were there; never
// with one of bytes that were not together in a file, nor of a file outside.
func TestMovingTrees(t *testing.T) {
	testfiles.Slow(t, "runs some hundred processes")
	may := map[string]bool{"changed-while-reading": true, "symlink": true, "special-file": true, "unreadable": true}
	for name := range movers {
		for _, flag := range []string{"--follow-symlinks=false", "--follow-symlinks"} {
			t.Run(name+" "+flag, func(t *testing.T) {
				dir := newTree(t, "skills/a/victim", victims[0], "skills/a/folder/x", "inside\n", "skills/a/b/x", "inside\n", "outside/x", outsideText, "outside/SKILL.md", skillOf("folder"))
				self, err := os.Executable()
				if err != nil {
					t.Fatal(err)
				}
				second := command(t, dir, self, "tree-mover", name, dir)
				stop, err := second.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := second.Start(); err != nil {
					t.Fatal(err)
				}
				defer func() {
					stop.Close()
					if err := second.Wait(); err != nil {
						t.Errorf("the second process: %v", err)
					}
					restorePermissions(dir)
					os.Chmod(filepath.Join(dir, "skills/a/folder"), 0o755)
				}()
				outputs := func() [2]string {
					return [2]string{contentOf(t, filepath.Join(dir, "out.json")), contentOf(t, filepath.Join(dir, "out.go"))}
				}
				for range 6 {
					before := outputs()
					o := skillpack(t, dir, "build", flag, "--manifest", "out.json", "--go", "out.go", "--package", "p", "--embed", "inline", "--format", "json", "--rule", "path-portability=off")
					_, full := findings(t, o)
					for _, f := range full {
						if f.Severity == "error" && !may[f.Rule] {
							t.Errorf("finding %s: %s", f.Rule, f.Message)
						}
					}
					// The Go file has the bytes, so that they are read once more.
					again := strings.Contains(o.stderr, "changed since it was read: run the build again") || strings.Contains(o.stderr, "victim again: ") || strings.Contains(o.stderr, "x again: ")
					if o.status != 0 && o.status != 1 && !(o.status == 2 && again) {
						t.Errorf("%v", o)
					}
					if o.status != 0 && outputs() != before {
						t.Errorf("an output was replaced: %v", o)
					}
					if o.status == 0 {
						checkMoved(t, contentOf(t, filepath.Join(dir, "out.json")))
					}
				}
				if left := leftovers(t, dir); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	}
}

func checkMoved(t *testing.T, text string) {
	t.Helper()
	var m struct {
		Skills []struct {
			Resources []struct {
				URI, Digest string
				Size        int64
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	outside := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(outsideText)))
	for _, s := range m.Skills {
		for _, r := range s.Resources {
			if r.Digest == outside {
				t.Errorf("%s was read from outside", r.URI)
			}
			if strings.HasSuffix(r.URI, "/victim") && !wasThere(r.Digest, r.Size) {
				t.Errorf("%s has the digest of no content it ever had, of %d bytes", r.URI, r.Size)
			}
		}
	}
}
