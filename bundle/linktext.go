package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/linktext"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// linkFix is what to do about a symlink that git wrote as text.
const linkFix = "commit a real file, or check out with core.symlinks=true"

// longestHead is how much of a file is read to see whether it is a symlink as
// text, in bytes.
const longestHead = 1<<10 + 4

// mostLinkTexts is how many files of one folder outside any skill are read to
// see whether they are symlinks as text.
const mostLinkTexts = 256

// linkTarget returns the target of a file whose whole content is the text of a
// symlink, when that target exists. Where it leads out of the directory, it is
// looked at and not opened.
func (w *walk) linkTarget(file string, content []byte) (string, bool) {
	target, ok := linktext.Target(content)
	if !ok {
		return "", false
	}
	to := path.Join(path.Dir(file), target)
	if to == file {
		return "", false
	}
	_, err := os.Lstat(filepath.Join(w.options.Dir, filepath.FromSlash(to)))
	return target, err == nil
}

// dirLinkText returns the target of a file, named as the directory of skills, that
// is the text of a symlink.
func dirLinkText(dir string, info fs.FileInfo) (string, bool) {
	if !info.Mode().IsRegular() || info.Size() > longestHead {
		return "", false
	}
	content, err := os.ReadFile(dir)
	target, ok := linktext.Target(content)
	if err != nil || !ok {
		return "", false
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(filepath.Clean(dir)), filepath.FromSlash(target)))
	return target, err == nil
}

// checkLinkText reports a file of a skill that is the text of a symlink. In place
// of a SKILL.md a path that leads up is one even when its target does not exist: no
// one writes it there.
func (w *worker) checkLinkText(f *folder, file string) bool {
	c := &w.reader.content
	if c.binary || c.size != int64(len(c.head)) {
		return false
	}
	target, ok := w.linkTarget(file, c.head)
	if !ok && path.Base(file) == manifest.SkillFile {
		target, ok = linktext.Likely(c.head)
	}
	if ok {
		w.reportLinkText(f, file, target)
	}
	return ok
}

func (w *worker) reportLinkText(f *folder, file, target string) {
	w.report(f, lint.New("symlink-as-text", "the file is a symlink to %s that git wrote as text: %s", message.Quote(target), linkFix).At(w.shown(file), 1, 1))
}

// lookForLinkTexts reports files in a folder outside any skill that were meant to
// be symlinks, such as one to a skill's folder. Only names without an ending are
// read: a skill's folder has none.
func (w *worker) lookForLinkTexts(f *folder) {
	left := mostLinkTexts
	f.files = slices.DeleteFunc(f.files, func(fl file) bool {
		if strings.Contains(fl.name, ".") || left == 0 {
			return false
		}
		left--
		file := joinPath(f.path, fl.name)
		target, ok := w.linkTarget(file, w.readHead(file))
		if ok {
			w.reportLinkText(f, file, target)
			f.others = append(f.others, other{name: fl.name}) // it is not stray: its finding says what it is
		}
		return ok
	})
	slices.SortFunc(f.others, func(a, b other) int { return strings.Compare(a.name, b.name) })
}

// readHead returns the content of a small file, and nil for another.
func (w *worker) readHead(file string) []byte {
	open, err := openRegular(w.root, file)
	if err != nil {
		return nil
	}
	defer open.Close()
	head := make([]byte, longestHead+1)
	n, err := io.ReadFull(open, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return head[:n]
}
