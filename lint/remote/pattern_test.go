package remote_test

import (
	"context"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// tree is a skills directory: the files by their path.
type tree map[string]string

// with returns a tree with some files more; a path that ends in SKILL.md gets the
// text of a skill.
func with(base tree, paths ...string) tree {
	all := maps.Clone(base)
	for _, p := range paths {
		all[p] = "the text of " + p + "\n"
		if folder, ok := strings.CutSuffix(p, "/SKILL.md"); ok {
			all[p] = "---\nname: " + folder[strings.LastIndexByte(folder, '/')+1:] + "\ndescription: Does things. Use when testing.\n---\n\nText.\n"
		}
	}
	return all
}

func skillTree(paths ...string) tree { return with(tree{}, paths...) }

// each returns a tree whose files other than SKILL.md are changed.
func (t tree) each(change func(string) string) tree {
	all := tree{}
	for p, text := range t {
		if !strings.HasSuffix(p, "SKILL.md") {
			text = change(text)
		}
		all[p] = text
	}
	return all
}

func (t tree) manifest() (m manifest.Manifest) {
	for p, text := range t {
		folder, ok := strings.CutSuffix(p, "SKILL.md")
		if !ok {
			continue
		}
		s := manifest.Skill{URI: manifest.NewURI(p), Frontmatter: frontmatter.Parse([]byte(text)).Frontmatter}
		for file, text := range t {
			if strings.HasPrefix(file, folder) {
				s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(file), Digest: manifest.DigestOf([]byte(text)), Size: int64(len(text))})
			}
		}
		m.Skills = append(m.Skills, s)
	}
	m.Sort()
	return m
}

func (t tree) read(u manifest.URI) ([]byte, error) { return []byte(t[u.Path()]), nil }

// checked checks a server over HTTP that lists one tree and reads another,
// against a third.
func checked(t *testing.T, built, listed, read tree, check remote.Check) *remote.Result {
	t.Helper()
	s, err := remotetest.New(listed.manifest(), func(uri string) ([]byte, error) {
		u, err := manifest.ParseURI(uri)
		if err != nil {
			return nil, err
		}
		return read.read(u)
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	m := built.manifest()
	check.Built = &m
	return connect(t, remote.Target{URL: server.URL}, remote.Options{}).Check(context.Background(), check)
}

// TestPatterns holds that what all missing files or skills have in common is said
// once, in the first finding and the drift of its skill, and only where it holds
// for all of them and for no served one.
func TestPatterns(t *testing.T) {
	const (
		dots    = "the server skips names starting with a dot: all "
		marks   = "the server skips names starting with . or _: all "
		ending  = "the server lists .md files alone: all "
		folders = "the server lists no subfolders: all "
		deep    = "the server looks one folder deep: all "
	)
	base := skillTree("a/SKILL.md", "a/use.md", "b/SKILL.md")
	for _, test := range []struct {
		name   string
		served tree
		lost   []string // what is built besides
		want   []string // of the causes above, each with its number
	}{
		{"endings", with(base, "a/more/use.md"), []string{"a/x.sh", "a/more/y.png", "b/z"}, []string{ending + "3"}},
		{"endings, one .md", with(base, "a/more/use.md"), []string{"a/x.sh", "b/z.md"}, nil},
		{"endings, one .MD", with(base, "a/more/use.md"), []string{"a/x.sh", "b/z.MD"}, nil},
		{"endings, one served", with(base, "a/more/use.md", "b/x.sh"), []string{"a/x.sh", "a/y.sh"}, nil},
		{"one ending", with(base, "a/more/use.md"), []string{"a/x.sh"}, nil},
		{"dots", with(base, "a/x.sh", "a/more/use.md"), []string{"a/.env", "b/.github/x.md"}, []string{dots + "2"}},
		{"dots, one without", with(base, "a/x.sh", "a/more/use.md"), []string{"a/.env", "b/env"}, nil},
		{"dots, one served", with(base, "a/x.sh", "a/more/use.md", "b/.env"), []string{"a/.env", "b/.github/x.md"}, nil},
		{"dots and underscores", with(base, "a/x.sh", "a/more/use.md"), []string{"a/.env", "b/more/__init__.py"}, []string{marks + "2"}},
		{"dots, with a served underscore", with(base, "a/x.sh", "a/more/_use.md"), []string{"a/.env", "b/.use"}, []string{dots + "2"}},
		{"underscores, one served", with(base, "a/x.sh", "a/more/_use.md"), []string{"a/.env", "b/__init__.py"}, nil},
		{"subfolders", with(base, "a/x.sh"), []string{"a/more/x.sh", "b/more/y.md"}, []string{folders + "2"}},
		{"subfolders, one served", with(base, "a/x.sh", "b/other/x.sh"), []string{"a/more/x.sh", "b/more/y.md"}, nil},
		{"subfolders, one beside", with(base, "a/x.sh"), []string{"a/more/x.sh", "b/y.md"}, nil},
		{"endings or subfolders", base, []string{"a/more/x.sh", "b/more/y.png"}, []string{ending + "2", folders + "2"}},
		{"deep skills", base, []string{"team/c/SKILL.md", "team/data/d/SKILL.md", "team/c/x.sh"}, []string{deep + "2"}},
		{"deep skills, one not", base, []string{"team/c/SKILL.md", "team/d/SKILL.md", "e/SKILL.md"}, nil},
		{"deep skills, one served", with(base, "team/e/SKILL.md"), []string{"team/c/SKILL.md", "team/d/SKILL.md"}, nil},
		{"one deep skill", base, []string{"team/c/SKILL.md"}, nil},
		{"deep skills, none served", tree{}, []string{"team/c/SKILL.md", "team/d/SKILL.md"}, nil},
		{"files and skills", with(base, "a/more/use.md"), []string{"a/x.sh", "b/y.png", "team/c/SKILL.md", "team/d/SKILL.md"}, []string{ending + "2", deep + "2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			built := with(test.served, test.lost...)
			committed := built.manifest()
			r := checked(t, built, test.served, test.served, remote.Check{Committed: &committed, Verify: true})
			said, drift := "", ""
			for _, f := range r.Findings {
				said += f.Message + "\n"
			}
			for _, d := range r.Drift {
				drift += d.Cause + "\n"
			}
			for _, cause := range []string{dots, marks, ending, folders, deep} {
				want := 0
				if slices.ContainsFunc(test.want, func(w string) bool { return strings.HasPrefix(w, cause) }) {
					want = 1
				}
				if n, m := strings.Count(said, cause), strings.Count(drift, cause); n != want || m != want {
					dump(t, r)
					t.Errorf("%q is said %d times, and %d times of the drift; want %d", cause, n, m, want)
				}
			}
			for _, want := range test.want {
				if !strings.Contains(said, want+" missing ") {
					dump(t, r)
					t.Errorf("no finding has %q", want)
				}
			}
			if blamed := strings.Contains(said, "deploy this one"); blamed != (test.want == nil) {
				dump(t, r)
				t.Errorf("another build is blamed: %v", blamed)
			}
		})
	}
}

// TestCommonCause holds that one cause of all changed files is said once with
// their number, in a listing of changed files and in the reading of files that are
// listed otherwise, and that different causes are said each of its file.
func TestCommonCause(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	built := skillTree("a/SKILL.md", "a/x.md", "a/y.md", "b/SKILL.md", "b/z.md")
	mixed := with(built)
	mixed["a/x.md"], mixed["a/y.md"] = crlf(built["a/x.md"]), "\uFEFF"+built["a/y.md"]
	spoiled := built.each(func(s string) string { return "\uFFFD" + s })
	spoiled["b/z.md"] = "\uFFFD\uFFFD" + built["b/z.md"]
	cut := built.each(func(s string) string { return s[:len(s)-5] })
	cut["b/z.md"] = built["b/z.md"][:3]
	for _, test := range []struct {
		name         string
		listed, read tree
		bytes        bool
		rule, cause  string // the cause that is said once
		n            int
	}{
		{"CRLF", built.each(crlf), built.each(crlf), true, "file-changed", "all 3 changed files: the server's file has CRLF line ends", 3},
		{"CRLF, seen in what is read", built.each(crlf), built.each(crlf), false, "file-changed", "all 3 changed files: the served bytes have CRLF line ends", 3},
		{"a mark", built.each(func(s string) string { return "\uFEFF" + s }), nil, true, "file-changed", "all 3 changed files: the server's file starts with a byte order mark", 3},
		{"trimmed", built.each(strings.TrimSpace), nil, true, "file-changed", "all 3 changed files: the server's file lacks the last line break", 3},
		{"CRLF, only read", built, built.each(crlf), true, "size-mismatch", "all 3 such files: the served bytes have CRLF line ends", 3},
		{"U+FFFD, in other numbers", built, spoiled, true, "size-mismatch", "all 3 such files: the texts have U+FFFD", 3},
		{"cut off, in other places", built, cut, true, "size-mismatch", "all 3 such files: the files are cut off", 3},
		{"unexplained without the built bytes", built, cut, false, "size-mismatch", "give the skills directory with -m DIR", 3},
		{"two causes", mixed, mixed, true, "file-changed", "", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.read == nil {
				test.read = test.listed
			}
			check := remote.Check{Verify: true}
			if test.bytes {
				check.Bytes = built.read
			}
			r := checked(t, built, test.listed, test.read, check)
			var found []lint.Finding
			once := 0
			for _, f := range r.Findings {
				if f.Rule != test.rule {
					t.Errorf("a finding %s", f.Rule)
				}
				found = append(found, f)
				once += strings.Count(f.Message, ": "+test.cause)
			}
			slices.SortFunc(found, func(a, b lint.Finding) int { return strings.Compare(a.URI, b.URI) })
			if len(found) != test.n {
				dump(t, r)
				t.Fatalf("%d findings, want %d", len(found), test.n)
			}
			if test.cause == "" {
				if !strings.Contains(found[0].Message, "CRLF") || !strings.Contains(found[1].Message, "byte order mark") || strings.Contains(found[0].Message, "all 2") {
					dump(t, r)
					t.Error("want each cause at its file")
				}
				return
			}
			if once != 1 || !strings.Contains(found[0].Message, test.cause) {
				dump(t, r)
				t.Errorf("the cause is said %d times; want once, in the first finding", once)
			}
			causes := 0
			for _, d := range r.Drift {
				causes += strings.Count(d.Cause, test.cause)
			}
			if drift := test.rule == "file-changed"; drift && causes != 1 || !drift && causes != 0 {
				t.Errorf("the cause is said %d times of the drift", causes)
			}
			for _, v := range r.Verification {
				if v.Status == lint.Mismatch && v.Cause == "" {
					t.Errorf("the verdict of %s has no cause", v.URI)
				}
			}
		})
	}
}
