package remote

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// drift compares what was built with what is served.
func (c *check) drift(ctx context.Context) {
	c.result.Drift = []lint.SkillDrift{} // compared, until something differs
	built := manifest.Manifest{}
	for _, s := range c.Built.Skills {
		if c.inScope(s.URI.String()) {
			built.Skills = append(built.Skills, s)
		}
	}
	unlisted, unanswered := c.ask(ctx, built)
	built.Skills = slices.DeleteFunc(built.Skills, func(s manifest.Skill) bool { return unanswered[s.URI] })
	built, served := c.comparable(built)
	findings, drifts := lint.Drifts(manifest.Diff(built, served), lint.SidesOfLint)
	c.report(findings...)
	c.result.Drift = append(c.result.Drift, drifts...)
	for _, d := range drifts {
		c.dropConsequences(d)
	}
	c.explain(built, served)
	for _, e := range unlisted {
		path := e.Path()
		if !c.listedWell {
			break // it may well be on a page that was not reached
		}
		c.report(lint.New("skill-unlisted", "skill %s is served by skills/get but not listed: a host that only lists does not find it", shorten(path)).Served(e.Served).Of(path))
		if !slices.ContainsFunc(c.result.Drift, func(d lint.SkillDrift) bool { return d.Skill == path }) {
			c.result.Drift = append(c.result.Drift, lint.SkillDrift{Skill: path, Status: lint.Unlisted})
		}
	}
}

// ask asks for built skills that the listing lacks, each by its URI, and takes
// those that are served into the entries.
func (c *check) ask(ctx context.Context, built manifest.Manifest) (unlisted []Entry, unanswered map[manifest.URI]bool) {
	listed := map[manifest.URI]bool{}
	for _, e := range c.entries {
		listed[e.URI] = true
	}
	var absent []manifest.URI
	for _, s := range built.Skills {
		if !listed[s.URI] {
			absent = append(absent, s.URI)
		}
	}
	answers, asked := make([]*Entry, len(absent)), make([]bool, len(absent))
	c.each(ctx, len(absent), func(i int) {
		e, result, err := c.session.get(ctx, absent[i].String())
		var failure *Failure
		asked[i] = true
		switch {
		case err == nil && e.URI == absent[i]:
			c.judgeResult(methodGet, result)
			c.report(e.Findings...)
			answers[i] = &e
		case errors.As(err, &failure), ctx.Err() != nil:
			asked[i] = false
			c.incomplete("skills/get could not be asked for "+absent[i].String(), err)
		}
		// Otherwise it is not served, which the comparison reports.
	})
	for _, e := range answers {
		if e != nil {
			unlisted = append(unlisted, *e)
		}
	}
	c.entries = append(c.entries, unlisted...)
	unanswered = map[manifest.URI]bool{}
	for i, u := range absent {
		if !asked[i] {
			unanswered[u] = true
		}
	}
	return unlisted, unanswered
}

// comparable returns the two sides without what is reported already and would
// only show again as a difference: entries that lack a part. Where an entry lists
// a file without a size or a digest, the built values stand in for what is not
// said, as long as what is said agrees with them.
func (c *check) comparable(all manifest.Manifest) (built, served manifest.Manifest) {
	entries := make(map[manifest.URI]Entry, len(c.entries))
	for _, e := range c.entries {
		entries[e.URI] = e
	}
	known := make(map[manifest.URI]bool, len(all.Skills))
	for _, s := range all.Skills {
		known[s.URI] = true
		e, listed := entries[s.URI]
		if listed && !e.whole {
			continue
		}
		built.Skills = append(built.Skills, s)
	}
	for _, e := range c.entries {
		if e.whole && !e.URI.IsZero() && (known[e.URI] || !c.AllowExtra) {
			served.Skills = append(served.Skills, c.completed(e, all))
		}
	}
	return built, served
}

// consequences are the rules of an entry that a drift of one field breaks as well.
var consequences = map[string][]string{
	"name":          {"missing-name", "malformed-name", "name-path-mismatch"},
	"description":   {"missing-description", "malformed-description", "description-length", "multi-line-description"},
	"compatibility": {"malformed-compatibility"},
	"metadata":      {"malformed-metadata", "metadata-value-type", "reserved-metadata-key"},
	"allowed-tools": {"malformed-allowed-tools"},
	"license":       {"malformed-license"},
}

// dropConsequences removes the findings about an entry that follow from its
// drift, so that one fault is one finding.
func (c *check) dropConsequences(d lint.SkillDrift) {
	var rules []string
	for _, f := range d.Frontmatter {
		top, _, _ := strings.Cut(f.Field, ".")
		rules = append(rules, consequences[top]...)
	}
	for _, f := range d.Files {
		if f.Status == lint.Missing && f.URI.Name() == manifest.SkillFile {
			rules = append(rules, "manifest-missing-self")
		}
	}
	if d.Status == lint.Extra {
		rules = append(rules, "duplicate-name")
	}
	if d.Status == lint.Changed && len(d.Files) == 0 {
		rules = append(rules, "dynamic-resources")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Findings = slices.DeleteFunc(c.result.Findings, func(f lint.Finding) bool {
		return f.Skill == d.Skill && slices.Contains(rules, f.Rule)
	})
}

// explain adds why things differ, as far as it shows: by the bytes of a file, or
// by which of the three that describe a skill stands alone.
func (c *check) explain(built, served manifest.Manifest) {
	c.changed = map[manifest.URI]manifest.Resource{}
	for _, d := range c.result.Drift {
		for _, f := range d.Files {
			if f.Status == lint.Changed {
				c.changed[f.URI] = f.Built.Resource(f.URI)
			}
		}
	}
	c.causes()
	explained := c.patterns()
	if c.Committed == nil {
		return
	}
	tree, file, server := byPath(built), byPath(*c.Committed), byPath(served)
	for i, d := range c.result.Drift {
		cause := blame(tree[d.Skill], file[d.Skill], server[d.Skill])
		if cause == "" || d.Cause != "" || explained[d.Skill] || c.hasCause(d) {
			continue
		}
		c.result.Drift[i].Cause = cause
		at := slices.IndexFunc(c.result.Findings, func(f lint.Finding) bool { return f.Skill == d.Skill && isDrift(f) })
		if at >= 0 {
			c.result.Findings[at].Message += ": " + cause
		}
	}
}

// byPath returns what identifies each skill of a manifest, by its path.
func byPath(m manifest.Manifest) map[string]manifest.Digest {
	all := make(map[string]manifest.Digest, len(m.Skills))
	for i, s := range m.Skills {
		all[s.Path()] = manifest.Manifest{Skills: m.Skills[i : i+1]}.Fingerprint()
	}
	return all
}

// blame says which of the three that describe a skill stands alone: the skills
// directory, the manifest file made from it, or the server. One that lacks the
// skill is zero.
func blame(directory, file, server manifest.Digest) string {
	switch {
	case file == server:
		return "the server serves what the manifest file says, and the skills directory has changed since: run skillpack build and deploy"
	case file == directory:
		return "the skills directory and the manifest file agree, and the server serves another build: deploy this one"
	case directory == server:
		return ""
	}
	return "the skills directory, the manifest file and the server all differ: run skillpack build and deploy"
}
