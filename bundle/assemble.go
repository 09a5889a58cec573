package bundle

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// mostResources bounds the resources of all skills together. A file is listed
// once for each skill it lies in, so that nested skills can make many out of few.
const mostResources = 1 << 21

// assembly makes a bundle of a tree that was walked.
type assembly struct {
	*walk
	skills    []*folder
	resources int // of all skills together
	files     int // distinct ones in skills
	bytes     int64
}

// assemble makes the manifest and the findings that need the whole tree.
func (w *walk) assemble(b *Bundle) error {
	a := assembly{walk: w}
	a.visit(w.top)
	if w.top.isSkill && strings.Trim(w.base, `./\`) == "" {
		return fmt.Errorf("the directory %s holds a SKILL.md, and has no name that the skill could have: move the skill into a folder of its own", message.Quote(b.Dir))
	}
	if a.resources > mostResources {
		return fmt.Errorf("the skills in %s list over %s files in all, since each lists those of the skills nested in it: move the skills out of each other", message.Quote(b.Dir), message.Number(mostResources))
	}
	a.checkNames(w.top)
	a.checkStray(w.top)
	if len(a.skills) == 0 && len(w.findings) == 0 {
		a.reportNoSkills(b)
	}
	a.checkEmpty()
	b.above = w.prefixOf()
	b.omitted.visit(w.top)
	a.buildSkills(b)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	b.Summary.Skills, b.Summary.Files, b.Summary.Bytes = len(a.skills), a.files, a.bytes
	for _, e := range b.Excluded {
		b.Summary.Excluded += e.Count
	}
	b.Findings = w.findings
	slices.SortFunc(b.Findings, func(x, y lint.Finding) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column),
			strings.Compare(x.Rule, y.Rule), strings.Compare(x.Message, y.Message))
	})
	return nil
}

// visit counts what is in a folder and below it.
func (a *assembly) visit(f *folder) {
	if f.isSkill {
		a.skills = append(a.skills, f)
	}
	f.total, f.hasSkill = len(f.files), f.isSkill
	for i := range f.files {
		if f.files[i].read {
			f.listed++
			a.bytes += f.files[i].size
		}
	}
	a.files += f.listed
	for _, sub := range f.folders {
		a.visit(sub)
		f.total += sub.total
		f.listed += sub.listed
		f.hasSkill = f.hasSkill || sub.hasSkill
	}
	if f.isSkill {
		a.resources += f.listed
	}
}

// checkNames reports the names of files and folders in skills, and of folders
// above skills: each once, where it stands.
func (a *assembly) checkNames(f *folder) {
	if f.parent == nil && f.isSkill {
		a.checkName(f, f.path, a.base, nil)
	}
	taken := func(name string) bool {
		_, other := find(f.others, name, otherName)
		return other || f.has(name)
	}
	type sibling struct {
		name   string
		counts bool // in a skill, or above one
	}
	folded := make(map[string]sibling, len(f.files)+len(f.folders))
	collide := func(in *folder, path, name string, counts bool) {
		key := foldName(name)
		first, twice := folded[key]
		if !twice {
			folded[key] = sibling{name, counts}
		} else if (counts || first.counts) && unreadable(name) == "" {
			a.reportPath(in, path, "path-collision", "%s and %s are one name on macOS and Windows: rename one of the two", shownName(first.name, name), shownName(name, first.name))
		}
	}
	inSkill := f.skill != nil
	for i := range f.files {
		name := f.files[i].name
		path := joinPath(f.path, name)
		if inSkill {
			a.checkName(f, path, name, taken)
		}
		collide(f, path, name, inSkill)
	}
	for _, sub := range f.folders {
		if sub.excluded && sub.total == 0 {
			continue
		}
		counts := inSkill || sub.hasSkill
		if counts {
			a.checkName(sub, sub.path, sub.name, taken)
		}
		collide(sub, sub.path, sub.name, counts)
		a.checkNames(sub)
	}
}

func (a *assembly) checkName(in *folder, path, name string, taken func(string) bool) {
	if rule, message := nameFault(name, taken); rule != "" {
		a.reportPath(in, path, rule, "%s", message)
	}
}

// checkStray reports the files that belong to no skill, unless there is no skill
// at all: one finding for the topmost folder that holds nothing else, and one
// for those beside skills.
func (a *assembly) checkStray(f *folder) {
	if f.skill != nil || !f.hasSkill {
		return
	}
	switch n := len(f.files); {
	case n == 0 || f.misnamed:
	case n == 1:
		a.reportPath(nil, joinPath(f.path, f.files[0].name), "stray-file", "the file belongs to no skill and is not served: move it into one, or exclude it")
	default:
		a.reportPath(nil, f.path, "stray-file", "%d files beside the skills, such as %s, belong to none and are not served: move them into one, or exclude them", n, message.Quote(f.files[0].name))
	}
	for _, sub := range f.folders {
		if sub.skill != nil || sub.hasSkill {
			a.checkStray(sub)
			continue
		}
		if n, example := countStray(sub); n > 0 {
			a.reportPath(nil, sub.path, "stray-file", "no SKILL.md here, hence %s in no skill, such as %s: write one, move the folder into a skill, or exclude it", message.Counted(n, "file"), message.Quote(strings.TrimPrefix(example, sub.path+"/")))
		}
	}
}

// countStray counts the files at and below a folder, but those that have a
// misnamed SKILL.md, and names the first.
func countStray(f *folder) (n int, example string) {
	if f.misnamed {
		return 0, ""
	}
	if n = len(f.files); n > 0 {
		example = joinPath(f.path, f.files[0].name)
	}
	for _, sub := range f.folders {
		more, first := countStray(sub)
		n += more
		example = cmp.Or(example, first)
	}
	return n, example
}

// reportNoSkills reports a directory without any skill, when nothing that was
// found explains why there is none.
func (a *assembly) reportNoSkills(b *Bundle) {
	why := ""
	for _, e := range b.Excluded {
		if e.Count > 0 {
			why = fmt.Sprintf(" (what %s matches is excluded)", message.Quote(e.Pattern))
		}
	}
	a.reportPath(nil, "", "no-skills", "no folder here holds a SKILL.md%s: name the directory that holds the skills, or write the first", why)
}

// built is what became of one skill.
type built struct {
	skill    manifest.Skill
	findings []lint.Finding
	linked   []string
}

// buildSkills makes the entries of the manifest, and judges them.
func (a *assembly) buildSkills(b *Bundle) {
	all := make([]built, len(a.skills))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for a.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				all[i] = a.build(a.skills[i])
			}
		})
	}
	group.Wait()
	b.dirs, b.linked = make(map[manifest.URI]string, len(all)), map[string]bool{}
	paths := make(map[manifest.URI]string, len(all))
	for i := range all {
		s := &all[i]
		a.findings = append(a.findings, s.findings...)
		for _, path := range s.linked {
			b.linked[path] = true
		}
		if s.skill.URI.IsZero() {
			continue
		}
		b.Manifest.Skills = append(b.Manifest.Skills, s.skill)
		b.dirs[s.skill.URI] = a.skills[i].path
		paths[s.skill.URI] = a.shown(joinPath(a.skills[i].path, manifest.SkillFile))
	}
	b.Manifest.Sort()
	listed := make([]lint.Listed, len(b.Manifest.Skills))
	for i, s := range b.Manifest.Skills {
		listed[i] = lint.Listed{Skill: s, Path: paths[s.URI]}
	}
	a.findings = append(a.findings, lint.CheckListing(listed)...)
}

// build makes the entry of one skill. It has no URI when the SKILL.md could not
// be read, which has its finding.
func (a *assembly) build(f *folder) built {
	var out built
	shown := a.shown(joinPath(f.path, manifest.SkillFile))
	skillPath := a.skillPath(f)
	if f.parent != nil && f.parent.skill != nil {
		out.findings = append(out.findings, lint.New("nested-skill", "the skill lies inside the skill %s, which lists its files as well", message.Quote(a.skillPath(f.parent.skill))).At(shown, 0, 0).Of(message.Printable(skillPath)))
	}
	if f.doc == nil {
		return out
	}
	s := manifest.Skill{URI: manifest.NewURI(skillPath + "/" + manifest.SkillFile), Frontmatter: f.doc.frontmatter, Resources: make([]manifest.Resource, 0, f.listed)}
	f.walkFiles("", func(path string, in *folder, fl *file) {
		s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(skillPath + "/" + path), Digest: fl.digest, Size: fl.size})
		if in.linked || fl.link {
			out.linked = append(out.linked, joinPath(f.path, path))
		}
	})
	out.skill = s
	for _, finding := range f.doc.judged(lint.CheckSkill(s, shown)) {
		out.findings = append(out.findings, finding.Of(message.Printable(skillPath)))
	}
	for _, finding := range append(a.checkLinks(f), a.checkCommands(f)...) {
		out.findings = append(out.findings, finding.Of(message.Printable(skillPath)))
	}
	return out
}
