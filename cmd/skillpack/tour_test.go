package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// shown is a command of the documentation, and the output printed below it.
type shown struct{ command, output string }

// consoleBlocks returns the commands of the console blocks of a section.
func consoleBlocks(t *testing.T, file, heading string) []shown {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", file, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var all []shown
	for _, block := range strings.Split(section, "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```\n")
		for _, one := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, output, _ := strings.Cut(one, "\n")
			if output = strings.TrimRight(output, "\n"); output != "" {
				output += "\n"
			}
			all = append(all, shown{command, output})
		}
	}
	return all
}

// TestReadmeTour runs every command of the README's tour and compares what it
// prints, byte for byte. SKILLPACK_BINARY names the program, for instance that of
// a release; without it one is built. The commands that start a Node server need
// SKILLPACK_NODE_PATH, the node_modules of testdata/interop.
func TestReadmeTour(t *testing.T) {
	binary, modules := os.Getenv("SKILLPACK_BINARY"), os.Getenv("SKILLPACK_NODE_PATH")
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "bin", "skillpack")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if binary == "" {
		if testing.Short() {
			t.Skip("builds the program")
		}
		if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	} else if err := os.Symlink(binary, path); err != nil {
		t.Fatal(err)
	}

	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, name := range []string{"skills", "deployed"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS("../../examples/skills")); err != nil {
			t.Fatal(err)
		}
	}
	write("bad/refunds/SKILL.md", "---\nname: refund\ndescription: Use for refunds: full or partial\nmetadata:\n  version: 1.10\n  reviewed: 2024-01-31\n---\n\n# Refunds\n\nAsk the ledger.\n")
	const template, csv = "deployed/release-notes/templates/release-notes.md", "deployed/team/data/csv-profiling/SKILL.md"
	write(template, strings.ReplaceAll(read(template), "\n", "\r\n"))
	write(csv, strings.Replace(read(csv), "Profiles a CSV file", "Profiles CSV files", 1))
	if modules != "" {
		server, err := os.ReadFile(filepath.Join(modules, "../server.mjs"))
		if err != nil {
			t.Fatal(err)
		}
		write("server.mjs", string(server))
		if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}

	tour := consoleBlocks(t, "../../README.md", "A tour")
	if len(tour) < 5 {
		t.Fatalf("%d commands in the README's tour, want at least 5", len(tour))
	}
	// The example of a stale output is this edit, made after the build.
	const edited = "skills/release-notes/SKILL.md"
	original := read(edited)
	for _, s := range tour {
		t.Run(s.command, func(t *testing.T) {
			if strings.Contains(s.command, " node ") && modules == "" {
				t.Skip("SKILLPACK_NODE_PATH is not set: run npm ci in testdata/interop and name its node_modules")
			}
			if strings.Contains(s.command, "--check") {
				write(edited, original+"\nMore.\n")
				defer write(edited, original)
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", s.command)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "GOPACKAGE=")
			var both, reports strings.Builder
			cmd.Stdout, cmd.Stderr = io.MultiWriter(&both, &reports), &both
			err := cmd.Run()
			if _, exited := err.(*exec.ExitError); err != nil && !exited {
				t.Fatal(err)
			}
			// Where the notes on stderr do not matter, only stdout is shown.
			if s.output != both.String() && s.output != reports.String() {
				t.Errorf("prints\n%swhile the README shows\n%s", both.String(), s.output)
			}
		})
	}
}
