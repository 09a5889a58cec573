package manifest

import (
	"slices"
	"strconv"
	"strings"
)

// Status says how one thing of the new manifest stands to the old one.
type Status string

// The statuses of a skill, a file or a field.
const (
	Missing Status = "missing" // only the old manifest has it
	Extra   Status = "extra"   // only the new manifest has it
	Changed Status = "changed" // both have it, with different content
)

// Change is what differs about one skill.
type Change struct {
	URI    URI
	Status Status
	// Old and New are the two entries; one is nil for a skill that only the
	// other manifest has.
	Old, New *Skill
	// Files are the differing files of a changed skill: SKILL.md first, then by
	// path. There are none when one entry is dynamic and the other is not.
	Files []FileChange
	// Fields are the differing frontmatter fields of a changed skill: those of
	// the old entry in its order, then the added ones in the new entry's order.
	Fields []FieldChange
}

// DynamicChanged reports whether exactly one of the two entries lists no files
// but the string "dynamic".
func (c Change) DynamicChanged() bool {
	return c.Status == Changed && c.Old.Dynamic != c.New.Dynamic
}

// FileChange is one file that differs. Old or New is nil where that manifest
// does not list it.
type FileChange struct {
	URI      URI
	Status   Status
	Old, New *Resource
}

// FieldChange is one frontmatter field that differs. Old or New is nil where
// that manifest does not have it.
type FieldChange struct {
	// Path is the field's key; below a mapping, the keys joined by dots, a key
	// that holds a dot or a character that would not show in quotes:
	// metadata."a.b".
	Path     string
	Status   Status
	Old, New *Value
}

// Diff returns what must happen to old to make it new, by skill path. Addresses
// are the same when they decode to the same URI, values when [Value.Equal] says
// so; the order of skills, files and keys is no difference. An entry or a file
// that is listed twice is compared once with each of its counterparts, and is
// missing or extra when it has none left.
func Diff(old, new Manifest) []Change {
	var changes []Change
	for _, p := range pair(old.Skills, new.Skills, skillURI, sameSkill) {
		switch {
		case p.new == nil:
			changes = append(changes, Change{URI: p.old.URI, Status: Missing, Old: p.old})
		case p.old == nil:
			changes = append(changes, Change{URI: p.new.URI, Status: Extra, New: p.new})
		default:
			c := Change{URI: p.new.URI, Status: Changed, Old: p.old, New: p.new}
			if p.old.Dynamic == p.new.Dynamic {
				c.Files = diffFiles(p.old, p.new)
			}
			c.Fields = diffFields(nil, "", p.old.Frontmatter, p.new.Frontmatter)
			if len(c.Files) > 0 || len(c.Fields) > 0 || c.DynamicChanged() {
				changes = append(changes, c)
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return compareSkills(a.URI, b.URI) })
	return changes
}

func diffFiles(old, new *Skill) []FileChange {
	var changes []FileChange
	for _, p := range pair(old.Resources, new.Resources, resourceURI, sameResource) {
		switch {
		case p.new == nil:
			changes = append(changes, FileChange{p.old.URI, Missing, p.old, nil})
		case p.old == nil:
			changes = append(changes, FileChange{p.new.URI, Extra, nil, p.new})
		case !sameResource(*p.old, *p.new):
			changes = append(changes, FileChange{p.new.URI, Changed, p.old, p.new})
		}
	}
	slices.SortStableFunc(changes, func(a, b FileChange) int { return compareFiles(new.URI, a.URI, b.URI) })
	return changes
}

// diffFields appends the differences of two mappings, each path behind prefix.
func diffFields(changes []FieldChange, prefix string, old, new []Member) []FieldChange {
	for _, p := range pair(old, new, memberKey, sameMember) {
		switch {
		case p.new == nil:
			changes = append(changes, FieldChange{prefix + pathKey(p.old.Key), Missing, &p.old.Value, nil})
		case p.old == nil:
			changes = append(changes, FieldChange{prefix + pathKey(p.new.Key), Extra, nil, &p.new.Value})
		case p.old.Value.Equal(p.new.Value):
		case p.old.Value.Kind == Object && p.new.Value.Kind == Object:
			changes = diffFields(changes, prefix+pathKey(p.old.Key)+".", p.old.Value.Members, p.new.Value.Members)
		default:
			changes = append(changes, FieldChange{prefix + pathKey(p.old.Key), Changed, &p.old.Value, &p.new.Value})
		}
	}
	return changes
}

// pathKey writes one key of a field's path.
func pathKey(key string) string {
	quoted := strconv.Quote(key)
	if key == "" || strings.ContainsAny(key, ". ") || len(quoted) != len(key)+2 {
		return quoted
	}
	return key
}

// paired is one thing of the old list, its counterpart in the new one, or both.
type paired[T any] struct{ old, new *T }

// pair matches two lists by key: the old list in its order, each with its
// counterpart, then what only the new list has. Of several things with one key,
// equal ones go together first, so that a double entry costs one difference.
func pair[T any, K comparable](old, new []T, key func(T) K, same func(a, b T) bool) []paired[T] {
	free := make(map[K][]int, len(new)) // indexes of new that have no counterpart yet
	for i := range new {
		k := key(new[i])
		free[k] = append(free[k], i)
	}
	pairs := make([]paired[T], len(old), max(len(old), len(new)))
	taken := make([]bool, len(new))
	join := func(i, at int) {
		k := key(old[i])
		j := free[k][at]
		pairs[i].new, taken[j] = &new[j], true
		free[k] = slices.Delete(free[k], at, at+1)
	}
	for i := range old {
		pairs[i].old = &old[i]
		at := slices.IndexFunc(free[key(old[i])], func(j int) bool { return same(old[i], new[j]) })
		if at >= 0 {
			join(i, at)
		}
	}
	for i := range old {
		if pairs[i].new == nil && len(free[key(old[i])]) > 0 {
			join(i, 0)
		}
	}
	for j := range new {
		if !taken[j] {
			pairs = append(pairs, paired[T]{new: &new[j]})
		}
	}
	return pairs
}

func skillURI(s Skill) URI       { return s.URI }
func resourceURI(r Resource) URI { return r.URI }
func memberKey(m Member) string  { return m.Key }

func sameSkill(a, b Skill) bool {
	return a.Dynamic == b.Dynamic && a.Fingerprint() == b.Fingerprint() &&
		a.Frontmatter.Value().Equal(b.Frontmatter.Value())
}

func sameResource(a, b Resource) bool { return a.Digest == b.Digest && a.Size == b.Size }

func sameMember(a, b Member) bool { return a.Value.Equal(b.Value) }

// DiffFields returns what must happen to one frontmatter to make it another,
// both ways and with nested mappings as paths; see [Change.Fields].
func DiffFields(old, new Frontmatter) []FieldChange { return diffFields(nil, "", old, new) }
