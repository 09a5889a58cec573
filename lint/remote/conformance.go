package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	c.errorCases(ctx)
	c.each(ctx, len(c.entries), func(i int) {
		if e := c.entries[i]; !e.URI.IsZero() {
			c.sameByGet(ctx, e)
		}
	})
	c.metadata(ctx)
	c.directories(ctx)
	c.caching(ctx)
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
	if got.value.Equal(e.value) {
		return
	}
	if sameIgnoringOrder(e.value, got.value) {
		return
	}
	difference := "the two are not the same JSON"
	// Two lists made of one URI over and over would take quadratic time to match.
	if len(e.Resources) <= manifest.MaxResources && len(got.Resources) <= manifest.MaxResources {
		listed, fetched := manifest.Manifest{Skills: []manifest.Skill{e.Skill}}, manifest.Manifest{Skills: []manifest.Skill{got.Skill}}
		findings, _ := lint.Drifts(manifest.Diff(listed, fetched), lint.Sides{OldPlace: "skills/list", NewPlace: "skills/get", Old: "listed", New: "got"})
		if len(findings) > 0 {
			difference = findings[0].Message
		}
	}
	report("get-mismatch", "skills/get and skills/list describe the skill differently: %s", difference)
}

// sameIgnoringOrder reports whether two entries differ only in the order of
// their resources, which carries no meaning.
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
	return uriA.Equal(uriB) && frontA.Equal(frontB)
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

// metadata looks at the resources that are the skills' SKILL.md files.
func (c *check) metadata(ctx context.Context) {
	if c.over() {
		return
	}
	children, err := c.session.children(ctx, methodResources, params{})
	if c.lost(methodResources, err) {
		return
	}
	byURI := make(map[manifest.URI]Child, len(children))
	for _, r := range children {
		if u, err := manifest.ParseURI(r.URI); err == nil {
			byURI[u] = r
		}
	}
	c.each(ctx, len(c.entries), func(i int) {
		e := c.entries[i]
		if e.URI.IsZero() {
			return
		}
		report := func(rule, format string, args ...any) {
			c.report(lint.New(rule, format, args...).Served(e.Served).Of(e.Path()))
		}
		r, listed := byURI[e.URI]
		kind := r.MIMEType
		if !listed {
			// A server need not list every resource: the content says its type as well.
			contents, err := c.session.readContents(ctx, e.Served, manifest.MaxBytes)
			if err != nil {
				c.lost(methodRead, err)
				return // --verify reports a file that cannot be read
			}
			if item, ok := find(contents, e.Served); ok {
				kind = item.MIMEType
			}
		}
		if media, _, _ := strings.Cut(kind, ";"); !strings.EqualFold(strings.TrimSpace(media), "text/markdown") {
			report("skill-mime-type", "SKILL.md is served as %q: serve it as text/markdown", shorten(kind))
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
	})
}

// directories reads every folder of every skill.
func (c *check) directories(ctx context.Context) {
	if c.over() {
		return
	}
	if !c.caps.DirectoryRead {
		c.undeclaredDirectories(ctx)
		return
	}
	c.each(ctx, len(c.entries), func(i int) {
		e := c.entries[i]
		if root, ok := e.URI.Root(); ok {
			c.skillFolders(ctx, e, root)
		}
	})
}

// undeclaredDirectories tries the method on one folder of a server that does not
// declare it.
func (c *check) undeclaredDirectories(ctx context.Context) {
	if !c.declaredWell {
		return // the fault of the declaration is reported
	}
	for _, e := range c.entries {
		root, ok := e.URI.Root()
		if !ok {
			continue
		}
		raw, err := c.session.call(ctx, methodDirectory, &params{URI: root.String()})
		if c.lost(methodDirectory, err) {
			return
		}
		var result struct {
			Resources []json.RawMessage `json:"resources"`
		}
		if err == nil && json.Unmarshal(raw, &result) == nil && len(result.Resources) > 0 {
			c.report(lint.New("directory-undeclared", "resources/directory/read works but directoryRead is not declared: no host calls it; declare \"directoryRead\": true"))
		}
		return
	}
}

// skillFolders holds each folder of a skill against the files its entry lists.
func (c *check) skillFolders(ctx context.Context, e Entry, root manifest.URI) {
	report := func(uri manifest.URI, format string, args ...any) {
		c.report(lint.New("directory-failed", format, args...).Served(uri.String()).Of(e.Path()))
	}
	all, deep := folders(e, root)
	if deep > 0 {
		report(root, "%d files lie over %d folders deep: their folders are not read", deep, maxFolders)
	}
	for folder, want := range all {
		if c.over() {
			return
		}
		listing := c.session.walk(ctx, methodDirectory, "resources", params{URI: want.spelled})
		c.judgePages(methodDirectory, listing.Pages)
		if c.lost(methodDirectory, listing.Err) {
			return
		}
		if listing.Problem != nil {
			report(folder, "the folder cannot be read: %s", listing.Problem.Message)
			continue
		}
		have := map[manifest.URI]string{}
		for _, raw := range listing.Entries {
			var child struct{ URI, MIMEType string }
			_ = json.Unmarshal(raw, &child) // a child without them is missing below
			if u, err := manifest.ParseURI(child.URI); err == nil {
				have[u] = child.MIMEType
			}
		}
		for child, isFolder := range want.children {
			kind, ok := have[child]
			switch {
			case !ok:
				report(folder, "the folder's listing lacks %q: every direct child belongs in it", shorten(child.Name()))
			case isFolder && kind != Directory:
				report(folder, "the folder %q in it has the MIME type %q: %s tells clients to descend", shorten(child.Name()), shorten(kind), Directory)
			}
		}
	}
	raw, err := c.session.call(ctx, methodDirectory, &params{URI: e.Served})
	if c.lost(methodDirectory, err) {
		return
	}
	if problem := notInvalidParams(raw, err); problem != "" {
		report(e.URI, "resources/directory/read of a file %s: answer with error %d", problem, InvalidParams)
	}
}

// maxFolders bounds how deep a file may lie for its folders to be read: deeper
// than the longest path that a skill may have can reach, it is made to cost time.
const maxFolders = 512

// folder is one folder of a skill, as the entry's files imply it.
type folder struct {
	spelled  string                // its URI in the server's own spelling
	children map[manifest.URI]bool // true for a folder
}

// folders returns every folder of a skill, and how many files lie too deep.
func folders(e Entry, root manifest.URI) (all map[manifest.URI]folder, deep int) {
	all = map[manifest.URI]folder{root: {spelledParent(e.spelling(e.URI)), map[manifest.URI]bool{}}}
	for _, r := range e.Resources {
		path, below := r.URI.Below(root)
		if !below {
			continue
		}
		if strings.Count(path, "/") > maxFolders {
			deep++
			continue
		}
		child, spelled, isFolder := r.URI, e.spelling(r.URI), false
		for child != root {
			parent := child.Parent()
			spelled = spelledParent(spelled)
			f, seen := all[parent]
			if !seen {
				f = folder{spelled, map[manifest.URI]bool{}}
				all[parent] = f
			}
			f.children[child] = isFolder
			if seen {
				break // the folders above are there already
			}
			child, isFolder = parent, true
		}
	}
	return all, deep
}

func spelledParent(uri string) string { return uri[:max(0, strings.LastIndexByte(uri, '/'))] }
