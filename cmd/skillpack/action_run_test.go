package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// action is the part of action.yml that a runner acts on.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     *string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, If, Uses, Shell, Run string
	With, Env                map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// actionRun is one use of the action in a workspace: a runner that knows as much
// of GitHub's as action.yml uses.
type actionRun struct {
	action    action
	workspace string
	temp      string // RUNNER_TEMP
	env       []string
	inputs    map[string]string
	steps     map[string]map[string]string // outputs, by the step's id

	log, summary string // what the last step that ran printed
	status       int
}

// newActionRun runs the steps up to the last one, which are the same for every
// use: they find Go and build the command.
func newActionRun(t *testing.T) *actionRun {
	t.Helper()
	r := &actionRun{action: readAction(t), workspace: t.TempDir(), temp: t.TempDir(), steps: map[string]map[string]string{}}
	for _, s := range r.action.Runs.Steps[:len(r.action.Runs.Steps)-1] {
		if s.If != "" {
			left, right, _ := strings.Cut(s.If, " != ")
			if r.value(t, left) == strings.Trim(right, "'") {
				continue
			}
			t.Fatalf("the step that uses %s would run: the Go that runs this test cannot build the command", s.Uses)
		}
		if r.step(t, s); r.status != 0 {
			t.Fatalf("step %s: status %d\n%s", s.ID, r.status, r.log)
		}
	}
	return r
}

// use runs the last step in a new workspace that holds files, and returns the
// run with its outputs.
func (r actionRun) use(t *testing.T, workspace string, inputs map[string]string, env ...string) actionRun {
	t.Helper()
	r.workspace, r.env, r.inputs = workspace, env, map[string]string{}
	for name, in := range r.action.Inputs {
		r.inputs[name] = *in.Default
	}
	for name, v := range inputs {
		if _, ok := r.inputs[name]; !ok {
			t.Fatalf("action.yml has no input %q", name)
		}
		r.inputs[name] = v
	}
	known := r.steps
	r.steps = map[string]map[string]string{}
	for id, outputs := range known {
		r.steps[id] = outputs
	}
	r.step(t, r.action.Runs.Steps[len(r.action.Runs.Steps)-1])
	return r
}

// outputs are the action's, as its caller sees them.
func (r *actionRun) outputs(t *testing.T) map[string]string {
	t.Helper()
	values := map[string]string{}
	for name, o := range r.action.Outputs {
		values[name] = r.substituted(t, o.Value)
	}
	return values
}

var expression = regexp.MustCompile(`\$\{\{ *([^}]*?) *\}\}`)

// substituted replaces ${{ inputs.NAME }} and ${{ steps.ID.outputs.NAME }}.
func (r *actionRun) substituted(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string { return r.value(t, expression.FindStringSubmatch(e)[1]) })
}

func (r *actionRun) value(t *testing.T, reference string) string {
	t.Helper()
	parts := strings.Split(reference, ".")
	if len(parts) == 2 && parts[0] == "inputs" {
		if v, ok := r.inputs[parts[1]]; ok {
			return v
		}
	}
	if len(parts) == 4 && parts[0] == "steps" && parts[2] == "outputs" {
		if outputs, ok := r.steps[parts[1]]; ok {
			return outputs[parts[3]] // one that was not set is empty
		}
	}
	t.Fatalf("the expression %q names no input and no step before", reference)
	return ""
}

// step runs one step's script as GitHub does for "shell: bash".
func (r *actionRun) step(t *testing.T, s actionStep) {
	t.Helper()
	if s.Shell != "bash" {
		t.Fatalf("step %s has shell %q, want bash", s.ID, s.Shell)
	}
	dir := t.TempDir()
	script, output, summary := filepath.Join(dir, "script.sh"), filepath.Join(dir, "output"), filepath.Join(dir, "summary")
	for _, path := range []string{output, summary} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(script, []byte(r.substituted(t, s.Run)), 0o644); err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = r.workspace
	cmd.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+top, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary, "RUNNER_TEMP="+r.temp)
	cmd.Env = append(cmd.Env, r.env...)
	for name, v := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.substituted(t, v))
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	r.status = 0
	if err := cmd.Run(); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			t.Fatal(err)
		}
		r.status = exit.ExitCode()
	}
	r.log, r.summary = log.String(), readText(t, summary)
	outputs := map[string]string{}
	for line := range strings.Lines(readText(t, output)) {
		name, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if _, twice := outputs[name]; !ok || twice {
			t.Fatalf("step %s wrote the output line %q: want NAME=VALUE, each name once", s.ID, line)
		}
		outputs[name] = v
	}
	r.steps[s.ID] = outputs
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
