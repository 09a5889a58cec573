package remote

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// MaxProbes bounds the reads of files that the build left out.
const MaxProbes = 20

// absentName is the name of a file that no server has, to tell a server that
// serves a file from one that answers anything.
const absentName = "skillpack-no-such-file"

// probe is one read of what the server should not serve.
type probe struct {
	uri      string
	file     manifest.URI // that was left out
	template string       // that the URI was made from, or ""
	control  string       // the same for a file that does not exist
}

// excluded reads files that the build left out: by the address they would have,
// and through the templates of resources that take a path.
func (c *check) excluded(ctx context.Context) {
	listed := c.listedByEntries()
	var files []manifest.URI
	for _, u := range c.Excluded {
		if c.inScope(u.String()) && listed.files[u] == nil { // a listed one is a difference of its own
			files = append(files, u)
		}
	}
	if len(files) == 0 || c.over() {
		return
	}
	probes := c.probes(files, c.templates(ctx))
	answers := controls{of: map[string]bool{}}
	c.each(ctx, len(probes), func(i int) {
		p := probes[i]
		if !c.isServed(ctx, p.uri) || answers.anything(p.control, func() bool { return c.isServed(ctx, p.control) }) {
			return
		}
		how := ""
		if p.template != "" {
			how = ", through the template " + shorten(p.template)
		}
		skill := ""
		if e := listed.skillOf(p.file); e != nil {
			skill = e.Path()
		}
		c.report(lint.New("excluded-file-served", "resources/read gives this file, which the build leaves out%s: serve the files of the manifest only", how).Served(p.uri).Of(skill))
	})
}

// controls keeps what a server answers for files that do not exist. It is safe
// for concurrent use.
type controls struct {
	mu sync.Mutex
	of map[string]bool
}

// anything reports whether the server answers for a file that does not exist,
// which is asked once.
func (c *controls) anything(uri string, ask func() bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	served, asked := c.of[uri]
	if !asked {
		served = ask()
		c.of[uri] = served
	}
	return served
}

// isServed reports whether reading an address gives content.
func (c *check) isServed(ctx context.Context, uri string) bool {
	contents, err := c.session.readContents(ctx, uri, manifest.MaxBytes)
	if err != nil {
		c.lost(methodRead, err)
		return false
	}
	for _, item := range contents {
		if item.Text != nil || item.Blob != nil {
			return true
		}
	}
	return false
}

// probes returns the reads of some files, at most [MaxProbes]. Each template that
// leads elsewhere than the files' own addresses gets the first few of them.
func (c *check) probes(files []manifest.URI, templates []template) []probe {
	const perTemplate = 4
	var own, others []probe
	for _, u := range files {
		p := probe{uri: u.String(), file: u}
		p.control = spelledParent(p.uri) + "/" + absentName
		for _, t := range templates {
			if p.template == "" && t.matches(p.uri) {
				p.template = t.text
			}
		}
		own = append(own, p)
	}
	for _, t := range templates {
		for i, u := range files {
			if uri, ok := t.expand(u); ok && i < perTemplate && !t.matches(u.String()) {
				control, _ := t.expand(manifest.NewURI(joinedPath(u.Parent().Path(), absentName)))
				others = append(others, probe{uri, u, t.text, control})
			}
		}
	}
	others = others[:min(len(others), MaxProbes/2)]
	return append(own[:min(len(own), MaxProbes-len(others))], others...)
}

func joinedPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// template is a resource template with one expression that takes a path.
type template struct {
	text           string
	before, after  string
	slashes, start bool // the value keeps its slashes; it starts with one
}

// maxTemplates bounds the templates that are tried.
const maxTemplates = 3

// templates returns the server's templates that take a path.
func (c *check) templates(ctx context.Context) []template {
	l := c.session.walk(ctx, methodTemplates, "resourceTemplates", params{})
	if c.lost(methodTemplates, l.Err) {
		return nil
	}
	var all []template
	for _, raw := range l.Entries {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(raw, &fields) // anything but an object has no fields
		if text := textOf(fields["uriTemplate"]); text != nil && len(all) < maxTemplates {
			if t, ok := parseTemplate(*text); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// pathNames are what the variables of templates for files are called.
var pathNames = map[string]bool{"path": true, "file": true, "filepath": true, "file_path": true, "filename": true, "name": true, "rest": true, "resource": true}

// parseTemplate reads a template of RFC 6570 with one expression, which keeps
// slashes or is named after a path.
func parseTemplate(text string) (template, bool) {
	before, rest, ok := strings.Cut(text, "{")
	expression, after, closed := strings.Cut(rest, "}")
	if !ok || !closed || strings.ContainsAny(after, "{}") || expression == "" || before == "" {
		return template{}, false
	}
	t := template{text: text, before: before, after: after}
	switch expression[0] {
	case '+':
		t.slashes = true
	case '/':
		t.slashes, t.start = true, true
	}
	name := strings.TrimLeft(expression, "+/")
	if strings.HasSuffix(name, "*") {
		name, t.slashes = strings.TrimSuffix(name, "*"), true
	}
	return t, t.slashes || pathNames[strings.ToLower(name)]
}

// expand puts the path of a file into the template. It returns false for a path
// with slashes where the template takes none.
func (t template) expand(u manifest.URI) (string, bool) {
	value := strings.TrimPrefix(u.String(), u.Scheme()+"://")
	if strings.Contains(value, "/") && !t.slashes {
		return "", false
	}
	if t.start {
		value = "/" + value
	}
	return t.before + value + t.after, true
}

// matches reports whether a URI could be made from the template.
func (t template) matches(uri string) bool {
	value, ok := strings.CutPrefix(uri, t.before)
	if !ok || len(value) <= len(t.after) || !strings.HasSuffix(value, t.after) {
		return false
	}
	value = strings.TrimSuffix(value, t.after)
	if t.start {
		value, ok = strings.CutPrefix(value, "/")
	}
	return ok && (t.slashes || !strings.Contains(value, "/"))
}
