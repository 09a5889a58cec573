package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// Catalog is what a host knows of a server after listing it.
type Catalog struct {
	// Skills are the entries that may be loaded, in the order of the listing.
	Skills []Entry
	// Rejected are the others, each with the reason among its findings.
	Rejected []Entry
	// Truncated is true when the listing could not be followed to its end;
	// Problem then says why. Skills that are not in it may still exist.
	Truncated bool
	Problem   string
}

// maxListingAge bounds how long a listing is kept, whatever the server says.
const maxListingAge = 5 * time.Minute

// listingCache keeps a catalog for as long as the server's first page allowed.
type listingCache struct {
	mu      sync.Mutex
	catalog *Catalog
	until   time.Time
}

// ErrNotDeclared is returned for a method whose capability the server has not
// declared (spec: Capability Negotiation).
var ErrNotDeclared = errors.New("the server does not declare this part of the Skills extension")

// List returns the server's skills (spec: Listing Skills). A listing is kept
// and given again on the server's terms only: for ttlMs milliseconds, at most
// five minutes, when cacheScope is public or private, and never when it was cut
// short. It returns [ErrNotDeclared], an [*RPCError] or a [*Failure].
func (s *Session) List(ctx context.Context) (Catalog, error) {
	if !s.Capabilities().Declared {
		return Catalog{}, ErrNotDeclared
	}
	s.cache.mu.Lock()
	if c := s.cache.catalog; c != nil && time.Now().Before(s.cache.until) {
		s.cache.mu.Unlock()
		return *c, nil
	}
	s.cache.mu.Unlock()
	l := s.walk(ctx, methodList, "skills", params{})
	if l.Err != nil && len(l.Pages) == 0 {
		return Catalog{}, l.Err
	}
	c := Catalog{Truncated: !l.Complete}
	if l.Problem != nil {
		c.Problem = l.Problem.Message
	}
	for _, raw := range l.Entries {
		e := parseEntry(raw)
		if e.Usable() {
			c.Skills = append(c.Skills, e)
		} else {
			c.Rejected = append(c.Rejected, e)
		}
	}
	if age := allowedAge(l); age > 0 {
		s.cache.mu.Lock()
		s.cache.catalog, s.cache.until = &c, time.Now().Add(age)
		s.cache.mu.Unlock()
	}
	return c, nil
}

// allowedAge returns how long a listing may be kept, by its first page.
func allowedAge(l walked) time.Duration {
	if !l.Complete || len(l.Pages) == 0 {
		return 0
	}
	var scope string
	_ = json.Unmarshal(l.Pages[0].Result["cacheScope"], &scope)
	ttl, err := manifest.ParseValue(l.Pages[0].Result["ttlMs"])
	ms, ok := ttl.Size()
	if err != nil || !ok || scope != "public" && scope != "private" {
		return 0
	}
	return min(time.Duration(min(ms, maxListingAge.Milliseconds()))*time.Millisecond, maxListingAge)
}

// Get returns one skill by the URI of its SKILL.md, always from the server
// (spec: Getting a Skill). The entry may be unusable: see [Entry.Usable]. It
// returns [ErrNotDeclared], an [*RPCError] ([InvalidParams] when the server does
// not serve the skill) or a [*Failure].
func (s *Session) Get(ctx context.Context, uri string) (Entry, error) {
	if !s.Capabilities().Declared {
		return Entry{}, ErrNotDeclared
	}
	e, _, err := s.get(ctx, uri)
	return e, err
}

// get also returns the result's own fields.
func (s *Session) get(ctx context.Context, uri string) (Entry, map[string]json.RawMessage, error) {
	raw, err := s.call(ctx, methodGet, &params{URI: uri})
	if err != nil {
		return Entry{}, nil, err
	}
	result, err := fieldsOf(raw)
	if err != nil {
		return Entry{}, nil, fmt.Errorf("skills/get answers %s, which is %w", brief(raw), err)
	}
	skill, ok := result["skill"]
	if !ok {
		return Entry{}, result, fmt.Errorf("skills/get answers without \"skill\": %s", brief(raw))
	}
	return parseEntry(skill), result, nil
}

// Child is one child of a directory resource.
type Child struct {
	URI         string
	Name        string
	Description string
	MIMEType    string
	// Meta are the keys of the resource's _meta, sorted.
	Meta []string

	size  json.RawMessage // as it was sent, nil without one
	lacks []string        // required fields that are no strings
}

// Directory is the MIME type of a directory resource (spec: Directory Resources).
const Directory = "inode/directory"

// ReadDirectory lists the direct children of a folder (spec: Reading
// Directories). What it returns never extends what may be read of a skill: that
// is the entry alone. It returns [ErrNotDeclared], an [*RPCError] or a
// [*Failure], and an error when the listing could not be followed to its end.
func (s *Session) ReadDirectory(ctx context.Context, uri string) ([]Child, error) {
	if !s.Capabilities().DirectoryRead {
		return nil, ErrNotDeclared
	}
	return s.children(ctx, methodDirectory, params{URI: uri})
}

// children walks a method that lists resources.
func (s *Session) children(ctx context.Context, method string, p params) ([]Child, error) {
	l := s.walk(ctx, method, "resources", p)
	children := make([]Child, 0, len(l.Entries))
	for _, raw := range l.Entries {
		children = append(children, childOf(raw))
	}
	switch {
	case l.Err != nil:
		return children, l.Err
	case l.Problem != nil:
		return children, errors.New(l.Problem.Message)
	}
	return children, nil
}

// Code names why a read was not accepted.
type Code string

// The reasons of a [*VerifyError].
const (
	NotListed           Code = "resource_not_listed"
	SizeMismatch        Code = "size_mismatch"
	DigestMismatch      Code = "digest_mismatch"
	MalformedDigest     Code = "malformed_digest" // listed, without a usable digest and size
	FrontmatterMismatch Code = "frontmatter_mismatch"
	NamePathMismatch    Code = "name_path_mismatch"
	BudgetExceeded      Code = "dynamic_budget_exceeded"
	NoContent           Code = "no_text_content"
)

// VerifyError is why bytes that a server sent must not be used (spec:
// Verification on Read).
type VerifyError struct {
	Code             Code
	URI              string
	Expected, Actual string
}

func (e *VerifyError) Error() string {
	return fmt.Sprintf("%s: %s: expected %s, got %s", e.URI, e.Code, e.Expected, e.Actual)
}

// Reader reads the files of one skill as a host does: only what the entry
// lists, each file verified, a SKILL.md also against the entry's frontmatter.
// It is safe for concurrent use.
type Reader struct {
	session *Session
	entry   Entry
	mu      sync.Mutex
	read    int64 // bytes read of a dynamic skill
}

// Reader returns the reader of a skill's files.
func (s *Session) Reader(e Entry) *Reader { return &Reader{session: s, entry: e} }

// Read returns the verified bytes of one file. For a skill whose entry says
// "dynamic" there is nothing to verify: any file below the skill's root is
// read, up to 16 MiB in all. It returns a [*VerifyError], an [*RPCError] or a
// [*Failure].
func (r *Reader) Read(ctx context.Context, uri manifest.URI) ([]byte, error) {
	e := r.entry
	var listed *manifest.Resource
	for i := range e.Resources {
		if e.Resources[i].URI == uri {
			listed = &e.Resources[i]
		}
	}
	root, _ := e.URI.Root()
	if _, named := e.spelled[uri]; listed == nil && named {
		return nil, &VerifyError{MalformedDigest, uri.String(), "a digest and a size to verify with", "none that can be read"}
	}
	if _, below := uri.Below(root); listed == nil && (!e.Dynamic || !below) {
		return nil, &VerifyError{NotListed, uri.String(), "a file that the skill lists", "one that it does not"}
	}
	if name := e.Frontmatter.Text("name"); name != root.Name() {
		return nil, &VerifyError{NamePathMismatch, e.URI.String(), root.Name(), name}
	}
	size := int64(manifest.MaxBytes)
	if listed != nil {
		size = listed.Size
	}
	contents, err := r.session.readContents(ctx, e.spelling(uri), size)
	if err != nil {
		return nil, err
	}
	c, ok := find(contents, e.spelling(uri))
	if !ok {
		return nil, &VerifyError{NoContent, uri.String(), "content of this URI", fmt.Sprintf("%d others", len(contents))}
	}
	b, err := c.bytes()
	if err != nil {
		return nil, &VerifyError{NoContent, uri.String(), "a text or a blob", err.Error()}
	}
	if listed == nil {
		r.mu.Lock()
		r.read += int64(len(b))
		total := r.read
		r.mu.Unlock()
		if total > manifest.MaxBytes {
			return nil, &VerifyError{BudgetExceeded, uri.String(), fmt.Sprintf("at most %d bytes in all", manifest.MaxBytes), fmt.Sprint(total)}
		}
	} else if int64(len(b)) != listed.Size {
		return nil, &VerifyError{SizeMismatch, uri.String(), fmt.Sprint(listed.Size), fmt.Sprint(len(b))}
	} else if d := manifest.DigestOf(b); d != listed.Digest {
		return nil, &VerifyError{DigestMismatch, uri.String(), listed.Digest.String(), d.String()}
	}
	if uri == e.URI {
		if !utf8.Valid(b) {
			return nil, &VerifyError{NoContent, uri.String(), "text in UTF-8", "other bytes"}
		}
		if changes := manifest.DiffFields(e.Frontmatter, frontmatter.Parse(b).Frontmatter); len(changes) > 0 {
			c := changes[0]
			return nil, &VerifyError{FrontmatterMismatch, uri.String(), fieldText(c.Path, c.Old), fieldText(c.Path, c.New)}
		}
	}
	return b, nil
}

// fieldText is one side of a field's difference.
func fieldText(path string, v *manifest.Value) string {
	if v == nil {
		return "no field " + shorten(path)
	}
	return shorten(path) + ": " + shorten(v.String())
}
