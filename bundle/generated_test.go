package bundle

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/testfiles"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/gofile"
)

// embeddable are names of files in a skill that go:embed carries when each is
// named.
var embeddable = []string{
	".env.example", ".config/x", "_draft.md", "scripts/__init__.py", "scripts/_x/_y", "a b.md", "two  spaces/ x", "#1", "x#y", "50%.md", "a%20b",
	"a&b", "a+b", "a@b", "@scope/x", "a,b", "k=v", "~x", "[x].md", "[", "]", "[[a]]", "a[^b]", "(a)", "{b}", "a!", "$HOME", "^", "-flag",
	"é.md", "汉字.md", "кириллица", "日本語/ひらがな", "עברית", "ไทย", "main.go", "x_test.go", "Makefile", "a.b.d", "..a", "a..b",
	"vendor/x/y.go", "testdata/x", "internal/y", "binary.bin", "empty", "crlf.txt", "bom.txt", "ticks.md", "sub/SKILL.md", "sub/x",
}

// unembeddable are names that go:embed refuses.
var unembeddable = []string{
	`a"b`, "it's", "a`b", "a|b", "a:b", "a?b", "a*b", "a<b", "a>b", "a;b", "🎉.md", "👩\u200d💻", "ａ！", "e\u0301", "a\u00a0b", "x…y", "dot.", "dir./x",
	"aux.md", "CON", "nul/x", "com1.tar.gz", ".bzr/x", "module/go.mod", "module/x.go",
}

// contents are those of files whose bytes are hard to write as source; that of
// any other file is its name.
var contents = map[string]string{
	"binary.bin": func() string {
		var b strings.Builder
		for i := range 20_000 {
			b.WriteByte(byte(i ^ i>>7))
		}
		return b.String()
	}(),
	"empty":         "",
	"crlf.txt":      "a\r\nb\rc\n",
	"bom.txt":       "\ufeffa\x00b\ufeff\u2028",
	"ticks.md":      strings.Repeat("`code` ```\n", 600),
	"module/go.mod": "module example.test/other\n",
	"main.go":       "package main\n\nfunc main() {}\n",
	"x_test.go":     "package x_test\n",
	"sub/SKILL.md":  "---\nname: sub\ndescription: \"A `skill` within\"\n---\n# Sub\n",
	"SKILL.md":      "---\nname: hard-names\ndescription: \"Has 'every' name\"\n---\n# Hard names\n",
}

// module lays out a Go module with one skill that has the files, and returns
// those that this file system can hold.
func module(t *testing.T, names ...string) []string {
	t.Helper()
	testfiles.In(t, map[string]string{"go.mod": "module example.test/skills\n\ngo 1.24\n"})
	var held []string
	for _, name := range names {
		text, ok := contents[name]
		if !ok {
			text = name + "\n"
		}
		file := filepath.Join("skills", "hard-names", filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		switch {
		case err == nil:
			held = append(held, name)
		case runtime.GOOS == "linux":
			t.Fatal(err)
		default:
			t.Logf("left out: %v", err)
		}
	}
	return held
}

// goCommand runs the go command in the current folder, without a network.
func goCommand(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	testfiles.Slow(t, "runs the go command")
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GODEBUG=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// generate writes skills_gen.go from the folder skills, and returns how many
// different files its manifest lists.
func generate(t *testing.T, files bool) (*Bundle, int) {
	t.Helper()
	b, err := Read(context.Background(), Options{Dir: "skills", FollowSymlinks: true, Own: []string{"skills_gen.go"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	var paths []string
	linked := map[string]bool{}
	listed := map[manifest.URI]bool{}
	for _, s := range b.Manifest.Skills {
		for _, r := range s.Resources {
			p, through := b.File(r.URI)
			paths = append(paths, p)
			linked[p] = through
			listed[r.URI] = true
		}
	}
	prefix, reason := gofile.PlanEmbed("skills_gen.go", "skills", paths, func(file string) bool { return linked[file] })
	if files != (reason == nil) {
		t.Errorf("to embed the files: %v", reason)
	}
	o := gofile.Options{Package: "skills", Open: b.Open}
	if files {
		o.Embed = func(u manifest.URI) string { p, _ := b.File(u); return path.Join(prefix, p) }
	}
	changed, err := atomicfile.Write("skills_gen.go", func(w io.Writer) error { return gofile.Write(w, b.Manifest, o) })
	if err != nil || !changed {
		t.Fatalf("changed %v, %v", changed, err)
	}
	return b, len(listed)
}

// checker compares every byte that the generated package gives with the manifest
// in it and with the files on disk.
const checker = `package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"example.test/skills"
)

func main() {
	var m struct {
		Skills []struct {
			URI       string
			Resources []struct {
				URI, Digest string
				Size        int
			}
		}
	}
	if err := json.Unmarshal([]byte(skills.Manifest), &m); err != nil {
		panic(err)
	}
	seen := map[string]bool{}
	for _, s := range m.Skills {
		for _, r := range s.Resources {
			got, err := skills.ReadFile(r.URI)
			if err != nil {
				panic(err)
			}
			if digest := fmt.Sprintf("sha256:%x", sha256.Sum256(got)); digest != r.Digest || len(got) != r.Size {
				panic(r.URI + " is " + digest)
			}
			path, err := url.PathUnescape(strings.TrimPrefix(r.URI, "skill://"))
			if err != nil {
				panic(err)
			}
			want, err := os.ReadFile(filepath.Join("skills", filepath.FromSlash(path)))
			if err != nil || !bytes.Equal(got, want) {
				panic(fmt.Sprint(r.URI, " differs from the file on disk ", err))
			}
			for i := range got {
				got[i]++
			}
			if again, err := skills.ReadFile(r.URI); err != nil || !bytes.Equal(again, want) {
				panic(r.URI + " is not a fresh copy")
			}
			seen[r.URI] = true
			for _, other := range []string{r.URI + "/", r.URI + "x", r.URI[:len(r.URI)-1], strings.ToUpper(r.URI), " " + r.URI} {
				if seen[other] {
					continue
				}
				if got, err := skills.ReadFile(other); !errors.Is(err, fs.ErrNotExist) || got != nil {
					panic(fmt.Sprint(other, " gives ", len(got), " bytes and ", err))
				}
			}
		}
	}
	for _, none := range []string{"", "skill://", "skill://hard-names", "skill://zzz/SKILL.md", "skill://hard-names/a b.md"} {
		if _, err := skills.ReadFile(none); !errors.Is(err, fs.ErrNotExist) {
			panic(fmt.Sprint(none, ": ", err))
		}
	}
	if skills.HardNamesURI != "skill://hard-names/SKILL.md" || skills.HardNamesSubURI != "skill://hard-names/sub/SKILL.md" {
		panic("the constants are wrong")
	}
	fmt.Println(len(seen), skills.Fingerprint)
}
`

func TestGeneratedPackage(t *testing.T) {
	testfiles.Slow(t, "compiles a package")
	for _, test := range []struct {
		name  string
		files bool
		names []string
	}{
		{"files", true, append([]string{"SKILL.md"}, embeddable...)},
		{"inline", false, append(append([]string{"SKILL.md"}, embeddable...), unembeddable...)},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := len(module(t, test.names...))
			if !test.files {
				testfiles.Link(t, "a b.md", "skills/hard-names/linked.md")
				testfiles.Link(t, "scripts", "skills/hard-names/linked")
				want += 3 // linked.md and the two files of linked
			}
			testfiles.Put(t, "check/main.go", checker)
			b, n := generate(t, test.files)
			if n != want {
				t.Errorf("%d files are listed, %d were laid out", n, want)
			}
			goCommand(t, "vet", ".", "./check")
			if got := goCommand(t, "run", "./check"); got != fmt.Sprintf("%d %s\n", want, b.Manifest.Fingerprint()) {
				t.Errorf("the program says %s", got)
			}
			if out := goCommand(t, "list", "-f", "{{len .EmbedFiles}}", "."); test.files && out != fmt.Sprintln(want) {
				t.Errorf("%s files are embedded", out)
			}
		})
	}
}

// TestPlanEmbedAgreesWithGo asks the go command about every name, each in a
// package of its own.
func TestPlanEmbedAgreesWithGo(t *testing.T) {
	testfiles.Slow(t, "runs the go command")
	testfiles.In(t, map[string]string{"go.mod": "module example.test/m\n\ngo 1.24\n"})
	want := map[string]string{} // by import path
	for i, name := range append(append([]string{"x/.git/config", "x/.hg", "x/.jj/y", " a", "_cgo_x", "_x"}, embeddable...), unembeddable...) {
		for _, prefix := range []string{"s/", ""} { // in a folder, and beside the Go file
			file := prefix + name
			if strings.HasSuffix(file, ".go") && !strings.Contains(file, "/") {
				continue // a Go file of the package itself
			}
			folder := fmt.Sprintf("p%d%s", i, strings.TrimSuffix(prefix, "/"))
			full := filepath.Join(folder, filepath.FromSlash(file))
			if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, nil, 0o644) != nil {
				continue
			}
			if strings.Contains(name, "module/") {
				testfiles.Put(t, path.Join(folder, prefix, "module/go.mod"), "module other\n")
			}
			pattern := strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(file)
			testfiles.Put(t, path.Join(folder, "gen.go"), fmt.Sprintf("package p\n\nimport \"embed\"\n\n//go:embed %s\nvar F embed.FS\n", strconv.Quote(pattern)))
			_, reason := gofile.PlanEmbed(path.Join(folder, "gen.go"), folder, []string{file}, func(string) bool { return false })
			want["example.test/m/"+folder] = fmt.Sprint(reason == nil, " ", file)
		}
	}
	out := goCommand(t, "list", "-e", "-f", `{{.ImportPath}} {{if .Error}}false {{.Error.Err}}{{else}}true{{end}}`, "./...")
	seen := 0
	for line := range strings.Lines(out) {
		pkg, verdict, _ := strings.Cut(strings.TrimSpace(line), " ")
		ours, ok := want[pkg]
		if !ok {
			continue // a folder of embedded Go files
		}
		seen++
		planned, file, _ := strings.Cut(ours, " ")
		verdict, why, _ := strings.Cut(verdict, " ")
		if verdict != planned {
			t.Errorf("%q: planned %s, the go command says %s %s", file, planned, verdict, why)
		}
	}
	if seen != len(want) || seen < 100 {
		t.Errorf("the go command spoke of %d packages of %d", seen, len(want))
	}
}
