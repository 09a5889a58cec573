package gofile

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

// filesOf makes a manifest of one skill a folder, from paths and contents.
func filesOf(files map[string]string) (manifest.Manifest, func(manifest.URI) (io.ReadCloser, error)) {
	var m manifest.Manifest
	for _, p := range slices.Sorted(maps.Keys(files)) {
		root, ok := manifest.NewURI(p).Root()
		if !ok {
			continue
		}
		s := manifest.Skill{URI: manifest.NewURI(p), Frontmatter: manifest.Frontmatter{{Key: "description", Value: manifest.Value{Kind: manifest.String, Text: files[p]}}}}
		for q, content := range files {
			if _, ok := manifest.NewURI(q).Below(root); ok {
				s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(q), Digest: manifest.DigestOf([]byte(content)), Size: int64(len(content))})
			}
		}
		m.Skills = append(m.Skills, s)
	}
	m.Sort()
	return m, func(u manifest.URI) (io.ReadCloser, error) {
		content, ok := files[u.Path()]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(content)), nil
	}
}

// writeGo returns the Go file and fails when gofmt would change it.
func writeGo(t testing.TB, m manifest.Manifest, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m, o); err != nil {
		t.Fatal(err)
	}
	formatted, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if !bytes.Equal(formatted, b.Bytes()) {
		t.Errorf("gofmt changes\n%s\nto\n%s", b.String(), formatted)
	}
	return b.String()
}

// checkGo reads the Go file as the compiler does and compares its constants and
// files with the manifest.
func checkGo(t testing.TB, source string, m manifest.Manifest, content map[string]string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "skills_gen.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if !ast.IsGenerated(file) {
		t.Error("not marked as generated")
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: standardLibrary()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, &info)
	if err != nil {
		t.Fatalf("does not compile: %v\n%s", err, source)
	}
	value := func(name string) string {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok {
			t.Errorf("no constant %s", name)
			return ""
		}
		return constant.StringVal(c.Val())
	}
	var want bytes.Buffer
	if err := m.WriteJSON(&want); err != nil {
		t.Error(err)
	}
	if got := value("Manifest"); got != want.String() {
		t.Errorf("Manifest is\n%s\nwant\n%s", got, &want)
	}
	if got := value("Fingerprint"); got != m.Fingerprint().String() {
		t.Errorf("Fingerprint is %s", got)
	}
	for i, name := range constantNames(m.Skills) {
		if name != "" && value(name) != m.Skills[i].URI.String() {
			t.Errorf("%s is %s, want %s", name, value(name), m.Skills[i].URI)
		}
	}
	got := map[string]string{}
	var order []string
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Type != nil || len(lit.Elts) != 2 {
			return true
		}
		uri := constant.StringVal(info.Types[lit.Elts[0]].Value)
		got[uri] = constant.StringVal(info.Types[lit.Elts[1]].Value)
		order = append(order, uri)
		return true
	})
	if !maps.Equal(got, content) {
		t.Errorf("files are %q, want %q", got, content)
	}
	if !slices.IsSorted(order) {
		t.Errorf("files are not sorted: %q", order)
	}
	for _, d := range file.Decls {
		checkDoc(t, d)
	}
}

// standardLibrary imports the packages of the Go file from their source, once.
var standardLibrary = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// checkDoc holds that everything exported has a doc comment that names it.
func checkDoc(t testing.TB, d ast.Decl) {
	t.Helper()
	need := func(name string, doc *ast.CommentGroup) {
		if ast.IsExported(name) && !strings.HasPrefix(doc.Text(), name+" ") {
			t.Errorf("%s has the doc comment %q", name, doc.Text())
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		need(d.Name.Name, d.Doc)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				doc := v.Doc
				if !d.Lparen.IsValid() {
					doc = d.Doc
				}
				need(v.Names[0].Name, doc)
			}
		}
	}
}

func byURI(files map[string]string) map[string]string {
	m := map[string]string{}
	for p, c := range files {
		m[manifest.NewURI(p).String()] = c
	}
	return m
}

func TestWriteGoInline(t *testing.T) {
	random := make([]byte, 5000)
	for i := range random {
		random[i] = byte(i*i>>3 ^ i)
	}
	for name, content := range map[string]string{
		"empty":                  "",
		"text":                   "---\nname: a\n---\n\n# A\n\tindented\n",
		"no final line break":    "abc",
		"only a line break":      "\n",
		"crlf":                   "a\r\nb\r\n",
		"lone cr":                "a\rb",
		"backticks":              "`a` ```go\n``` b`",
		"only a backtick":        "`",
		"many backticks":         strings.Repeat("say `x` and `y`\n", 2000),
		"long, binary":           strings.Repeat("\x00\x01\x02\x03", 80_000),
		"backticks at the limit": strings.Repeat("`a", maxPieces/2),
		"bom":                    "\ufeff---\n",
		"bom within":             "a\ufeffb`\ufeff",
		"nul":                    "a\x00b",
		"escape":                 "\x1b[31mred\x7f",
		"not utf-8":              "a\xffb\xc3",
		"cut runes":              "é\xc3\nx\xf0\x9f\x8e",
		"emoji":                  "🎉👩\u200d💻",
		"bidi":                   "a\u202eb\u2066c",
		"tags":                   "\U000e0041\U000e007f",
		"separators":             "a\u2028b\u2029",
		"quotes":                 "\"\\n\\\" 'x'\r",
		"binary":                 string(random),
		"long binary":            strings.Repeat(string(random), 60),
		"one long line":          strings.Repeat("word ", 50_000) + "\r",
		"go":                     "package main\n\n/* ` */ // \"\n",
		"trailing spaces":        "a  \nb\t\n \n",
		"looks like a directive": "//go:embed x\n// Code generated\n",
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a/SKILL.md": content, "a/b.md": "x", "b/c/SKILL.md": "", "b/c/" + name: content}
			m, open := filesOf(files)
			source := writeGo(t, m, Options{Package: "p", Open: open})
			checkGo(t, source, m, byURI(files))
			if depth := strings.Count(source, "\" +\n") + strings.Count(source, " + `") + strings.Count(source, "` + "); depth > 10*maxPieces {
				t.Errorf("%d parts are joined", depth)
			}
			if strings.Contains(source, "\r") || strings.Contains(source, "\ufeff") {
				t.Error("holds a character that Go source cannot hold")
			}
		})
	}
}

// Many short reads must give the same file as one long one.
func TestWriteGoIgnoresHowBytesArrive(t *testing.T) {
	files := map[string]string{"a/SKILL.md": "é`🎉\xf0\x9f\xff\ufeff\u2028x", "a/b": "\xe2\x82"}
	m, open := filesOf(files)
	want := writeGo(t, m, Options{Package: "p", Open: open})
	got := writeGo(t, m, Options{Package: "p", Open: func(u manifest.URI) (io.ReadCloser, error) {
		r, err := open(u)
		return io.NopCloser(io.MultiReader(io.LimitReader(r, 1), io.LimitReader(r, 2), oneByte{r})), err
	}})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func TestWriteGoEmbed(t *testing.T) {
	files := map[string]string{"a/SKILL.md": "x", "a/.env": "", "a/b c.md": "y", "a/[x].md": "z", "a/sub/SKILL.md": "w"}
	m, _ := filesOf(files)
	source := writeGo(t, m, Options{Package: "p", Embed: func(u manifest.URI) string { return "skills/" + u.Path() }})
	paths := map[string]string{}
	for p := range files {
		paths[manifest.NewURI(p).String()] = "skills/" + p
	}
	checkGo(t, source, m, paths)
	for _, line := range []string{
		"//go:embed skills/a/SKILL.md\n",
		"//go:embed skills/a/.env\n",
		"//go:embed \"skills/a/b c.md\"\n",
		"//go:embed skills/a/[[]x].md\n",
		"//go:embed skills/a/sub/SKILL.md\n",
	} {
		if strings.Count(source, line) != 1 { // the nested file is in two skills
			t.Errorf("%q is not there once:\n%s", line, source)
		}
	}
}

func TestWriteGoText(t *testing.T) {
	files := map[string]string{"pdf-tools/SKILL.md": "Fill\n  forms, ``quickly''", "pdf-tools/a.md": "`x`\n"}
	m, open := filesOf(files)
	got := writeGo(t, m, Options{Package: "skills", Open: open})
	for _, want := range []string{
		"// Code generated by skillpack; DO NOT EDIT.\n\npackage skills\n\nimport (\n\t\"io/fs\"\n\t\"sort\"\n)\n",
		"\t// PDFToolsURI is the address of the skill pdf-tools: Fill forms, \"quickly\"\n\tPDFToolsURI = \"skill://pdf-tools/SKILL.md\"\n",
		"\t{\n\t\t\"skill://pdf-tools/a.md\",\n\t\t\"`\" + `x` + \"`\" + `\n`,\n\t},\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
	if !strings.Contains(writeGo(t, m, Options{Package: "p", Embed: func(u manifest.URI) string { return u.Path() }}), "import (\n\t\"embed\"\n\t\"io/fs\"\n\t\"sort\"\n)\n") {
		t.Error("embed is not imported first")
	}
}

func TestWriteGoOfNothing(t *testing.T) {
	for _, m := range []manifest.Manifest{{}, {Skills: []manifest.Skill{{URI: manifest.NewURI("a/SKILL.md"), Dynamic: true}}}} {
		for _, o := range []Options{{Package: "p"}, {Package: "p", Embed: manifest.URI.Path}} {
			source := writeGo(t, m, o)
			checkGo(t, source, m, map[string]string{})
			if strings.Contains(source, "go:embed") {
				t.Errorf("embeds nothing:\n%s", source)
			}
		}
	}
}

func TestWriteGoRefuses(t *testing.T) {
	m, open := filesOf(map[string]string{"a/SKILL.md": "abc", "a/b": "x"})
	opens := func(content string) func(manifest.URI) (io.ReadCloser, error) {
		return func(u manifest.URI) (io.ReadCloser, error) {
			if u.Name() == "b" {
				return open(u)
			}
			return io.NopCloser(strings.NewReader(content)), nil
		}
	}
	failure := errors.New("disk on fire")
	two := manifest.Manifest{Skills: slices.Clone(m.Skills)}
	two.Skills[0].Resources = append(slices.Clone(m.Skills[0].Resources), manifest.Resource{URI: manifest.NewURI("a/b"), Digest: manifest.DigestOf(nil), Size: 0})
	for _, test := range []struct {
		name   string
		m      manifest.Manifest
		o      Options
		reason string
	}{
		{"no package", m, Options{Open: open}, `package name ""`},
		{"keyword", m, Options{Package: "type", Open: open}, `package name "type"`},
		{"blank", m, Options{Package: "_", Open: open}, `package name "_"`},
		{"dash", m, Options{Package: "a-b", Open: open}, `package name "a-b"`},
		{"no bytes", m, Options{Package: "p"}, "neither"},
		{"shorter", m, Options{Package: "p", Open: opens("ab")}, "skill://a/SKILL.md has 2 bytes, not the 3"},
		{"longer", m, Options{Package: "p", Open: opens("abcd")}, "skill://a/SKILL.md has more than the 3 bytes"},
		{"other", m, Options{Package: "p", Open: opens("abd")}, "skill://a/SKILL.md is sha256:"},
		{"failed open", m, Options{Package: "p", Open: func(manifest.URI) (io.ReadCloser, error) { return nil, failure }}, "disk on fire"},
		{"failed read", m, Options{Package: "p", Open: func(manifest.URI) (io.ReadCloser, error) { return io.NopCloser(failingReader{failure}), nil }}, "disk on fire"},
		{"bad path", m, Options{Package: "p", Embed: func(u manifest.URI) string { return "../" + u.Path() }}, "skill://a/SKILL.md cannot be embedded"},
		{"two digests", two, Options{Package: "p", Open: open}, "skill://a/b is listed as"},
	} {
		err := Write(io.Discard, test.m, test.o)
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %v, want %q", test.name, err, test.reason)
		}
	}
	if err := Write(failingWriter{failure}, m, Options{Package: "p", Open: open}); !errors.Is(err, failure) {
		t.Errorf("a failing writer gives %v", err)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// Bytes go from the reader to the writer in pieces.
func TestWriteGoNeedsBoundedMemory(t *testing.T) {
	const size = 8 << 20
	content := strings.Repeat("0123456789abcde\n", size/16)
	files := map[string]string{"a/SKILL.md": content}
	m, open := filesOf(files)
	m.Skills[0].Frontmatter = nil
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := Write(io.Discard, m, Options{Package: "p", Open: open}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 1<<20 {
		t.Errorf("%d bytes are allocated for %d of content", allocated, size)
	}
}

func TestCommentText(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		" a\n\tb  c ":               "a b c",
		"``a'' ```b":                `"a" "` + "`b",
		"a\u202eb\ufeff\x00 \x01":   "ab",
		strings.Repeat("word ", 30): strings.TrimSpace(strings.Repeat("word ", 4)) + " …",
		strings.Repeat("é", 30):     strings.Repeat("é", 19) + "…",
	} {
		if got := commentText(in, 20); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// The comment of a constant has at most 100 characters of a description.
func TestConstantComments(t *testing.T) {
	for length, want := range map[int]string{100: strings.Repeat("x", 97) + " yz", 101: strings.Repeat("x", 98) + " …"} {
		m, open := filesOf(map[string]string{"a/SKILL.md": ""})
		m.Skills[0].Frontmatter = manifest.Frontmatter{{Key: "description", Value: manifest.Value{Kind: manifest.String, Text: strings.Repeat("x", length-3) + " yz"}}}
		if got := writeGo(t, m, Options{Package: "p", Open: open}); !strings.Contains(got, "of the skill a: "+want+"\n") {
			t.Errorf("a description of %d characters is not cut to %q:\n%s", length, want, got)
		}
	}
}

func TestGoQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\t\r\"\\é": `"a\n\t\r\"\\é"`, "\x00\x7f": `"\x00\x7f"`, "\xff": `"\xff"`, "\u180e": `"\u180e"`, "\ufeff": `"\ufeff"`, "\U000110BD": `"\U000110bd"`, "\U000e0001": `"\U000e0001"`,
	} {
		if got := goQuote(in); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
	}
}

// FuzzWriteGo holds for two skills of any paths and contents that the Go file is
// as gofmt writes it, compiles, and holds every byte, inline and embedded.
func FuzzWriteGo(f *testing.F) {
	for _, seed := range [][4]string{
		{"a", "b", "text\n", "Do `x`: y"}, {"a b/`c`", "a-b/c", "\r\n\xff`\ufeff", "''\u2028\n//go:embed x"}, {" ", "  ", "0", " "}, {"é", "e\u0301", "```go\n\x00", "[a]: http://b"},
		{"3d/urls", "3d-urls", strings.Repeat("`a", 300), strings.Repeat("`a", 300)}, {"manifest", "fingerprint", "a\r", "b\r\n"}, {"read/file", "manifest-uri", "\u202e\x7f", "*/ /*"}, {"a/SKILL.md", "a", "x", ""}, {"[a]", "{a}*?", "\ufffd\xef\xbf", "\t# x\n\t- y"},
		{"uri", "skill", "\xf0\x9f\x8e\x89\U000e0041", "say ``x'' and\n\n  // y"}, {"日本", "日本/語", "\\\n\"", "Deprecated: no"}, {"a1", "a-1", "x", "y"}, {"A", "a", "+build x", "//line x:1"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, path, other, content, description string) {
		if !legal(path) || path == manifest.SkillFile || !legal(other) || other == manifest.SkillFile {
			t.Skip()
		}
		name := fmt.Sprintf("%s/x", path)
		files := map[string]string{path + "/SKILL.md": description, name: content, other + "/SKILL.md": content + description}
		m, open := filesOf(files)
		checkGo(t, writeGo(t, m, Options{Package: "p", Open: open}), m, byURI(files))
		if EmbedProblem(name) == nil && EmbedProblem(other) == nil {
			paths := map[string]string{}
			for p := range files {
				paths[manifest.NewURI(p).String()] = p
			}
			checkGo(t, writeGo(t, m, Options{Package: "p", Embed: manifest.URI.Path}), m, paths)
		}
	})
}

func BenchmarkWriteGo(b *testing.B) {
	files := map[string]string{}
	for i := range 1000 {
		name := fmt.Sprintf("acme/skill-%05d/", i)
		files[name+"SKILL.md"], files[name+"scripts/run.sh"] = name, "#!/bin/sh\n"
	}
	m, _ := filesOf(files)
	o := Options{Package: "skills", Embed: func(u manifest.URI) string { return "skills/" + u.Path() }}
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, m, o); err != nil {
			b.Fatal(err)
		}
	}
}

// legal reports whether a manifest can list a path.
func legal(path string) bool {
	u, err := manifest.ParseURI(manifest.NewURI(path).String())
	return err == nil && u.Path() == path
}
