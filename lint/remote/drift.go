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
	listed := map[manifest.URI]bool{}
	for _, e := range c.entries {
		listed[e.URI] = true
	}
	var absent []manifest.Skill
	for _, s := range built.Skills {
		if !listed[s.URI] {
			absent = append(absent, s)
		}
	}
	unlisted := c.ask(ctx, absent)

	served := manifest.Manifest{}
	broken := map[manifest.URI]Entry{}
	for _, e := range c.entries {
		if e.URI.IsZero() {
			continue
		}
		if !e.whole {
			// Its faults are reported; comparing what is left would only repeat them.
			broken[e.URI] = e
			continue
		}
		served.Skills = append(served.Skills, e.Skill)
	}
	built.Skills = slices.DeleteFunc(built.Skills, func(s manifest.Skill) bool { _, ok := broken[s.URI]; return ok })

	findings, drifts := lint.Drifts(manifest.Diff(built, served), lint.SidesOfLint)
	c.report(c.explain(findings)...)
	for _, d := range drifts {
		if d.Status == lint.Extra && c.AllowExtra {
			continue
		}
		c.result.Drift = append(c.result.Drift, d)
	}
	c.changed = map[manifest.URI]manifest.Resource{}
	for _, d := range c.result.Drift {
		for _, f := range d.Files {
			if f.Status == lint.Changed {
				c.changed[f.URI] = manifest.Resource{URI: f.URI, Digest: f.Built.Digest, Size: f.Built.Size}
			}
		}
	}
	c.causes()
	for i, d := range c.result.Drift {
		if cause := c.blame(d.Skill, built, served); cause != "" && d.Cause == "" {
			c.result.Drift[i].Cause = cause
			at := slices.IndexFunc(c.result.Findings, func(f lint.Finding) bool { return f.Skill == d.Skill && isDrift(f) })
			if at >= 0 {
				c.result.Findings[at].Message += ": " + cause
			}
		}
	}
	for _, e := range unlisted {
		path := e.Path()
		if !c.listedWell {
			break // it may well be on a page that was not reached
		}
		c.report(lint.New("skill-unlisted", "skill %s is served by skills/get but not listed: a host that only lists does not find it", shorten(path)).Served(e.Served).Of(path))
		i := slices.IndexFunc(c.result.Drift, func(d lint.SkillDrift) bool { return d.Skill == path })
		if i < 0 {
			c.result.Drift = append(c.result.Drift, lint.SkillDrift{Skill: path, Status: lint.Unlisted})
		}
	}
}

func isDrift(f lint.Finding) bool {
	rule, _ := lint.Lookup(f.Rule)
	return rule.Where == lint.Drift
}

// causes explains files that the server lists with other bytes, where the built
// ones are at hand: what the usual accidents make of them is tried against the
// listed digest, and nothing is read for it.
func (c *check) causes() {
	if c.Bytes == nil {
		return
	}
	for _, d := range c.result.Drift {
		for _, f := range d.Files {
			if f.Status != lint.Changed {
				continue
			}
			if b := c.builtBytes(f.URI); b != nil {
				if cause := accident(b, f.Served.Digest).String(); cause != "" {
					c.addCause(f.URI, cause)
				}
			}
		}
	}
}

// addCause says why a file is another than the built one, in its finding and in
// the drift of its skill.
func (c *check) addCause(u manifest.URI, cause string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, f := range c.result.Findings {
		if f.Rule != "file-changed" || f.URI != u.String() || strings.HasSuffix(f.Message, cause) {
			continue
		}
		c.result.Findings[i].Message += ": " + cause
		for j, d := range c.result.Drift {
			if d.Skill == f.Skill && !strings.Contains(d.Cause, cause) {
				c.result.Drift[j].Cause = joined(d.Cause, cause)
			}
		}
	}
}

// joined is two sentences as one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// blame says which of the three that describe a skill stands alone: the skills
// directory, the manifest file made from it, or the server.
func (c *check) blame(path string, directory, served manifest.Manifest) string {
	if c.Committed == nil {
		return ""
	}
	of := func(m manifest.Manifest) string {
		i := slices.IndexFunc(m.Skills, func(s manifest.Skill) bool { return s.Path() == path })
		if i < 0 {
			return "absent"
		}
		return manifest.Manifest{Skills: m.Skills[i : i+1]}.Fingerprint().String()
	}
	tree, file, server := of(directory), of(*c.Committed), of(served)
	switch {
	case file == server:
		return "the server serves what the manifest file says, and the skills directory has changed since: run skillpack build and deploy"
	case file == tree:
		return "the skills directory and the manifest file agree, and the server serves another build: deploy this one"
	case tree == server:
		return ""
	}
	return "the skills directory, the manifest file and the server all differ: run skillpack build and deploy"
}

// ask asks for built skills that the listing lacks, each by its URI, and takes
// those that are served into the entries.
func (c *check) ask(ctx context.Context, absent []manifest.Skill) []Entry {
	answers := make([]*Entry, len(absent))
	c.each(ctx, len(absent), func(i int) {
		uri := absent[i].URI.String()
		e, result, err := c.session.get(ctx, uri)
		var rpc *RPCError
		switch {
		case err == nil && e.URI == absent[i].URI:
			c.judgeResult(methodGet, result)
			c.report(e.Findings...)
			answers[i] = &e
		case errors.As(err, &rpc), err == nil:
			// Not served: the comparison reports it.
		default:
			c.incomplete("skills/get could not be asked for "+uri, err)
		}
	})
	var unlisted []Entry
	for _, e := range answers {
		if e != nil {
			unlisted = append(unlisted, *e)
		}
	}
	c.entries = append(c.entries, unlisted...)
	return unlisted
}

// consequences are the rules of an entry that a drift of one field breaks as well.
var consequences = map[string][]string{
	"name":          {"missing-name", "malformed-name", "name-path-mismatch"},
	"description":   {"missing-description", "malformed-description", "description-length"},
	"compatibility": {"malformed-compatibility"},
	"metadata":      {"malformed-metadata", "metadata-value-type", "reserved-metadata-key"},
	"allowed-tools": {"malformed-allowed-tools"},
	"license":       {"malformed-license"},
}

// explain drops what follows from another finding, so that one fault is one
// finding, and adds the cause of a frontmatter's difference where it shows.
func (c *check) explain(drift []lint.Finding) []lint.Finding {
	byURI := make(map[string]Entry, len(c.entries))
	for _, e := range c.entries {
		byURI[e.URI.String()] = e
	}
	var kept []lint.Finding
	for _, f := range drift {
		switch f.Rule {
		case "skill-extra":
			if c.AllowExtra {
				continue
			}
		case "file-missing":
			// Listed after all, with a digest or size that could not be read.
			if u, err := manifest.ParseURI(f.URI); err == nil && c.lists(u) {
				continue
			}
		}
		kept = append(kept, f)
	}
	for _, d := range kept {
		switch d.Rule {
		case "frontmatter-drift":
			for field, rules := range consequences {
				if strings.Contains(d.Message, "field "+field+" ") || strings.Contains(d.Message, "field "+field+".") {
					c.drop(d.Skill, rules)
				}
			}
		case "file-missing":
			if strings.HasSuffix(d.URI, "/"+manifest.SkillFile) {
				c.drop(d.Skill, []string{"manifest-missing-self"})
			}
		case "skill-dynamic":
			c.drop(d.Skill, []string{"dynamic-resources"})
		case "skill-extra":
			c.drop(d.Skill, []string{"duplicate-name"})
		}
	}
	return kept
}

// lists reports whether an entry lists a file, however badly.
func (c *check) lists(u manifest.URI) bool {
	return slices.ContainsFunc(c.entries, func(e Entry) bool { _, ok := e.spelled[u]; return ok })
}

// drop removes findings of a skill that follow from another.
func (c *check) drop(skill string, rules []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Findings = slices.DeleteFunc(c.result.Findings, func(f lint.Finding) bool {
		return f.Skill == skill && slices.Contains(rules, f.Rule)
	})
}
