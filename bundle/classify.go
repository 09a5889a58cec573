package bundle

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// holdsSkill reports whether a folder has a SKILL.md, be it one that cannot be
// read.
func (w *worker) holdsSkill(f *folder, entries []entry) bool {
	i, ok := find(entries, manifest.SkillFile, entryName)
	return ok && !entries[i].mode.IsDir() &&
		!w.ignores.excludes(w.ignores.decide(f.decision, joinPath(f.path, manifest.SkillFile), manifest.SkillFile, false))
}

// classify puts one entry of a folder where it belongs.
func (w *worker) classify(f *folder, e entry) {
	name, mode, info := e.name, e.mode, e.info
	path := joinPath(f.path, name)
	link := mode&fs.ModeSymlink != 0
	// A symlink may be meant as a folder, so patterns for folders match it too.
	asFolder := mode.IsDir() || link
	if w.ignores.fixed(path, name, mode.IsDir()) {
		f.others = append(f.others, other{name: name, pattern: name})
		return
	}
	decision := w.ignores.decide(f.decision, path, name, asFolder)
	excluded := w.ignores.excludes(decision)
	if excluded && !(mode.IsDir() && w.ignores.mayTakeBack(decision, path)) {
		w.ignores.count(decision)
		f.others = append(f.others, other{name, w.ignores.lines[decision-1].text})
		return
	}
	if w.tooLong(f, path, name) {
		f.others = append(f.others, other{name: name})
		return
	}
	if link {
		var err error
		if info, err = w.follow(f, path); err != nil {
			w.reportError(f, path, "entry", err)
		}
		if info == nil {
			f.others = append(f.others, other{name: name})
			return
		}
		mode = info.Mode()
	}
	switch {
	case mode.IsDir() && name == manifest.SkillFile && !excluded:
		w.reportPath(f, path, "skill-file-case", "%s is a folder here: a file of that name makes a skill; rename the folder, or put the text into a file", manifest.SkillFile)
		f.others = append(f.others, other{name: name})
	case mode.IsDir():
		f.folders = append(f.folders, &folder{parent: f, name: name, path: path, info: info, link: link, linked: f.linked || link, decision: decision, excluded: excluded})
	case mode.IsRegular():
		f.files = append(f.files, file{name: name, info: info, link: link})
	default:
		w.reportPath(f, path, "special-file", "%s is no part of a skill: delete it or exclude it", kindOf(mode))
		f.others = append(f.others, other{name: name})
	}
}

// tooLong reports a path that cannot be stored everywhere.
func (w *worker) tooLong(f *folder, path, name string) bool {
	whole := joinPath(w.options.Prefix, path)
	if w.top.isSkill {
		whole = joinPath(w.skillPath(w.top), path)
	}
	switch {
	case len(name) > longestName:
		w.reportPath(f, path, "path-length", "the name has %d bytes: at most %d fit everywhere", len(name), longestName)
	case len(whole) > longestPath:
		w.reportPath(f, path, "path-length", "the path has %s bytes, prefix included: at most %s fit everywhere, and nothing below was read", message.Number(len(whole)), message.Number(longestPath))
	default:
		return false
	}
	return true
}

// follow returns what a symlink leads to, or nil when it is not to be followed,
// which it reports.
func (w *worker) follow(f *folder, link string) (fs.FileInfo, error) {
	target, err := w.root.Readlink(link)
	if err != nil {
		return nil, err
	}
	if !w.options.FollowSymlinks {
		if info, err := w.root.Stat(link); err == nil && info.Mode().IsRegular() && !f.inSkill() {
			return info, nil // no more than a stray file: no skill could lie behind it
		}
		w.reportPath(f, link, "symlink", "a symlink to %s: put a copy in its place, or pass --follow-symlinks if it leads to a target inside %s", message.Quote(target), w.shown(""))
		return nil, nil
	}
	refuse := func(format string, args ...any) (fs.FileInfo, error) {
		w.reportPath(f, link, "symlink", "a symlink to %s, "+format, append([]any{message.Quote(target)}, args...)...)
		return nil, nil
	}
	info, err := w.root.Stat(link)
	switch {
	case err == nil:
	case filepath.IsAbs(target):
		return refuse("an absolute path, which is another place on another machine: write a relative one that stays inside %s", w.shown(""))
	case errors.Is(err, fs.ErrNotExist):
		return refuse("which does not exist: fix or delete it")
	case !f.linked && !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(link), filepath.ToSlash(target)))):
		return refuse("which is outside %s: put a copy in its place", w.shown(""))
	default:
		return refuse("which cannot be followed: %v", atomicfile.Cause(err))
	}
	if info.IsDir() {
		for above := f; above != nil; above = above.parent {
			if os.SameFile(above.info, info) {
				return refuse("a folder that it lies in itself: following it would never end")
			}
		}
	}
	return info, nil
}
