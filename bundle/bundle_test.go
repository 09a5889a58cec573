package bundle_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// drain reads a resource to its end.
func drain(b *bundle.Bundle, uri manifest.URI) error {
	r, err := b.Open(uri)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

// TestSpecificationExample is the example of the extension's specification.
func TestSpecificationExample(t *testing.T) {
	dir := tree(t,
		"pdf-processing/SKILL.md", "---\nname: pdf-processing\ndescription: Extract, fill, and assemble PDF documents\n---\n\n# PDF processing\n\nChoose the matching template from `templates/`.\n",
		"pdf-processing/templates/invoice.md", "# Invoice\n\nCustomer:\nAmount:\n",
		"pdf-processing/templates/purchase-order.md", "# Purchase order\n\nSupplier:\nItems:\n",
	)
	b := read(t, bundle.Options{Dir: dir})
	if len(b.Findings) > 0 || len(b.Manifest.Skills) != 1 {
		t.Fatalf("%d skills, findings %q", len(b.Manifest.Skills), found(b))
	}
	var got []string
	for _, r := range b.Manifest.Skills[0].Resources {
		got = append(got, r.URI.String()+" "+r.Digest.String())
	}
	same(t, "resources", got, []string{
		"skill://pdf-processing/SKILL.md sha256:99b737495721155ece826d57521e2d66141ebdc1344a400487481ea2642ab19e",
		"skill://pdf-processing/templates/invoice.md sha256:61f4ea6d2c75fde1b4977219e7e3107d491c3c26aefb6686e84d6281c088d9ee",
		"skill://pdf-processing/templates/purchase-order.md sha256:f2ff774b1737ff3dec81c47946f9976f18a1a9f69dda0a81f22eabd95173c158",
	})
	if b.Summary != (lint.Summary{Skills: 1, Files: 3, Bytes: 151 + 29 + 35}) {
		t.Errorf("summary %+v", b.Summary)
	}
}

func TestSkillPaths(t *testing.T) {
	nested := []string{"outer/SKILL.md", "", "outer/x.md", "x\n", "outer/inner/SKILL.md", "", "outer/inner/y.md", "y\n", "group/deep/SKILL.md", ""}
	for _, c := range []struct {
		name, sub, prefix string
		files             []string
		want              string
	}{
		{"nested skills list their files twice", "", "", nested,
			"group/deep/SKILL.md outer/SKILL.md outer/inner/SKILL.md outer/inner/y.md outer/x.md outer/inner/SKILL.md outer/inner/y.md"},
		{"a prefix stands before all", "", "acme/x", []string{"a/SKILL.md", ""}, "acme/x/a/SKILL.md"},
		{"the directory is a skill", "outer", "", nested, "inner/SKILL.md inner/y.md outer/SKILL.md outer/inner/SKILL.md outer/inner/y.md outer/x.md"},
		{"the directory is a skill, with a prefix", "group/deep", "acme", nested, "acme/deep/SKILL.md"},
		{"names in another case make no skill", "", "", []string{"a/SKILL.md", "", "a/skill.md", "x\n"}, "a/SKILL.md a/skill.md"},
	} {
		dir := filepath.Join(tree(t, c.files...), filepath.FromSlash(c.sub))
		b := read(t, bundle.Options{Dir: dir, Prefix: c.prefix})
		if got := strings.Join(files(b), " "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		for _, s := range b.Manifest.Skills {
			for _, r := range s.Resources {
				path, _ := b.File(r.URI)
				if _, err := os.Stat(filepath.Join(dir, path)); path == "" || err != nil {
					t.Errorf("%s: File(%s) is %q: %v", c.name, r.URI, path, err)
				}
				if err := drain(b, r.URI); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
	}
	b := read(t, bundle.Options{Dir: tree(t, nested...)})
	if b.Summary.Skills != 3 || b.Summary.Files != 5 {
		t.Errorf("nested files are to be counted once: %+v", b.Summary)
	}
}

// TestSameName: the directory is a skill, and a skill nested in it has the same
// skill path.
func TestSameName(t *testing.T) {
	dir := filepath.Join(tree(t, "a/SKILL.md", "", "a/a/SKILL.md", ""), "a")
	if got := found(read(t, bundle.Options{Dir: dir})); !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, " duplicate-skill") }) {
		t.Errorf("findings %q", got)
	}
}

func TestDirIsSymlink(t *testing.T) {
	dir := tree(t, "real/SKILL.md", skillText("link", ""), "real/x.md", "x\n")
	link := filepath.Join(dir, "link")
	symlink(t, "real", link)
	b := read(t, bundle.Options{Dir: link})
	same(t, "findings", found(b), nil)
	same(t, "files", files(b), []string{"link/SKILL.md", "link/x.md"})
}

func TestRelativeDir(t *testing.T) {
	t.Chdir(tree(t, "a/SKILL.md", skillText("b", ""), "b.md/SKILL.md", skillText("a", "")))
	for dir, want := range map[string]string{".": "a/SKILL.md", "./a": "a/SKILL.md", "a/": "a/SKILL.md", "../" + filepath.Base(must(os.Getwd())): "../" + filepath.Base(must(os.Getwd())) + "/a/SKILL.md"} {
		b := read(t, bundle.Options{Dir: dir})
		if len(b.Findings) == 0 || b.Findings[0].Path != want {
			t.Errorf("%s: the first of %d findings is at %q, want %q", dir, len(b.Findings), b.Findings[0].Path, want)
		}
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func TestExclusions(t *testing.T) {
	dir := tree(t,
		"a/SKILL.md", "", "a/x.log", "x", "a/drafts/1.md", "x\n", "a/drafts/keep.md", "x\n", "a/.git/config", "x", "a/.DS_Store", "x",
		"b/SKILL.md", "", "b/.DS_Store", "x", "c/SKILL.md", "", "skills.manifest.json", "{}", "a/skills.manifest.json", "{}",
		".skillpackignore", "# drafts\ndrafts/\n!keep.md\nnothing-like-it\n",
	)
	b := read(t, bundle.Options{
		Dir: dir, Exclude: []string{"*.log", "/c"},
		Own: []string{filepath.Join(dir, "skills.manifest.json"), filepath.Join(dir, "..", "elsewhere.json"), filepath.Join(dir, "not-there-yet.go")},
	})
	same(t, "findings", found(b), nil)
	same(t, "files", files(b), []string{"a/SKILL.md", "a/drafts/keep.md", "a/skills.manifest.json", "b/SKILL.md"})
	want := []lint.Exclusion{
		{Pattern: ".git", Count: 1}, {Pattern: ".DS_Store", Count: 2}, {Pattern: ".skillpackignore", Count: 1}, {Pattern: "skills.manifest.json", Count: 1},
		{Pattern: "drafts/", Count: 1}, {Pattern: "nothing-like-it", Count: 0}, {Pattern: "*.log", Count: 1}, {Pattern: "/c", Count: 1},
	}
	if !slices.Equal(b.Excluded, want) {
		t.Errorf("excluded\n%v, want\n%v", b.Excluded, want)
	}
	if b.Summary.Excluded != 8 {
		t.Errorf("summary %+v", b.Summary)
	}
	// An excluded SKILL.md makes no skill.
	b = read(t, bundle.Options{Dir: dir, Exclude: []string{"a/SKILL.md", "/c"}})
	same(t, "files without a's SKILL.md", files(b), []string{"b/SKILL.md"})
}

func TestOptionErrors(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "", "file", "x")
	bad := tree(t, ".skillpackignore", "ok\n[\n", "a/SKILL.md", "")
	folder := tree(t, ".skillpackignore/x", "x", "a/SKILL.md", "")
	for _, c := range []struct {
		o    bundle.Options
		want string
	}{
		{bundle.Options{Dir: filepath.Join(dir, "nothing")}, "there is no directory"},
		{bundle.Options{Dir: filepath.Join(dir, "file")}, "is a file: name the directory"},
		{bundle.Options{Dir: ""}, "there is no directory"},
		{bundle.Options{Dir: dir, Prefix: "a/"}, "empty segment"},
		{bundle.Options{Dir: dir, Exclude: []string{"ok", "{"}}, `the pattern "{" to exclude is invalid`},
		{bundle.Options{Dir: bad}, `.skillpackignore:2: the pattern "[" is invalid`},
		{bundle.Options{Dir: folder}, "it is a folder, not a file"},
	} {
		b, err := bundle.Read(context.Background(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.o, err, c.want)
		}
		if b != nil {
			t.Errorf("%+v: there is a bundle", c.o)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: more than a line: %v", c.o, err)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := tree(t, "a/SKILL.md", "", "a/x.md", "some text\n", "a/empty", "")
	b := read(t, bundle.Options{Dir: dir})
	x := manifest.NewURI("a/x.md")
	r, err := b.Open(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(r, []byte("some text\n")); err != nil {
		t.Error(err)
	}
	r.Close()
	if err := drain(b, manifest.NewURI("a/empty")); err != nil {
		t.Error(err)
	}
	if _, err := b.Open(manifest.NewURI("a/y.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a URI that is not listed: %v", err)
	}
	if path, _ := b.File(manifest.NewURI("a/y.md")); path != "" {
		t.Errorf("a URI that is not listed is at %q", path)
	}
	for name, text := range map[string]string{"other bytes": "some TEXT\n", "longer": "some text\n\n", "shorter": "some text", "empty": ""} {
		write(t, filepath.Join(dir, "a", "x.md"), text)
		if err := drain(b, x); err == nil || !strings.Contains(err.Error(), "a/x.md changed since it was read") {
			t.Errorf("%s: %v", name, err)
		}
	}
	os.Remove(filepath.Join(dir, "a", "x.md"))
	if err := drain(b, x); err == nil {
		t.Error("a removed file is read")
	}
	if err := makeFIFO(filepath.Join(dir, "a", "x.md")); err == nil {
		if err := drain(b, x); err == nil || !strings.Contains(err.Error(), "a FIFO") {
			t.Errorf("a FIFO in the file's place: %v", err)
		}
	}
}

// TestOneCause: a fault has one finding, wherever it shows.
func TestOneCause(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		want  []string
	}{
		"no skill":                {[]string{"x.md", "x\n"}, []string{"no-skills"}},
		"empty":                   {nil, []string{"no-skills"}},
		"lower case":              {[]string{"a/skill.md", skillText("a", ""), "a/x.md", "x\n"}, []string{"a/skill.md skill-file-case"}},
		"lower case beside":       {[]string{"a/skill.md", skillText("a", ""), "a/x.md", "x\n", "b/SKILL.md", ""}, []string{"a/skill.md skill-file-case"}},
		"plural":                  {[]string{"a/SKILLS.md", skillText("a", ""), "b/SKILL.md", ""}, []string{"a/SKILLS.md skill-file-case"}},
		"plural, a document":      {[]string{"a/SKILLS.md", "# Skills\n", "b/SKILL.md", ""}, []string{"a stray-file"}},
		"other ending":            {[]string{"a/SKILL.mdx", "---\r\nname: a\r\n---\r\n"}, []string{"a/SKILL.mdx skill-file-case"}},
		"inside a skill":          {[]string{"a/SKILL.md", "", "a/sub/skill.md", skillText("sub", "")}, nil},
		"no frontmatter":          {[]string{"a/SKILL.md", "# A\n\n[x](y.md)\n"}, []string{"a/SKILL.md frontmatter-absent"}},
		"broken YAML":             {[]string{"a/SKILL.md", "---\nname: a\ndescription: x: y\n---\n"}, []string{"a/SKILL.md frontmatter-unparsable"}},
		"empty frontmatter":       {[]string{"a/SKILL.md", "---\n---\nText.\n"}, []string{"a/SKILL.md frontmatter-not-mapping"}},
		"value that is no JSON":   {[]string{"a/SKILL.md", "---\nname: .nan\ndescription: x\n---\nText.\n"}, []string{"a/SKILL.md frontmatter-not-json"}},
		"two faults, two lines":   {[]string{"a/SKILL.md", "---\nname: b\ndescription: .inf\n---\nText.\n"}, []string{"a/SKILL.md name-path-mismatch", "a/SKILL.md frontmatter-not-json"}},
		"LFS pointer as SKILL.md": {[]string{"a/SKILL.md", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"}, []string{"a/SKILL.md lfs-pointer"}},
		"empty body":              {[]string{"a/SKILL.md", "---\nname: a\ndescription: x\n---\n\n \n"}, []string{"a/SKILL.md empty-body"}},
		"500 lines":               {[]string{"a/SKILL.md", skillText("a", strings.Repeat("x\n", 495))}, nil},
		"501 lines":               {[]string{"a/SKILL.md", skillText("a", strings.Repeat("x\n", 496))}, []string{"a/SKILL.md skill-too-long"}},
	} {
		if got := found(read(t, bundle.Options{Dir: tree(t, c.files...)})); !slices.Equal(got, c.want) {
			t.Errorf("%s: findings %q, want %q", name, got, c.want)
		}
	}
}

func TestStray(t *testing.T) {
	b := read(t, bundle.Options{Dir: tree(t,
		"README.md", "x\n", "LICENSE", "x\n", "group/notes.md", "x\n", "group/a/SKILL.md", "",
		"shared/1.md", "x\n", "shared/deep/2.md", "x\n", "group/old/sub/3.md", "x\n",
	)})
	same(t, "findings", found(b), []string{"stray-file", "group/notes.md stray-file", "group/old stray-file", "shared stray-file"})
	for i, want := range []string{`2 files beside the skills, such as "LICENSE"`, "", `1 file in no skill, such as "sub/3.md"`, `2 files in no skill, such as "1.md"`} {
		if !strings.Contains(b.Findings[i].Message, want) {
			t.Errorf("message %q does not say %q", b.Findings[i].Message, want)
		}
	}
}

func TestBrokenLinks(t *testing.T) {
	body := "[ok](x.md) [ok](./sub/) [ok](sub) [ok](sub/y.md#part) [ok](.) [ok](sub/../x.md)\n" +
		"[case](X.md)\n[elsewhere](y.md)\n[out](../b/SKILL.md)\n[gone](nothing/at/all.md)\n[left](drafts/d.md)\n[slash](sub\\y.md)\n`[code](no.md)`\n"
	dir := tree(t, "a/SKILL.md", skillText("a", body), "a/x.md", "x\n", "a/sub/y.md", "y\n", "a/drafts/d.md", "d\n", "b/SKILL.md", "")
	b := read(t, bundle.Options{Dir: dir, Exclude: []string{"drafts/"}})
	var got []string
	for _, f := range b.Findings {
		if f.Rule != "broken-link" || f.Skill != "a" {
			t.Errorf("finding %+v", f)
		}
		got = append(got, strings.TrimPrefix(f.Place(), filepath.ToSlash(dir)+"/")+" "+f.Message)
	}
	same(t, "findings", got, []string{
		`a/SKILL.md:7:8 the link leads to "X.md", which the skill does not have: write "x.md"`,
		`a/SKILL.md:8:13 the link leads to "y.md", which the skill does not have: write "sub/y.md"`,
		`a/SKILL.md:9:7 the link to "../b/SKILL.md" leads out of the skill, and a host gets no other files than the skill's: put a copy into the skill, or name the other skill in words`,
		`a/SKILL.md:10:8 the link leads to "nothing/at/all.md", which the skill does not have: add the file, or fix the link`,
		`a/SKILL.md:11:8 the link leads to "drafts/d.md", which is left out ("drafts/"): take it back in, or remove the link`,
		`a/SKILL.md:12:9 the link leads to "sub\\y.md", which the skill does not have: write "sub/y.md"`,
	})
}

// TestTangledLinks: the links of a text that takes too long to parse are
// reported as not checked.
func TestTangledLinks(t *testing.T) {
	dir := tree(t, "a/SKILL.md", skillText("a", strings.Repeat(">", 200)+" [gone](b.md)\n"))
	b := read(t, bundle.Options{Dir: dir})
	same(t, "findings", found(b), []string{"a/SKILL.md broken-link"})
	if got := b.Findings[0]; !strings.Contains(got.Message, "the links were not checked") {
		t.Errorf("message %q", got.Message)
	}
}

// TestLargeSkillFile: of a SKILL.md far over all limits only the start is kept.
func TestLargeSkillFile(t *testing.T) {
	dir := tree(t, "a/SKILL.md", skillText("a", strings.Repeat("é", 1<<20)+"[x](y.md)\n"))
	b := read(t, bundle.Options{Dir: dir})
	same(t, "findings", found(b), nil)
	if r := b.Manifest.Skills[0].Resources[0]; r.Size < 2<<20 {
		t.Errorf("size %d", r.Size)
	}
}

// TestStable: the order of reading changes nothing.
func TestStable(t *testing.T) {
	args := []string{}
	for _, name := range []string{"a", "b", "c", "a-b", "a.b", "z"} {
		args = append(args, name+"/SKILL.md", "", name+"/x y.md", "a\r\nb\n", name+"/sub/A.md", "x\n", name+"/sub/a.md", "\uFEFFx\n", name+"/.env", "x")
	}
	dir := tree(t, args...)
	first := read(t, bundle.Options{Dir: dir})
	for range 20 {
		b := read(t, bundle.Options{Dir: dir})
		if !slices.Equal(b.Findings, first.Findings) {
			t.Fatal("the findings differ")
		}
		var x, y strings.Builder
		first.Manifest.WriteJSON(&x)
		b.Manifest.WriteJSON(&y)
		if x.String() != y.String() {
			t.Fatal("the manifests differ")
		}
	}
}

// TestCRLF: doing what the message says ends the warning.
func TestCRLF(t *testing.T) {
	top := tree(t, "skills/a/SKILL.md", "", "skills/a/run it.bat", "echo\r\n", ".git/HEAD", "x")
	dir := filepath.Join(top, "skills")
	b := read(t, bundle.Options{Dir: dir})
	if !slices.Contains(found(b), "a/run it.bat crlf") {
		t.Fatalf("findings %q", found(b))
	}
	for _, f := range b.Findings {
		if f.Rule == "crlf" {
			_, line, _ := strings.Cut(f.Message, `the line "`)
			line, _, ok := strings.Cut(line, `" to the .gitattributes`)
			if !ok {
				t.Fatal(f.Message)
			}
			write(t, filepath.Join(top, ".gitattributes"), line+"\n")
		}
	}
	same(t, "findings after it", found(read(t, bundle.Options{Dir: dir})), []string{"a/run it.bat path-portability"})
}

// TestOneCauseOneFinding holds that a value which quoting fixes is one finding,
// whichever rules it breaks.
func TestOneCauseOneFinding(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "refunds"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: refunds\ndescription: Refunds. Use when money goes back.\nmetadata:\n  version: 010\n---\n\nRefund.\n"
	if err := os.WriteFile(filepath.Join(dir, "refunds", "SKILL.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Read(t.Context(), bundle.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.Findings) != 1 || b.Findings[0].Rule != "ambiguous-scalar" || b.Findings[0].Line != 5 {
		t.Errorf("findings %v, want one ambiguous-scalar on line 5", b.Findings)
	}
}
