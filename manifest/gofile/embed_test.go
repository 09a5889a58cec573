package gofile

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

func TestEmbedProblem(t *testing.T) {
	for _, p := range []string{
		"a", "skills/a/SKILL.md", ".hidden", "_x", "skills/.env", "skills/_x/__init__.py", "skills/a b.md", "skills/#%&+@,=~[]!$(){}^-.md",
		"skills/-a", "skills/@scope/x", "skills/é/汉字", "skills/.gitignore", "skills/.github/x", "skills/~1", "é", "a..b", "skills/.jj/x",
	} {
		if err := EmbedProblem(p); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, test := range []struct{ path, reason string }{
		{"", "empty"},
		{"..", "not below the folder"},
		{"../a", "not below the folder"},
		{"/a", "not below the folder"},
		{"a/../b", `invalid path element ".."`},
		{"a//b", "empty"},
		{"a/./b", `invalid path element "."`},
		{"a/", "empty"},
		{"s/.git/config", "version-control"},
		{".hg", "version-control"},
		{"s/.svn/x", "version-control"},
		{"s/.bzr", "version-control"},
		{"-a", "starts with '-'"},
		{"@scope/x", "starts with '@'"},
		{" a", "starts with ' '"},
		{"(draft)/a", "starts with '('"},
		{"_cgo_x", "starts with _cgo_"},
		{`s/a"b`, `invalid char '"'`},
		{"s/a'b", `invalid char '\''`},
		{"s/a`b", "invalid char '`'"},
		{"s/a|b", "invalid char '|'"},
		{"s/a:b", "invalid char ':'"},
		{"s/a?b", "invalid char '?'"},
		{"s/a*b", "invalid char '*'"},
		{"s/a<b", "invalid char '<'"},
		{"s/a>b", "invalid char '>'"},
		{"s/a;b", "invalid char ';'"},
		{`s/a\b`, `invalid char '\\'`},
		{"s/🎉", "invalid char '🎉'"},
		{"s/a！", "invalid char '！'"},
		{"s/e\u0301", "invalid char"},
		{"s/a.", "trailing dot"},
		{"s/a./b", "trailing dot"},
		{"s/aux.md", `"aux" disallowed`},
		{"CON/x", `"CON" disallowed`},
		{"s/lpt1", `"lpt1" disallowed`},
		{"s/\xff", "invalid UTF-8"},
		{"s/a\x01", "invalid char"},
	} {
		err := EmbedProblem(test.path)
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%q: %v, want %q", test.path, err, test.reason)
		}
	}
}

func TestEmbedPattern(t *testing.T) {
	for _, p := range []string{"a", "s/a b.md", "s/[x]/[[y", "s/a]b^c-d", "s/日\u3000本", "s/汉字", "s/#x, y=z"} {
		pattern := embedPattern(p)
		d, ok := ast.ParseDirective(token.Pos(1), "//go:embed "+pattern)
		if !ok {
			t.Fatalf("%s: no directive", p)
		}
		args, err := d.ParseArgs()
		if err != nil || len(args) != 1 {
			t.Errorf("%s: %v, %v", p, args, err)
			continue
		}
		if ok, err := path.Match(args[0].Arg, p); !ok || err != nil {
			t.Errorf("%s is written %s, which does not match it: %v", p, pattern, err)
		}
		for _, other := range []string{"x", "s/x/y", "s/x/[y"} {
			if ok, _ := path.Match(args[0].Arg, other); ok {
				t.Errorf("%s is written %s, which matches %s", p, pattern, other)
			}
		}
	}
}
