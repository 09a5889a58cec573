package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// guard stands before a server and lets in who sends the right headers. It
// repeats to others what they sent, as a careless server would, and looks each
// time whether a process list shows a secret.
type guard struct {
	want   http.Header
	canary string

	mu    sync.Mutex
	seen  int
	shown []string // the command lines with the canary in them
	next  http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	g.mu.Lock()
	g.seen++
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), g.canary) {
			g.shown = append(g.shown, string(line))
		}
	}
	g.mu.Unlock()
	for name, values := range g.want {
		if !slices.Equal(q.Header[name], values) {
			http.Error(w, "who are you, "+strings.Join(q.Header[name], ", "), http.StatusUnauthorized)
			return
		}
	}
	g.next.ServeHTTP(w, q)
}

func testActionHeaders(t *testing.T, r *actionRun) {
	served := actionWorkspace(t, r, "skills")
	address, err := url.Parse(serveSkills(t, r, served))
	if err != nil {
		t.Fatal(err)
	}
	const canary = "c4nary-$(touch pwned)`id`'\"\\-s3cret"
	passed := actionWant{0, "0", "0", "0", nil, []string{"passed"}}
	refused := actionWant{3, "0", "0", "0", []string{"refuses the credentials"}, []string{"incomplete", "refuses the credentials"}}
	malformed := actionWant{2, "", "", "", []string{"a header is written 'Name: value'"}, []string{"could not run"}}
	for name, test := range map[string]struct {
		headers string
		sent    http.Header
		want    actionWant
		env     string
	}{
		"a secret as it is":               {"Authorization: Bearer " + canary, http.Header{"Authorization": {"Bearer " + canary}}, passed, ""},
		"a variable":                      {"Authorization: Bearer ${TOKEN}", http.Header{"Authorization": {"Bearer " + canary}}, passed, "TOKEN=" + canary},
		"both, and another":               {"\r\n Authorization:" + canary + " ${A}:${A}.\r\n\nX-Team.Name: a: b, c = $d ${e\n", http.Header{"Authorization": {canary + " " + canary + ":" + canary + "."}, "X-Team.name": {"a: b, c = $d ${e"}}, passed, "A=" + canary},
		"wrong, as it is":                 {"Authorization: Bearer " + canary, http.Header{"Authorization": {"other"}}, refused, ""},
		"wrong, in a variable":            {"Authorization: Bearer ${TOKEN}", http.Header{"Authorization": {"other"}}, refused, "TOKEN=" + canary},
		"a secret without a name":         {"Bearer " + canary, nil, malformed, ""},
		"a secret where a name should be": {canary + ": Bearer", nil, malformed, ""},
		"a variable that is not set":      {"Authorization: " + canary + "${NOBODY_SET_THIS}", nil, actionWant{2, "", "", "", []string{"header Authorization: the environment variable NOBODY_SET_THIS is not set"}, nil}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := &guard{want: test.sent, canary: "c4nary", next: httputil.NewSingleHostReverseProxy(&url.URL{Scheme: address.Scheme, Host: address.Host})}
			server := httptest.NewServer(g)
			defer server.Close()
			workspace := t.TempDir()
			if err := os.CopyFS(workspace, os.DirFS(served)); err != nil {
				t.Fatal(err)
			}
			run := r.use(t, workspace, map[string]string{"mode": "lint", "server": server.URL + address.Path, "headers": test.headers, "formats": "json:own.json\nmarkdown:own.md"}, test.env)
			test.want.check(t, run)
			if (g.seen > 0) != (test.sent != nil) {
				t.Errorf("the server saw %d requests", g.seen)
			}
			if len(g.shown) > 0 {
				t.Errorf("a process list shows the secret: %q", g.shown)
			}
			outputs, _ := json.Marshal(run.outputs(t))
			texts := map[string]string{"the log": run.log, "the summary": run.summary, "the outputs": string(outputs)}
			for _, dir := range []string{workspace, r.temp} {
				for path := range filesIn(t, dir) {
					if filepath.Base(path) != "skillpack" {
						texts[path] = readText(t, path)
					}
				}
			}
			for where, text := range texts {
				if strings.Contains(text, "c4nary") || strings.Contains(text, "s3cret") {
					t.Errorf("%s holds the secret:\n%s", where, text)
				}
			}
			if _, err := os.Stat(filepath.Join(workspace, "pwned")); err == nil {
				t.Error("the secret ran as a command")
			}
		})
	}
}

// filesIn lists the files below a folder.
func filesIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files[path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// testActionHostile gives each input values that a shell, a flag parser or the
// runner's log could take for something else. Nothing may run, no file may
// appear, and no line of the log may be a workflow command of the value's.
func testActionHostile(t *testing.T, r *actionRun) {
	served := actionWorkspace(t, r, "skills")
	address := serveSkills(t, r, served)
	values := []string{
		"$(touch pwned)", "`touch pwned`", "; touch pwned #", "'; touch pwned; '", `"; touch pwned; "`, "*",
		"--output=json:pwned", "-h", "--", "\n::error title=pwned::x", "a\r::error title=pwned::x", "x\nexit-status=0", "100 %0A::error title=pwned::x", "%s \\",
	}
	ownCommand := regexp.MustCompile(`(?m)^::[a-z-]+ [^:]*title=pwned`)
	for _, input := range []string{"directory", "mode", "server", "headers", "manifest", "verify", "wait", "strict", "formats", "config"} {
		t.Run(input, func(t *testing.T) {
			for _, v := range values {
				workspace := t.TempDir()
				if err := os.CopyFS(workspace, os.DirFS(served)); err != nil {
					t.Fatal(err)
				}
				before := filesIn(t, workspace)
				inputs := map[string]string{"mode": "lint", "server": address, "conformance": "false", "verify": "false", input: v}
				if input == "directory" || input == "manifest" && strings.HasPrefix(v, "-") {
					inputs["mode"] = "build-check"
				}
				run := r.use(t, workspace, inputs)
				if run.status != 2 && !(run.status == 1 && input == "manifest") {
					t.Errorf("%q: status %d, want 2: it is no valid value\n%s", v, run.status, run.log)
				}
				if got := run.outputs(t)["exit-status"]; got != strconv.Itoa(run.status) {
					t.Errorf("%q: output exit-status is %q, the step ends with %d", v, got, run.status)
				}
				if line := ownCommand.FindString(run.log); line != "" {
					t.Errorf("%q: the log holds a command of the value's: %s", v, line)
				}
				for path := range filesIn(t, workspace) {
					if !before[path] {
						t.Errorf("%q: the file %s has appeared", v, path)
					}
				}
			}
		})
	}

	// The same characters in a directory's name are only characters.
	for _, dir := range []string{"agent skills", "$(touch pwned)", "it's \"quoted\"", "-d", "a\nb", "`id`;&|<>*"} {
		t.Run(dir, func(t *testing.T) {
			workspace := actionWorkspace(t, r, dir)
			actionWant{status: 0, errors: "0", warnings: "0", drift: "0"}.check(t, r.use(t, workspace, map[string]string{"directory": dir}))
			actionWant{status: 0, errors: "0", warnings: "0", drift: "0"}.check(t, r.use(t, workspace, map[string]string{"directory": dir, "mode": "lint", "server": address}))
			if _, err := os.Stat(filepath.Join(workspace, "pwned")); err == nil {
				t.Error("the name ran as a command")
			}
		})
	}
}
