package lint

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// decodeResources reads an entry's resources: each that can be placed goes to
// the checks of the list and into the skill, also where its digest or size
// cannot be read: a file that is listed is not missing.
func (e *entry) decodeResources(items []manifest.Value) {
	e.listed = len(items)
	for i, item := range items {
		if item.Kind != manifest.Object {
			e.reportFile("malformed-entry", `resources[%d] is %s: an object with "uri", "digest" and "size" is expected`, i, describe(item))
			continue
		}
		uri, ok := item.Get("uri")
		if !ok {
			e.reportFile("malformed-entry", `resources[%d] has no "uri": that of the file is expected`, i)
			continue
		}
		if uri.Kind != manifest.String {
			e.reportFile("malformed-entry", `the "uri" of resources[%d] is %s: a string is expected`, i, describe(uri))
			continue
		}
		r := manifest.Resource{}
		located := e.decodeResourceURI(uri.Text, &r)
		e.decodeDigest(item, uri.Text, &r)
		e.decodeSize(item, uri.Text, &r)
		if located {
			e.located = append(e.located, r)
			e.spelled = append(e.spelled, uri.Text)
		} else {
			e.unlocated = append(e.unlocated, r)
		}
	}
	e.skill.Resources = e.located
}

// decodeResourceURI reads a resource's URI. One with "." or ".." segments is
// outside the skill when that is where it leads, and unsafe otherwise. A fault
// that comes from the entry's own URI was reported there.
func (e *entry) decodeResourceURI(served string, r *manifest.Resource) bool {
	u, err := manifest.ParseURI(served)
	if err == nil {
		r.URI = u
		e.checkResourceSpelling(served, u)
		return true
	}
	if root := strings.TrimSuffix(e.uri, manifest.SkillFile); e.skill.URI.IsZero() && root != "" && strings.HasPrefix(served, root) {
		return false
	}
	rule := brokenURI(err)
	if root, ok := e.skill.URI.Root(); ok && rule == "uri-unsafe" {
		if to, ok := resolve(served); ok {
			e.self = e.self || to == e.skill.URI
			if _, below := to.Below(root); !below {
				e.reportFile("resource-outside-skill-root", "resource %s leads to %s, which is not below the skill's root %s", message.Quote(served), message.Quote(to.String()), message.Quote(root.String()))
				return false
			}
		}
	}
	e.reportFile(rule, "resource %v", err)
	return false
}

func (e *entry) decodeDigest(item manifest.Value, served string, r *manifest.Resource) {
	v, ok := item.Get("digest")
	switch {
	case !ok || v.Kind == manifest.Null:
		e.reportFile("missing-digest", `resource %s has no "digest": sha256: and 64 lower-case hex digits are expected`, e.file(served))
		return
	case v.Kind != manifest.String:
		e.reportFile("malformed-digest", "the digest of resource %s is %s: sha256: and 64 lower-case hex digits are expected, as a string", e.file(served), describe(v))
		return
	}
	d, err := manifest.ParseDigest(v.Text)
	if err != nil {
		if meant, ok := meantDigest(v.Text); ok {
			e.reportFile("malformed-digest", "the digest of resource %s is %s: write %s", e.file(served), message.Quote(v.Text), meant)
		} else {
			e.reportFile("malformed-digest", "resource %s: %v", e.file(served), err)
		}
		return
	}
	r.Digest = d
}

// meantDigest returns the digest that a text stands for with capitals, without
// its prefix, or with another spelling of it.
func meantDigest(s string) (manifest.Digest, bool) {
	var d manifest.Digest
	digits := hex.EncodedLen(len(d))
	if len(s) < digits || len(s) > digits+len("sha-256: ") {
		return d, false
	}
	switch strings.ToLower(strings.TrimRight(s[:len(s)-digits], " :=-")) {
	case "", "sha256", "sha-256":
		_, err := hex.Decode(d[:], []byte(s[len(s)-digits:]))
		return d, err == nil
	}
	return d, false
}

func (e *entry) decodeSize(item manifest.Value, served string, r *manifest.Resource) {
	r.Size = manifest.NoSize
	v, ok := item.Get("size")
	if !ok || v.Kind == manifest.Null {
		e.reportFile("missing-size", `resource %s has no "size": the file's length in bytes is expected`, e.file(served))
		return
	}
	if size, ok := v.Size(); ok {
		r.Size = size
		return
	}
	what := describe(v)
	if v.Kind == manifest.Number {
		what = message.Cut(v.Text, 40)
	}
	hint := ""
	if n, ok := (manifest.Value{Kind: manifest.Number, Text: v.Text}).Size(); ok && v.Kind == manifest.String {
		hint = fmt.Sprintf("; write %d without quotes", n)
	}
	e.reportFile("malformed-size", "the size of resource %s is %s: a whole number of bytes from 0 to 2^53-1 is expected%s", e.file(served), what, hint)
}

// file names a resource in a message: by its path in the skill where that can
// be told from the URI's text.
func (e *entry) file(served string) string {
	if root, ok := strings.CutSuffix(e.uri, manifest.SkillFile); ok {
		if path, ok := strings.CutPrefix(served, root); ok && path != "" {
			return message.Quote(path)
		}
	}
	return message.Quote(served)
}

// checkResources judges the list of files as a whole, then each place in it.
func (e *entry) checkResources() {
	if e.skill.Dynamic {
		e.report(manifest.Pos{}, "dynamic-resources", `"resources" is "dynamic": hosts cannot verify this skill, and may refuse it; list its files with digests and sizes where they are fixed`)
		return
	}
	if !e.hasResources {
		return
	}
	root, hasRoot := e.skill.URI.Root()
	first := make(map[manifest.URI]int, len(e.located))
	for i, r := range e.located {
		e.self = e.self || r.URI == e.skill.URI
		if j, twice := first[r.URI]; twice {
			e.reportDuplicate(j, i)
			continue
		}
		first[r.URI] = i
		if _, below := r.URI.Below(root); hasRoot && !below {
			e.reportFile("resource-outside-skill-root", "resource %s is not below the skill's root %s", message.Quote(r.URI.String()), message.Quote(root.String()))
		}
	}
	if hasRoot && !e.self {
		e.report(manifest.Pos{}, "manifest-missing-self", "the resources do not list %s, the entry's own URI%s", message.Quote(e.skill.URI.String()), e.nearSelf())
	}
	if e.listed > manifest.MaxResources {
		e.report(manifest.Pos{}, "resource-limit-exceeded", "the skill has %s, %s over the limit of %d: split it, or leave out what no one reads", message.Counted(e.listed, "file"), message.Number(e.listed-manifest.MaxResources), manifest.MaxResources)
	}
	e.checkTotal()
}

// nearSelf names a listed file that is the SKILL.md in another case.
func (e *entry) nearSelf() string {
	for _, r := range e.located {
		if strings.EqualFold(r.URI.Path(), e.skill.URI.Path()) {
			return fmt.Sprintf("; %s differs from it in case", message.Quote(r.URI.String()))
		}
	}
	return ""
}

func (e *entry) reportDuplicate(i, j int) {
	if e.spelled != nil && e.spelled[i] != e.spelled[j] {
		e.reportFile("duplicate-resource", "resources lists one file in two spellings, %s and %s", message.Quote(e.spelled[i]), message.Quote(e.spelled[j]))
		return
	}
	e.reportFile("duplicate-resource", "resources lists %s twice", message.Quote(e.located[j].URI.String()))
}

// checkTotal holds the sum of the sizes to the limit.
func (e *entry) checkTotal() {
	total := manifest.Total(slices.Concat(e.located, e.unlocated))
	if total <= manifest.MaxBytes {
		return
	}
	e.report(manifest.Pos{}, "size-limit-exceeded", "the files have %s bytes together (%s), %s over the limit of %s (%s)%s", message.Number(total), message.ByteSize(total), message.Number(total-manifest.MaxBytes), message.Number(int64(manifest.MaxBytes)), message.ByteSize(manifest.MaxBytes), e.largest())
}

// largest names the files that would have to go or shrink.
func (e *entry) largest() string {
	const most = 3
	var top []manifest.Resource
	for _, r := range e.located {
		if r.Size <= 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, r, func(a, b manifest.Resource) int { return cmp.Compare(b.Size, a.Size) })
		if i < most {
			top = slices.Insert(top, i, r)
			top = top[:min(most, len(top))]
		}
	}
	if len(top) == 0 {
		return ""
	}
	names := make([]string, len(top))
	for i, r := range top {
		names[i] = fmt.Sprintf("%s with %s", message.Quote(e.skill.File(r)), message.ByteSize(r.Size))
	}
	return "; the largest: " + strings.Join(names, ", ")
}
