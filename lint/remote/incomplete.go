package remote

import (
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// judgeEntries reports what is wrong with the entries. What no entry of the
// server has, as on servers of drafts before the extension was final, is one
// finding about the server.
func (c *check) judgeEntries(all []Entry) {
	files, sizes, digests := 0, 0, 0
	for _, e := range all {
		files, sizes, digests = files+e.files, sizes+e.sizes, digests+e.digests
	}
	if files > 1 && sizes == 0 {
		f := lint.New("missing-size", "none of the %s that the entries list has a \"size\": the server speaks a draft from before the extension was final, and hosts that follow the final text refuse its entries; add the length of each file in bytes%s", message.Counted(files, "file"), loads(all))
		f.Severity = lint.Warning // the digests still tell whether the bytes are right
		c.report(f)
		c.lacking["missing-size"] = true
		for i := range c.result.Findings {
			c.result.Findings[i] = c.eased(c.result.Findings[i])
		}
	}
	if files > 1 && digests == 0 {
		c.report(lint.New("missing-digest", "none of the %s that the entries list has a \"digest\": hosts cannot verify them, and refuse the entries; add \"sha256:\" and the hash of each file's bytes", message.Counted(files, "file")))
		c.lacking["missing-digest"] = true
	}
	for _, e := range all {
		c.report(e.Findings...)
	}
}

// eased turns the lack of caching fields into a warning where the server speaks an
// earlier draft: its drafts did not have them either.
func (c *check) eased(f lint.Finding) lint.Finding {
	if c.lacking["missing-size"] && f.Rule == "cache-attributes" {
		f.Severity = lint.Warning
	}
	return f
}

// completed returns an entry's skill in which the built values stand in for the
// sizes and digests that it leaves out.
func (c *check) completed(e Entry, built manifest.Manifest) manifest.Skill {
	skill := e.Skill
	skill.Resources = slices.Clone(skill.Resources)
	for _, m := range []*manifest.Manifest{&built, c.Committed} {
		if m == nil {
			continue
		}
		i := slices.IndexFunc(m.Skills, func(s manifest.Skill) bool { return s.URI == e.URI })
		if i < 0 {
			continue
		}
		known := make(map[manifest.URI]manifest.Resource, len(m.Skills[i].Resources))
		for _, r := range m.Skills[i].Resources {
			known[r.URI] = r
		}
		for j, r := range skill.Resources {
			b, ok := known[r.URI]
			switch undigested := e.undigested[r.URI] && r.Digest.IsZero(); {
			case !ok || !undigested && r.Size != manifest.NoSize:
			case undigested && (r.Size == manifest.NoSize || r.Size == b.Size):
				skill.Resources[j] = b
				c.expect[r.URI] = b
			case !undigested && r.Digest == b.Digest:
				skill.Resources[j].Size = b.Size
				c.sizes[r.URI] = b.Size
			}
		}
	}
	return skill
}

// readChange is a file that was listed without a digest, and whose served bytes
// are not the built ones.
type readChange struct {
	skill         manifest.URI
	built, served manifest.Resource
	cause         diagnosis
}

// undigested compares the bytes of a file that is listed without a digest with
// the built ones, which no verification against the listing could.
func (v *verification) undigested(e Entry, declared manifest.Resource, b []byte, out *lint.Verification) {
	out.Status, out.Cause = lint.Unverifiable, "the entry lists no digest for it"
	built, known := v.expect[declared.URI]
	if !known {
		return
	}
	served := manifest.Resource{URI: declared.URI, Digest: manifest.DigestOf(b), Size: int64(len(b))}
	if served.Digest == built.Digest {
		out.Cause += "; the bytes are the built ones"
		return
	}
	out.Cause += "; the bytes are not the built ones"
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unread = append(v.unread, readChange{e.URI, built, served, diagnose(b, built, v.builtBytes(declared.URI))})
}

// driftOfRead reports the files that only reading showed to be changed, each in
// the drift of its skill.
func (c *check) driftOfRead() {
	slices.SortFunc(c.unread, func(a, b readChange) int { return strings.Compare(a.built.URI.String(), b.built.URI.String()) })
	for _, r := range c.unread {
		side := func(file manifest.Resource) manifest.Manifest {
			return manifest.Manifest{Skills: []manifest.Skill{{URI: r.skill, Resources: []manifest.Resource{file}}}}
		}
		findings, drifts := lint.Drifts(manifest.Diff(side(r.built), side(r.served)), lint.SidesOfLint)
		c.report(findings...)
		for _, d := range drifts {
			i := slices.IndexFunc(c.result.Drift, func(have lint.SkillDrift) bool { return have.Skill == d.Skill })
			if i < 0 {
				c.result.Drift = append(c.result.Drift, d)
			} else {
				c.result.Drift[i].Files = append(c.result.Drift[i].Files, d.Files...)
			}
		}
		c.addCause(changedFiles, r.built.URI.String(), r.cause)
	}
}
