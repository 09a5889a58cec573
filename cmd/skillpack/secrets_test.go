//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// secretConfig holds every canary in a place where a user may write one: in the
// file as it is, and by a variable.
const secretConfig = `skills: ./skills
servers:
  literal:
    url: "http://` + canaryUser + `:` + canaryPass + `@127.0.0.1:1/mcp?token=` + canaryQuery + `"
    headers: {Authorization: "Bearer ` + canaryHeader + `"}
  variable: {url: "http://127.0.0.1:1/${HOSTILE_TOKEN}", headers: {X-Canary: "${HOSTILE_HEADER}"}}
  child: {command: [sh, -c, "echo $K >&2; echo ${HOSTILE_TOKEN} >&2; exit 1", "${HOSTILE_TOKEN}"], env: {K: "` + canaryHeader + `"}}
`

const secretEditor = `{"mcpServers": {
  "literal": {"url": "http://127.0.0.1:1/mcp?token=` + canaryQuery + `", "headers": {"Authorization": "` + canaryHeader + `"}},
  "child": {"command": "sh", "args": ["-c", "env >&2; exit 1"], "env": {"K": "` + canaryHeader + `"}},
  "wrong": {"url": "http://127.0.0.1:1", "headers": {"Authorization": ["` + canaryHeader + `"]}},
}}`

// secretProject is a folder with a skill and those files.
func secretProject(t *testing.T) string {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"skills/alpha/SKILL.md": skillText, "skills/alpha/notes.md": notesText,
		"skillpack.yaml": secretConfig, "mcp.json": secretEditor,
		"broken.yaml": strings.Replace(secretConfig, "headers: {Authorization", "headers: [Authorization", 1),
		"broken.json": strings.Replace(secretEditor, `"headers": {`, `"headers" {`, 1),
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// secretive is skillpack in a folder, with the canaries in its environment.
func secretive(t *testing.T, path, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOSTILE_TOKEN="+canaryEnv, "HOSTILE_HEADER="+canaryHeader)
	return cmd
}

// TestSecrets holds what docs/reliability-servers.md promises about secrets, but
// for what servers tell: TestHostileServers has those.
func TestSecrets(t *testing.T) {
	testfiles.Slow(t, "builds the binary")
	path := binary(t)
	t.Run("commands", func(t *testing.T) { commandsKeepSecrets(t, path) })
	t.Run("process", func(t *testing.T) { processKeepsSecrets(t, path) })
	t.Run("serve", func(t *testing.T) { serveKeepsSecrets(t, path) })
}

// commandsKeepSecrets runs every command where secrets are in the configuration
// and the environment, and looks for them in all it prints and writes.
func commandsKeepSecrets(t *testing.T, path string) {
	dir := secretProject(t)
	for _, test := range []struct {
		args string
		exit int
	}{
		{"build", 0},
		{"build --check", 0},
		{"check --strict", 0},
		{"diff skills.manifest.json skills", 0},
		{"version", 0},
		{"rules", 0},
		{"schema config", 0},
		{"init beta", 0},
		{"completion bash", 0},
		{"lint --generate-shell-completion", 0},
		{"lint --server --generate-shell-completion", 0},
		{"lint --header --generate-shell-completion", 0},
		{"lint --header " + canaryHeader + " --generate-shell-completion", 0},
		{"lint --help", 0},
		{"lint --server literal", 4},
		{"lint --server variable", 4},
		{"lint --server child", 4},
		{"lint --all-servers", 4},
		{"lint --server none", 2},
		{"lint --config broken.yaml --server literal", 2},
		{"lint --mcp-config mcp.json --server literal", 4},
		{"lint --mcp-config mcp.json --server child", 4},
		{"lint --mcp-config mcp.json --server wrong", 2},
		{"lint --mcp-config mcp.json", 2},
		{"lint --mcp-config broken.json --server literal", 2},
		{"lint --header=" + canaryHeader + " http://127.0.0.1:1", 2},
		{"lint --heeader=" + canaryHeader + " http://127.0.0.1:1", 2},
		{"lint --header A:" + canaryHeader + " --timeout=soon", 2},
		{"lint --header A:" + canaryHeader + " ftp://" + canaryUser + ":" + canaryPass + "@host", 2},
		{"lint --header A:" + canaryHeader + " https:" + canaryUser + ":" + canaryPass + "@host", 2},
		{"lint --header A:" + canaryHeader + " http://[::1:" + canaryPass + "@host", 2},
		{"lint http://127.0.0.1:1 --header", 2},
		{"serve --http 256.0.0.1:1 -v", 2},
	} {
		for _, format := range []string{"text", "json"} {
			args := strings.Fields(test.args)
			if strings.HasPrefix(test.args, "lint --s") || strings.HasPrefix(test.args, "lint --a") {
				args = append(args, "--format", format)
				for _, f := range reports {
					args = append(args, "--output", f+":report."+f)
				}
				if strings.Contains(test.args, "completion") {
					args = strings.Fields(test.args)
				}
			}
			cmd := secretive(t, path, dir, args...)
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != test.exit && !(strings.HasPrefix(test.args, "init") && format == "json") {
				t.Errorf("%s: exit status %d, want %d: %s", test.args, code, test.exit, out)
			}
			noSecrets(t, test.args, string(out))
		}
	}
	written := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch d.Name() {
		case "skillpack.yaml", "mcp.json", "broken.yaml", "broken.json":
			return nil
		}
		b, err := os.ReadFile(path)
		written++
		noSecrets(t, d.Name(), string(b))
		return err
	})
	if err != nil || written < 10 {
		t.Errorf("%d files were written and looked at: %v", written, err)
	}
}

// processKeepsSecrets holds that a header given by ${VAR} is neither in
// the process list nor in the environment of a child, and that a crash of a run
// that has it does not print it.
func processKeepsSecrets(t *testing.T, path string) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	dir := secretProject(t)
	asked := make(chan bool, 100)
	url := listen(t, serve(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if r.Header.Get("X-Canary") == canaryHeader && r.URL.Query().Get("token") == canaryEnv {
			asked <- true
		}
		hang(w, r, q)
		return true
	}))
	cmd := secretive(t, path, dir, "lint", "--no-manifest", "--header", "X-Canary: ${HOSTILE_HEADER}", url+"/mcp?token=${HOSTILE_TOKEN}")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(30 * time.Second):
		t.Error("the server did not get the header and the query")
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
	if err != nil || !strings.Contains(string(line), "${HOSTILE_HEADER}") {
		t.Errorf("the command line is %q, %v", line, err)
	}
	noSecrets(t, "the command line", string(line))
	cmd.Process.Signal(syscall.SIGQUIT) // the trace of every goroutine, as of a crash
	cmd.Wait()
	if !strings.Contains(out.String(), "goroutine 1 ") {
		t.Errorf("no trace in %s", out.String())
	}
	noSecrets(t, "the trace", out.String())
}

// serveKeepsSecrets holds that serve -v prints what is asked for and nothing of
// who asks.
func serveKeepsSecrets(t *testing.T, path string) {
	dir := secretProject(t)
	cmd := secretive(t, path, dir, "serve", "-v", "--http", "127.0.0.1:0")
	var out lockedBuffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := ""
	for range 500 {
		if _, rest, ok := strings.Cut(out.String(), "at http://"); ok {
			address, _, _ = strings.Cut(rest, "/mcp\n")
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	lint := secretive(t, path, dir, "lint", "--no-manifest", "--verify", "--conformance", "--header", "Authorization: Bearer ${HOSTILE_HEADER}", "--header", "Cookie: a=${HOSTILE_TOKEN}", secret("http://"+address))
	said, err := lint.CombinedOutput()
	if err != nil {
		t.Errorf("lint: %v: %s", err, said)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if !strings.Contains(out.String(), "skills/list") {
		t.Errorf("serve -v printed %s", out.String())
	}
	noSecrets(t, "serve -v", out.String())
	noSecrets(t, "lint", string(said))
}
