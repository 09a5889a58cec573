package bundle

// checkEmpty reports the folders beside the skills that hold nothing: one that a
// skill was to be written in, or a submodule that was not fetched. Git keeps no
// other empty folders.
func (a *assembly) checkEmpty() {
	if a.top.isSkill {
		return
	}
	for _, sub := range a.top.folders {
		if isEmpty(sub) {
			a.reportPath(nil, sub.path, "empty-folder", "the folder is empty, and no skill: write its SKILL.md, run git submodule update --init, or delete it")
		}
	}
}

// isEmpty reports whether neither a folder nor one below it has an entry that is
// no folder.
func isEmpty(f *folder) bool {
	if f.excluded || f.unread || f.total > 0 || len(f.others) > 0 {
		return false
	}
	for _, sub := range f.folders {
		if !isEmpty(sub) {
			return false
		}
	}
	return true
}
