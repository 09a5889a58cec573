package gofile

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
)

func TestGoPackage(t *testing.T) {
	testfiles.In(t, map[string]string{
		"one/a.go":        "// Package alpha.\npackage alpha\n",
		"one/a_test.go":   "package alpha_test\n",
		"one/gen.go":      "package old\n",
		"one/tool.go":     "//go:build ignore\n\npackage main\n",
		"one/_x.go":       "package x\n",
		"one/.x.go":       "package x\n",
		"one/dir.go/x":    "",
		"platform/a.go":   "// A comment.\n\n//go:build windows && !cgo\n\npackage only\n",
		"platform/b.go":   "//go:build ignore || (cgo && !cgo)\n\npackage tool\n",
		"two/a.go":        "package a\n",
		"two/b.go":        "package b\n",
		"self/gen.go":     "package self2\n",
		"tests/a_test.go": "package x\n",
		"broken/a.go":     "pakage x\n",
		"my-Skills_2/x":   "",
		"2024/x":          "",
		"type/x":          "",
		"main/x":          "",
		"---/x":           "",
		"généré/x":        "",
	})
	for _, test := range []struct{ goFile, flag, env, want, reason string }{
		{"one/gen.go", "", "", "alpha", ""},
		{"one/new.go", "", "", "", `of package "alpha" (a.go) and of package "old" (gen.go): say which with --package`},
		{"one/gen.go", "alpha", "other", "alpha", ""},
		{"one/gen.go", "", "alpha", "alpha", ""},
		{"one/gen.go", "beta", "", "", `--package is "beta", but a.go beside one/gen.go is of package "alpha": write --package alpha`},
		{"one/gen.go", "", "beta", "", `$GOPACKAGE is "beta", but a.go`},
		{"platform/gen.go", "", "", "only", ""},
		{"two/gen.go", "", "", "", `of package "a" (a.go) and of package "b" (b.go)`},
		{"two/gen.go", "b", "", "b", ""},
		{"self/gen.go", "", "", "self2", ""},
		{"self/gen.go", "self3", "", "self3", ""},
		{"self/new.go", "", "", "self2", ""},
		{"tests/gen.go", "", "", "tests", ""},
		{"broken/gen.go", "", "", "broken", ""},
		{"my-Skills_2/gen.go", "", "", "myskills2", ""},
		{"my-Skills_2/gen.go", "", "main", "main", ""},
		{"my-Skills_2/../2024/gen.go", "", "", "skills2024", ""},
		{"type/gen.go", "", "", "skillstype", ""},
		{"main/gen.go", "", "", "skills", ""},
		{"---/gen.go", "", "", "skills", ""},
		{"généré/gen.go", "", "", "généré", ""},
		{"none/gen.go", "", "", "none", ""},
		{"2024/gen.go", "type", "", "", `--package is "type", a keyword of Go: write another name, for instance "skillstype"`},
		{"2024/gen.go", "my-skills", "", "", `--package is "my-skills", which is no Go identifier: write letters and digits, starting with a letter, for instance "myskills"`},
		{"2024/gen.go", "_", "", "", `--package is "_"`},
		{"2024/gen.go", "", "1a", "", `$GOPACKAGE is "1a"`},
	} {
		got, err := PackageName(test.goFile, test.flag, test.env)
		if got != test.want || (err != nil) != (test.reason != "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s, flag %q, env %q: %q, %v; want %q, %q", test.goFile, test.flag, test.env, got, err, test.want, test.reason)
		}
	}
	t.Chdir("one")
	if got, err := PackageName("gen.go", "", ""); got != "alpha" || err != nil {
		t.Errorf("in the folder itself: %q, %v", got, err)
	}
	t.Chdir("../2024")
	if got, err := PackageName("gen.go", "", ""); got != "skills2024" || err != nil {
		t.Errorf("in an empty folder: %q, %v", got, err)
	}
}
