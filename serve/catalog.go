package serve

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// catalog is one set of skills with every answer prepared. Nothing in it
// changes.
type catalog struct {
	fingerprint manifest.Digest
	cache       cacheHints
	list        *pages                  // skills/list
	resources   *pages                  // resources/list
	entries     map[manifest.URI][]byte // skills/get: the entry, as JSON
	files       map[manifest.URI]*file  // resources/read
	folders     map[manifest.URI]*pages // resources/directory/read
	// instructions name the skills; declared says whether they are told to clients.
	instructions string
	declared     bool
}

// file is what reading a resource answers: the JSON that follows its URI.
type file struct {
	resource []byte // the resource's metadata, as JSON
	content  []byte // the content item behind its "uri"
}

// newCatalog verifies the files and prepares all answers.
func newCatalog(m manifest.Manifest, read func(string) ([]byte, error), o options) (*catalog, error) {
	unlisted, err := unlistedSkills(m, o.unlisted)
	if err != nil {
		return nil, err
	}
	c := &catalog{
		fingerprint: m.Fingerprint(),
		cache:       cacheHints{o.ttl.Milliseconds(), o.cacheScope},
		entries:     make(map[manifest.URI][]byte, len(m.Skills)),
		files:       map[manifest.URI]*file{},
		folders:     map[manifest.URI]*pages{},
		declared:    o.instructions,
	}
	v := newVerification(m)
	tree := newTree()
	for _, uri := range v.order {
		b, ok := v.file(uri, read)
		if !ok {
			continue
		}
		f, err := newFile(uri, v.listed[uri], b)
		if err != nil {
			return nil, err
		}
		c.files[uri] = f
		tree.add(uri, f.resource)
	}
	if len(v.findings) > 0 {
		return nil, &VerifyError{v.findings}
	}
	if err := tree.check(c.files); err != nil {
		return nil, err
	}
	if err := c.prepare(m, v, unlisted, o.pageSize); err != nil {
		return nil, err
	}
	for uri, children := range tree.sorted() {
		c.folders[uri] = newPages(c.fingerprint, uri.String(), "resources", o.pageSize, children)
	}
	c.instructions = instructions(m, unlisted)
	return c, nil
}

// prepare makes the two listings and the entries.
func (c *catalog) prepare(m manifest.Manifest, v *verification, unlisted map[manifest.URI]bool, pageSize int) error {
	listed := make([][]byte, 0, len(m.Skills))
	for _, s := range m.Skills {
		entry, err := s.MarshalJSON()
		if err != nil {
			return fmt.Errorf("the entry of %s cannot be written as JSON: %w", s.URI, err)
		}
		c.entries[s.URI] = entry
		if !unlisted[s.URI] {
			listed = append(listed, entry)
		}
	}
	c.list = newPages(c.fingerprint, methodList, "skills", pageSize, listed)
	var resources [][]byte
	for _, uri := range v.order {
		if slices.ContainsFunc(v.listed[uri], func(at listing) bool { return !unlisted[at.skill.URI] }) {
			resources = append(resources, c.files[uri].resource)
		}
	}
	c.resources = newPages(c.fingerprint, "resources/list", "resources", pageSize, resources)
	return nil
}

// unlistedSkills finds the skills that are to be left out of the listings.
func unlistedSkills(m manifest.Manifest, paths []string) (map[manifest.URI]bool, error) {
	unlisted := map[manifest.URI]bool{}
	for _, path := range paths {
		i := slices.IndexFunc(m.Skills, func(s manifest.Skill) bool { return s.Path() == path })
		if i < 0 {
			return nil, fmt.Errorf("there is no skill %s to leave unlisted: name a skill path of the manifest", strconv.Quote(message.Cut(path, message.Longest)))
		}
		unlisted[m.Skills[i].URI] = true
	}
	return unlisted, nil
}

// resource is the metadata of a file or folder (spec: Resource Metadata).
type resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType"`
	Size        *int   `json:"size,omitempty"` // bytes
}

// newFile prepares the answers for one file.
func newFile(uri manifest.URI, places []listing, b []byte) (*file, error) {
	text := utf8.Valid(b)
	size := len(b)
	r := resource{URI: uri.String(), Name: uri.Name(), MIMEType: mimeType(uri.Name(), text && bytes.IndexByte(b, 0) < 0), Size: &size}
	for _, at := range places {
		if at.skill.URI == uri {
			r.Name, r.Description = at.skill.Name(), at.skill.Frontmatter.Text("description")
		}
	}
	f := new(file)
	var err error
	if f.resource, err = marshal(r); err != nil {
		return nil, err
	}
	kind, err := marshal(r.MIMEType)
	if err != nil {
		return nil, err
	}
	content := append([]byte(`,"mimeType":`), kind...)
	if text {
		quoted, err := marshal(string(b))
		if err != nil {
			return nil, err
		}
		content = append(append(content, `,"text":`...), quoted...)
	} else {
		content = slices.Grow(append(content, `,"blob":"`...), base64.StdEncoding.EncodedLen(len(b))+2)
		content = append(base64.StdEncoding.AppendEncode(content, b), '"')
	}
	f.content = slices.Clip(append(content, '}'))
	return f, nil
}

// marshal writes a value as JSON without escaping for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// maxNamed is how many skills the instructions name; a client lists the rest.
const maxNamed = 50

// instructions names the listed skills for a model.
func instructions(m manifest.Manifest, unlisted map[manifest.URI]bool) string {
	var b strings.Builder
	n := 0
	for _, s := range m.Skills {
		if unlisted[s.URI] {
			continue
		}
		if n++; n > maxNamed {
			continue
		}
		fmt.Fprintf(&b, "\n- %s: %s", s.URI, message.Cut(strings.Join(strings.Fields(s.Frontmatter.Text("description")), " "), message.Longest))
	}
	if n == 0 {
		return ""
	}
	if n > maxNamed {
		fmt.Fprintf(&b, "\n- and %d more, which skills/list returns", n-maxNamed)
	}
	return "This server has skills: instructions for tasks it is used for. When a task fits one, read its SKILL.md by the URI first." + b.String()
}
