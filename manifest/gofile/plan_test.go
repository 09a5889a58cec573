package gofile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
)

func TestPlanEmbed(t *testing.T) {
	testfiles.In(t, map[string]string{
		"go.mod":                "module m\n",
		"skills/a/SKILL.md":     "",
		"pkg/skills/a/SKILL.md": "",
		"mod/go.mod":            "module m/mod\n",
		"mod/skills/a/SKILL.md": "",
		"far/skills/SKILL.md":   "",
		"skills/b/go.mod":       "",
		"skills/b/x/y":          "",
	})
	testfiles.Link(t, "skills", "linked")
	testfiles.Link(t, ".", "here")
	testfiles.Link(t, "../far", "pkg/far")
	none := func(string) bool { return false }
	abs, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, goFile, dir string
		files             []string
		prefix, reason    string
	}{
		{"beside", "skills_gen.go", "skills", []string{"a/SKILL.md"}, "skills", ""},
		{"dotted", "./skills_gen.go", "./skills/", []string{"a/SKILL.md"}, "skills", ""},
		{"absolute", "skills_gen.go", filepath.Join(abs, "skills"), []string{"a/SKILL.md"}, "skills", ""},
		{"stdout", "-", "skills", []string{"a/SKILL.md"}, "skills", ""},
		{"deeper", "gen.go", "pkg/skills", []string{"a/SKILL.md"}, "pkg/skills", ""},
		{"inside", "skills/gen.go", "skills", []string{"a/SKILL.md", ".env", "_x/y"}, ".", ""},
		{"same module", "mod/gen.go", "mod/skills", []string{"a/SKILL.md"}, "skills", ""},
		{"other spelling", "here/gen.go", "skills", []string{"a/SKILL.md"}, "skills", ""},
		{"nothing", "gen.go", "skills", nil, "skills", ""},
		{"above", "pkg/gen.go", "skills", []string{"a/SKILL.md"}, "", "skills is not below pkg, the folder of the Go file"},
		{"sibling", "pkg/gen.go", "mod/skills", []string{"a/SKILL.md"}, "", "is not below pkg"},
		{"other module", "gen.go", "mod/skills", []string{"a/SKILL.md"}, "", `"mod" holds a go.mod`},
		{"go.mod in a skill", "gen.go", "skills", []string{"a/SKILL.md", "b/x/y"}, "", `"skills/b" holds a go.mod`},
		{"go.mod itself", "gen.go", "skills", []string{"b/go.mod"}, "", `"skills/b" holds a go.mod`},
		{"linked directory", "gen.go", "linked", []string{"a/SKILL.md"}, "", `"linked" is a symlink`},
		{"linked above", "pkg/gen.go", "pkg/far/skills", []string{"SKILL.md"}, "", `"far" is a symlink`},
		{"name", "gen.go", "skills", []string{"a/SKILL.md", "a/b'c"}, "", `"skills/a/b'c" holds a name that Go modules refuse: invalid char '\''`},
		{"flag-like", "skills/gen.go", "skills", []string{"-a/SKILL.md"}, "", `"-a/SKILL.md" starts with '-'`},
		{"case", "gen.go", "skills", []string{"a/SKILL.md", "a/K", "a/\u212a"}, "", "differ in case only"},
		{"missing", "gen.go", "nowhere/skills", []string{"x"}, "", `"nowhere" cannot be read`},
	} {
		prefix, err := PlanEmbed(test.goFile, test.dir, test.files, none)
		if prefix != test.prefix || (err != nil) != (test.reason != "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %q, %v; want %q, %q", test.name, prefix, err, test.prefix, test.reason)
		}
	}
	_, err = PlanEmbed("gen.go", "skills", []string{"a/SKILL.md", "a/l"}, func(file string) bool { return file == "a/l" })
	if err == nil || err.Error() != `"skills/a/l" is reached through a symlink, which go:embed does not follow` {
		t.Errorf("a linked file: %v", err)
	}
}
