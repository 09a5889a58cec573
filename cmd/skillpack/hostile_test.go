//go:build unix

package main_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// The canaries stand for secrets. Every run gets all of them, so that no case,
// whatever it fails with and in whatever format, may print one.
const (
	canaryHeader = "Canary+header/5f1c"
	canaryUser   = "canary-user-77ab"
	canaryPass   = "canary-pass-c0de"
	canaryQuery  = "canary-query-91e2"
	canaryEnv    = "canary-env-3d4d"
)

// evil is put wherever a server may put a string: it clears the terminal,
// starts lines of its own, among them GitHub workflow commands, and turns the
// direction of the text.
const evil = "x\x1b[2J\x1b]0;owned\x07\u009b31m\r\n::error file=a::owned\n##[error]owned\n::add-mask::owned\u202e\u2028\u2029\x00\x7f]]><b>|`"

// layer is a part of the way from a server's socket to a skill. The fault table
// of docs/reliability-*.md has a section for each.
type layer struct {
	name, title string
	servers     func() []hostile
}

var layers = []layer{
	{"tcp", "TCP", tcpServers},
	{"tls", "TLS", tlsServers},
	{"http", "HTTP status and headers", httpServers},
	{"redirect", "Redirects", redirectServers},
	{"body", "HTTP bodies and compression", bodyServers},
	{"sse", "Server-sent events", eventServers},
	{"jsonrpc", "JSON-RPC", rpcServers},
	{"mcp", "MCP", mcpServers},
	{"listing", "Listings", listingServers},
	{"file", "Files and folders", fileServers},
	{"text", "Hostile text", textServers},
	{"secret", "Secrets told back", tellers},
	{"stdio", "A server as a child process", childServers},
	{"signal", "Signals to skillpack", signalled},
}

// hostile is one server and what must come of it. Name, exits and says are a row
// of the document.
type hostile struct {
	name    string
	http    hook     // over HTTP, or
	stdio   string   // as a child, in this mode of childMain, or
	command []string // as a command, or
	URL     func(t *testing.T) string
	args    []string                    // more flags
	env     func(t *testing.T) []string // more of the environment
	bare    bool                        // neither --verify nor --conformance
	text    bool                        // only the text report: the others would be many MB
	built   bool                        // compared with the honest skill

	exits []int         // the exit statuses allowed
	says  string        // in stdout or stderr; every fault has one
	must  []string      // more of the same
	never []string      // in stdout, stderr and every report
	max   time.Duration // wall time; 0 is the timeout and a margin
	rss   int64         // peak MiB; 0 is 200. Such a server keeps a processor busy.
	kill  syscall.Signal
	loose bool // no one line says why: the run was killed
}

// The outcomes: see docs/commands.md.
var (
	clean     = []int{0}
	faulty    = []int{1}
	cut       = []int{2} // the check is incomplete, or the server no MCP server
	refused   = []int{3}
	unreached = []int{4}    // or timed out
	failed    = []int{2, 4} // whichever limit is met first: the size of a message or the time
)

var reports = []string{"json", "sarif", "github", "junit", "markdown"}

func TestHostileServers(t *testing.T) {
	testfiles.Slow(t, "runs whole processes for most of a minute")
	path := binary(t)
	t.Parallel()
	each(t, func(t *testing.T, h hostile) {
		if (h.rss > 0 || slices.Contains(h.exits, 4)) && !testfiles.Everything() {
			t.Skip("keeps a processor busy, or waits; SKILLPACK_TEST=all runs it")
		}
		h.try(t, path)
	})
}

// each runs f for every server, under LAYER/NAME. Most cases wait, so many run
// at once, whatever -parallel says, but of those that keep a processor busy only
// two.
func each(t *testing.T, f func(t *testing.T, h hostile)) {
	places, busy := make(chan bool, 16), make(chan bool, 2)
	var all sync.WaitGroup
	for _, l := range layers {
		all.Go(func() {
			t.Run(l.name, func(t *testing.T) {
				var layer sync.WaitGroup
				for _, h := range l.servers() {
					layer.Go(func() {
						if h.rss > 0 {
							busy <- true
							defer func() { <-busy }()
						}
						places <- true
						defer func() { <-places }()
						t.Run(h.name, func(t *testing.T) { f(t, h) })
					})
				}
				layer.Wait()
			})
		})
	}
	all.Wait()
}

// arguments are those of skillpack for one server, whose reports go to dir.
func (h hostile) arguments(t *testing.T, dir string) []string {
	args := []string{"lint"}
	if h.built {
		honest := filepath.Join(dir, "skills.manifest.json")
		if err := os.WriteFile(honest, []byte(text(object{"skills": []object{alpha()}})), 0o600); err != nil {
			t.Fatal(err)
		}
	} else {
		args = append(args, "--no-manifest")
	}
	if !h.bare {
		args = append(args, "--verify", "--conformance")
	}
	switch {
	case slices.Contains(h.args, "--timeout"):
	case slices.Contains(h.exits, 4):
		args = append(args, "--timeout", "3s")
	default:
		args = append(args, "--timeout", "5m") // it ends by itself, however busy the machine is
	}
	args = append(args, h.args...)
	if !h.text {
		for _, f := range reports {
			args = append(args, "--output", f+":"+filepath.Join(dir, f))
		}
	}
	if h.stdio != "" {
		h.command = child(t, h.stdio, dir)
	}
	if h.command != nil {
		return append(append(args, "--"), h.command...)
	}
	return append(args, "--header", "X-Canary: ${HOSTILE_HEADER}", secret(h.at(t)))
}

// at starts the server over HTTP and returns its URL.
func (h hostile) at(t *testing.T) string {
	if h.URL != nil {
		return h.URL(t)
	}
	return listen(t, serve(h.http))
}

// child is the command of a server in a mode of childMain.
func child(t *testing.T, mode, dir string) []string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, "hostile-child", mode, dir}
}

func (h hostile) try(t *testing.T, path string) {
	if h.env == nil {
		h.env = func(*testing.T) []string { return nil }
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, h.arguments(t, dir)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HOSTILE_TOKEN="+canaryEnv, "HOSTILE_HEADER="+canaryHeader, "NO_COLOR=1"), h.env(t)...)
	cmd.WaitDelay = 2 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what a child does to it must not reach this test
	var stdout, stderr clipped
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	peakOf := watch(cmd.Process.Pid)
	if h.kill != 0 {
		time.AfterFunc(1500*time.Millisecond, func() { cmd.Process.Signal(h.kill) })
	}
	err := cmd.Wait()
	took := time.Since(start)
	code, peak := cmd.ProcessState.ExitCode(), peakOf(cmd.ProcessState)
	worked := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("exit %d, %v, of it %v of work, %d MiB\nstdout: %s\nstderr: %s", code, took.Round(10*time.Millisecond), worked.Round(10*time.Millisecond), peak, stdout.head(), stderr.head())

	if errors.Is(err, exec.ErrWaitDelay) {
		t.Error("something that outlives lint holds its stdout or stderr")
	}
	if !slices.Contains(h.exits, code) {
		t.Errorf("exit status %d, want one of %v", code, h.exits)
	}
	// Whatever waits ends by its --timeout, and a machine that does other things too
	// is some seconds slower. Of what ends by itself only the work is the same on
	// every machine; one that waits must not spin.
	if limit := max(h.max, 8*time.Second) + 30*time.Second; took > limit && (slices.Contains(h.exits, 4) || h.rss == 0) {
		t.Errorf("took %v, at most %v allowed", took, limit)
	}
	limit := 1500 * time.Millisecond
	if h.rss > 0 || strings.Contains(h.name, "flood") {
		limit = 30 * time.Second
	}
	if worked > limit {
		t.Errorf("worked for %v, at most %v allowed", worked, limit)
	}
	if limit := max(h.rss, 200); peak > limit {
		t.Errorf("peak of %d MiB, at most %d allowed", peak, limit)
	}
	said := stdout.String() + "\n" + stderr.String()
	for _, s := range append(h.must, h.says) {
		if !strings.Contains(said, s) {
			t.Errorf("neither stdout nor stderr has %q", s)
		}
	}
	if n := strings.Count("\n"+stderr.String(), "\nskillpack: "); code > 1 && n != 1 && !h.loose {
		t.Errorf("%d lines on stderr say why, want 1", n)
	}
	h.inspect(t, "stdout", stdout.String())
	h.inspect(t, "stderr", stderr.String())
	if !h.text {
		for _, f := range reports {
			b, err := os.ReadFile(filepath.Join(dir, f))
			if err != nil {
				t.Errorf("no %s report: %v", f, err)
				continue
			}
			wellFormed(t, f, b, code)
			h.inspect(t, f, string(b))
		}
	}
	if h.stdio != "" {
		gone(t, dir)
	}
}

// secretForms are the canaries in every form that is promised to be masked.
var secretForms = func() (forms []string) {
	for _, c := range []string{canaryHeader, canaryPass, canaryQuery, canaryEnv} {
		forms = append(forms, encodings(c)...)
	}
	return append(forms, base64.StdEncoding.EncodeToString([]byte(canaryUser+":"+canaryPass)))
}()

// inspect holds one stream or report against what none may contain.
func (h hostile) inspect(t *testing.T, name, text string) {
	for _, s := range append([]string{"panic:", "<nil>", "goroutine 1", "runtime error", "nil pointer", "0xc000", "%!"}, h.never...) {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s has %q: …%q…", name, s, text[max(0, i-80):min(len(text), i+80)])
		}
	}
	noSecrets(t, name, text)
	for line := range strings.Lines(text) {
		for _, s := range []string{"::error file=a::", "##[", "::add-mask"} {
			if strings.HasPrefix(line, s) {
				t.Errorf("%s has a line that the server wrote: %q", name, line)
			}
		}
	}
	for i, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || strings.ContainsRune("\u202e\u2028\u2029", r) {
			t.Errorf("%s has the raw character %U: %q", name, r, text[max(0, i-60):min(len(text), i+60)])
			break
		}
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s is not valid UTF-8", name)
	}
}

// noSecrets fails for a canary in a text, in any of the forms.
func noSecrets(t *testing.T, name, text string) {
	t.Helper()
	lower := strings.ToLower(text)
	for _, s := range secretForms {
		if i := strings.Index(lower, strings.ToLower(s)); i >= 0 {
			t.Errorf("%s has the secret %q: …%q…", name, s, lower[max(0, i-80):min(len(lower), i+80)])
		}
	}
}

func wellFormed(t *testing.T, format string, b []byte, code int) {
	switch format {
	case "json":
		var r struct{ OK, Complete *bool }
		if err := json.Unmarshal(b, &r); err != nil || r.OK == nil || r.Complete == nil {
			t.Errorf("the JSON report is not one: %v", err)
		} else if *r.OK != (code == 0) || *r.Complete != (code == 0 || code == 1) {
			t.Errorf("the JSON report says ok %v and complete %v, the exit status is %d", *r.OK, *r.Complete, code)
		}
	case "sarif":
		if !json.Valid(b) {
			t.Error("the SARIF report is not JSON")
		}
	case "junit":
		d := xml.NewDecoder(bytes.NewReader(b))
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Errorf("the JUnit report is not XML: %v", err)
				return
			}
		}
	}
}
