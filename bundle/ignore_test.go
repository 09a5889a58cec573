package bundle

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// leftOut returns which of some files the lines leave out, walked as the walk
// does: folders first, pruned where they may be.
func leftOut(g *ignores, files []string) []string {
	var out []string
	for _, file := range files {
		var above decided
		segments := strings.Split(file, "/")
		for i := range segments {
			at, folder := strings.Join(segments[:i+1], "/"), i < len(segments)-1
			if g.fixed(at, segments[i], folder) {
				out = append(out, file)
				break
			}
			above = g.decide(above, at, segments[i], folder)
			if g.excludes(above) && !(folder && g.mayTakeBack(above, at)) {
				out = append(out, file)
				break
			}
		}
	}
	return out
}

func TestIgnore(t *testing.T) {
	files := []string{
		"README.md", "a/SKILL.md", "a/drafts/keep.md", "a/drafts/old/x.md", "a/drafts/y.md",
		"a/log.txt", "a/sub/log.txt", "b/SKILL.md", "b/a/SKILL.md", "drafts",
	}
	for _, c := range []struct {
		lines string
		want  string // the files left out
	}{
		{"", ""},
		{"# a comment\n\n   \n", ""},
		{"log.txt", "a/log.txt a/sub/log.txt"},
		{"*.txt", "a/log.txt a/sub/log.txt"},
		{"/a/log.txt", "a/log.txt"},
		{"a/log.txt", "a/log.txt"},
		{"./a/log.txt", "a/log.txt"},
		{"/log.txt", ""},
		{"**/sub/log.txt", "a/sub/log.txt"},
		{"a", "a/SKILL.md a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md a/log.txt a/sub/log.txt b/a/SKILL.md"},
		{"/a", "a/SKILL.md a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md a/log.txt a/sub/log.txt"},
		{"drafts/", "a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md"},
		{"drafts", "a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md drafts"},
		{"/drafts/", ""},
		{"a/drafts/**", "a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md"},
		{"drafts/\n!keep.md", "a/drafts/old/x.md a/drafts/y.md"},
		{"drafts/\n!/a/drafts/keep.md", "a/drafts/old/x.md a/drafts/y.md"},
		{"drafts/\n!a/drafts/old/", "a/drafts/keep.md a/drafts/y.md"},
		{"drafts/\n!old/\nx.md", "a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md"},
		{"!keep.md\ndrafts/", "a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md"},
		{"*\n!b/SKILL.md", "README.md a/SKILL.md a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md a/log.txt a/sub/log.txt b/a/SKILL.md drafts"},
		{"{README,nothing}.md", "README.md"},
		{"READ[A-M]E.md\r\nlog.txt\r\n", "README.md a/log.txt a/sub/log.txt"},
		{"\uFEFFREADME.md", "README.md"},
		{"README.md   ", "README.md"},
		{`README.md\ `, ""},
		{`\#x`, ""},
		{"a/*", "a/SKILL.md a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md a/log.txt a/sub/log.txt"},
		{"a/**/*.md", "a/SKILL.md a/drafts/keep.md a/drafts/old/x.md a/drafts/y.md"},
	} {
		g := new(ignores)
		if err := g.addLines(c.lines, "x"); err != nil {
			t.Errorf("%q: %v", c.lines, err)
			continue
		}
		if got := strings.Join(leftOut(g, files), " "); got != c.want {
			t.Errorf("%q leaves out\n %s\nwant\n %s", c.lines, got, c.want)
		}
	}
}

func TestIgnoreAlways(t *testing.T) {
	out := []string{
		".git/config", "a/.git", "x/.hg/y", ".svn/y", ".jj/y", "a/__pycache__/m.pyc", "m.pyc", "a/.DS_Store",
		"Thumbs.db", "thumbs.db", "Desktop.ini", ".SKILL.md.swp", ".x.swo", ".#x.md", "#x.md#", "x.md~", "own.json", ".skillpack-1234",
		ignoreFile,
	}
	in := []string{
		".github/x", ".gitignore", "a/.gitattributes", "pycache/x", "m.py", "DS_Store", ".swp", "x.swp", "#x", "##", "~", "x~/y",
		"a/own.json", "a/" + ignoreFile, ".skillpack/x", "a.pyc/x", "Thumbs.db/x",
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	g, err := readIgnore(root, ignoreFile, []string{"!*"}, []string{"own.json"})
	if err != nil {
		t.Fatal(err)
	}
	if got := leftOut(g, slices.Concat(out, in)); !slices.Equal(got, out) {
		t.Errorf("left out %q\nwant %q", got, out)
	}
}

func TestIgnoreInvalid(t *testing.T) {
	for line, want := range map[string]string{
		"[":                        `a "[" or "{" is not closed`,
		"a/{b":                     "not closed",
		`a\`:                       `a "\" ends it`,
		"a//b":                     "empty segment",
		"../x":                     `".." segment`,
		"a/./b":                    `"." segment`,
		"/":                        "empty",
		"!":                        "empty",
		strings.Repeat("{a,b}", 9): "over 8 groups",
		strings.Repeat("x", 1025):  "over 1,024 bytes",
	} {
		g := new(ignores)
		err := g.addLines("ok\n"+line+"\n", "dir/.skillpackignore")
		if err == nil || !strings.HasPrefix(err.Error(), "dir/.skillpackignore:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error of line 2 with %q", line, err, want)
		}
	}
}

// FuzzIgnore holds that pruning changes nothing: a file is left out exactly when
// the last line that matches it, or a folder above it, does not take back in.
func FuzzIgnore(f *testing.F) {
	f.Add("drafts/\n!keep.md", "a/drafts/keep.md")
	f.Add("*\n!b/**", "b/c/d")
	f.Add("a/*\n!a/b/[cd]\nx", "a/b/c")
	f.Add("{a,b}/\n!/a/b", "a/b/x")
	f.Fuzz(func(t *testing.T, lines, file string) {
		if len(lines) > 200 || len(file) > 100 || path.Clean("/"+file) != "/"+file || file == "" {
			return
		}
		g := new(ignores)
		if g.addLines(lines, "x") != nil {
			return
		}
		want := false
		for _, line := range g.lines {
			for at, folder := file, false; at != "."; at, folder = path.Dir(at), true {
				if (folder || !line.folder) && line.match(at, path.Base(at)) {
					want = !line.negate
				}
			}
		}
		if isFixed(file) {
			return
		}
		if got := len(leftOut(g, []string{file})) > 0; got != want {
			t.Errorf("%q with %q: left out is %v, want %v", file, lines, got, want)
		}
	})
}

func isFixed(file string) bool {
	segments := strings.Split(file, "/")
	for i, name := range segments {
		for _, always := range alwaysIgnored {
			if always.match(name, i < len(segments)-1) {
				return true
			}
		}
	}
	return false
}
