package bundle

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// longestText is how much of a SKILL.md is parsed, in bytes. It is sixteen
// times the longest frontmatter, and more than any host hands to a model.
const longestText = 1 << 20

// mostLines is the length from which on a SKILL.md is too long for its purpose.
const mostLines = 500

// skillFile is what a SKILL.md says.
type skillFile struct {
	frontmatter manifest.Frontmatter
	// lost means that fields may be missing because they could not be read.
	lost bool
	// ambiguous are the lines with a value that YAML readers type differently.
	ambiguous map[int]bool
	// faulty are the lines with a value or key that could not be read as meant.
	faulty map[int]bool
	// targets are what the file links to; sure means that there are no others.
	targets []string
	sure    bool
	// commands are where the file seems to run a path.
	commands []command
}

// losing are the faults of a frontmatter after which some of its fields, or
// all, may not have been read.
var losing = map[string]bool{
	"frontmatter-absent": true, "frontmatter-unclosed": true, "frontmatter-too-complex": true,
	"frontmatter-unparsable": true, "frontmatter-not-mapping": true, "frontmatter-encoding": true,
}

// spoiling are the faults of single keys and values.
var spoiling = map[string]bool{
	"frontmatter-unparsable": true, "frontmatter-duplicate-key": true, "frontmatter-key-type": true,
	"frontmatter-not-json": true, "frontmatter-encoding": true,
}

// judged drops those findings about the frontmatter's fields whose cause has a
// finding already: the field, or its value, could not be read.
func (s *skillFile) judged(findings []lint.Finding) []lint.Finding {
	return slices.DeleteFunc(findings, func(f lint.Finding) bool {
		if f.Rule == "missing-name" || f.Rule == "missing-description" {
			return s.lost
		}
		// Quoting such a value also makes it the string that metadata wants.
		return s.faulty[f.Line] || f.Rule == "metadata-value-type" && s.ambiguous[f.Line]
	})
}

func addLine(lines *map[int]bool, line int) {
	if *lines == nil {
		*lines = map[int]bool{}
	}
	(*lines)[line] = true
}

// readSkillFile reads the SKILL.md whose content was just hashed, and reports
// what can be told without the other files.
func (w *worker) readSkillFile(f *folder, path string) {
	c := &w.reader.content
	doc := frontmatter.Parse(c.whole())
	s := &skillFile{frontmatter: doc.Frontmatter, sure: true}
	shown := w.shown(path)
	for _, p := range doc.Problems {
		w.report(f, lint.New(p.Rule, "%s", p.Message).At(shown, p.Pos.Line, p.Pos.Column))
		s.lost = s.lost || losing[p.Rule]
		switch {
		case spoiling[p.Rule]:
			addLine(&s.faulty, p.Pos.Line)
		case p.Rule == "ambiguous-scalar":
			addLine(&s.ambiguous, p.Pos.Line)
		}
	}
	f.doc = s
	if s.lost {
		return
	}
	if c.size == int64(len(c.text)) && len(bytes.TrimSpace(doc.Body)) == 0 {
		w.report(f, lint.New("empty-body", "nothing follows the frontmatter: write the instructions the skill is there for").At(shown, max(1, doc.BodyLine-1), 1))
	}
	if n := c.lines(); n > mostLines {
		w.report(f, lint.New("skill-too-long", "the file has %s lines: at most %d are advised, since all of it goes to the model; move detail into files that it links to", message.Number(n), mostLines).At(shown, mostLines+1, 1))
	}
	s.targets, s.sure = targetsIn(doc.Body)
	s.commands = findCommands(doc.Body, doc.BodyLine, f.commandNeedles())
}

// maybeSkillFiles are names, in lower case, that a SKILL.md was meant by if such
// a file opens as one.
var maybeSkillFiles = map[string]bool{
	"skill": true, "skills.md": true, "skill.markdown": true, "skill.mdx": true, "skill.md.txt": true, "skill.txt": true,
}

// lookForMisnamed reports files in a folder outside any skill that were meant to
// be its SKILL.md.
func (w *worker) lookForMisnamed(f *folder) {
	for i := range f.files {
		name := f.files[i].name
		path := joinPath(f.path, name)
		switch {
		case strings.EqualFold(name, manifest.SkillFile):
		case maybeSkillFiles[strings.ToLower(name)] && w.opensWithFence(path):
		default:
			continue
		}
		f.misnamed = true
		w.reportPath(f, path, "skill-file-case", "%s makes no skill of its folder: only a file named exactly %s does; rename it", message.Quote(name), manifest.SkillFile)
	}
}

// opensWithFence reports whether the first line of a file is the one that opens
// a frontmatter.
func (w *worker) opensWithFence(path string) bool {
	open, err := openRegular(w.root, path)
	if err != nil {
		return false
	}
	defer open.Close()
	head := make([]byte, len("\uFEFF---\r\n"))
	n, err := io.ReadFull(open, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	line, _, ok := bytes.Cut(bytes.TrimPrefix(head[:n], mark), []byte("\n"))
	return ok && string(bytes.TrimSuffix(line, []byte("\r"))) == "---"
}
