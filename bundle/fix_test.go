package bundle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint"
)

const (
	faulty = "---\nname: a\ndescription: Does a: all of it. Use when it is to be done.\n---\nDo it.\n"
	fixed  = "---\nname: a\ndescription: \"Does a: all of it. Use when it is to be done.\"\n---\nDo it.\n"
	crlf   = "one\r\ntwo\r\n"
)

// plan returns the fixes of a directory.
func plan(t *testing.T, dir string, follow bool) *bundle.Fixes {
	t.Helper()
	f, err := read(t, bundle.Options{Dir: dir, FollowSymlinks: follow}).Fixes(func(lint.Finding) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func TestFixes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // of a repository, the skills in skills
		bare  bool     // no repository
		want  []string // files after the fix and their text, in turn
		left  string   // what is said of files that are left
	}{
		{"text", []string{"skills/a/SKILL.md", faulty}, false, []string{"skills/a/SKILL.md", fixed}, ""},
		{"name and text", []string{"skills/a/Skill.MD", faulty}, false, []string{"skills/a/SKILL.md", fixed, "skills/a/Skill.MD", ""}, ""},
		{"name only", []string{"skills/a/skill.md", fixed}, false, []string{"skills/a/SKILL.md", fixed}, ""},
		{"DIR is the skill", []string{"skills/skill.md", fixed}, false, []string{"skills/SKILL.md", fixed}, ""},
		{"two names", []string{"skills/a/skill.md", fixed, "skills/a/Skill.md", fixed}, false, []string{"skills/a/skill.md", fixed, "skills/a/Skill.md", fixed}, "2 such files"},
		{"another name", []string{"skills/a/skills.md", fixed}, false, []string{"skills/a/skills.md", fixed}, ""},
		{"CRLF", []string{"skills/a/SKILL.md", fixed, "skills/a/x y.txt", crlf, "skills/a/z", crlf}, false,
			[]string{".gitattributes", "\"/skills/a/x y.txt\" -text\n/skills/a/z -text\n", "skills/a/z", crlf, "skills/.gitattributes", ""}, ""},
		{"CRLF, line added behind others", []string{"skills/a/SKILL.md", fixed, "skills/a/z", crlf, ".gitattributes", "* text=auto\r\n*.x binary"}, false,
			[]string{".gitattributes", "* text=auto\r\n*.x binary\r\n/skills/a/z -text\r\n"}, ""},
		{"CRLF, overruled", []string{"skills/a/SKILL.md", fixed, "skills/a/z", crlf, "skills/a/.gitattributes", "* text\n"}, false,
			[]string{".gitattributes", ""}, "skills/a/z: a .gitattributes in a folder of its own overrules"},
		{"CRLF outside of a repository", []string{"skills/a/SKILL.md", fixed, "skills/a/z", crlf}, true,
			[]string{"skills/.gitattributes", "**/a/z -text\n", ".gitattributes", ""}, ""},
		{"CRLF kept already", []string{"skills/a/SKILL.md", fixed, "skills/a/z", crlf, ".gitattributes", "z -text"}, false, []string{".gitattributes", "z -text"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := tree(t, tt.files...)
			if !tt.bare {
				write(t, filepath.Join(top, ".git", "HEAD"), "x")
			}
			dir := filepath.Join(top, "skills")
			fixes := plan(t, dir, false)
			for _, f := range fixes.Files {
				if err := f.Write(); err != nil {
					t.Fatal(err)
				}
			}
			for i := 0; i < len(tt.want); i += 2 {
				got, _ := os.ReadFile(filepath.Join(top, tt.want[i]))
				if string(got) != tt.want[i+1] {
					t.Errorf("%s is %q, want %q", tt.want[i], got, tt.want[i+1])
				}
			}
			if left := strings.Join(fixes.Left, "\n"); !strings.Contains(left, tt.left) || (left == "") != (tt.left == "") {
				t.Errorf("left %q, want %q", left, tt.left)
			}
			if again := plan(t, dir, false).Files; len(again) > 0 {
				t.Errorf("fixed again: %+v", again)
			}
			temps, _ := filepath.Glob(filepath.Join(top, "**", ".skillpack-*"))
			if len(temps) > 0 {
				t.Errorf("left behind: %v", temps)
			}
		})
	}
}

func TestFixesThroughSymlinks(t *testing.T) {
	top := tree(t, "skills/b/x", "", "skills/store/text", faulty, "skills/store/c/x", crlf, "attributes", "* text\n")
	write(t, filepath.Join(top, ".git", "HEAD"), "x")
	for link, to := range map[string]string{"skills/b/SKILL.md": "../store/text", ".gitattributes": "attributes"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Skip(err)
		}
	}
	write(t, filepath.Join(top, "skills/store/c/SKILL.md"), skillText("c", ""))
	fixes := plan(t, filepath.Join(top, "skills"), true)
	if len(fixes.Files) > 0 {
		t.Errorf("fixed: %+v", fixes.Files)
	}
	for _, want := range []string{"skills/b/SKILL.md: it is reached through a symlink", ".gitattributes: it is no file"} {
		if !slices.ContainsFunc(fixes.Left, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("left %q, want %q", fixes.Left, want)
		}
	}
}

// A file that is not the one the fix was made for stays as it is.
func TestFixWriteRefuses(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, file string) error{
		"it was changed meanwhile": func(t *testing.T, file string) error { return os.WriteFile(file, []byte(faulty+"more"), 0o644) },
		"the file is read-only":    func(t *testing.T, file string) error { return os.Chmod(file, 0o555) },
		"read-only":                func(t *testing.T, file string) error { return os.Chmod(file, 0o444) },
		"symlink": func(t *testing.T, file string) error {
			other := filepath.Join(t.TempDir(), "other")
			write(t, other, faulty)
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Symlink(other, file)
		},
		"no such file": func(t *testing.T, file string) error { return os.Remove(file) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "a/SKILL.md", faulty)
			fixes := plan(t, dir, false)
			file := filepath.Join(dir, "a", "SKILL.md")
			if err := change(t, file); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(file)
			if err := fixes.Files[0].Write(); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "a/SKILL.md cannot be fixed") {
				t.Errorf("error %v, want %q", err, name)
			}
			if after, _ := os.ReadFile(file); string(after) != string(before) {
				t.Errorf("now %q", after)
			}
			if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) > 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestFixWriteKeepsPermissions(t *testing.T) {
	dir := tree(t, "a/SKILL.md", faulty)
	file := filepath.Join(dir, "a", "SKILL.md")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(file)
	if err := plan(t, dir, false).Files[0].Write(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(file); err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode %v, want %v", after.Mode(), before.Mode())
	}
}
