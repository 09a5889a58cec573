package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/internal/testfiles"
)

func TestProfile(t *testing.T) {
	sample, err := ReadFile("skill://csv-profiling/samples/orders.csv")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		in   csvFile
		want profile
		err  string
	}{
		"the sample of the skill": {in: csvFile{Text: string(sample)}, want: profile{4, []int{4}, []column{
			{"order", "integer", 0, 3}, {"date", "date", 1, 1}, {"amount", "text", 0, 3},
		}}},
		"another separator": {in: csvFile{"a;b\n1;2.5\n3;4\n", ";"}, want: profile{2, []int{}, []column{{"a", "integer", 0, 2}, {"b", "number", 0, 2}}}},
		"a header alone":    {in: csvFile{Text: "a\n"}, want: profile{0, []int{}, []column{{"a", "empty", 0, 0}}}},
		"nothing":           {err: "the text is empty"},
		"two separators":    {in: csvFile{"a", ";;"}, err: "more than one character"},
		"an open quote":     {in: csvFile{Text: "a\n\"x\n"}, err: `extraneous or missing "`},
	}
	for name, test := range tests {
		got, err := profileCSV(test.in)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want %q", name, err, test.err)
			}
		case err != nil || !reflect.DeepEqual(got, test.want):
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, test.want)
		}
	}
}

// A client sees the tool, and the skills named in the instructions.
func TestServer(t *testing.T) {
	server, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	ss, err := server.Connect(ctx, serverEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ss.Close()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	if got := cs.InitializeResult().Instructions; !strings.HasPrefix(got, "Profiles CSV files") || !strings.Contains(got, CSVProfilingURI) || !strings.Contains(got, CSVRepairURI) {
		t.Errorf("instructions %q", got)
	}
	result, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "profile_csv", Arguments: map[string]any{"text": "a,b\n1\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(result.StructuredContent); err != nil || !strings.Contains(string(text), `"broken":[2]`) {
		t.Errorf("profile_csv: %s, %v", text, err)
	}
}

// run runs a program in this folder and returns what it prints.
func run(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	return string(out), err
}

// goBuild builds a package into a temporary folder, with some files replaced by
// others.
func goBuild(t *testing.T, pkg string, replaced map[string]string) string {
	t.Helper()
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program.exe")
	if out, err := run(t, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, pkg); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return binary
}

// The whole story: built, run and linted, it is faithful; after an edit without
// go generate, both the start-up check and lint say so.
func TestDrift(t *testing.T) {
	testfiles.Slow(t, "builds programs")
	skillpack := goBuild(t, "../../cmd/skillpack", nil)
	server := goBuild(t, ".", nil)
	if out, err := run(t, skillpack, "lint", "--verify", "--conformance", "--", server); err != nil || out != "server csv 1.0.0 serves the 2 skills of this build (4 files, 2.2 KiB); verified\n" {
		t.Errorf("lint: %v\n%s", err, out)
	}

	edited := filepath.Join(t.TempDir(), "skills")
	if err := os.CopyFS(edited, os.DirFS("skills")); err != nil {
		t.Fatal(err)
	}
	const name = "csv-repair/SKILL.md"
	text, err := os.ReadFile(filepath.Join("skills", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(edited, name), append(text, "6. Say thanks.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}

	// The server that is deployed serves the skills of before.
	out, err := run(t, skillpack, "lint", "-m", edited, "--", server)
	if err == nil || !strings.Contains(out, `skill://csv-repair/SKILL.md: error: file "SKILL.md" differs`) || !strings.Contains(out, "run skillpack build and deploy") {
		t.Errorf("lint after an edit: %v\n%s", err, out)
	}

	// One that is built now embeds other bytes than its manifest says.
	abs := func(path string) string {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	stale := goBuild(t, ".", map[string]string{abs(filepath.Join("skills", name)): filepath.Join(edited, name)})
	out, err = run(t, stale)
	if err == nil || !strings.Contains(out, "the skills are not served: 1 difference between the manifest and the files: run skillpack build (or go generate)") || !strings.Contains(out, "skill://csv-repair/SKILL.md: the manifest says ") {
		t.Errorf("a stale embed starts: %v\n%s", err, out)
	}
	out, err = run(t, skillpack, "lint", "--", stale)
	if err == nil || !strings.Contains(out, "the skills are not served") {
		t.Errorf("lint of a server that refuses to start: %v\n%s", err, out)
	}

	// With the bytes inline there is nothing to go stale but the build itself.
	inline := filepath.Join(t.TempDir(), "skills_gen.go")
	if out, err := run(t, skillpack, "build", "--embed", "inline", "--package", "main", "--go", inline, "--manifest", filepath.Join(t.TempDir(), "m.json"), "./skills"); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	server = goBuild(t, ".", map[string]string{abs("skills_gen.go"): inline})
	if out, err := run(t, skillpack, "lint", "--verify", "--conformance", "--", server); err != nil {
		t.Errorf("lint of an inline build: %v\n%s", err, out)
	}
}
