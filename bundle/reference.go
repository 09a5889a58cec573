package bundle

import (
	"bytes"
	"strings"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// longestReference is how much of a Markdown file with a frontmatter is kept: the
// longest block that is read, with its fences.
const longestReference = frontmatter.MaxBlock + 1<<10

// isReference reports whether a name is that of a Markdown file which may have a
// frontmatter of its own.
func isReference(name string) bool {
	return name != manifest.SkillFile && strings.HasSuffix(strings.ToLower(name), ".md")
}

// unreadableBlock are the faults with which some YAML reader refuses a block.
var unreadableBlock = map[string]bool{
	"frontmatter-unparsable": true, "frontmatter-duplicate-key": true, "frontmatter-encoding": true,
}

// checkReference reports a Markdown file of a skill whose frontmatter cannot be
// parsed. It is not asked for one: a file without, or one that begins with a
// thematic break, is in order.
func (w *worker) checkReference(f *folder, path string) {
	c := &w.reader.content
	if c.binary || len(c.text) == 0 || strings.Contains(strings.ToLower(path), "template") {
		return // a template is to be filled in before anyone parses it
	}
	doc := frontmatter.Parse(c.whole())
	if !meansFields(doc.Block) {
		return
	}
	for _, p := range doc.Problems {
		if unreadableBlock[p.Rule] && p.Pos.Line < doc.BodyLine {
			w.report(f, lint.New("reference-frontmatter", "the frontmatter cannot be parsed: %s", p.Message).At(w.shown(path), p.Pos.Line, p.Pos.Column))
			return
		}
	}
}

// meansFields reports whether a block between two --- is meant as YAML: its first
// line is a field, and nothing in it is a template's.
func meansFields(block []byte) bool {
	for _, mark := range []string{"{{", "{%", "<%", "${"} {
		if bytes.Contains(block, []byte(mark)) {
			return false
		}
	}
	for line := range bytes.Lines(block) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return false // what follows a thematic break
		}
		if line[0] == '#' {
			continue
		}
		key, _, ok := bytes.Cut(line, []byte{':'})
		return ok && len(key) > 0 && !bytes.ContainsAny(key, " \t*[(`<>|!")
	}
	return false
}
