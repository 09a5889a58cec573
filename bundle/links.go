package bundle

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/markdown"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// link is a relative link or image in a SKILL.md.
type link struct {
	target string // the path as meant: unescaped, without query and fragment
	at     manifest.Pos
	times  int // how often the SKILL.md has it
}

// relativeTarget returns the path that a link's destination names, and whether
// it is a relative one: no URL, no anchor, no path from a site's root, and no
// placeholder.
func relativeTarget(d string) (string, bool) {
	if d == "" || d[0] == '/' || d[0] == '#' || d[0] == '?' || hasScheme(d) || isPlaceholder(d) {
		return "", false
	}
	if i := strings.IndexAny(d, "?#"); i >= 0 {
		d = d[:i]
	}
	if decoded, err := url.PathUnescape(d); err == nil {
		d = decoded
	}
	return d, true
}

// hasScheme reports whether a destination is a URL with a scheme, or a path with
// a drive letter.
func hasScheme(d string) bool {
	scheme, _, ok := strings.Cut(d, ":")
	if !ok || scheme == "" {
		return false
	}
	for _, r := range scheme {
		if !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.') {
			return false
		}
	}
	return true
}

// exampleTargets are what texts about Markdown write for a destination.
var exampleTargets = map[string]bool{
	"url": true, "link": true, "path": true, "file": true, "href": true, "target": true, "page": true, "image": true,
	"relative-url": true, "image-url": true, "relative-path": true,
}

// isPlaceholder reports whether a destination stands for one that a reader is
// to fill in, as in an example.
func isPlaceholder(d string) bool {
	return strings.ContainsAny(d, "{}<>$*|") || strings.Contains(d, "...") || strings.Contains(d, "…") ||
		strings.HasPrefix(d, "path/to/") || exampleTargets[strings.ToLower(d)]
}

// checkLinks reports the links of a skill's SKILL.md that lead to no file or
// folder of the skill.
func (a *assembly) checkLinks(f *folder) []lint.Finding {
	if f.doc.sure && !slices.ContainsFunc(f.doc.targets, func(target string) bool { return brokenLink(f, target) != "" }) {
		return nil
	}
	path := joinPath(f.path, manifest.SkillFile)
	links, err := a.readLinks(f, path)
	if errors.Is(err, markdown.ErrTooDeep) {
		return []lint.Finding{lint.New("broken-link", "the links were not checked: more than %d quotes and list items are inside each other", markdown.MaxDepth).At(a.shown(path), 1, 1)}
	}
	if err != nil {
		a.reportError(f, path, "file", err)
		return nil
	}
	var findings []lint.Finding
	for _, l := range links {
		message := brokenLink(f, l.target)
		if message == "" {
			continue
		}
		if l.times > 1 {
			message += fmt.Sprintf(" (%d links)", l.times)
		}
		findings = append(findings, lint.New("broken-link", "%s", message).At(a.shown(path), l.at.Line, l.at.Column))
	}
	return findings
}

// readLinks reads a SKILL.md once more, now for its links.
func (a *assembly) readLinks(f *folder, path string) ([]link, error) {
	i, _ := find(f.files, manifest.SkillFile, fileName)
	open, err := openRegular(a.root, path)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	info, err := open.Stat()
	if err != nil {
		return nil, err
	}
	r := newReader()
	digest, err := r.read(a.ctx, rootFile{open}, snapshotOf(info), keep{bytes: longestText})
	if err != nil {
		return nil, err
	}
	if digest != f.files[i].digest {
		return nil, errChanged("it has other bytes than before")
	}
	doc := frontmatter.Parse(r.content.whole())
	return findLinks(doc.Body, doc.BodyLine)
}

// brokenLink says what is wrong with a target, or "".
func brokenLink(skill *folder, target string) string {
	segments, inside := splitTarget(target)
	if !inside {
		return fmt.Sprintf("the link to %s leads out of the skill, and a host gets no other files than the skill's: put a copy into the skill, or name the other skill in words", message.Quote(target))
	}
	in, missing := skill, 0
	for i, segment := range segments {
		if in.unread {
			return ""
		}
		if j, ok := find(in.others, segment, otherName); ok {
			if pattern := in.others[j].pattern; pattern != "" {
				return fmt.Sprintf("the link leads to %s, which is left out (%s): take it back in, or remove the link", message.Quote(target), message.Quote(pattern))
			}
			return "" // it has a finding of its own
		}
		sub := in.child(segment)
		if sub == nil {
			if i == len(segments)-1 && in.has(segment) {
				return ""
			}
			missing = i
			break
		}
		in, missing = sub, i+1
	}
	if missing == len(segments) {
		return ""
	}
	text := fmt.Sprintf("the link leads to %s, which the skill does not have", message.Quote(target))
	if better := findSimilar(skill, segments); better != "" {
		return text + ": write " + message.Quote(better)
	}
	return text + ": add the file, or fix the link"
}

// splitTarget resolves "." and ".." and returns the names on the way, and
// whether the path stays inside.
func splitTarget(target string) (segments []string, inside bool) {
	for segment := range strings.SplitSeq(target, "/") {
		switch segment {
		case "", ".":
		case "..":
			if len(segments) == 0 {
				return nil, false
			}
			segments = segments[:len(segments)-1]
		default:
			segments = append(segments, segment)
		}
	}
	return segments, true
}

// findSimilar returns the path of the one file in a skill that a broken link
// most likely means: the same but for letter case or backslashes, or else the
// only one of that name.
func findSimilar(skill *folder, segments []string) string {
	want := strings.ReplaceAll(strings.Join(segments, "/"), `\`, "/")
	name := want[strings.LastIndexByte(want, '/')+1:]
	same, named, count := "", "", 0
	skill.walkFiles("", func(path string, _ *folder, fl *file) {
		if strings.EqualFold(path, want) {
			same = path
		}
		if strings.EqualFold(fl.name, name) {
			named = path
			count++
		}
	})
	if same != "" || count != 1 {
		return same
	}
	return named
}
