package lint

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// brokenURI returns the rule that a URI breaks which cannot be read.
func brokenURI(err error) string {
	var u *manifest.URIError
	if errors.As(err, &u) && u.Unsafe {
		return "uri-unsafe"
	}
	return "malformed-uri"
}

func (e *entry) checkScheme() {
	if s := e.skill.URI.Scheme(); s != manifest.Scheme {
		e.report(manifest.Pos{}, "uri-scheme", "the scheme is %s:, not %s: as is usual; a host that looks for %[2]s:// shows no skill here", message.Cut(s, 40), manifest.Scheme)
	}
}

// capitalAuthority returns the first segment of a skill's URI where it has
// capitals. Where that segment is the skill's own folder, the rules of its name
// speak of them.
func capitalAuthority(s manifest.Skill) (string, bool) {
	first, _, more := strings.Cut(s.Path(), "/")
	return first, more && strings.ContainsFunc(first, isCapital)
}

// checkSpelling compares the entry's URI as served with the spelling that
// skillpack writes. A first segment that cannot stand there has a rule of its
// own; the rest is then compared without it.
func (e *entry) checkSpelling(served string) {
	want := e.skill.URI.String()
	_, rest, _ := strings.Cut(served, "://")
	first, rest, _ := strings.Cut(rest, "/")
	if !isRegName(first) {
		_, wantRest, _ := strings.Cut(want, "://")
		wantFirst, wantRest, _ := strings.Cut(wantRest, "/")
		e.report(manifest.Pos{}, "uri-authority", "the first segment %s is no host name in the sense of RFC 3986: write %s", message.Quote(first), message.Quote(wantFirst))
		if rest == wantRest {
			return
		}
	}
	if served != want {
		e.report(manifest.Pos{}, "uri-spelling", "URI %s", misspelled(served, want))
	}
}

// reserved are the characters that a path may have with or without an escape.
const reserved = "!$&'()*+,:;=@"

// encoders are who spells file names in URIs, with the reserved characters that
// each leaves as they are.
var encoders = []struct{ who, raw string }{
	{"the TypeScript SDK 2.4", reserved},
	{"Go's url.PathEscape", "$&+:=@"},
	{"JavaScript's encodeURIComponent", "!'()*"},
	{"Python's quote", ""},
}

// misspelled says what is odd about a URI as served, and what to write instead.
func misspelled(served, want string) string {
	i := 0
	for i < min(len(served), len(want)) && served[i] == want[i] {
		i++
	}
	problem, fix := "is not in the normal form of RFC 3986", "write"
	if strings.HasPrefix(want[i:], "%") {
		r, _ := utf8.DecodeRuneInString(served[i:])
		problem = fmt.Sprintf("has %q unescaped, which RFC 3986 forbids", r)
		if strings.ContainsRune(reserved, r) {
			var raw, escaped []string
			for _, e := range encoders {
				if strings.ContainsRune(e.raw, r) {
					raw = append(raw, e.who)
				} else {
					escaped = append(escaped, e.who)
				}
			}
			problem = fmt.Sprintf("has %q unescaped like %s, unlike %s (%s)", r, strings.Join(raw, " and "), strings.Join(escaped, " and "), url.QueryEscape(string(r)))
			fix = "rename it, or write"
		}
	}
	return fmt.Sprintf("%s %s: %s %s", message.Quote(served), problem, fix, message.Quote(want))
}

// isRegName reports whether a segment is a reg-name: unreserved characters,
// sub-delims and escapes (RFC 3986, section 3.2.2).
func isRegName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=%", c) >= 0) {
			return false
		}
	}
	return true
}

func isCapital(r rune) bool { return 'A' <= r && r <= 'Z' }

// checkResourceSpelling compares the URI of a resource with the spelling that
// skillpack writes: only what follows the skill's root where that is spelled as
// in the entry's own URI, so that one odd root is one finding.
func (e *entry) checkResourceSpelling(served string, u manifest.URI) {
	want := u.String()
	if served == want {
		return
	}
	if ownRoot, ok := strings.CutSuffix(e.uri, manifest.SkillFile); ok && !e.skill.URI.IsZero() {
		root, _ := e.skill.URI.Root()
		file, below := strings.CutPrefix(served, ownRoot)
		wantFile, wantBelow := strings.CutPrefix(want, root.String()+"/")
		if below && wantBelow && file == wantFile {
			return
		}
	}
	e.reportFile("uri-spelling", "resource URI %s", misspelled(served, want))
}

// resolve returns the URI that one with "." and ".." segments stands for, and
// whether it is one. The first segment is the authority, which ".." does not
// climb over (RFC 3986, section 5.2.4).
func resolve(served string) (manifest.URI, bool) {
	scheme, rest, ok := strings.Cut(served, "://")
	if !ok {
		return manifest.URI{}, false
	}
	segments := strings.Split(rest, "/")
	kept, dots := segments[:1], false
	for _, raw := range segments[1:] {
		switch seg, err := url.PathUnescape(raw); {
		case err == nil && seg == ".":
			dots = true
		case err == nil && seg == "..":
			dots = true
			kept = kept[:max(1, len(kept)-1)]
		default:
			kept = append(kept, raw)
		}
	}
	if !dots {
		return manifest.URI{}, false
	}
	u, err := manifest.ParseURI(scheme + "://" + strings.Join(kept, "/"))
	return u, err == nil
}
