package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
	"strings"
)

// Limits that the Skills extension fixes for one skill (spec: Limits).
const (
	MaxResources = 512        // files, SKILL.md included
	MaxBytes     = 16_777_216 // bytes, over all files
	MaxSize      = 1<<53 - 1  // bytes; the largest size a JSON reader keeps exactly
)

// Manifest is what a server lists: one entry a skill, sorted by skill path.
type Manifest struct {
	Skills []Skill
}

// Skill is the entry of one skill (spec: Skill Entries).
type Skill struct {
	// URI is the address of the skill's SKILL.md.
	URI URI
	// Frontmatter is that of the SKILL.md, every field, in its order.
	Frontmatter Frontmatter
	// Resources are all files of the skill, SKILL.md first, then by path.
	Resources []Resource
	// Dynamic is true for an entry whose resources are the string "dynamic";
	// it then has no Resources.
	Dynamic bool
}

// Resource is one file of a skill.
type Resource struct {
	URI    URI
	Digest Digest
	Size   int64 // bytes; [NoSize] where a server lists none
}

// NoSize is the size of a resource that a server lists without one, as those of
// drafts before the extension was final do. What is built always has a size.
const NoSize = -1

// Path returns the skill path: the URI's path without "/SKILL.md".
func (s Skill) Path() string {
	root, _ := s.URI.Root()
	return root.Path()
}

// Name returns the frontmatter's name, or the last segment of the skill path
// when there is none.
func (s Skill) Name() string {
	if name := s.Frontmatter.Text("name"); name != "" {
		return name
	}
	root, _ := s.URI.Root()
	return root.Name()
}

// File returns the path of a resource below the skill's directory, or its whole
// URI when it is not below it.
func (s Skill) File(r Resource) string {
	if root, ok := s.URI.Root(); ok {
		if path, ok := r.URI.Below(root); ok {
			return path
		}
	}
	return r.URI.String()
}

// Bytes returns the sum of the sizes of all resources, in bytes; a resource
// without a size adds nothing. A sum that does not fit stays at the largest
// int64, so that no listing can hide a total.
func (s Skill) Bytes() int64 { return Total(s.Resources) }

// Total is [Skill.Bytes] of any resources.
func Total(all []Resource) int64 {
	var n int64
	for _, r := range all {
		if r.Size > math.MaxInt64-n {
			return math.MaxInt64
		}
		n += max(0, r.Size)
	}
	return n
}

// Sort puts the skills and their resources into the one order this project
// writes: skills by skill path, resources with SKILL.md first and then by path,
// both bytewise.
func (m *Manifest) Sort() {
	slices.SortStableFunc(m.Skills, func(a, b Skill) int { return compareSkills(a.URI, b.URI) })
	for i := range m.Skills {
		m.Skills[i].sort()
	}
}

func (s *Skill) sort() {
	slices.SortStableFunc(s.Resources, func(a, b Resource) int { return compareFiles(s.URI, a.URI, b.URI) })
}

// compareSkills orders the URIs of two SKILL.md files by skill path.
func compareSkills(a, b URI) int {
	rootA, _ := a.Root()
	rootB, _ := b.Root()
	return cmp.Or(rootA.compare(rootB), a.compare(b))
}

// compareFiles orders two files of the skill at self: its SKILL.md, then by path.
func compareFiles(self, a, b URI) int {
	if isSelf := a == self; isSelf != (b == self) {
		if isSelf {
			return -1
		}
		return 1
	}
	return a.compare(b)
}

// compare orders URIs by scheme and decoded path, both bytewise.
func (u URI) compare(v URI) int {
	return cmp.Or(strings.Compare(u.scheme, v.scheme), strings.Compare(u.path, v.path))
}

// Fingerprint identifies the skill's set of files: the SHA-256 over the
// sorted (uri, digest, size) triples. Adding, removing or changing a file
// changes it, and so does a switch to or from "dynamic"; the order of the
// resources does not. Each text is hashed behind its length in bytes (eight
// bytes, big-endian), each size as eight bytes, big-endian.
func (s Skill) Fingerprint() Digest {
	h := sha256.New()
	s.fingerprint(h)
	return Digest(h.Sum(nil))
}

func (s Skill) fingerprint(h hash.Hash) {
	if s.Dynamic {
		hashText(h, "dynamic")
		return
	}
	sorted := slices.SortedFunc(slices.Values(s.Resources), func(a, b Resource) int {
		return cmp.Or(a.URI.compare(b.URI), slices.Compare(a.Digest[:], b.Digest[:]), cmp.Compare(a.Size, b.Size))
	})
	hashText(h, "resources")
	hashNumber(h, uint64(len(sorted)))
	for _, r := range sorted {
		hashText(h, r.URI.String())
		h.Write(r.Digest[:])
		hashNumber(h, uint64(r.Size))
	}
}

// Fingerprint identifies the whole listing: the SHA-256 over every skill's URI,
// frontmatter and set of files, in the order of skill paths. Any added, removed
// or changed skill, file or field changes it. Approvals, health checks and
// deploy logs can pin it; it says nothing of who made the skills.
func (m Manifest) Fingerprint() Digest {
	sorted := Manifest{slices.Clone(m.Skills)}
	slices.SortStableFunc(sorted.Skills, func(a, b Skill) int { return compareSkills(a.URI, b.URI) })
	h := sha256.New()
	hashNumber(h, uint64(len(sorted.Skills)))
	for _, s := range sorted.Skills {
		hashText(h, s.URI.String())
		hashValue(h, s.Frontmatter.Value())
		s.fingerprint(h)
	}
	return Digest(h.Sum(nil))
}

// hashValue hashes a JSON value so that equal values (see [Value.Equal]) hash
// alike: keys sorted, numbers in lowest terms.
func hashValue(h hash.Hash, v Value) {
	h.Write([]byte{byte(v.Kind)})
	switch v.Kind {
	case Array:
		hashNumber(h, uint64(len(v.Items)))
		for _, item := range v.Items {
			hashValue(h, item)
		}
	case Object:
		hashNumber(h, uint64(len(v.Members)))
		for _, m := range slices.SortedFunc(slices.Values(v.Members), func(a, b Member) int { return strings.Compare(a.Key, b.Key) }) {
			hashText(h, m.Key)
			hashValue(h, m.Value)
		}
	case Number:
		text := v.Text
		if n, ok := exactNumber(text); ok {
			text = n.RatString()
		}
		hashText(h, text)
	default:
		hashText(h, v.Text)
	}
}

func hashText(h hash.Hash, s string) {
	hashNumber(h, uint64(len(s)))
	h.Write([]byte(s))
}

func hashNumber(h hash.Hash, n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
