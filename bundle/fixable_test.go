package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// TestFixable holds the table of rules to what is fixed: of a rule's bad
// examples in testdata/rules one is when the table says so, and none is when it
// does not. [frontmatter.Fix] is asked for each rule too, whatever the table says.
func TestFixable(t *testing.T) {
	archives, err := filepath.Abs(ruleArchives)
	if err != nil {
		t.Fatal(err)
	}
	fixable := 0
	for _, rule := range lint.Rules() {
		if rule.Fixable {
			fixable++
		}
		files, err := filepath.Glob(filepath.Join(archives, rule.ID+"*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if rule.Fixable && len(files) == 0 {
			t.Errorf("rule %s is fixable, and has no bad example", rule.ID)
		}
		fixed := false
		for _, file := range files {
			// What cannot be read is not fixed either, and its case runs as another user.
			if id, _, _ := strings.Cut(filepath.Base(file), "."); id == rule.ID && id != "unreadable" {
				t.Run(filepath.Base(file), func(t *testing.T) { fixed = fixes(t, file, rule) || fixed })
			}
		}
		if fixed != rule.Fixable {
			t.Errorf("rule %s: fixable %v in the table, fixed %v", rule.ID, rule.Fixable, fixed)
		}
	}
	if fixable == 0 {
		t.Error("no rule is fixable")
	}
}

// fixes reports whether the bad side of an archive is fixed of the rule's faults.
func fixes(t *testing.T, file string, rule lint.Rule) bool {
	a := openArchive(t, file)
	a.layOut()
	err := filepath.WalkDir("bad", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() != manifest.SkillFile {
			return err
		}
		text, err := os.ReadFile(path)
		if _, done := frontmatter.Fix(text, func(id string) bool { return id == rule.ID }); len(done) > 0 && !rule.Fixable {
			t.Errorf("manifest.Fix fixes %s, and the table does not say so", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o := a.options
	o.Dir = "bad"
	fixes, err := read(t, o).Fixes(func(f lint.Finding) bool { return f.Rule == rule.ID })
	if err != nil {
		t.Fatal(err)
	}
	defer fixes.Close()
	for _, f := range fixes.Files {
		if slices.Equal(f.Old, f.New) && f.From == "" {
			t.Errorf("the fix of %s changes nothing", f.Path)
		}
	}
	return len(fixes.Files) > 0
}
