package manifest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
)

// SkillFile is the name of the file that makes a directory a skill.
const SkillFile = "SKILL.md"

// Scheme is the URI scheme under which skills are conventionally served.
const Scheme = "skill"

// URI is the address of a skill's file or folder, as its scheme and its
// decoded path (spec: Resource Mapping). The zero URI is no address. URIs are
// comparable: two spellings of one address parse to equal values.
type URI struct {
	scheme string // lower case, without the colon
	path   string // decoded segments joined by "/"; no segment holds a "/"
}

// NewURI returns the skill:// URI of a path: the skill path, a slash, and the
// path of a file below the skill's directory. The path must be slash-separated
// UTF-8 without empty, "." or ".." segments, backslashes or control characters;
// any other text in it is legal, and survives [ParseURI] unchanged.
func NewURI(path string) URI { return URI{Scheme, path} }

// URIError says why a text is not the URI of a skill's file.
type URIError struct {
	// Unsafe is true for a URI that has the right form but that two readers can
	// take for two files: a query, a fragment, a broken escape, a "." segment.
	Unsafe bool
	// Reason says what was found and what belongs there.
	Reason string
}

func (e *URIError) Error() string { return e.Reason }

// ParseURI reads an absolute hierarchical URI in any spelling that RFC 3986
// takes for the same address: escapes are decoded after the path was split on
// "/", the scheme's case is folded. It returns a [*URIError] for a text that is
// no such URI, or that is ambiguous.
func ParseURI(s string) (URI, error) {
	malformed := func(format string, args ...any) (URI, error) {
		return URI{}, &URIError{false, fmt.Sprintf(format, args...)}
	}
	unsafe := func(format string, args ...any) (URI, error) {
		return URI{}, &URIError{true, fmt.Sprintf(format, args...)}
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !validScheme(scheme) {
		return malformed("URI %s has no scheme: write skill://PATH", message.Quote(s))
	}
	if !strings.HasPrefix(rest, "//") {
		return malformed("URI %s has no // after its scheme: write %s://PATH", message.Quote(s), scheme)
	}
	rest = rest[2:]
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		what := "query"
		if rest[i] == '#' {
			what = "fragment"
		}
		return unsafe("URI %s has a %s: a file's URI has none; escape the %q of a file name as %%%02X", message.Quote(s), what, rest[i], rest[i])
	}
	if rest == "" {
		return malformed("URI %s has no path", message.Quote(s))
	}
	segments := strings.Split(rest, "/")
	for i, raw := range segments {
		seg, err := unescape(raw)
		if err != nil {
			return unsafe("URI %s: %v", message.Quote(s), err)
		}
		switch {
		case seg == "":
			return malformed("URI %s has an empty segment: a path neither starts nor ends with /, nor holds //", message.Quote(s))
		case seg == "." || seg == "..":
			return unsafe("URI %s has a %q segment: write the path it resolves to", message.Quote(s), raw)
		case strings.ContainsAny(seg, "/\\"):
			return unsafe("URI %s hides a separator in segment %q", message.Quote(s), raw)
		case strings.ContainsFunc(seg, isControl):
			return unsafe("URI %s hides a control character in segment %q", message.Quote(s), raw)
		}
		segments[i] = seg
	}
	return URI{strings.ToLower(scheme), strings.Join(segments, "/")}, nil
}

// IsZero reports whether u is no address.
func (u URI) IsZero() bool { return u.path == "" }

// Scheme returns the scheme in lower case, without its colon.
func (u URI) Scheme() string { return u.scheme }

// Path returns the decoded path: for a skill:// URI, NewURI(u.Path()) == u.
func (u URI) Path() string { return u.path }

// Root returns the directory of a skill from the URI of its SKILL.md, and
// whether u ends in one.
func (u URI) Root() (URI, bool) {
	root, ok := strings.CutSuffix(u.path, "/"+SkillFile)
	if !ok || root == "" {
		return URI{}, false
	}
	return URI{u.scheme, root}, true
}

// Name returns the last segment.
func (u URI) Name() string { return u.path[strings.LastIndexByte(u.path, '/')+1:] }

// Parent returns the folder that u lies in; the zero URI for one at the top.
func (u URI) Parent() URI {
	i := strings.LastIndexByte(u.path, '/')
	if i < 0 {
		return URI{}
	}
	return URI{u.scheme, u.path[:i]}
}

// Below returns the path of u below the directory dir, and whether it is below.
func (u URI) Below(dir URI) (string, bool) {
	if u.scheme != dir.scheme {
		return "", false
	}
	return strings.CutPrefix(u.path, dir.path+"/")
}

// String returns the one spelling this project writes: in each segment every
// byte outside RFC 3986's unreserved set is escaped with upper-case hex.
func (u URI) String() string {
	if u.IsZero() {
		return ""
	}
	n := 0
	for i := range len(u.path) {
		if !unreserved(u.path[i]) && u.path[i] != '/' {
			n++
		}
	}
	var b strings.Builder
	b.Grow(len(u.scheme) + 3 + len(u.path) + 2*n)
	b.WriteString(u.scheme)
	b.WriteString("://")
	if n == 0 {
		b.WriteString(u.path)
		return b.String()
	}
	const hexDigits = "0123456789ABCDEF"
	for i := range len(u.path) {
		c := u.path[i]
		if unreserved(c) || c == '/' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}

// MarshalText returns the written spelling; it never fails.
func (u URI) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText is [ParseURI].
func (u *URI) UnmarshalText(text []byte) error {
	p, err := ParseURI(string(text))
	if err == nil {
		*u = p
	}
	return err
}

func validScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return s != ""
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7F }

// unescape decodes one path segment.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') >= 0 {
		b := make([]byte, 0, len(s))
		for i := 0; i < len(s); i++ {
			if s[i] != '%' {
				b = append(b, s[i])
				continue
			}
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return "", fmt.Errorf("segment %q has a %% that starts no escape: write a literal %% as %%25", s)
			}
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		}
		s = string(b)
	}
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("segment %q is not UTF-8", s)
	}
	return s, nil
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
