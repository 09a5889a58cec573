package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// resourceList compares resources/list with the entries: the SKILL.md of each
// skill, and what else lies in skills or is one.
func (c *check) resourceList(ctx context.Context) {
	if c.over() {
		return
	}
	children, err := c.session.children(ctx, methodResources, params{})
	if c.lost(methodResources, err) {
		return
	}
	byURI := make(map[manifest.URI]Child, len(children))
	for i, r := range children {
		u, ok := c.judgeChild(methodResources, i, r)
		if !ok {
			continue
		}
		byURI[u] = r
		if r.MIMEType == Directory || c.known.has(u) || !c.inScope(r.URI) {
			continue
		}
		e := c.known.skillOf(u)
		switch {
		case e != nil && !e.complete():
		case u.Name() == manifest.SkillFile:
			c.hidden.add(u, methodResources)
		case e != nil:
			c.reportSome(methodResources, lint.New("resource-unlisted-file", "resources/list has it, and the skill's resources do not: add it to the resources, or stop serving it").Served(r.URI).Of(e.Path()))
		}
	}
	c.each(ctx, len(c.entries), func(i int) {
		if e := c.entries[i]; !e.URI.IsZero() {
			r, listed := byURI[e.URI]
			c.skillResource(ctx, e, r, listed)
		}
	})
}

// skillResource judges the resource that is a skill's SKILL.md, as it is listed
// and as it is read.
func (c *check) skillResource(ctx context.Context, e Entry, r Child, listed bool) {
	report := func(rule, format string, args ...any) {
		c.report(lint.New(rule, format, args...).Served(e.Served).Of(e.Path()))
	}
	if listed && !isMarkdown(r.MIMEType) {
		report("skill-mime-type", "resources/list has SKILL.md as %q: set text/markdown", shorten(r.MIMEType))
	}
	contents, err := c.session.readContents(ctx, e.Served, manifest.MaxBytes)
	switch item, ok := find(contents, e.Served); {
	case err != nil:
		c.lost(methodRead, err) // --verify reports a file that cannot be read
	case ok && item.MIMEType == "" && !listed:
		report("skill-mime-type", "SKILL.md has no MIME type: serve it as text/markdown")
	case ok:
		c.judgeKind(e, e.URI, e.Served, item.MIMEType)
		if b, err := item.bytes(); err == nil {
			c.judgeAgain(e, b)
		}
	}
	if !listed {
		return
	}
	if name := e.Frontmatter.Text("name"); r.Name != name {
		report("skill-resource-metadata", "the resource of SKILL.md has the name %q: set it to the frontmatter's, %q", shorten(r.Name), shorten(name))
	} else if bare := slices.DeleteFunc(r.Meta, func(key string) bool { return strings.Contains(key, "/") }); len(bare) > 0 {
		report("skill-resource-metadata", "the resource of SKILL.md has the _meta key %q without a prefix: write %s%s", shorten(bare[0]), metaPrefix, shorten(bare[0]))
	} else if d := e.Frontmatter.Text("description"); r.Description != d {
		report("skill-resource-metadata", "the resource of SKILL.md has the description %q: set it to the frontmatter's, %q", shorten(r.Description), shorten(d))
	}
}

// judgeChild checks one resource of a listing for what clients need of it, and
// against what its skill's entry says. It returns the address, and false when
// there is none that could be of a skill.
func (c *check) judgeChild(place string, i int, r Child) (manifest.URI, bool) {
	at := r.URI
	if at == "" {
		at = fmt.Sprintf("resources[%d]", i)
	}
	u, err := manifest.ParseURI(r.URI)
	skill := ""
	e := c.known.files[u]
	if e != nil {
		skill = e.Path()
	}
	report := func(rule, format string, args ...any) {
		c.reportSome(place, lint.New(rule, format, args...).Served(at).Of(skill))
	}
	for _, field := range r.lacks {
		report("resource-malformed", "%s has it without a %q that is a string: clients refuse the whole listing", place, field)
	}
	if e == nil || err != nil {
		return u, err == nil
	}
	if declared := c.known.resource(u); declared != nil && r.size != nil && string(r.size) != "null" {
		v, err := manifest.ParseValue(r.size)
		switch size, whole := v.Size(); {
		case err != nil || !whole:
			report("resource-size", "%s has it with the size %s: count the file's bytes", place, brief(r.size))
		case size != declared.Size && declared.Size != manifest.NoSize:
			report("resource-size", "%s has it with the size %d, the skill's resources with %d: count the file's bytes", place, size, declared.Size)
		}
	}
	c.kinds.listed(u, place, r.MIMEType)
	return u, true
}

// childOf reads a resource of a listing. It never fails: what is not there is "".
func childOf(raw json.RawMessage) Child {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // anything but an object has no fields
	var c Child
	for name, into := range map[string]*string{"uri": &c.URI, "name": &c.Name, "description": &c.Description, "mimeType": &c.MIMEType} {
		_ = json.Unmarshal(fields[name], into)
	}
	for _, name := range []string{"uri", "name"} {
		if textOf(fields[name]) == nil {
			c.lacks = append(c.lacks, name)
		}
	}
	c.size = fields["size"]
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(fields["_meta"], &meta)
	c.Meta = slices.Sorted(maps.Keys(meta))
	return c
}

// hidden collects the SKILL.md files of skills that no entry describes, each with
// where it shows. It is safe for concurrent use.
type hidden struct {
	mu  sync.Mutex
	all map[manifest.URI]string
}

// maxHidden bounds the skills that are asked for because they show in a listing.
const maxHidden = 100

func (h *hidden) add(u manifest.URI, where string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[manifest.URI]string{}
	}
	if _, seen := h.all[u]; !seen {
		h.all[u] = where
	}
}

// hiddenSkills asks for each skill that shows only as a resource, and reports
// those that the extension's methods do not have, and those that were not built.
func (c *check) hiddenSkills(ctx context.Context) {
	if !c.listedWell {
		return // they may well be on a page that was not reached
	}
	schemes, built := map[string]bool{manifest.Scheme: true}, map[manifest.URI]bool{}
	for _, e := range c.entries {
		schemes[e.URI.Scheme()] = true
	}
	if c.Built != nil {
		for _, s := range c.Built.Skills {
			schemes[s.URI.Scheme()], built[s.URI] = true, true
		}
	}
	var all []manifest.URI
	for u := range c.hidden.all {
		if root, ok := u.Root(); ok && root.Name() != "" && schemes[u.Scheme()] && !built[u] && c.inScope(u.String()) {
			all = append(all, u) // one that was built and is not served is drift
		}
	}
	slices.SortFunc(all, func(a, b manifest.URI) int { return strings.Compare(a.String(), b.String()) })
	if more := len(all) - maxHidden; more > 0 {
		c.report(lint.New("resource-unlisted-skill", "%s more are not asked for", message.Counted(more, "skill that is not listed")))
		all = all[:maxHidden]
	}
	c.each(ctx, len(all), func(i int) { c.hiddenSkill(ctx, all[i]) })
}

func (c *check) hiddenSkill(ctx context.Context, u manifest.URI) {
	where, root := c.hidden.all[u], skillPathOf(u)
	e, _, err := c.session.get(ctx, u.String())
	switch {
	case c.lost(methodGet, err):
	case err != nil || e.URI != u:
		c.report(lint.New("resource-unlisted-skill", "%s has the SKILL.md of a skill that neither skills/list nor skills/get has: list the skill, or stop serving it", where).Served(u.String()).Of(root))
	case c.Built != nil && !c.AllowExtra:
		c.report(lint.New("skill-extra", "%s and skills/get have a skill that is neither listed nor built", where).Served(u.String()).Of(root))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.result.Drift = append(c.result.Drift, lint.SkillDrift{Skill: root, Status: lint.Extra})
	}
}

func skillPathOf(u manifest.URI) string {
	root, _ := u.Root()
	return root.Path()
}
