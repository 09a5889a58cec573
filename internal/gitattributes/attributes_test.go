package gitattributes

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func readWhole(root *os.Root, name string, _ int64) ([]byte, error) { return root.ReadFile(name) }

// attributesOf lays out a repository and returns the attributes of its folder
// skills.
func attributesOf(t *testing.T, files map[string]string) (*Dir, string) {
	t.Helper()
	top := t.TempDir()
	for path, text := range files {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(top, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, "skills"), 0o777); err != nil {
		t.Fatal(err)
	}
	a := New(filepath.Join(top, "skills"), readWhole)
	t.Cleanup(a.Close)
	return a, top
}

func TestAttributes(t *testing.T) {
	const path = "a/run.bat"
	for _, c := range []struct {
		name          string
		top, in, deep string // the .gitattributes of the top, of skills and of skills/a
		pinned, mixed bool   // for CRLF throughout, and for mixed line ends
	}{
		{"nothing", "", "", "", false, false},
		{"-text", "*.bat -text", "", "", true, true},
		{"binary", "*.bat binary", "", "", true, true},
		{"-crlf", "*.bat -crlf", "", "", true, true},
		{"eol=crlf", "*.bat text eol=crlf", "", "", true, false},
		{"eol=lf", "* text eol=lf", "", "", false, false},
		{"auto", "* text=auto", "", "", false, false},
		{"another file", "*.cmd -text", "", "", false, false},
		{"a later line wins", "*.bat -text\n* text=auto\n", "", "", false, false},
		{"an earlier line", "* text=auto\n*.bat -text\n", "", "", true, true},
		{"unspecified again", "*.bat -text\n*.bat !text\n", "", "", false, false},
		{"a deeper file wins", "* -text", "", "*.bat text", false, false},
		{"a deeper file alone", "", "", "run.bat -text", true, true},
		{"the middle file", "* text", "a/*.bat -text", "", true, true},
		{"anchored", "/skills/a/run.bat -text", "", "", true, true},
		{"anchored elsewhere", "/a/run.bat -text", "", "", false, false},
		{"anchored by a slash inside", "a/run.bat -text", "", "", false, false},
		{"any depth", "**/a/run.bat -text", "", "", true, true},
		{"all below", "skills/** -text", "", "", true, true},
		{"a folder is no file", "skills/ -text", "", "", false, false},
		{"quoted", `"*.bat" -text`, "", "", true, true},
		{"braces are literal", "*.{bat,cmd} -text", "", "", false, false},
		{"macro", "[attr]raw -text\n*.bat raw\n", "", "", true, true},
		{"macro unset", "[attr]raw -text\n*.bat -raw\n", "", "", false, false},
		{"macro of a macro", "[attr]a -text\n[attr]b a\n*.bat b\n", "", "", true, true},
		{"macro of itself", "[attr]a a\n*.bat a\n", "", "", false, false},
		{"macro not at the top", "", "[attr]raw -text\n*.bat raw\n", "", false, false},
		{"negative", "!*.bat -text", "", "", false, false},
		{"broken pattern", "[ -text", "", "", false, false},
		{"comment and BOM", "\uFEFF*.bat -text\n# * text\n", "", "", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"skills/" + path: ""}
			for dir, text := range map[string]string{"": c.top, "skills/": c.in, "skills/a/": c.deep} {
				if text != "" {
					files[dir+Name] = text
				}
			}
			a, _ := attributesOf(t, files)
			if got := a.Pinned(path, false); got != c.pinned {
				t.Errorf("pinned is %v for CRLF, want %v", got, c.pinned)
			}
			if got := a.Pinned(path, true); got != c.mixed {
				t.Errorf("pinned is %v for mixed line ends, want %v", got, c.mixed)
			}
		})
	}
}

// TestAdvice holds that doing what the message says ends the warning, by this
// reader of .gitattributes and by git itself.
func TestAdvice(t *testing.T) {
	git, _ := exec.LookPath("git")
	for _, path := range []string{"a/run.bat", "run.bat", "a b/c d.txt", "#x/y", "*?[x].txt", `a\b.txt`, `q"q.txt`, "é.txt", "{a}.txt", "!x"} {
		a, top := attributesOf(t, nil)
		line, rest, _ := strings.Cut(strings.TrimPrefix(a.Advice(path), `the line "`), ` -text" to the `)
		if !strings.HasPrefix(rest, ".gitattributes at") {
			t.Fatalf("no line in %s", a.Advice(path))
		}
		if err := os.WriteFile(filepath.Join(top, Name), []byte(line+" -text\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		again := New(filepath.Join(top, "skills"), readWhole)
		defer again.Close()
		if !again.Pinned(path, true) {
			t.Errorf("%q is not pinned by the line %s", path, line)
		}
		if again.Pinned(path+"x", true) || again.Pinned("other", true) {
			t.Errorf("other files than %q are pinned by the line %s", path, line)
		}
		if git == "" {
			continue
		}
		if err := exec.Command(git, "-C", top, "init", "-q").Run(); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(git, "-C", top, "check-attr", "-z", "text", "--", "skills/"+path).Output()
		if err != nil || !strings.HasSuffix(string(out), "\x00text\x00unset\x00") {
			t.Errorf("git says %q of %q with the line %s (%v)", out, path, line, err)
		}
	}
}

func TestAdviceOutsideRepository(t *testing.T) {
	dir := t.TempDir()
	a := New(dir, readWhole)
	defer a.Close()
	a.open()
	if a.inRepo {
		t.Skip("the temporary directory lies in a repository")
	}
	if got, want := a.Advice("a/b.txt"), `the line "**/a/b.txt -text" to .gitattributes`; got != want {
		t.Errorf("advice is %s, want %s", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, Name), []byte("**/a/b.txt -text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if !a.Pinned("a/b.txt", false) {
		t.Error("the line does not pin the file")
	}
}

// Macros that name each other many times over are worked out in no time.
func TestMacrosTakeNoTime(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"a", "b", "c", "d"} {
		text.WriteString("[attr]" + name + strings.Repeat(" a b c d", 100) + " -text\n")
	}
	a := New("", readWhole)
	a.files[""] = a.parse(text.String()+"* a\n", true)
	start := time.Now()
	if ends := a.lookup("x"); ends.text != "unset" {
		t.Errorf("the last attribute of the macro gives %q", ends.text)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// FuzzAttributes holds that this reader and git agree about any .gitattributes
// without the forms that only one of them knows.
func FuzzAttributes(f *testing.F) {
	git, _ := exec.LookPath("git")
	for _, text := range []string{"*.bat -text\n[attr]a a b\n\"x\\303\\251\" eol=crlf", "a/*.bat text eol=lf\n* !text\n", "[attr]raw -text\n[attr]b raw eol=crlf\nb.bat b\n/a/** crlf=input\n", "**/b.bat -crlf\na/ -text\n!x text\n#b.bat text\n", "\"b.bat\"\tbinary\n", "b.ba[st] text=auto", "b.b\\at text\r\n", "{b}.bat text"} {
		f.Add(text)
	}
	top := f.TempDir()
	if git != "" {
		if err := exec.Command(git, "-C", top, "init", "-q").Run(); err != nil {
			f.Fatal(err)
		}
	}
	n := 0
	f.Fuzz(func(t *testing.T, text string) {
		a := New("", readWhole)
		a.files[""] = a.parse(text, true)
		a.files["a"] = nil
		ends := a.lookup("a/b.bat")
		// Starting git takes long: one text in fifty, and every seed.
		if n++; git == "" || n > 20 && n%50 != 0 || !gitForms.MatchString(text) {
			return
		}
		if err := os.WriteFile(filepath.Join(top, Name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(git, "-C", top, "check-attr", "-z", "text", "eol", "crlf", "--", "a/b.bat").Output()
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Split(string(out), "\x00")
		theirs := fields[2] == "unset" || fields[8] == "unset" && fields[2] == "unspecified"
		if ours := ends.text == "unset"; ours != theirs && (fields[2] == "unspecified" || fields[8] == "unspecified") {
			t.Errorf("%q: text is %q here, and git says %q", text, ends.text, fields)
		}
	})
}

// gitForms are lines in which a pattern means the same to git and to doublestar:
// brackets and backslashes are not among them.
var gitForms = regexp.MustCompile(`^(?:(?:[a-z0-9*?./{}-]+|\[attr\][a-z]+|#)(?: +[-!]?[a-z]+(?:=[a-z]+)?)+\n)*$`)
