package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describe writes changes as lines: the skill, then its files and fields.
func describe(changes []Change) string {
	var b strings.Builder
	side := func(v fmt.Stringer, absent bool) string {
		if absent {
			return "-"
		}
		return v.String()
	}
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s", c.Status, c.URI.Path())
		if c.DynamicChanged() {
			fmt.Fprintf(&b, " dynamic %v->%v", c.Old.Dynamic, c.New.Dynamic)
		}
		b.WriteString("\n")
		for _, f := range c.Files {
			fmt.Fprintf(&b, "  %s %s\n", f.Status, f.URI.Path())
			if (f.Old == nil) != (f.Status == Extra) || (f.New == nil) != (f.Status == Missing) {
				b.WriteString("  sides do not fit the status\n")
			}
		}
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "  %s %s: %s -> %s\n", f.Status, f.Path, side(f.Old, f.Old == nil), side(f.New, f.New == nil))
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	front := func(text string) Frontmatter { return Frontmatter(parseValue(t, text).Members) }
	base := func(text string, files ...string) Manifest {
		return Manifest{[]Skill{skill("a", front(text), files...)}}
	}
	changed := func(m Manifest, file string) Manifest {
		for i := range m.Skills[0].Resources {
			if r := &m.Skills[0].Resources[i]; r.URI.Name() == file {
				r.Size++
			}
		}
		return m
	}
	dynamic := func(m Manifest) Manifest {
		m.Skills[0].Dynamic, m.Skills[0].Resources = true, nil
		return m
	}
	for _, test := range []struct {
		name     string
		old, new Manifest
		want     string
	}{
		{"nothing", Manifest{}, Manifest{}, ""},
		{"equal", base(`{"n":1,"m":"x"}`, "SKILL.md", "b"), base(`{"m":"x","n":1.0}`, "b", "SKILL.md"), ""},
		{"skills", Manifest{[]Skill{skill("c", nil), skill("a-b", nil), skill("x", nil)}},
			Manifest{[]Skill{skill("x", nil), skill("a/b", nil), skill("B", nil)}},
			"extra B/SKILL.md\nmissing a-b/SKILL.md\nextra a/b/SKILL.md\nmissing c/SKILL.md\n"},
		{"files", changed(changed(base(`{}`, "z", "b/c", "SKILL.md", "gone"), "z"), "SKILL.md"), base(`{}`, "SKILL.md", "b/c", "new", "z"),
			"changed a/SKILL.md\n  changed a/SKILL.md\n  missing a/gone\n  extra a/new\n  changed a/z\n"},
		{"fields", base(`{"name":"a","gone":1,"description":"x"}`), base(`{"new":[1],"description":"y","name":"a"}`),
			"changed a/SKILL.md\n  missing gone: 1 -> -\n  changed description: \"x\" -> \"y\"\n  extra new: - -> [1]\n"},
		{"nested", base(`{"metadata":{"version":"1","a.b":{"c":1},"deep":{"x":{"y":1,"z":2}}}}`), base(`{"metadata":{"a.b":{"c":2},"version":"2","deep":{"x":{"y":1}},"":0}}`),
			"changed a/SKILL.md\n" +
				"  changed metadata.version: \"1\" -> \"2\"\n" +
				"  changed metadata.\"a.b\".c: 1 -> 2\n" +
				"  missing metadata.deep.x.z: 2 -> -\n" +
				"  extra metadata.\"\": - -> 0\n"},
		{"types", base(`{"a":"1","b":{"x":1},"c":[1,{"k":1}],"d":null}`), base(`{"a":1,"b":"x","c":[1,{"k":2}]}`),
			"changed a/SKILL.md\n  changed a: \"1\" -> 1\n  changed b: {\"x\":1} -> \"x\"\n  changed c: [1,{\"k\":1}] -> [1,{\"k\":2}]\n  missing d: null -> -\n"},
		{"to dynamic", base(`{"a":1}`, "SKILL.md"), dynamic(base(`{"a":2}`)),
			"changed a/SKILL.md dynamic false->true\n  changed a: 1 -> 2\n"},
		{"from dynamic", dynamic(base(`{}`)), base(`{}`, "SKILL.md"), "changed a/SKILL.md dynamic true->false\n"},
		{"dynamic twice", dynamic(base(`{}`)), dynamic(base(`{}`)), ""},
		{"no files to none listed", dynamic(base(`{}`)), base(`{}`), "changed a/SKILL.md dynamic true->false\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.old.Sort()
			if got := describe(Diff(test.old, test.new)); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			back := Diff(test.new, test.old)
			if len(back) != strings.Count("\n"+test.want, "\n")-strings.Count(test.want, "\n  ")-1 {
				t.Errorf("the other way round it is\n%s", describe(back))
			}
		})
	}
}

func TestDiffWithDuplicates(t *testing.T) {
	one := func(size int64) Skill {
		s := skill("a", nil, "SKILL.md")
		s.Resources[0].Size = size
		return s
	}
	for _, test := range []struct {
		name     string
		old, new []Skill
		want     string
	}{
		{"the same twice", []Skill{one(1), one(2)}, []Skill{one(2), one(1)}, ""},
		{"one less", []Skill{one(1), one(2)}, []Skill{one(2)}, "missing a/SKILL.md\n"},
		{"one more", []Skill{one(1)}, []Skill{one(3), one(1)}, "extra a/SKILL.md\n"},
		{"one less and changed", []Skill{one(1), one(2)}, []Skill{one(3)}, "changed a/SKILL.md\n  changed a/SKILL.md\nmissing a/SKILL.md\n"},
		{"one of each changed", []Skill{one(1), one(2)}, []Skill{one(3), one(1)}, "changed a/SKILL.md\n  changed a/SKILL.md\n"},
	} {
		if got := describe(Diff(Manifest{test.old}, Manifest{test.new})); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
	files := skill("a", nil, "SKILL.md", "x", "x")
	if got := describe(Diff(Manifest{[]Skill{files}}, Manifest{[]Skill{skill("a", nil, "SKILL.md", "x")}})); got != "changed a/SKILL.md\n  missing a/x\n" {
		t.Errorf("a file listed twice: %s", got)
	}
	keys := skill("a", Frontmatter{{Key: "k", Value: parseValue(t, "1")}, {Key: "k", Value: parseValue(t, "2")}})
	if got := describe(Diff(Manifest{[]Skill{keys}}, Manifest{[]Skill{keys}})); got != "" {
		t.Errorf("a key given twice differs from itself: %s", got)
	}
	if got := describe(Diff(Manifest{[]Skill{keys}}, Manifest{[]Skill{skill("a", Frontmatter{{Key: "k", Value: parseValue(t, "2")}})}})); got != "changed a/SKILL.md\n  missing k: 1 -> -\n" {
		t.Errorf("a key given twice: %s", got)
	}
}

// Whatever a fingerprint sees, a diff sees, and the other way round.
func TestDiffAgreesWithFingerprint(t *testing.T) {
	values := []string{`{}`, `{"a":1}`, `{"a":1.0}`, `{"a":"1"}`, `{"a":{"b":1}}`, `{"a":{"b":null}}`, `{"b":1,"a":1}`}
	var all []Manifest
	for _, v := range values {
		for _, files := range [][]string{nil, {"SKILL.md"}, {"SKILL.md", "x"}, {"x", "SKILL.md"}, {"SKILL.md", "y"}} {
			all = append(all, Manifest{[]Skill{skill("a", Frontmatter(parseValue(t, v).Members), files...)}})
		}
		all = append(all, Manifest{[]Skill{{URI: NewURI("a/SKILL.md"), Frontmatter: Frontmatter(parseValue(t, v).Members), Dynamic: true}}})
	}
	for _, a := range all {
		for _, b := range all {
			if same := a.Fingerprint() == b.Fingerprint(); same != (len(Diff(a, b)) == 0) {
				t.Errorf("fingerprints equal: %v, but the difference is\n%s", same, describe(Diff(a, b)))
			}
		}
	}
}

func TestPairLosesNothing(t *testing.T) {
	old, new := []int{1, 2, 3, 2, 11, 12}, []int{2, 3, 4, 21, 13}
	pairs := pair(old, new, func(i int) int { return i % 10 }, func(a, b int) bool { return a == b })
	var left, right []int
	for _, p := range pairs {
		if p.old != nil {
			left = append(left, *p.old)
		}
		if p.new != nil {
			right = append(right, *p.new)
		}
		if p.old != nil && p.new != nil && *p.old%10 != *p.new%10 {
			t.Errorf("%d goes with %d", *p.old, *p.new)
		}
	}
	slices.Sort(left)
	slices.Sort(right)
	if fmt.Sprint(left) != "[1 2 2 3 11 12]" || fmt.Sprint(right) != "[2 3 4 13 21]" {
		t.Errorf("old %v, new %v", left, right)
	}
}
