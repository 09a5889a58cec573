package manifest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// skill makes an entry with some files, each with its path as content.
func skill(root string, frontmatter Frontmatter, files ...string) Skill {
	s := Skill{URI: NewURI(root + "/" + SkillFile), Frontmatter: frontmatter}
	for _, f := range files {
		s.Resources = append(s.Resources, Resource{NewURI(root + "/" + f), DigestOf([]byte(f)), int64(len(f))})
	}
	return s
}

func TestSort(t *testing.T) {
	m := Manifest{[]Skill{
		skill("b", nil),
		skill("a/b", nil),
		skill("a", nil, "z.md", "é", "sub/SKILL.md", "A", "a.md", "SKILL.md", "a/b", "a-b"),
		skill("a-b", nil),
		skill("B", nil),
	}}
	want := write(t, m)
	m.Sort()
	var skills, files []string
	for _, s := range m.Skills {
		skills = append(skills, s.Path())
		for _, r := range s.Resources {
			files = append(files, s.File(r))
		}
	}
	if got := fmt.Sprint(skills); got != "[B a a-b a/b b]" {
		t.Errorf("skills are %s", got)
	}
	if got := fmt.Sprint(files); got != "[SKILL.md A a-b a.md a/b sub/SKILL.md z.md é]" {
		t.Errorf("files are %s", got)
	}
	once := write(t, m)
	for range 20 {
		rand.Shuffle(len(m.Skills), func(i, j int) { m.Skills[i], m.Skills[j] = m.Skills[j], m.Skills[i] })
		for _, s := range m.Skills {
			rand.Shuffle(len(s.Resources), func(i, j int) { s.Resources[i], s.Resources[j] = s.Resources[j], s.Resources[i] })
		}
		m.Sort()
		if got := write(t, m); got != once || got == want {
			t.Fatalf("another order gives\n%s", got)
		}
	}
}

func TestSkillNames(t *testing.T) {
	s := skill("acme/pdf", nil, "SKILL.md", "a/b.md")
	if s.Path() != "acme/pdf" || s.Name() != "pdf" || s.Bytes() != 14 {
		t.Errorf("%s, %s, %d bytes", s.Path(), s.Name(), s.Bytes())
	}
	s.Frontmatter = Frontmatter{{Key: "name", Value: Value{Kind: String, Text: "own"}}}
	if s.Name() != "own" {
		t.Errorf("name is %s", s.Name())
	}
	if got := s.File(Resource{URI: NewURI("acme/other.md")}); got != "skill://acme/other.md" {
		t.Errorf("a file outside is %s", got)
	}
	s.Resources = []Resource{{URI: NewURI("a/b"), Size: 0}, {URI: NewURI("a/c"), Size: NoSize}, {URI: NewURI("a/d"), Size: 5}}
	if got := s.Bytes(); got != 5 {
		t.Errorf("an empty file, one without a size and one of 5 bytes have %d bytes", got)
	}
	s.Resources = slices.Repeat([]Resource{{NewURI("a/b"), Digest{}, MaxSize}}, 1500)
	if got := s.Bytes(); got != math.MaxInt64 {
		t.Errorf("a sum that overflows is %d", got)
	}
}

func TestSkillFingerprint(t *testing.T) {
	base := skill("a", nil, "SKILL.md", "x", "y")
	print := base.Fingerprint()
	change := func(f func(s *Skill)) Digest {
		s := base
		s.Resources = slices.Clone(base.Resources)
		f(&s)
		return s.Fingerprint()
	}
	for what, f := range map[string]func(*Skill){
		"the order":       func(s *Skill) { slices.Reverse(s.Resources) },
		"the frontmatter": func(s *Skill) { s.Frontmatter = Frontmatter{{Key: "a"}} },
	} {
		if change(f) != print {
			t.Errorf("%s changes the fingerprint", what)
		}
	}
	seen := map[Digest]string{print: "nothing"}
	for what, f := range map[string]func(*Skill){
		"an added file":      func(s *Skill) { s.Resources = append(s.Resources, Resource{URI: NewURI("a/z")}) },
		"an added duplicate": func(s *Skill) { s.Resources = append(s.Resources, s.Resources[0]) },
		"a removed file":     func(s *Skill) { s.Resources = s.Resources[1:] },
		"no files":           func(s *Skill) { s.Resources = nil },
		"a renamed file":     func(s *Skill) { s.Resources[1].URI = NewURI("a/w") },
		"another scheme":     func(s *Skill) { s.Resources[1].URI.scheme = "https" },
		"a digest":           func(s *Skill) { s.Resources[1].Digest[31]++ },
		"a size":             func(s *Skill) { s.Resources[1].Size++ },
		"swapped content": func(s *Skill) {
			s.Resources[1].URI, s.Resources[2].URI = s.Resources[2].URI, s.Resources[1].URI
		},
		"dynamic": func(s *Skill) { s.Dynamic, s.Resources = true, nil },
	} {
		got := change(f)
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s have one fingerprint", what, other)
		}
		seen[got] = what
	}
}

func TestManifestFingerprint(t *testing.T) {
	base := func() Manifest {
		return Manifest{[]Skill{
			skill("a", Frontmatter(parseValue(t, `{"name":"a","n":1,"m":{"x":"1","y":"2"}}`).Members), "SKILL.md", "x"),
			skill("b", Frontmatter(parseValue(t, `{"name":"b"}`).Members), "SKILL.md"),
		}}
	}
	print := base().Fingerprint()
	for what, f := range map[string]func(*Manifest){
		"the order of skills":     func(m *Manifest) { slices.Reverse(m.Skills) },
		"the order of files":      func(m *Manifest) { slices.Reverse(m.Skills[0].Resources) },
		"the order of keys":       func(m *Manifest) { slices.Reverse(m.Skills[0].Frontmatter) },
		"a number's spelling":     func(m *Manifest) { m.Skills[0].Frontmatter[1].Value.Text = "1.0" },
		"positions":               func(m *Manifest) { m.Skills[0].Frontmatter[0].Value.Pos = Pos{9, 9} },
		"an order of nested keys": func(m *Manifest) { slices.Reverse(m.Skills[0].Frontmatter[2].Value.Members) },
	} {
		m := base()
		f(&m)
		if m.Fingerprint() != print {
			t.Errorf("%s changes the fingerprint", what)
		}
	}
	seen := map[Digest]string{print: "nothing"}
	for what, f := range map[string]func(*Manifest){
		"a removed skill": func(m *Manifest) { m.Skills = m.Skills[:1] },
		"no skill":        func(m *Manifest) { m.Skills = nil },
		"a skill twice":   func(m *Manifest) { m.Skills = append(m.Skills, m.Skills[1]) },
		"a renamed skill": func(m *Manifest) { m.Skills[1].URI = NewURI("c/SKILL.md") },
		"a file":          func(m *Manifest) { m.Skills[0].Resources[1].Digest[0]++ },
		"a moved file": func(m *Manifest) {
			m.Skills[1].Resources, m.Skills[0].Resources = m.Skills[0].Resources, m.Skills[1].Resources
		},
		"a value":          func(m *Manifest) { m.Skills[0].Frontmatter[0].Value.Text = "A" },
		"a key":            func(m *Manifest) { m.Skills[0].Frontmatter[0].Key = "Name" },
		"a removed field":  func(m *Manifest) { m.Skills[0].Frontmatter = m.Skills[0].Frontmatter[:2] },
		"a string, not 1":  func(m *Manifest) { m.Skills[0].Frontmatter[1].Value.Kind = String },
		"a nested value":   func(m *Manifest) { m.Skills[0].Frontmatter[2].Value.Members[1].Value.Text = "3" },
		"a list, not text": func(m *Manifest) { m.Skills[0].Frontmatter[0].Value = parseValue(t, `["a"]`) },
		"dynamic":          func(m *Manifest) { m.Skills[1].Dynamic, m.Skills[1].Resources = true, nil },
	} {
		m := base()
		f(&m)
		got := m.Fingerprint()
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s have one fingerprint", what, other)
		}
		seen[got] = what
	}
}

// Fingerprints are pinned in approvals and deploy logs, so they may never
// change from one version of the program to the next.
func TestFingerprintsStay(t *testing.T) {
	m := Manifest{[]Skill{skill("a", Frontmatter(parseValue(t, `{"name":"a","n":1.50,"l":[null,true]}`).Members), "SKILL.md", "x")}}
	if got := m.Skills[0].Fingerprint().String(); got != "sha256:1fd3f463b61092eda46ea0fe2ae6ed9da5ab0fe614989cf3d3272c04c3cd6150" {
		t.Errorf("the skill's fingerprint is %s", got)
	}
	if got := m.Fingerprint().String(); got != "sha256:a00d1df8986d89e49543791807e40a6c50c75d3959badf8d1331b13d4072a719" {
		t.Errorf("the manifest's fingerprint is %s", got)
	}
}
