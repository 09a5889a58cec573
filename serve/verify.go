package serve

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// VerifyError says that skills are not served because files are not what the
// manifest says of them.
type VerifyError struct {
	// Findings are all differences, in the order of the manifest, each at the URI
	// of the file.
	Findings []lint.Finding
}

// Error returns the list of differences, one a line below a first line that
// counts them.
func (e *VerifyError) Error() string {
	var b strings.Builder
	what := "1 difference"
	if len(e.Findings) != 1 {
		what = fmt.Sprintf("%d differences", len(e.Findings))
	}
	fmt.Fprintf(&b, "the skills are not served: %s between the manifest and the files: run skillpack build (or go generate), then build the server again", what)
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "\n  %s: %s [%s]", f.URI, message.Plain(f.Message), f.Rule)
	}
	return b.String()
}

// listing is one place where a file is listed.
type listing struct {
	skill    *manifest.Skill
	resource manifest.Resource
}

// verification reads every listed file once and collects what differs.
type verification struct {
	order    []manifest.URI // of all files, as the manifest first lists them
	listed   map[manifest.URI][]listing
	findings []lint.Finding
}

func (v *verification) report(uri manifest.URI, skill *manifest.Skill, rule, format string, args ...any) {
	v.findings = append(v.findings, lint.New(rule, format, args...).Served(uri.String()).Of(skill.Path()))
}

// newVerification looks at the entries themselves: each skill once, with its
// files, its SKILL.md among them.
func newVerification(m manifest.Manifest) *verification {
	v := &verification{listed: map[manifest.URI][]listing{}}
	seen := map[manifest.URI]bool{}
	for i := range m.Skills {
		s := &m.Skills[i]
		if seen[s.URI] {
			v.report(s.URI, s, "duplicate-skill", "the manifest has the skill twice: keep one entry")
		}
		seen[s.URI] = true
		if s.Dynamic {
			v.report(s.URI, s, "skill-dynamic", `the entry lists no files but "dynamic": only listed files are served, so list them`)
			continue
		}
		self := false
		for _, r := range s.Resources {
			if _, known := v.listed[r.URI]; !known {
				v.order = append(v.order, r.URI)
			}
			v.listed[r.URI] = append(v.listed[r.URI], listing{s, r})
			self = self || r.URI == s.URI
		}
		if !self {
			v.report(s.URI, s, "manifest-missing-self", "the entry does not list its own SKILL.md: add it to the resources")
		}
	}
	return v
}

// file reads one file and holds it against every entry that lists it. It
// returns the bytes, and whether they could be read.
func (v *verification) file(uri manifest.URI, read func(string) ([]byte, error)) ([]byte, bool) {
	places := v.listed[uri]
	b, err := read(uri.String())
	if err != nil {
		v.report(uri, places[0].skill, "read-failed", "the file is listed but cannot be read: %v", err)
		return nil, false
	}
	digest := manifest.DigestOf(b)
	for _, at := range places {
		same := true
		switch r := at.resource; {
		case r.Size != int64(len(b)):
			same = false
			v.report(uri, at.skill, "size-mismatch", "the manifest says %d bytes, the file has %d%s", r.Size, len(b), lineEnds(b, r))
		case r.Digest != digest:
			same = false
			v.report(uri, at.skill, "digest-mismatch", "the manifest says %s, the file has %s%s", r.Digest, digest, lineEnds(b, r))
		}
		if same && uri == at.skill.URI {
			v.frontmatter(at.skill, b)
		}
	}
	return b, true
}

// lineEnds explains the most common difference of a checkout.
func lineEnds(b []byte, r manifest.Resource) string {
	lf := bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	switch r.Digest {
	case manifest.DigestOf(lf):
		return `: the file has CRLF line ends where the manifest's has LF; add a line like "skills/** -text" to .gitattributes`
	case manifest.DigestOf(bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))):
		return `: the file has LF line ends where the manifest's has CRLF; add a line like "skills/** -text" to .gitattributes`
	}
	return ""
}

// frontmatter holds a SKILL.md against its entry, field by field and both ways
// (spec: Frontmatter Verification).
func (v *verification) frontmatter(s *manifest.Skill, b []byte) {
	doc := frontmatter.Parse(b)
	broken := false
	for _, p := range doc.Problems {
		if rule, _ := lint.Lookup(p.Rule); rule.Severity == lint.Error {
			broken = true
			v.report(s.URI, s, p.Rule, "line %d, column %d: %s", p.Pos.Line, p.Pos.Column, p.Message)
		}
	}
	if broken {
		return
	}
	for _, c := range manifest.DiffFields(s.Frontmatter, doc.Frontmatter) {
		v.report(s.URI, s, "frontmatter-mismatch", "the manifest has %s, the SKILL.md has %s", fieldText(c, c.Old), fieldText(c, c.New))
	}
}

// fieldText shows one side of a field that differs.
func fieldText(c manifest.FieldChange, v *manifest.Value) string {
	if v == nil {
		return fmt.Sprintf("no field %s", c.Path)
	}
	return fmt.Sprintf("%s: %s", c.Path, message.Cut(v.String(), message.Longest))
}
