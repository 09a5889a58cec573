package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// dependencyTable returns the rows of a table of docs/dependencies.md, by their
// first cell.
func dependencyTable(t *testing.T, heading string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/dependencies.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string][]string{}
	for line := range strings.SplitSeq(section, "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if rows[cells[0]] != nil {
			t.Errorf("%s stands there twice", cells[0])
		}
		if strings.TrimSpace(cells[len(cells)-1]) == "" {
			t.Errorf("%s: it is not said what it is for", cells[0])
		}
		rows[cells[0]] = cells[1:]
	}
	for _, head := range []string{"module", "package"} {
		delete(rows, head)
	}
	return rows
}

// compareRows reports rows that are missing, wrong or for nothing. want holds
// the first cells behind the name, as many as are known.
func compareRows(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for name, cells := range want {
		row, ok := got[name]
		if !ok {
			t.Errorf("docs/dependencies.md lacks the row | %s | %s | … |", name, strings.Join(cells, " | "))
			continue
		}
		for i, cell := range cells {
			if i >= len(row) || row[i] != cell {
				t.Errorf("docs/dependencies.md: the row of %s is %q, want it to start %q", name, row, cells)
				break
			}
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("docs/dependencies.md has a row for %s, which is not used", name)
		}
	}
}

func goMod(t *testing.T) *modfile.File {
	t.Helper()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// With a replace, go install of a version refuses the module, and what is built
// is not what go.sum says. An exclude is ignored in other people's builds.
func TestGoModReplacesNothing(t *testing.T) {
	mod := goMod(t)
	if len(mod.Replace) > 0 || len(mod.Exclude) > 0 {
		t.Errorf("go.mod replaces %d modules and excludes %d, want none", len(mod.Replace), len(mod.Exclude))
	}
}

// TestDependencies compares the modules of docs/dependencies.md with go.mod, with
// the packages that the program is built from, and with the licence files of the
// modules that are downloaded: go test downloads only those it needs, and
// [testfiles.Everything] wants all of them.
func TestDependencies(t *testing.T) {
	rows := dependencyTable(t, "Go modules")
	inProgram := map[string]string{}
	for _, goos := range []string{"linux", "windows", "darwin"} { // each may need a module more
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+goos)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", goos, err)
		}
		for line := range strings.Lines(string(out)) {
			if path, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				inProgram[path] = version
			}
		}
	}
	want := map[string][]string{}
	for _, r := range goMod(t).Require {
		in := "no"
		if v, ok := inProgram[r.Mod.Path]; ok {
			in = "yes"
			if v != r.Mod.Version {
				t.Errorf("the program has %s %s, go.mod %s", r.Mod.Path, v, r.Mod.Version)
			}
		}
		delete(inProgram, r.Mod.Path)
		licence := licenceOf(t, r.Mod.Path)
		if row := rows[r.Mod.Path]; licence == "" && len(row) > 1 {
			licence = row[1]
		}
		want[r.Mod.Path] = []string{r.Mod.Version, licence, in}
	}
	for path := range inProgram {
		if path != "github.com/skillpack/skillpack" {
			t.Errorf("the program has %s, which go.mod does not name", path)
		}
	}
	compareRows(t, rows, want)
}

// licences are recognised by a sentence that each has.
var licences = []struct{ id, phrase string }{
	{"Apache-2.0", "Apache License"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD-3-Clause", "Redistribution and use in source and binary forms"},
	{"MPL-2.0", "Mozilla Public License"},
	{"GPL", "GNU "},
}

// licenceOf reads the licence of a module from its files. It is "" for a module
// that is not downloaded.
func licenceOf(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil {
		t.Fatalf("go list -m %s: %v", path, err)
	}
	if dir == "" {
		if testfiles.Everything() {
			t.Errorf("%s is not downloaded; run go mod download", path)
		}
		return ""
	}
	files, err := filepath.Glob(filepath.Join(dir, "[LC][IO][CP][EY]*"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		name := filepath.Base(file)
		if strings.Contains(name, "THIRD-PARTY") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(string(text)), " ")
		for _, l := range licences {
			if strings.Contains(words, l.phrase) && (l.id != "BSD-3-Clause" || strings.Contains(words, "Neither the name")) {
				found = append(found, l.id)
			}
		}
	}
	if len(found) == 0 {
		t.Errorf("%s: no licence is recognised in %q", path, files)
	}
	return strings.Join(found, " AND ")
}

// TestDependenciesOfTools holds the tools of docs/dependencies.md to the files
// that run them.
func TestDependenciesOfTools(t *testing.T) {
	files := []string{"../../.goreleaser.yaml", "../../.ci/run"}
	for _, pattern := range []string{"../../testdata/*/run", "../../bench/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	rows := dependencyTable(t, "Tools that the checks and a release run")
	at := regexp.MustCompile(`((?:[\w-]+\.)+[a-z]+/[\w./-]+)@(v\d+\.\d+\.\d+[\w.+-]*)`)
	want := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		for _, m := range at.FindAllStringSubmatch(string(text), -1) {
			module := m[1] // or a package of one
			if strings.HasPrefix(module, "github.com/skillpack/") {
				continue
			}
			for name := range rows {
				if strings.HasPrefix(module+"/", name+"/") {
					module = name
				}
			}
			if known := want[module]; known != nil && known[0] != m[2] {
				t.Errorf("%s runs %s %s, another file %s", file, module, m[2], known[0])
			}
			want[module] = []string{m[2]}
		}
	}
	compareRows(t, rows, want)
}

// TestDependenciesOfNPM holds the packages of docs/dependencies.md to the lock
// files of the tests.
func TestDependenciesOfNPM(t *testing.T) {
	read := func(name string, v any) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../../testdata/*/package.json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, file := range files {
		var direct struct{ Dependencies, DevDependencies map[string]string }
		read(file, &direct)
		var lock struct {
			Packages map[string]struct{ Version, License string }
		}
		read(strings.TrimSuffix(file, ".json")+"-lock.json", &lock)
		maps.Copy(direct.Dependencies, direct.DevDependencies)
		for name := range direct.Dependencies {
			p := lock.Packages["node_modules/"+name]
			if known := want[name]; known != nil && known[0] != p.Version {
				t.Errorf("%s has %s %s, another file %s", file, name, p.Version, known[0])
			}
			want[name] = []string{p.Version, p.License}
		}
	}
	compareRows(t, dependencyTable(t, "npm packages"), want)
}
