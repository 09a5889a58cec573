package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// TestAction uses the action of action.yml as a workflow does: its real scripts,
// the command they build, and servers of that command.
func TestAction(t *testing.T) {
	testfiles.Slow(t, "runs whole workflows")
	runner := newActionRun(t)
	t.Run("build-check", func(t *testing.T) { testActionBuild(t, runner) })
	t.Run("lint", func(t *testing.T) { testActionLint(t, runner) })
	t.Run("headers", func(t *testing.T) { testActionHeaders(t, runner) })
	t.Run("hostile", func(t *testing.T) { testActionHostile(t, runner) })
}

const deploySkill = "---\nname: deploy\ndescription: Ship a release. Use when a version is ready.\n---\n\nShip it.\n"

// actionWorkspace makes a workspace with one built skill in dir.
func actionWorkspace(t *testing.T, r *actionRun, dir string) string {
	t.Helper()
	workspace := t.TempDir()
	writeText(t, filepath.Join(workspace, dir, "deploy", "SKILL.md"), deploySkill)
	if _, stderr, status := runActionTool(t, r, workspace, "build", "./"+dir); status != 0 {
		t.Fatalf("build: status %d\n%s", status, stderr)
	}
	return workspace
}

func runActionTool(t *testing.T, r *actionRun, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(r.steps["build"]["skillpack"], args...)
	cmd.Dir = dir
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), status
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// actionWant is what one use of the action must lead to. The log, as the summary,
// must hold each text.
type actionWant struct {
	status                  int
	errors, warnings, drift string
	log, summary            []string
}

// check holds a use against what it must lead to. The counts must also be those
// that a JSON parser reads in the caller's own report, where it asked for one.
func (w actionWant) check(t *testing.T, r actionRun) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("log:\n%s\nsummary:\n%s", r.log, r.summary)
		}
	}()
	got := r.outputs(t)
	want := map[string]string{"errors": w.errors, "warnings": w.warnings, "drift": w.drift, "exit-status": strconv.Itoa(w.status)}
	for name, v := range want {
		if got[name] != v {
			t.Errorf("output %s is %q, want %q", name, got[name], v)
		}
	}
	if r.status != w.status {
		t.Errorf("the step ends with %d, want %d", r.status, w.status)
	}
	for _, text := range w.log {
		if !strings.Contains(r.log, text) {
			t.Errorf("the log lacks %q", text)
		}
	}
	for _, text := range w.summary {
		if !strings.Contains(r.summary, text) {
			t.Errorf("the summary lacks %q", text)
		}
	}
	if w.errors == "" || w.status > 1 { // an upload would close the alerts of what was not looked at
		if got["sarif-file"] != "" {
			t.Errorf("output sarif-file is %q without a complete report", got["sarif-file"])
		}
		return
	}
	var sarif struct {
		Version string
		Runs    []struct{ Results []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(readText(t, got["sarif-file"])), &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs) != 1 {
		t.Fatalf("the SARIF file is none: %v", err)
	}
	if n := fmt.Sprint(number(t, w.errors) + number(t, w.warnings)); fmt.Sprint(len(sarif.Runs[0].Results)) != n {
		t.Errorf("the SARIF file has %d results, want %s", len(sarif.Runs[0].Results), n)
	}
	if report := filepath.Join(r.workspace, "own.json"); strings.Contains(r.inputs["formats"], "json:own.json") {
		var own struct {
			Summary struct{ Errors, Warnings int }
			Drift   []json.RawMessage
		}
		if err := json.Unmarshal([]byte(readText(t, report)), &own); err != nil {
			t.Fatal(err)
		}
		if parsed := fmt.Sprint(own.Summary.Errors, own.Summary.Warnings, len(own.Drift)); parsed != got["errors"]+" "+got["warnings"]+" "+got["drift"] {
			t.Errorf("the JSON report counts %s, the outputs %v", parsed, got)
		}
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func testActionBuild(t *testing.T, r *actionRun) {
	for name, test := range map[string]struct {
		edit   func(t *testing.T, workspace string)
		inputs map[string]string
		want   actionWant
	}{
		"clean": {
			want: actionWant{0, "0", "0", "0", []string{"1 skill, 1 file"}, []string{"### skillpack build: passed"}},
		},
		"broken": {
			edit: func(t *testing.T, w string) {
				writeText(t, filepath.Join(w, "skills/deploy/SKILL.md"), "---\nname: Deploy\ndescription: Use for production: ship it\n---\n\nShip it.\n")
			},
			want: actionWant{1, "2", "0", "0",
				[]string{"::error file=skills/deploy/SKILL.md,line=2,col=7,title=malformed-name::", "::error file=skills/deploy/SKILL.md,line=3,col=14,title=frontmatter-unparsable::"},
				[]string{"### skillpack build: failed", "`frontmatter-unparsable`"}},
		},
		"stale": {
			edit: func(t *testing.T, w string) {
				writeText(t, filepath.Join(w, "skills/deploy/notes.md"), "More.\n")
				writeText(t, filepath.Join(w, "skills/rollback/SKILL.md"), strings.ReplaceAll(deploySkill, "deploy", "rollback"))
			},
			want: actionWant{1, "3", "0", "2", []string{"::error file=skills.manifest.json,title=output-stale::"}, []string{"#### Drift", "`rollback`"}},
		},
		"a warning": {
			edit:   addWarning,
			inputs: map[string]string{"directory": "skills"},
			want:   actionWant{0, "0", "1", "0", []string{"::warning file=skills/stray.md,title=stray-file::"}, []string{"passed"}},
		},
		"a warning, strictly": {
			edit:   addWarning,
			inputs: map[string]string{"strict": "true"},
			want:   actionWant{1, "0", "1", "0", []string{"title=stray-file::"}, []string{"failed"}},
		},
		"a configuration, and the directory it names": {
			edit: func(t *testing.T, w string) {
				if err := os.Rename(filepath.Join(w, "skills"), filepath.Join(w, "agent skills")); err != nil {
					t.Fatal(err)
				}
				writeText(t, filepath.Join(w, "ci.yaml"), "skills: agent skills\ngo: false\n")
			},
			inputs: map[string]string{"directory": "", "config": "ci.yaml"},
			want:   actionWant{0, "0", "0", "0", nil, []string{"passed"}},
		},
		"the directory of skillpack.yaml": {
			edit: toLibrary,
			want: actionWant{0, "0", "0", "0", []string{"1 skill, 1 file"}, []string{"### skillpack build: passed"}},
		},
		"the directory of skillpack.yaml, which is stale": {
			edit: func(t *testing.T, w string) {
				toLibrary(t, w)
				writeText(t, filepath.Join(w, "library/deploy/notes.md"), "More.\n")
			},
			want: actionWant{1, "1", "0", "1", []string{"::error file=skills.manifest.json,title=output-stale::"}, []string{"#### Drift"}},
		},
		"a manifest that is not there": {
			inputs: map[string]string{"manifest": "none.json"},
			want:   actionWant{1, "1", "0", "0", []string{"::error file=none.json,title=output-missing::"}, []string{"failed"}},
		},
		"a directory that is not there": {
			inputs: map[string]string{"directory": "100%25/none"},
			want:   actionWant{2, "", "", "", []string{"::error title=skillpack could not run::skillpack: cannot read 100%2525/none: no such file"}, []string{"### skillpack could not run\n\n    skillpack: cannot read 100%25/none"}},
		},
		"a report that cannot be written": {
			inputs: map[string]string{"formats": "json:none/own.json"},
			want:   actionWant{2, "", "", "", []string{"cannot write the json report"}, []string{"could not run"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			workspace := actionWorkspace(t, r, "skills")
			if test.edit != nil {
				test.edit(t, workspace)
			}
			inputs := map[string]string{"formats": "json:own.json\r\n\n  junit:own.xml  \n"}
			for k, v := range test.inputs {
				inputs[k] = v
			}
			run := r.use(t, workspace, inputs)
			test.want.check(t, run)
			if test.want.errors != "" && !strings.HasPrefix(readText(t, filepath.Join(workspace, "own.xml")), "<?xml") {
				t.Error("own.xml is no XML")
			}
		})
	}
}

func addWarning(t *testing.T, workspace string) {
	writeText(t, filepath.Join(workspace, "skills/stray.md"), "No skill's.\n")
}

// toLibrary moves the skills, names their new place in skillpack.yaml and builds
// nothing: the listing is the same. Another ./skills is there, which is broken.
func toLibrary(t *testing.T, workspace string) {
	t.Helper()
	if err := os.Rename(filepath.Join(workspace, "skills"), filepath.Join(workspace, "library")); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(workspace, "skills/deploy/SKILL.md"), "no frontmatter\n")
	writeText(t, filepath.Join(workspace, "skillpack.yaml"), "skills: ./library\ngo: false\n")
}

// serveSkills runs "skillpack serve" for the skills of a workspace.
func serveSkills(t *testing.T, r *actionRun, workspace string) string {
	t.Helper()
	cmd := exec.Command(r.steps["build"]["skillpack"], "serve", "--http", "127.0.0.1:0", "./skills")
	cmd.Dir = workspace
	notes, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(notes)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), " at "); ok {
			return address
		}
	}
	t.Fatal("the server says no address")
	return ""
}

func testActionLint(t *testing.T, r *actionRun) {
	served := actionWorkspace(t, r, "skills")
	address := serveSkills(t, r, served)
	for name, test := range map[string]struct {
		edit   func(t *testing.T, workspace string)
		inputs map[string]string
		want   actionWant
	}{
		"clean": {
			want: actionWant{0, "0", "0", "0", []string{"serves the 1 skill of this build", "verified"}, []string{"### skillpack lint: passed", "1 file: 1 verified"}},
		},
		"the server of the configuration, by name": {
			edit: func(t *testing.T, w string) {
				writeText(t, filepath.Join(w, "skillpack.yaml"), "servers:\n  prod: {url: "+address+"}\n")
			},
			inputs: map[string]string{"server": "prod", "verify": "false", "conformance": "false"},
			want:   actionWant{0, "0", "0", "0", []string{"lists the 1 skill of this build"}, []string{"passed"}},
		},
		"a committed manifest": {
			edit: func(t *testing.T, w string) {
				if err := os.RemoveAll(filepath.Join(w, "skills")); err != nil {
					t.Fatal(err)
				}
			},
			inputs: map[string]string{"manifest": "skills.manifest.json"},
			want:   actionWant{0, "0", "0", "0", nil, []string{"passed"}},
		},
		"the directory of skillpack.yaml": {
			edit: toLibrary,
			want: actionWant{0, "0", "0", "0", []string{"serves the 1 skill of this build"}, []string{"passed"}},
		},
		"the manifest of skillpack.yaml, with neither its default name nor ./skills": {
			edit: func(t *testing.T, w string) {
				toLibrary(t, w)
				for _, err := range []error{os.RemoveAll(filepath.Join(w, "skills")), os.Rename(filepath.Join(w, "skills.manifest.json"), filepath.Join(w, "library.json"))} {
					if err != nil {
						t.Fatal(err)
					}
				}
				writeText(t, filepath.Join(w, "ci.yaml"), "skills: ./library\nmanifest: library.json\n")
			},
			inputs: map[string]string{"config": "ci.yaml"},
			want:   actionWant{0, "0", "0", "0", []string{"serves the 1 skill of this build"}, []string{"passed"}},
		},
		"a directory that is given, against another in skillpack.yaml": {
			edit: func(t *testing.T, w string) {
				toLibrary(t, w)
				writeText(t, filepath.Join(w, "library/deploy/notes.md"), "More.\n")
			},
			inputs: map[string]string{"directory": "./library"},
			want:   actionWant{1, "1", "0", "1", []string{"::error file=library/deploy/notes.md,title=file-missing::"}, []string{"#### Drift"}},
		},
		"drift": {
			edit: func(t *testing.T, w string) {
				writeText(t, filepath.Join(w, "skills/deploy/notes.md"), "More.\n")
				writeText(t, filepath.Join(w, "skills/rollback/SKILL.md"), strings.ReplaceAll(deploySkill, "deploy", "rollback"))
				// The report then holds keys named as those that are counted.
				writeText(t, filepath.Join(w, "skills/deploy/SKILL.md"), strings.Replace(deploySkill, "\n---\n\n", "\nhooks:\n  - errors: 99\n    warnings: 98\n    drift:\n      - a: 1\n      - b: 2\n---\n\n", 1))
			},
			want: actionWant{1, "4", "0", "2", []string{"::error file=skills/deploy/notes.md,title=file-missing::", "::error file=skills/rollback/SKILL.md,title=skill-missing::"}, []string{"### skillpack lint: failed", "#### Drift"}},
		},
		"unreachable": {
			inputs: map[string]string{"server": "http://127.0.0.1:1/mcp", "wait": "200ms"},
			want:   actionWant{4, "0", "0", "0", []string{"::error title=skillpack lint is not complete::cannot reach"}, []string{"incomplete", "connection refused"}},
		},
		"no server": {
			inputs: map[string]string{"server": ""},
			want:   actionWant{2, "", "", "", []string{"::error title=skillpack could not run::input server is empty"}, []string{"input server is empty"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			workspace := t.TempDir()
			if err := os.CopyFS(workspace, os.DirFS(served)); err != nil {
				t.Fatal(err)
			}
			if test.edit != nil {
				test.edit(t, workspace)
			}
			inputs := map[string]string{"mode": "lint", "server": address, "formats": "json:own.json"}
			for k, v := range test.inputs {
				inputs[k] = v
			}
			test.want.check(t, r.use(t, workspace, inputs))
		})
	}
}

// TestActionText holds what GitHub asks of an action's file and what no run of
// it shows.
func TestActionText(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" {
		t.Errorf("runs.using is %q", a.Runs.Using)
	}
	module := readText(t, "../../go.mod")
	used := map[string]bool{}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %s: an expression in a script is code: pass it through env", s.ID)
		}
		if script := regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/(\.github/action/[a-z-]+\.sh)"$`).FindStringSubmatch(s.Run); s.Run != "" && script == nil {
			t.Errorf("step %s runs %q: its shell belongs into a script", s.ID, s.Run)
		} else if s.Run != "" && !strings.Contains(readText(t, "../../"+script[1]), "\nset -euo pipefail\n") {
			t.Errorf("%s does not set -euo pipefail", script[1])
		}
		if v, ok := s.With["go-version"]; ok && !strings.Contains(module, "\ngo "+v+".") {
			t.Errorf("setup-go installs %s, which is not the version of go.mod", v)
		}
		for _, v := range s.Env {
			if m := expression.FindStringSubmatch(v); m != nil {
				used[m[1]] = true
			}
		}
	}
	for name, in := range a.Inputs {
		if in.Description == "" || in.Default == nil || !used["inputs."+name] {
			t.Errorf("input %s lacks a description, a default, or a use", name)
		}
	}
}
