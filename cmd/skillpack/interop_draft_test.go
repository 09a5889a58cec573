//go:build interop

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDraftServers lints two servers of earlier drafts, which list digests without
// sizes: a faithful copy gives warnings alone, and what differs is named.
func TestDraftServers(t *testing.T) {
	modules, err := filepath.Abs(nodeModules(t))
	if err != nil {
		t.Fatal(err)
	}
	skillpack := tool(t)
	servers := map[string]func(dir, port string) *exec.Cmd{
		"mcp-use": func(dir, port string) *exec.Cmd {
			cmd := exec.Command("node", filepath.Join(modules, "../draft-server.mjs"), port)
			cmd.Dir = dir
			return cmd
		},
		"hf-mcp-server": func(dir, port string) *exec.Cmd {
			text, err := os.ReadFile(filepath.Join(dir, "skills.manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "skills", "skills.json"), text, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(filepath.Join(modules, ".bin/hf-mcp-server-http"), "--port", port)
			cmd.Env = append(os.Environ(), "HF_SKILLS_DIR="+filepath.Join(dir, "skills"))
			return cmd
		},
	}
	for name, command := range servers {
		t.Run(name, func(t *testing.T) {
			built, served := skillsCopy(t, skillpack), skillsCopy(t, skillpack)
			lint := func() (string, int) {
				if _, stderr, status := runIn(t, served, skillpack, "build", "--no-go", "./skills"); status != 0 {
					t.Fatalf("build: %s", stderr)
				}
				port := freePort(t)
				cmd := command(served, port)
				startAt(t, cmd, port)
				defer func() {
					cmd.Process.Kill()
					cmd.Wait()
				}()
				stdout, stderr, status := runIn(t, built, skillpack, "lint", "--verify", "-m", "./skills", "http://127.0.0.1:"+port+"/mcp")
				return stdout + stderr, status
			}
			if out, status := lint(); status != 0 || strings.Count(out, "[missing-size]") != 1 || !strings.Contains(out, "16 files, 25 KiB") {
				t.Errorf("a faithful copy: status %d\n%s", status, out)
			}
			edit(t, filepath.Join(served, "skills/api-error-triage/references/retries.md"), "x")
			for _, path := range []string{"skills/team/data/csv-profiling/scripts/profile.py", "skills/brand-assets", "skills/skills.json"} {
				if err := os.RemoveAll(filepath.Join(served, path)); err != nil {
					t.Fatal(err)
				}
			}
			out, status := lint()
			if status != 1 {
				t.Errorf("a copy that differs: status %d", status)
			}
			for rule, uri := range map[string]string{
				"file-changed":  "skill://api-error-triage/references/retries.md",
				"file-missing":  "skill://team/data/csv-profiling/scripts/profile.py",
				"skill-missing": "skill://brand-assets/SKILL.md",
			} {
				found := false
				for line := range strings.Lines(out) {
					found = found || strings.HasPrefix(line, uri+": error:") && strings.Contains(line, "["+rule+"]")
				}
				if !found {
					t.Errorf("no %s of %s in\n%s", rule, uri, out)
				}
			}
		})
	}
}

// startAt starts a server and waits until its port answers.
func startAt(t *testing.T, cmd *exec.Cmd, port string) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return
		}
	}
	t.Fatalf("%s answers nothing on port %s", cmd.Path, port)
}
