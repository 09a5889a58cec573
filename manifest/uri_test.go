package manifest

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestURISpelling(t *testing.T) {
	for _, test := range []struct{ path, uri string }{
		{"a/SKILL.md", "skill://a/SKILL.md"},
		{"s/a b+é.md", "skill://s/a%20b%2B%C3%A9.md"},
		{"s/a+b@c.md", "skill://s/a%2Bb%40c.md"},
		{"s/x y;z,w.md", "skill://s/x%20y%3Bz%2Cw.md"},
		{"s/p!(q)*'.md", "skill://s/p%21%28q%29%2A%27.md"},
		{"s/50%.md", "skill://s/50%25.md"},
		{"s/a?b#c", "skill://s/a%3Fb%23c"},
		{"s/~-._", "skill://s/~-._"},
		{"s/...", "skill://s/..."},
		{"s/🎉", "skill://s/%F0%9F%8E%89"},
	} {
		u := NewURI(test.path)
		if got := u.String(); got != test.uri {
			t.Errorf("%q is written %s, want %s", test.path, got, test.uri)
		}
		if p, err := ParseURI(test.uri); err != nil || p != u || p.Path() != test.path {
			t.Errorf("ParseURI(%s) = %q, %v", test.uri, p.Path(), err)
		}
	}
}

func TestParseURISpellings(t *testing.T) {
	want := NewURI("Acme/a b+é.md")
	for _, s := range []string{
		"skill://Acme/a%20b%2B%C3%A9.md",
		"SKILL://Acme/a%20b%2b%c3%a9.md",
		"skill://Acme/a b+é.md",
		"skill://%41cme/%61%20b+%C3%A9.md",
	} {
		if u, err := ParseURI(s); err != nil || u != want {
			t.Errorf("ParseURI(%q) = %v, %v; want %v", s, u, err, want)
		}
	}
	if u, err := ParseURI("https://h:1@x/SKILL.md"); err != nil || u.Scheme() != "https" || u.String() != "https://h%3A1%40x/SKILL.md" {
		t.Errorf("another scheme: %v, %v", u, err)
	}
}

func TestParseURIRefuses(t *testing.T) {
	for _, test := range []struct {
		text   string
		unsafe bool
		reason string
	}{
		{"", false, "has no scheme"},
		{"a/SKILL.md", false, "has no scheme"},
		{"1a://b", false, "has no scheme"},
		{"://b", false, "has no scheme"},
		{"skill:a/SKILL.md", false, "has no // after its scheme"},
		{"skill:/a", false, "has no // after its scheme"},
		{"skill://", false, "has no path"},
		{"skill:///a", false, "empty segment"},
		{"skill://a//b", false, "empty segment"},
		{"skill://a/", false, "empty segment"},
		{"skill://a?b", true, "has a query"},
		{"skill://a#b", true, "has a fragment"},
		{"skill://a/./b", true, `has a "." segment`},
		{"skill://a/../b", true, `has a ".." segment`},
		{"skill://a/%2e%2E/b", true, `has a "%2e%2E" segment`},
		{"skill://a/b%2Fc", true, "hides a separator"},
		{"skill://a/b%5Cc", true, "hides a separator"},
		{`skill://a/b\c`, true, "hides a separator"},
		{"skill://a/%00", true, "hides a control character"},
		{"skill://a/\x7f", true, "hides a control character"},
		{"skill://a/%", true, "starts no escape"},
		{"skill://a/%4", true, "starts no escape"},
		{"skill://a/%4x", true, "starts no escape"},
		{"skill://a/%FF", true, "is not UTF-8"},
		{"skill://a/\xff", true, "is not UTF-8"},
	} {
		u, err := ParseURI(test.text)
		var e *URIError
		if !errors.As(err, &e) || e.Unsafe != test.unsafe || !strings.Contains(e.Reason, test.reason) {
			t.Errorf("%q: %#v, want unsafe %v and %q", test.text, err, test.unsafe, test.reason)
		}
		if !u.IsZero() {
			t.Errorf("%q: a URI came with the error", test.text)
		}
	}
}

func TestURIParts(t *testing.T) {
	u := NewURI("acme/billing/SKILL.md")
	root, ok := u.Root()
	if !ok || root.Path() != "acme/billing" || root.Name() != "billing" || root.Scheme() != Scheme {
		t.Errorf("root is %v, %v", root, ok)
	}
	if path, ok := NewURI("acme/billing/a/b.md").Below(root); !ok || path != "a/b.md" {
		t.Errorf("below: %q, %v", path, ok)
	}
	for _, path := range []string{"acme/billing", "acme/billing2/a.md", "acme"} {
		if got, ok := NewURI(path).Below(root); ok {
			t.Errorf("%s is said to be at %q below the root", path, got)
		}
	}
	if _, ok := (URI{"https", "acme/billing/a"}).Below(root); ok {
		t.Error("a URI of another scheme is said to be below the root")
	}
	for _, path := range []string{"SKILL.md", "a/skill.md", "a/xSKILL.md", "a"} {
		if root, ok := NewURI(path).Root(); ok || !root.IsZero() {
			t.Errorf("%s is said to be the SKILL.md of %v", path, root)
		}
	}
	if (URI{}).String() != "" {
		t.Error("the zero URI has a spelling")
	}
}

// LegalPath is what the documentation of NewURI asks for.
func LegalPath(path string) bool {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, isControl) || strings.Contains(path, `\`) {
		return false
	}
	for _, seg := range strings.Split(path, "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// uriForm is the part of an acceptable URI's grammar that a pattern can tell.
var uriForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*)://([^?#]+)$`)

// writtenForm is what this package writes.
var writtenForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:/(/([A-Za-z0-9._~-]|%[0-9A-F]{2})+)+$`)

// modelURI reads a URI by the letter of [ParseURI]'s documentation, with net/url
// for the escapes.
func modelURI(s string) (scheme, path string, ok bool) {
	m := uriForm.FindStringSubmatch(s)
	if m == nil {
		return "", "", false
	}
	segments := strings.Split(m[2], "/")
	for i, raw := range segments {
		seg, err := url.PathUnescape(raw)
		if err != nil || strings.Contains(seg, "/") {
			return "", "", false
		}
		segments[i] = seg
	}
	path = strings.Join(segments, "/")
	return strings.ToLower(m[1]), path, LegalPath(path)
}

// FuzzURI holds that writing and reading a URI are inverse for every path, that
// what is read is what net/url makes of its segments, and that nothing else is
// accepted.
func FuzzURI(f *testing.F) {
	for _, s := range []string{
		"a/SKILL.md", "a b/é%2F", "%41/..a", "SKILL://x%20y/%7e", "skill://a/%2e", "a:b/c", "?#", "skill://A/%C3%A9", "skill://a/a+b@c.md", "skill://a/x y;z,w.md", "skill://a/p!(q)*'.md", "skill://a/50%.md", "skill://a/50%25.md",
		"skill:a", "skill:///a", "skill://a//b", "skill://a/", "skill://%2E%2E/b", "skill://a/b%5Cc", "skill://a/%00", "skill://a/%FF", "skill://a/\xff", "https://u:p@h:1/[x]", "1a://b", "a.b+c-1://x", "skill://a/%e2%80%ae", "skill://a/\u2028\uFEFF", "skill://a%2Fb/c", "skill://a/b%2fc", "skill://a?b/c", "skill://a/\ufffd", "SKILL.md", "a/SKILL.md/SKILL.md",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if LegalPath(s) {
			u := NewURI(s)
			p, err := ParseURI(u.String())
			if err != nil || p != u || p.Path() != s {
				t.Errorf("path %q is written %s and read as %q, %v", s, u, p.Path(), err)
			}
			checkParts(t, u)
		}
		u, err := ParseURI(s)
		scheme, path, ok := modelURI(s)
		if ok != (err == nil) || ok && (u.Scheme() != scheme || u.Path() != path) {
			t.Errorf("%q is read as %q, %q, %v; want %q, %q, %v", s, u.Scheme(), u.Path(), err, scheme, path, ok)
		}
		if err != nil {
			var e *URIError
			if !u.IsZero() || !errors.As(err, &e) || strings.ContainsAny(e.Reason, "\n\r\x1b") {
				t.Errorf("%q: %v with the error %q", s, u, err)
			}
			return
		}
		if !writtenForm.MatchString(u.String()) {
			t.Errorf("%q is written %s", s, u)
		}
		again, err := ParseURI(u.String())
		if err != nil || again != u || again.String() != u.String() {
			t.Errorf("%q is written %s, which is read as %s, %v", s, u, again, err)
		}
	})
}

// checkParts holds that the parts of a URI make up the whole.
func checkParts(t *testing.T, u URI) {
	t.Helper()
	parent := u.Parent()
	if parent.IsZero() {
		if u.Name() != u.Path() {
			t.Errorf("%s has no parent and the name %q", u, u.Name())
		}
	} else if below, ok := u.Below(parent); !ok || below != u.Name() || parent.Path()+"/"+below != u.Path() {
		t.Errorf("%s is %q in %s", u, below, parent)
	}
	if root, ok := u.Root(); ok != (u.Name() == SkillFile && !parent.IsZero()) || ok && root != parent {
		t.Errorf("the root of %s is %s, %v", u, root, ok)
	}
}
