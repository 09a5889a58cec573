package bundle

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/pattern"
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
		strings.Repeat("{a,b}", 9): "braces stand for over 256 patterns",
		strings.Repeat("{"+strings.Repeat("a,", 20)+"}", 3): "braces stand for over 256 patterns",
		"{" + strings.Repeat("{a,b},", 129) + "}":           "braces stand for over 256 patterns",
		strings.Repeat("x", 1025):                           "over 1,024 bytes",
	} {
		g := new(ignores)
		err := g.addLines("ok\n"+line+"\n", "dir/.skillpackignore")
		if err == nil || !strings.HasPrefix(err.Error(), "dir/.skillpackignore:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error of line 2 with %q", line, err, want)
		}
	}
}

// modelLine is a line of an ignore file by the letter of the documentation.
type modelLine struct {
	negate, folder, anchored bool
	globs                    [][]string // segments of each pattern without braces
}

var ignoreForm = regexp.MustCompile(`^(!?)(?:\./)?(/?)(.*?)(/?)$`)

// modelOf reads the lines of an ignore file that are valid.
func modelOf(text string) []modelLine {
	var lines []modelLine
	for _, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = strings.TrimRight(line, "\r")
		if blank := strings.TrimRight(line, " \t"); !strings.HasSuffix(blank, `\`) {
			line = blank
		} else if len(line) > len(blank) {
			line = line[:len(blank)+1]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		m := ignoreForm.FindStringSubmatch(line)
		l := modelLine{negate: m[1] != "", folder: m[4] != "", anchored: m[2] != "" || strings.Contains(m[3], "/")}
		for _, glob := range withoutBraces(m[3]) {
			l.globs = append(l.globs, strings.Split(glob, "/"))
		}
		lines = append(lines, l)
	}
	return lines
}

// withoutBraces returns the patterns that one with braces stands for.
func withoutBraces(glob string) []string {
	depth, open := 0, -1
	var cuts []int
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[':
			i = classEnd(glob, i)
		case c == '{':
			if depth++; depth == 1 {
				open, cuts = i, []int{i}
			}
		case c == ',' && depth == 1:
			cuts = append(cuts, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var all []string
			cuts = append(cuts, i)
			for k := range len(cuts) - 1 {
				all = append(all, withoutBraces(glob[:open]+glob[cuts[k]+1:cuts[k+1]]+glob[i+1:])...)
			}
			return all
		}
	}
	return []string{glob}
}

// classEnd returns the index of the bracket that closes a class.
func classEnd(glob string, i int) int {
	for i++; i < len(glob) && glob[i] != ']'; i++ {
		if glob[i] == '\\' {
			i++
		}
	}
	return i
}

// matchSegments reports whether names match segments of a pattern.
func matchSegments(segments, names []string) bool {
	if len(segments) == 0 {
		return len(names) == 0
	}
	if segments[0] == "**" {
		return matchSegments(segments[1:], names) || len(names) > 0 && matchSegments(segments, names[1:])
	}
	return len(names) > 0 && matchName(segments[0], names[0]) && matchSegments(segments[1:], names[1:])
}

// matchName matches one name; a segment is what regexp takes but for its own
// characters.
func matchName(segment, name string) bool {
	var b strings.Builder
	b.WriteString(`^(?s:`)
	for i := 0; i < len(segment); {
		c, n := utf8.DecodeRuneInString(segment[i:])
		switch {
		case c == '*':
			b.WriteString(`.*`)
		case c == '?':
			b.WriteString(`.`)
		case c == '\\':
			i += n
			c, n = utf8.DecodeRuneInString(segment[i:])
			b.WriteString(regexp.QuoteMeta(string(c)))
		case c == '[':
			end := classEnd(segment, i)
			b.WriteString(regexp.MustCompile(`^\[!`).ReplaceAllString(segment[i:end+1], "[^"))
			i, n = end+1, 0
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
		i += n
	}
	b.WriteString(`)$`)
	return regexp.MustCompile(b.String()).MatchString(name)
}

// simpleClasses are lines whose classes mean the same to doublestar and regexp,
// whose double stars are whole segments and whose slashes are as they stand.
func simpleClasses(lines string) bool {
	rest := regexp.MustCompile(`\[[!^]?(?:[a-z0-9.](?:-[z~])?)+\]`).ReplaceAllString(lines, "")
	rest = regexp.MustCompile(`(?m)(^!?(?:\./)?/?|/)\*\*(/|/?\r?$)`).ReplaceAllString(rest, "$1$2")
	rest = regexp.MustCompile(`(?m)(^!?(?:\./)?/?|/)\*\*(/|/?\r?$)`).ReplaceAllString(rest, "$1$2")
	return !strings.Contains(lines, `\/`) && !strings.ContainsAny(rest, "[]") && !strings.Contains(rest, "**") && utf8.ValidString(lines)
}

// FuzzIgnore holds that a file is left out exactly when the last line that
// matches it, or a folder above it, does not take back in: by this package's own
// matching, so that pruning changes nothing, and by a matching that is made of
// regular expressions, one for each pattern that the braces stand for.
func FuzzIgnore(f *testing.F) {
	for _, seed := range []struct{ lines, file string }{
		{"drafts/\n!keep.md", "a/drafts/keep.md"}, {"*\n!b/**", "b/c/d"}, {"a/*\n!a/b/[cd]\nx", "a/b/c"}, {"{a,b}/\n!/a/b", "a/b/x"}, {"**/drafts/**", "x/drafts/y"}, {"**/drafts/**", "drafts"}, {"a/**/b", "a/b"}, {"a/**/b", "a/x/y/b"},
		{"./a\\ \n#x\n\\#y", "#y"}, {"{a,b{c,d/e}}/f", "bd/e/f"}, {"[!a]?[^b-d]", "xyz"}, {"a/{**,b}/c", "a/x/c"}, {"**", "a"}, {"!**\n**/x", "a/x"}, {"/**/a/", "b/a/c"}, {"\uFEFFx \r\n!x/y\t", "x/y"}, {"*.{md,txt}", "a.txt"}, {"a**b", "aab"}, {"é?", "éü"}, {"\\*", "*"}, {"a/\\*\\{\\}", "a/*{}"}, {"{,a}b", "b"}, {"x\n!x\nx/", "x/x"},
	} {
		f.Add(seed.lines, seed.file)
	}
	f.Fuzz(func(t *testing.T, lines, file string) {
		if len(lines) > 200 || len(file) > 100 || path.Clean("/"+file) != "/"+file || file == "" {
			return
		}
		g := new(ignores)
		if g.addLines(lines, "x") != nil || isFixed(file) {
			return
		}
		decides := func(match func(i int, at string, folder bool) bool, n int, negate func(i int) bool) bool {
			out := false
			for i := range n {
				for at, folder := file, false; at != "."; at, folder = path.Dir(at), true {
					if match(i, at, folder) {
						out = !negate(i)
					}
				}
			}
			return out
		}
		got := len(leftOut(g, []string{file})) > 0
		want := decides(func(i int, at string, folder bool) bool {
			return (folder || !g.lines[i].folder) && g.lines[i].Match(at, path.Base(at))
		}, len(g.lines), func(i int) bool { return g.lines[i].negate })
		if got != want {
			t.Fatalf("%q with %q: left out is %v, want %v", file, lines, got, want)
		}
		if !simpleClasses(lines) || !utf8.ValidString(file) {
			return
		}
		model := modelOf(lines)
		want = decides(func(i int, at string, folder bool) bool {
			names := strings.Split(at, "/")
			if !model[i].anchored {
				names = names[len(names)-1:]
			}
			return (folder || !model[i].folder) && slices.ContainsFunc(model[i].globs, func(segments []string) bool { return matchSegments(segments, names) })
		}, len(model), func(i int) bool { return model[i].negate })
		if got != want {
			t.Errorf("%q with %q: left out is %v, want %v by regular expressions", file, lines, got, want)
		}
	})
}

// The longest patterns that are allowed match the longest paths in no time.
func TestPatternsTakeNoTime(t *testing.T) {
	deep := strings.TrimSuffix(strings.Repeat("a/", 500), "/")
	start := time.Now()
	for _, glob := range []string{strings.Repeat("**/", 340) + "x", strings.Repeat("*a", 500) + "x", "/" + strings.Repeat("*/", 500) + "x", strings.Repeat("{a,b,*,**}/", 4) + strings.Repeat("**/a/", 150) + "x",
		strings.Repeat("{a,*}", 8) + strings.Repeat("*", 900) + "x", strings.Repeat("{**/,a/}", 8) + "x", strings.Repeat("[a-z]*", 160) + "x", strings.Repeat("?*", 500) + "x"} {
		p, err := pattern.New(glob)
		if err != nil {
			t.Errorf("%.20s…: %v", glob, err)
			continue
		}
		for _, file := range []string{deep, strings.Repeat("a", 255), strings.Repeat("a", 200) + "/" + deep} {
			if p.Match(file, path.Base(file)) {
				t.Errorf("%.20s… matches %.20s…", glob, file)
			}
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
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
