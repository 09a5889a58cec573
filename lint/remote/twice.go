package remote

import (
	"context"
	"sync"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// listAgain walks skills/list a second time and compares what it gives with what
// it gave. A client that walks pages while others do needs the same answers.
func (c *check) listAgain(ctx context.Context) {
	if c.over() || !c.listedWell {
		return // what is wrong with the pages is reported
	}
	again := c.session.walk(ctx, methodList, "skills", params{})
	if c.lost(methodList, again.Err) {
		return
	}
	if again.Problem != nil {
		c.report(lint.New("list-unstable", "asked again, the listing ends early: %s", again.Problem.Message))
		return
	}
	before := make(map[manifest.URI]int, c.listed)
	for i, e := range c.entries[:c.listed] {
		if !e.URI.IsZero() {
			before[e.URI] = i
		}
	}
	report := func(e Entry, format string, args ...any) {
		c.reportSome(methodList, lint.New("list-unstable", format, args...).Served(e.Served).Of(e.Path()))
	}
	seen := make(map[manifest.URI]bool, len(before))
	last, moved := -1, -1
	same := true
	for i, raw := range again.Entries {
		again.Entries[i] = nil
		e := parseEntry(raw)
		if e.URI.IsZero() || seen[e.URI] || !c.inScope(e.Served) {
			continue
		}
		seen[e.URI] = true
		at, ok := before[e.URI]
		if !ok {
			same = false
			report(e, "asked again, skills/list has this skill, which it did not have")
			continue
		}
		if d := difference(c.entries[at], e, lint.Sides{OldPlace: "the first listing", NewPlace: "the second", Old: "first", New: "then"}); d != "" {
			same = false
			report(e, "asked again, skills/list has the skill otherwise: %s", d)
		}
		if at < last && moved < 0 {
			moved = at
		}
		last = at
	}
	for u, i := range before {
		if !seen[u] {
			same = false
			report(c.entries[i], "asked again, skills/list lacks this skill, which it had")
		}
	}
	if same && moved >= 0 {
		e := c.entries[moved]
		c.report(lint.New("list-order", "asked again, skills/list gives this skill later than before: keep the skills sorted").Served(e.Served).Of(e.Path()))
	}
}

// nearSkills asks skills/get for a skill's folder and for a file of it that is
// not its SKILL.md, of the first skill that has one.
func (c *check) nearSkills(ctx context.Context) {
	near := ""
	for i := range c.entries {
		e := &c.entries[i]
		if e.URI.IsZero() {
			continue
		}
		if near == "" {
			near = spelledParent(e.Served)
			c.nearSkill(ctx, e, near, "the skill's folder")
		}
		for _, r := range e.Resources {
			if r.URI.Name() != manifest.SkillFile {
				c.nearSkill(ctx, e, e.spelling(r.URI), "a file that is not its SKILL.md")
				return
			}
		}
	}
}

func (c *check) nearSkill(ctx context.Context, e *Entry, uri, what string) {
	if c.over() {
		return
	}
	got, _, err := c.session.get(ctx, uri)
	if c.lost(methodGet, err) || err != nil {
		return // an error is right, and its code is judged once
	}
	c.report(lint.New("get-unknown-uri", "skills/get for %s answers with the entry of %s: answer with error %d", what, shorten(got.Served), InvalidParams).Served(uri).Of(e.Path()))
}

// reads are the digests of the SKILL.md files that a check has read. It is safe
// for concurrent use.
type reads struct {
	mu sync.Mutex
	of map[manifest.URI]manifest.Digest
}

// again notes the digest of a file that was read, and reports whether it was read
// before with another.
func (r *reads) again(u manifest.URI, d manifest.Digest) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[manifest.URI]manifest.Digest{}
	}
	before, seen := r.of[u]
	r.of[u] = d
	return seen && before != d
}

// judgeAgain reports a SKILL.md that is read with other bytes than before.
func (c *check) judgeAgain(e Entry, b []byte) {
	if c.reads.again(e.URI, manifest.DigestOf(b)) {
		c.report(lint.New("read-unstable", "SKILL.md is read twice, with bytes that differ: serve the file as it was built").Served(e.Served).Of(e.Path()))
	}
}
