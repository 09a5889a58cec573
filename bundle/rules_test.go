package bundle_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

var updateRules = flag.Bool("update-rules", false, "rewrite what testdata/rules wants; read every message before you commit it")

const ruleArchives = "../testdata/rules"

// TestRules runs every archive of testdata/rules, named ID.txtar or
// ID.VARIANT.txtar after the rule it is about.
//
// The files below bad/ are a directory that breaks the rule, those below near/
// one that nearly does; bad.json and near.json are an entry, or a listing with
// "skills", as a server could send it. The file want holds the findings about
// the bad side, one a line; want-near those about the near side, mostly none.
// Every finding of the bad side must be of the archive's rule or of one named
// by "also", and none of the near side may be of the archive's rule.
//
// In the comment, a line that starts with # explains the case; any other line
// is a directive. See [archive.directive] for them.
func TestRules(t *testing.T) {
	files, err := filepath.Glob(ruleArchives + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in %s (%v)", ruleArchives, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			id, _, _ := strings.Cut(name, ".")
			rule, ok := lint.Lookup(id)
			if !ok {
				t.Fatalf("there is no rule %s", id)
			}
			a := openArchive(t, file)
			a.run(rule)
		})
	}
}

// TestRulesAreTested fails for a rule about trees or entries without an archive.
func TestRulesAreTested(t *testing.T) {
	for _, r := range lint.Rules() {
		if r.Where != lint.Tree && r.Where != lint.Entry {
			continue
		}
		if _, err := os.Stat(filepath.Join(ruleArchives, r.ID+".txtar")); err != nil {
			t.Errorf("rule %s has no archive: %v", r.ID, err)
		}
	}
}

// archive is one case, laid out in a temporary working directory.
type archive struct {
	*testing.T
	file    string
	content *txtar.Archive
	options bundle.Options
	also    []string // other rules the bad side may break
	mask    *regexp.Regexp

	during   func() (stop func()) // runs while the bad side is read
	readings int                  // how often a side is read, at most
}

func openArchive(t *testing.T, file string) *archive {
	content, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = filepath.Abs(file); err != nil { // -update-rules writes it from another folder
		t.Fatal(err)
	}
	return &archive{T: t, file: file, content: content, during: func() func() { return func() {} }, readings: 1}
}

// layOut writes the archive's files into the working directory and follows its
// directives.
func (a *archive) layOut() {
	a.Chdir(a.TempDir())
	for _, side := range []string{"bad", "near"} {
		a.must(os.Mkdir(side, 0o777))
	}
	for _, f := range a.content.Files {
		if strings.HasPrefix(f.Name, "bad/") || strings.HasPrefix(f.Name, "near/") {
			a.write(f.Name, f.Data)
		}
	}
	explained := false
	for line := range strings.Lines(string(a.content.Comment)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			explained = true
		} else if line != "" {
			a.directive(line)
		}
	}
	if !explained {
		a.Error("the archive's comment does not explain the case")
	}
}

func (a *archive) run(rule lint.Rule) {
	a.layOut()
	policy := lint.Policy{}
	if rule.Severity == lint.Off {
		policy.Severity = map[string]lint.Severity{rule.ID: lint.Warning}
	}
	bad, _ := policy.Apply(a.judge("bad"))
	near, _ := policy.Apply(a.judge("near"))
	a.wants("want", bad)
	a.wants("want-near", near)
	if *updateRules {
		a.must(os.WriteFile(a.file, txtar.Format(a.content), 0o666))
	}

	if !slices.ContainsFunc(bad, func(f lint.Finding) bool { return f.Rule == rule.ID }) {
		a.Errorf("the bad side does not break %s", rule.ID)
	}
	for _, f := range bad {
		if f.Rule != rule.ID && !slices.Contains(a.also, f.Rule) {
			a.Errorf("the bad side breaks another rule: %s", line(f))
		}
	}
	for _, f := range near {
		if f.Rule == rule.ID {
			a.Errorf("the near miss breaks the rule: %s", line(f))
		}
	}
}

// judge returns the findings about one side.
func (a *archive) judge(side string) []lint.Finding {
	var findings []lint.Finding
	if entries, err := os.ReadDir(side); err == nil && (len(entries) > 0 || !a.has(side+".json")) {
		o := a.options
		o.Dir = side
		if side == "bad" {
			defer a.during()()
		}
		// On a busy machine a single reading can fall between two writes.
		for range a.readings {
			b, err := bundle.Read(context.Background(), o)
			a.must(err)
			a.must(b.Close())
			if findings = b.Findings; side == "near" || len(findings) > 0 {
				break
			}
		}
	}
	for _, f := range a.content.Files {
		if f.Name == side+".json" {
			findings = append(findings, a.judgeJSON(f.Data)...)
		}
	}
	return findings
}

// judgeJSON judges an entry, or every entry of a listing and then the listing.
func (a *archive) judgeJSON(text []byte) []lint.Finding {
	v, err := manifest.ParseValue([]byte(expand(string(text))))
	a.must(err)
	skills, ok := v.Get("skills")
	if !ok {
		_, findings := lint.CheckEntry(v)
		return findings
	}
	var findings []lint.Finding
	var listed []lint.Listed
	for _, item := range skills.Items {
		s, found := lint.CheckEntry(item)
		findings = append(findings, found...)
		uri, _ := item.Get("uri")
		listed = append(listed, lint.Listed{Skill: s, URI: uri.Text})
	}
	return append(findings, lint.CheckListing(listed)...)
}

// wants compares findings with a file of the archive, or updates it.
func (a *archive) wants(name string, findings []lint.Finding) {
	var b bytes.Buffer
	for _, f := range findings {
		if a.mask != nil {
			f.Message = a.mask.ReplaceAllString(f.Message, "…")
		}
		fmt.Fprintln(&b, line(f))
	}
	i := slices.IndexFunc(a.content.Files, func(f txtar.File) bool { return f.Name == name })
	if *updateRules {
		switch {
		case i >= 0 && b.Len() > 0:
			a.content.Files[i].Data = b.Bytes()
		case i >= 0:
			a.content.Files = slices.Delete(a.content.Files, i, i+1)
		case b.Len() > 0:
			a.content.Files = append(a.content.Files, txtar.File{Name: name, Data: b.Bytes()})
		}
		return
	}
	want := ""
	if i >= 0 {
		want = string(a.content.Files[i].Data)
	}
	if got := b.String(); got != want {
		a.Errorf("%s: got\n%s\nwant\n%s\nif the former is right, run: go test ./bundle -run TestRules -update-rules", name, got, want)
	}
}

// line writes a finding as the text report does.
func line(f lint.Finding) string {
	place := f.Place()
	if place != "" {
		place += ": "
	}
	return fmt.Sprintf("%s%s: %s [%s]", place, f.Severity, f.Message, f.Rule)
}
