package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// Addresses that no server serves, to see how it says so.
const (
	unknownSkill = "skill://skillpack-no-such-skill/SKILL.md"
	unknownFile  = "skill://skillpack-no-such-skill/no-such-file.md"
	falseCursor  = "skillpack-no-such-cursor"
	// metaPrefix is where _meta keys of a skill's resource belong (spec: Resource
	// Metadata).
	metaPrefix = "io.modelcontextprotocol.skills/"
)

// conformance calls every method for every skill, and every error case once.
func (c *check) conformance(ctx context.Context) {
	c.known = c.listedByEntries()
	c.errorCases(ctx)
	c.each(ctx, len(c.entries), func(i int) {
		if e := c.entries[i]; !e.URI.IsZero() {
			c.sameByGet(ctx, e)
		}
	})
	c.resourceList(ctx)
	c.directories(ctx)
	c.hiddenSkills(ctx)
	c.nearSkills(ctx)
	c.caching(ctx)
	c.listAgain(ctx)
}

// caching judges one result of each method of the base protocol that a client
// may keep. A method that fails is reported elsewhere, or the server lacks it.
func (c *check) caching(ctx context.Context) {
	if c.session.info.Protocol < Protocol2026 {
		return // no result carries the fields
	}
	for _, method := range baseMethods {
		p := params{}
		if method == methodRead {
			i := slices.IndexFunc(c.entries, func(e Entry) bool { return !e.URI.IsZero() })
			if i < 0 {
				continue
			}
			p.URI = c.entries[i].Served
		}
		raw, err := c.session.call(ctx, method, &p)
		if f := (*Failure)(nil); c.over() || errors.As(err, &f) {
			return
		}
		if result, _ := fieldsOf(raw); result != nil {
			c.judgeResult(method, result)
		}
	}
}

// errorCases asks for what is not there.
func (c *check) errorCases(ctx context.Context) {
	cases := []struct {
		rule, method, what string
		params             params
	}{
		{"get-unknown-uri", methodGet, "skills/get for a skill that is not served", params{URI: unknownSkill}},
		{"missing-uri-param", methodGet, "skills/get without a uri", params{}},
		{"bad-cursor", methodList, "skills/list with a cursor that the server never gave", params{Cursor: falseCursor}},
		{"read-unknown-uri", methodRead, "resources/read of a file that is not served", params{URI: unknownFile}},
	}
	for _, k := range cases {
		if c.over() {
			return
		}
		if k.rule == "bad-cursor" && !c.listedWell {
			continue // what is wrong with the pages is reported
		}
		raw, err := c.session.call(ctx, k.method, &k.params)
		if c.lost(k.method, err) {
			return
		}
		if problem := notInvalidParams(raw, err); problem != "" {
			c.report(lint.New(k.rule, "%s %s: answer with error %d", k.what, problem, InvalidParams))
		}
	}
}

// notInvalidParams says what an answer was instead of error -32602, or "".
func notInvalidParams(raw json.RawMessage, err error) string {
	var rpc *RPCError
	switch {
	case errors.As(err, &rpc) && rpc.Code == InvalidParams:
		return ""
	case errors.As(err, &rpc):
		return fmt.Sprintf("fails with error %d (%s)", rpc.Code, shorten(rpc.Message))
	case err != nil:
		return fmt.Sprintf("gets no answer (%v)", err)
	}
	return "succeeds with " + brief(raw)
}

// lost ends the run when a request failed, and reports whether nothing follows
// from it: a server that refuses, that is not there or takes too long has said
// nothing that a rule could judge. One that answers what is no HTTP or no JSON-RPC
// has.
func (c *check) lost(method string, err error) bool {
	var f *Failure
	if errors.As(err, &f) {
		c.incomplete(method+" got no answer", err)
		return f.Kind != Unusable
	}
	return c.ctx.Err() != nil
}

// sameByGet holds skills/get against skills/list for one skill.
func (c *check) sameByGet(ctx context.Context, e Entry) {
	report := func(rule, format string, args ...any) {
		c.report(lint.New(rule, format, args...).Served(e.Served).Of(e.Path()))
	}
	got, result, err := c.session.get(ctx, e.Served)
	if result != nil {
		c.judgeResult(methodGet, result)
		if cursor, ok := result["nextCursor"]; ok && string(cursor) != "null" {
			report("get-cursor", "skills/get answers with nextCursor %s: one entry is no list; leave it out", brief(cursor))
		}
	}
	if c.lost(methodGet, err) {
		return
	}
	if err != nil {
		report("get-failed", "skills/get fails for a skill that is listed: %v", err)
		return
	}
	switch d := difference(e, got, lint.Sides{OldPlace: "skills/list", NewPlace: "skills/get", Old: "listed", New: "got"}); {
	case got.URI != e.URI:
		report("get-mismatch", "skills/get answers with the entry of %s: answer with the skill that was asked for", shorten(got.Served))
	case d != "":
		report("get-mismatch", "skills/get and skills/list describe the skill differently: %s", d)
	}
}

// difference says how two entries of one skill differ, "" when they do not.
func difference(a, b Entry, sides lint.Sides) string {
	if a.value.Equal(b.value) || sameIgnoringOrder(a.value, b.value) {
		return ""
	}
	// Two lists made of one URI over and over would take quadratic time to match.
	if len(a.Resources) <= manifest.MaxResources && len(b.Resources) <= manifest.MaxResources {
		before, after := manifest.Manifest{Skills: []manifest.Skill{a.Skill}}, manifest.Manifest{Skills: []manifest.Skill{b.Skill}}
		findings, _ := lint.Drifts(manifest.Diff(before, after), sides)
		if len(findings) > 0 {
			return findings[0].Message
		}
	}
	if key := otherField(a.value, b.value); key != "" {
		return fmt.Sprintf("field %q differs", shorten(key))
	}
	return "the two are not the same JSON"
}

// otherField returns a field outside the specification that two entries have
// differently, or "". What _meta holds may differ from call to call.
func otherField(a, b manifest.Value) string {
	for _, side := range [][2]manifest.Value{{a, b}, {b, a}} {
		for _, m := range side[0].Members {
			switch m.Key {
			case "uri", "frontmatter", "resources", "_meta":
				continue
			}
			if v, ok := side[1].Get(m.Key); !ok || !v.Equal(m.Value) {
				return m.Key
			}
		}
	}
	return ""
}

// sameIgnoringOrder reports whether two entries differ only in the order of
// their resources, which carries no meaning, and in _meta.
func sameIgnoringOrder(a, b manifest.Value) bool {
	x, y := resourceSet(a), resourceSet(b)
	if x == nil || len(x) != len(y) {
		return false
	}
	for k := range x {
		if x[k] != y[k] {
			return false
		}
	}
	uriA, _ := a.Get("uri")
	uriB, _ := b.Get("uri")
	frontA, _ := a.Get("frontmatter")
	frontB, _ := b.Get("frontmatter")
	return uriA.Equal(uriB) && frontA.Equal(frontB) && otherField(a, b) == ""
}

func resourceSet(v manifest.Value) map[string]int {
	resources, _ := v.Get("resources")
	if resources.Kind != manifest.Array {
		return nil
	}
	set := map[string]int{}
	for _, r := range resources.Items {
		set[r.String()]++
	}
	return set
}
