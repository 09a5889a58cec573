package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// drawn makes things of a fuzzer's bytes; when they run out, the smallest.
type drawn struct{ data []byte }

func (d *drawn) below(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	c := d.data[0]
	d.data = d.data[1:]
	return int(c) % n
}

func (d *drawn) pick(choices ...string) string { return choices[d.below(len(choices))] }

func (d *drawn) value(depth int) Value {
	switch n := d.below(9); {
	case n == 1:
		return Value{Kind: Bool, Text: d.pick("true", "false")}
	case n == 2:
		return Value{Kind: Number, Text: d.pick("0", "1", "1.0", "10e-1", "-0", "1e400", "1e9999", "12345678901234567890", "0.1")}
	case n == 3 || n == 4:
		return Value{Kind: String, Text: d.pick("", "a", "1", "é", "true", "a\n")}
	case n == 5 && depth < 3:
		v := Value{Kind: Array}
		for range d.below(3) {
			v.Items = append(v.Items, d.value(depth+1))
		}
		return v
	case n > 5 && depth < 3:
		return Value{Kind: Object, Members: d.members(depth + 1)}
	}
	return Value{}
}

func (d *drawn) members(depth int) []Member {
	var members []Member
	for range d.below(4) {
		key := d.pick("a", "b", "a.b", "", "a b", `"a"`, "é", "\n")
		if _, twice := Frontmatter(members).Get(key); !twice {
			members = append(members, Member{Key: key, Value: d.value(depth)})
		}
	}
	return members
}

func (d *drawn) manifest() Manifest {
	var m Manifest
	for _, path := range []string{"a", "a/b", "a-b", "é"} {
		if d.below(3) == 0 {
			continue
		}
		s := Skill{URI: NewURI(path + "/" + SkillFile), Frontmatter: d.members(0), Dynamic: d.below(5) == 4}
		for _, file := range []string{SkillFile, "x", "y/z", "y z"} {
			if !s.Dynamic && d.below(3) > 0 {
				s.Resources = append(s.Resources, Resource{NewURI(path + "/" + file), DigestOf([]byte{byte(d.below(2))}), int64(d.below(2))})
			}
		}
		m.Skills = append(m.Skills, s)
	}
	return m
}

// applied does to old what the changes say.
func applied(t *testing.T, old Manifest, changes []Change) Manifest {
	t.Helper()
	var m Manifest
	for _, s := range old.Skills {
		i := slices.IndexFunc(changes, func(c Change) bool { return c.URI == s.URI })
		if i < 0 {
			m.Skills = append(m.Skills, s)
			continue
		}
		c := changes[i]
		if c.Status == Missing {
			continue
		}
		if c.Status != Changed || c.URI != c.Old.URI || c.URI != c.New.URI {
			t.Fatalf("%v of a skill of both", c)
		}
		if c.DynamicChanged() {
			s.Dynamic, s.Resources = c.New.Dynamic, c.New.Resources
		}
		s.Resources = slices.DeleteFunc(slices.Clone(s.Resources), func(r Resource) bool {
			return slices.ContainsFunc(c.Files, func(f FileChange) bool { return f.URI == r.URI })
		})
		for _, f := range c.Files {
			if (f.Old == nil) != (f.Status == Extra) || (f.New == nil) != (f.Status == Missing) {
				t.Fatalf("%v", f)
			}
			if f.New != nil {
				s.Resources = append(s.Resources, *f.New)
			}
		}
		for _, f := range c.Fields {
			s.Frontmatter = withField(t, s.Frontmatter, f.Path, f)
		}
		m.Skills = append(m.Skills, s)
	}
	for _, c := range changes {
		if c.Status == Extra {
			m.Skills = append(m.Skills, *c.New)
		}
	}
	return m
}

// withField returns the members with one field changed.
func withField(t *testing.T, members []Member, path string, f FieldChange) []Member {
	t.Helper()
	key, rest, nested := strings.Cut(path, ".")
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		key, _ = strconv.Unquote(quoted)
		rest, nested = strings.CutPrefix(path[len(quoted):], ".")
	}
	members = slices.Clone(members)
	i := slices.IndexFunc(members, func(m Member) bool { return m.Key == key })
	switch {
	case nested && i >= 0:
		members[i].Value.Members = withField(t, members[i].Value.Members, rest, f)
	case f.Status == Extra && i < 0 && !nested:
		members = append(members, Member{Key: key, Value: *f.New})
	case f.Status == Missing && i >= 0 && members[i].Value.Equal(*f.Old):
		members = slices.Delete(members, i, i+1)
	case f.Status == Changed && i >= 0 && members[i].Value.Equal(*f.Old):
		members[i].Value = *f.New
	default:
		t.Fatalf("%s %s cannot be done to %s", f.Status, f.Path, Frontmatter(members).Value())
	}
	return members
}

// mirrored returns what a change is when old and new are exchanged.
func mirrored(c Change) string {
	turn := map[Status]Status{Missing: Extra, Extra: Missing, Changed: Changed}
	var parts []string
	for _, f := range c.Files {
		parts = append(parts, fmt.Sprint(f.URI, turn[f.Status]))
	}
	for _, f := range c.Fields {
		parts = append(parts, fmt.Sprint(f.Path, turn[f.Status]))
	}
	slices.Sort(parts)
	return fmt.Sprint(c.URI, turn[c.Status], parts)
}

func plainChange(c Change) string {
	var parts []string
	for _, f := range c.Files {
		parts = append(parts, fmt.Sprint(f.URI, f.Status))
	}
	for _, f := range c.Fields {
		parts = append(parts, fmt.Sprint(f.Path, f.Status))
	}
	slices.Sort(parts)
	return fmt.Sprint(c.URI, c.Status, parts)
}

// FuzzDiff holds for two manifests: one differs from itself in nothing, the
// fingerprints differ exactly when there are changes, the changes made to the
// one give the other, and the other way round they are the same ones mirrored.
func FuzzDiff(f *testing.F) {
	for i := range byte(24) {
		f.Add(bytes.Repeat([]byte{i, 7 * i, 3, i + 1, 200 - i, 5}, 8), bytes.Repeat([]byte{i, 7 * i, 3, i + 2, 200 - i, 5}, 8))
		f.Add(bytes.Repeat([]byte{1, i}, 30), bytes.Repeat([]byte{1, 2, i}, 20))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		a, b := (&drawn{one}).manifest(), (&drawn{two}).manifest()
		if changes := Diff(a, a); len(changes) > 0 {
			t.Fatalf("%s differs from itself: %v", write(t, a), changes)
		}
		changes := Diff(a, b)
		if (len(changes) == 0) != (a.Fingerprint() == b.Fingerprint()) {
			t.Fatalf("%d changes, %v and %v:\n%s%s", len(changes), a.Fingerprint(), b.Fingerprint(), write(t, a), write(t, b))
		}
		c := applied(t, a, changes)
		if c.Sort(); c.Fingerprint() != b.Fingerprint() {
			t.Fatalf("%s\nwith the changes is\n%s\nwant\n%s", write(t, a), write(t, c), write(t, b))
		}
		back := Diff(b, a)
		if len(back) != len(changes) {
			t.Fatalf("%d changes, and %d back", len(changes), len(back))
		}
		for i := range changes {
			if got, want := plainChange(back[i]), mirrored(changes[i]); got != want {
				t.Fatalf("%s back, want %s", got, want)
			}
		}
		// What is written and read again is the same, whatever the order was.
		slices.Reverse(b.Skills)
		read, err := Parse([]byte(write(t, b)))
		if err != nil || read.Fingerprint() != b.Fingerprint() || len(Diff(read, b)) > 0 {
			t.Fatalf("%s is read as %s, %v", write(t, b), write(t, read), err)
		}
	})
}
