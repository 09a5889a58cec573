package bundle

import (
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/skillpack/skillpack/manifest"
)

// folder is one folder of the tree and what was found in it.
type folder struct {
	parent *folder // nil for the directory itself
	name   string
	path   string // below the directory, slash-separated; "" for the directory itself
	linked bool   // reached through a symlink
	unread bool   // could not be read, and has its finding

	decision decided // of the patterns, for the folder
	excluded bool    // left out, and read only for what is taken back in

	isSkill  bool
	misnamed bool    // holds a file that was meant to be a SKILL.md
	skill    *folder // the innermost skill that the folder is in, itself included

	// All three are sorted by name.
	files   []file
	folders []*folder
	others  []other

	total    int  // files at and below
	listed   int  // of those, the ones that were read
	hasSkill bool // is a skill, or has one below

	doc *skillFile // of a skill, when its SKILL.md could be read

	// What follows is only of use during the walk.
	info   fs.FileInfo  // as listed, if it was looked at; once open, only when symlinks are followed
	link   bool         // the folder's own name is a symlink
	via    *folder      // the parent, while it is held open for this folder
	opened opened       // the folder, while it is open
	uses   atomic.Int32 // of opened
}

// file is one regular file.
type file struct {
	name   string
	size   int64 // bytes
	digest manifest.Digest
	read   bool        // size and digest are known
	link   bool        // the name is a symlink
	info   fs.FileInfo // as listed, if it was looked at, until it is read

	shebang string // the first line of a script, without "#!"
}

// other is an entry that the tree does not have: one left out, or one that has
// a finding.
type other struct {
	name    string
	pattern string // that left it out, or ""
}

func fileName(f file) string      { return f.name }
func folderName(f *folder) string { return f.name }
func otherName(o other) string    { return o.name }

// find returns the index of a name in a slice sorted by name.
func find[T any](all []T, name string, nameOf func(T) string) (int, bool) {
	return slices.BinarySearchFunc(all, name, func(item T, name string) int { return strings.Compare(nameOf(item), name) })
}

// inSkill reports whether the folder is a skill or lies in one.
func (f *folder) inSkill() bool {
	for ; f != nil; f = f.parent {
		if f.isSkill {
			return true
		}
	}
	return false
}

// has reports whether the folder has an entry of a name.
func (f *folder) has(name string) bool {
	_, isFile := find(f.files, name, fileName)
	_, isFolder := find(f.folders, name, folderName)
	return isFile || isFolder
}

// child returns the folder of a name, or nil.
func (f *folder) child(name string) *folder {
	if i, ok := find(f.folders, name, folderName); ok {
		return f.folders[i]
	}
	return nil
}

// walkFiles calls each for every file that was read below the folder, with its
// path below it. The order is that of the names in each folder.
func (f *folder) walkFiles(prefix string, each func(path string, in *folder, fl *file)) {
	for i := range f.files {
		if f.files[i].read {
			each(prefix+f.files[i].name, f, &f.files[i])
		}
	}
	for _, sub := range f.folders {
		sub.walkFiles(prefix+sub.name+"/", each)
	}
}
