package remotetest

import (
	"bytes"
	"encoding/base64"
	"html"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// Faults are the names of all faults. The part before a dot is the rule that the
// fault must raise.
var Faults = []string{
	// what the server declares
	"extension-undeclared", "extension-misplaced", "extension-misplaced.top",
	"extension-malformed", "extension-malformed.value", "extension-malformed.directory", "resources-undeclared",
	// how the methods answer
	"list-failed", "list-failed.shape", "get-failed", "result-type",
	"cache-attributes", "cache-attributes.scope", "cache-attributes.ttl",
	"cache-hints", "cache-hints.scope", "cache-hints.ttl",
	"pagination-loop", "listing-too-long", "get-mismatch", "get-unknown-uri", "get-unknown-uri.result", "get-cursor",
	"bad-cursor", "missing-uri-param", "skill-mime-type", "skill-resource-metadata", "skill-resource-metadata.description", "skill-resource-metadata.meta",
	"directory-undeclared", "directory-failed", "directory-failed.file", "directory-failed.type", "directory-failed.child",
	"directory-failed.listed", "directory-failed.kind",
	"read-unknown-uri",
	// what the listings of resources show beside the skills
	"directory-extra", "directory-extra.folder", "directory-extra.deep", "directory-extra.twice",
	"resource-unlisted-skill", "resource-unlisted-skill.folder", "skill-extra.hidden", "resource-unlisted-file",
	"resource-malformed", "resource-malformed.folder", "resource-size", "resource-size.folder", "resource-size.text",
	"mime-type-differs", "mime-type-differs.folder", "skill-mime-type.read", "skill-mime-type.listed",
	// what it answers when it is asked again, or for what lies near a skill
	"list-unstable", "list-unstable.more", "list-unstable.less", "list-unstable.other", "list-unstable.end", "list-order",
	"get-mismatch.other", "get-mismatch.field", "get-unknown-uri.folder", "get-unknown-uri.file", "read-unstable",
	// what it prints beside the messages, over stdio
	"stdout-noise", "stdout-noise.json", "stdout-noise.late",
	// what it serves beside what was built
	"skill-missing", "skill-unlisted", "skill-extra", "frontmatter-drift", "frontmatter-drift.added", "frontmatter-drift.removed",
	"frontmatter-drift.date", "file-missing", "file-extra", "file-changed", "skill-dynamic",
	// the bytes it hands out
	"size-mismatch", "digest-mismatch", "frontmatter-mismatch",
	"read-failed", "read-failed.none", "read-failed.base64", "read-failed.empty",
	"read-wrong-content", "read-extra-content", "read-extra-content.same", "read-ambiguous", "read-ambiguous.first", "read-not-text", "not-verified",
	// why the bytes are wrong
	"cause.crlf", "cause.bom", "cause.trim", "cause.nfd", "cause.utf8", "cause.strip", "cause.cut", "cause.base64", "cause.size",
	"cause.latin1", "cause.html", "replaced-bytes",
	"cause.symlink", "cause.symlink-listed", "cause.symlink-both", "cause.symlink-skill",
	// what it reads from its disk
	"excluded-file-served", "excluded-file-served.template", "excluded-file-served.elsewhere",
	// one bad entry among good ones
	"entry.null", "entry.number", "entry.no-resources", "entry.huge-size", "entry.capitals", "entry.no-size", "entry.twice",
	// what servers of earlier drafts leave out of every file
	"missing-size", "missing-digest",
}

// breakEntries applies the faults of the listing and of the bytes. They strike
// the first skill, and its first file beside SKILL.md.
func (s *Server) breakEntries() {
	if len(s.entries) == 0 {
		return
	}
	entry := s.entries[0]
	front := entry["frontmatter"].(object)
	resources := entry["resources"].([]any)
	self, file := resources[0].(object), resources[len(resources)-1].(object)
	selfURI, fileURI := self["uri"].(string), file["uri"].(string)
	for fault := range s.faults {
		switch fault {
		case "skill-missing":
			s.entries = s.entries[1:]
		case "skill-extra":
			s.entries = append(s.entries, s.extra())
		case "frontmatter-drift", "frontmatter-mismatch":
			front["description"] = "Serves last month's text. Use when testing."
		case "frontmatter-drift.added":
			front["license"] = "MIT"
		case "frontmatter-drift.removed":
			delete(front, "metadata")
		case "frontmatter-drift.date":
			front["metadata"].(object)["released"] = "2024-01-15T00:00:00Z"
		case "file-missing":
			entry["resources"] = resources[:len(resources)-1]
		case "file-extra":
			extra := strings.TrimSuffix(selfURI, manifest.SkillFile) + "zz-extra.md"
			s.files[extra] = []byte("extra\n")
			entry["resources"] = append(resources, object{"uri": extra, "digest": manifest.DigestOf(s.files[extra]).String(), "size": 6})
		case "resource-unlisted-skill", "resource-unlisted-skill.folder", "skill-extra.hidden":
			s.hidden = s.extra()
		case "file-changed":
			s.files[fileURI] = append(bytes.Clone(s.files[fileURI]), "changed\n"...)
			file["digest"], file["size"] = manifest.DigestOf(s.files[fileURI]).String(), len(s.files[fileURI])
		case "skill-dynamic", "not-verified":
			entry["resources"] = "dynamic"
		case "size-mismatch":
			s.files[fileURI] = append(bytes.Clone(s.files[fileURI]), "more"...)
		case "digest-mismatch":
			b := bytes.Clone(s.files[fileURI])
			b[0] ^= 1
			s.files[fileURI] = b
		case "entry.null":
			s.entries = append(s.entries, nil)
		case "entry.number":
			file["uri"] = 7
		case "entry.no-resources":
			delete(entry, "resources")
		case "entry.huge-size":
			file["size"] = 1 << 60
		case "entry.no-size":
			delete(file, "size")
		case "missing-size", "missing-digest":
			s.leaveOut(strings.TrimPrefix(fault, "missing-"))
		case "entry.capitals":
			file["digest"] = "sha256:" + strings.ToUpper(strings.TrimPrefix(file["digest"].(string), "sha256:"))
		case "entry.twice":
			s.entries = append(s.entries, entry)
		case "cause.size":
			file["size"] = len([]rune(string(s.files[fileURI])))
		case "cause.symlink": // of the files only: the listing is right
			s.files[fileURI] = []byte("../../team/beta/SKILL.md")
		case "cause.symlink-listed": // of the listing only
			file["digest"], file["size"] = described([]byte("../../team/beta/SKILL.md"))
		case "cause.symlink-both":
			s.files[fileURI] = []byte("../../../shared/use.md")
			file["digest"], file["size"] = described(s.files[fileURI])
		case "cause.symlink-skill":
			s.files[selfURI] = []byte("../../../shared/alpha/SKILL.md")
			self["digest"], self["size"] = described(s.files[selfURI])
		case "cause.utf8":
			// The binary file, decoded as text and encoded again.
			for uri, b := range s.files {
				if !utf8.Valid(b) {
					s.files[uri] = []byte(strings.ToValidUTF8(string(b), "\uFFFD"))
				}
			}
		case "replaced-bytes":
			s.spoil()
		case "cause.strip":
			s.files[selfURI] = frontmatter.Parse(s.files[selfURI]).Body
		default:
			if name, ok := strings.CutPrefix(fault, "cause."); ok {
				s.files[fileURI] = transform(name, s.files[fileURI])
			}
		}
	}
}

// leaveOut removes a field from every file of every entry.
func (s *Server) leaveOut(field string) {
	for _, entry := range s.entries {
		if entry == nil {
			continue
		}
		resources, _ := entry["resources"].([]any)
		for _, r := range resources {
			delete(r.(object), field)
		}
	}
}

// described returns the digest and the size of bytes, as a listing has them.
func described(b []byte) (digest string, size int) {
	return manifest.DigestOf(b).String(), len(b)
}

// transform does to bytes what servers and checkouts do.
func transform(name string, b []byte) []byte {
	switch name {
	case "crlf":
		return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
	case "bom":
		return append([]byte("\uFEFF"), b...)
	case "trim":
		return bytes.TrimSuffix(b, []byte("\n"))
	case "nfd":
		return norm.NFD.Bytes(b)
	case "latin1":
		return []byte(string(latin1(b)))
	case "html":
		return []byte(html.EscapeString(string(b)))
	case "cut":
		return b[:len(b)/2]
	case "base64":
		return []byte(base64.StdEncoding.EncodeToString(b))
	}
	panic("no transformation " + name)
}

// latin1 is each byte as the character of its number.
func latin1(b []byte) (text []rune) {
	for _, c := range b {
		text = append(text, rune(c))
	}
	return text
}

// spoil replaces what is not UTF-8 before the files are hashed.
func (s *Server) spoil() {
	for _, e := range s.entries {
		for _, r := range e["resources"].([]any) {
			file := r.(object)
			uri := file["uri"].(string)
			s.files[uri] = []byte(strings.ToValidUTF8(string(s.files[uri]), "\uFFFD"))
			file["digest"], file["size"] = manifest.DigestOf(s.files[uri]).String(), len(s.files[uri])
		}
	}
}

// extraURI and extraText are a skill that nobody built.
const (
	extraURI  = "skill://team/zz-extra/SKILL.md"
	extraText = "---\nname: zz-extra\ndescription: Nobody built it. Use never.\n---\n\nExtra.\n"
)

// extra adds the file of a skill that nobody built, and returns its entry.
func (s *Server) extra() object {
	s.files[extraURI] = []byte(extraText)
	return extraEntry()
}

func extraEntry() object {
	return object{
		"uri":         extraURI,
		"frontmatter": object{"name": "zz-extra", "description": "Nobody built it. Use never."},
		"resources":   []any{object{"uri": extraURI, "digest": manifest.DigestOf([]byte(extraText)).String(), "size": len(extraText)}},
	}
}
