//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// The canaries stand for secrets. Every run gets all of them, so that no case,
// whatever it fails with and in whatever format, may print one.
const (
	canaryHeader = "canary-header-5f1c"
	canaryUser   = "canary-user-77ab"
	canaryPass   = "canary-pass-c0de"
	canaryQuery  = "canary-query-91e2"
	canaryEnv    = "canary-env-3d4d"
)

// evil is put wherever a server may put a string: it clears the terminal,
// starts lines of its own, among them GitHub workflow commands, and turns the
// direction of the text.
const evil = "x\x1b[2J\x1b]0;owned\x07\u009b31m\r\n::error file=a::owned\n##[error]owned\n::add-mask::owned\u202e\u2028\u2029\x00\x7f]]><b>|`"

const (
	skillText = "---\nname: alpha\ndescription: Does what alpha does. Use it for alpha.\n---\n\n# Alpha\n\nRead [the notes](notes.md).\n"
	notesText = "# Notes\n\nNothing.\n"
	skillURI  = "skill://alpha/SKILL.md"
	notesURI  = "skill://alpha/notes.md"
)

type object = map[string]any

// rpc is a request as the servers here see it.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		URI    string `json:"uri"`
		Cursor string `json:"cursor"`
	} `json:"params"`
}

func resource(uri, text string) object {
	return object{"uri": uri, "digest": fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))), "size": len(text)}
}

func alpha() object {
	return object{
		"uri":         skillURI,
		"frontmatter": object{"name": "alpha", "description": "Does what alpha does. Use it for alpha."},
		"resources":   []object{resource(skillURI, skillText), resource(notesURI, notesText)},
	}
}

func capabilities(directoryRead bool) object {
	return object{"resources": object{}, "extensions": object{"io.modelcontextprotocol/skills": object{"directoryRead": directoryRead}}}
}

func complete(r object) object {
	r["resultType"], r["ttlMs"], r["cacheScope"] = "complete", 1000, "public"
	return r
}

// honest answers as a faultless server of one skill does; every hostile server
// is this one with one thing gone bad.
func honest(q rpc) (result object, code int) {
	info := object{"name": "hostile", "version": "1"}
	switch {
	case q.Params.Cursor != "":
		return nil, -32602
	case q.Method == "server/discover":
		return complete(object{"supportedVersions": []string{"2026-07-28"}, "capabilities": capabilities(false),
			"serverInfo": info, "_meta": object{"io.modelcontextprotocol/serverInfo": info}}), 0
	case q.Method == "initialize":
		return object{"protocolVersion": "2025-11-25", "capabilities": capabilities(false), "serverInfo": info}, 0
	case q.Method == "skills/list":
		return complete(object{"skills": []object{alpha()}}), 0
	case q.Method == "skills/get" && q.Params.URI == skillURI:
		return complete(object{"skill": alpha()}), 0
	case q.Method == "resources/list":
		return complete(object{"resources": []object{
			{"uri": skillURI, "mimeType": "text/markdown", "name": "alpha", "description": "Does what alpha does. Use it for alpha."},
			{"uri": notesURI, "mimeType": "text/markdown", "name": "notes"}}}), 0
	case q.Method == "resources/read" && q.Params.URI == skillURI:
		return contents(skillURI, skillText), 0
	case q.Method == "resources/read" && q.Params.URI == notesURI:
		return contents(notesURI, notesText), 0
	case q.Method == "skills/get", q.Method == "resources/read":
		return nil, -32602
	}
	return nil, -32601
}

func contents(uri, text string) object {
	return complete(object{"contents": []object{{"uri": uri, "mimeType": "text/markdown", "text": text}}})
}

func message(id json.RawMessage, result object, code int) object {
	if code != 0 {
		return object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": "no"}}
	}
	return object{"jsonrpc": "2.0", "id": id, "result": result}
}

// hook takes a request over, or returns false to have it answered honestly.
// A GET or DELETE has the empty method.
type hook func(w http.ResponseWriter, r *http.Request, q rpc) bool

func serve(h hook) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q rpc
		if r.Method == http.MethodPost {
			if json.NewDecoder(r.Body).Decode(&q) != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
		}
		// What is left unread of the body would keep a gone client unnoticed.
		io.Copy(io.Discard, r.Body)
		switch {
		case h(w, r, q):
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case len(q.ID) == 0:
			w.WriteHeader(http.StatusAccepted)
		default:
			result, code := honest(q)
			say(w, q, result, code)
		}
	})
}

func say(w http.ResponseWriter, q rpc, result object, code int) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(message(q.ID, result, code))
}

// on takes over the requests of one method.
func on(method string, h func(w http.ResponseWriter, r *http.Request, q rpc)) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if q.Method != method {
			return false
		}
		h(w, r, q)
		return true
	}
}

// legacy turns the 2025-11-25 handshake on: server/discover is unknown.
func legacy(h hook) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if q.Method == "server/discover" {
			say(w, q, nil, -32601)
			return true
		}
		return h(w, r, q)
	}
}

// raw writes a JSON answer around a result of which only the text is given.
func raw(w http.ResponseWriter, q rpc, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

// forever writes b until the client has gone, waiting between two writes.
func forever(w http.ResponseWriter, r *http.Request, b string, wait time.Duration) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, b); err != nil {
			return
		}
		if wait > 0 {
			http.NewResponseController(w).Flush()
			time.Sleep(wait)
		}
	}
}

func status(code int, headers ...string) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		return true
	}
}

func sse(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }

func event(w http.ResponseWriter, v any) {
	b, _ := json.Marshal(v)
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", b)
	http.NewResponseController(w).Flush()
}

// hostile is one server and what must come of it.
type hostile struct {
	name  string
	http  hook   // over HTTP, or
	stdio string // as a child, in this mode of childMain, or
	url   func(t *testing.T) string
	args  []string // more flags
	bare  bool     // neither --verify nor --conformance
	text  bool     // only the text report: the others would be many MB

	exits []int         // the exit statuses allowed
	max   time.Duration // wall time; 0 is the timeout and a margin
	rss   int64         // peak MiB; 0 is 200
	must  []string      // in stdout or stderr
	never []string      // in stdout, stderr and every report
	kill  syscall.Signal
	after func(t *testing.T)
}

var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "skillpack-hostile-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "skillpack")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

var reports = []string{"json", "sarif", "github", "junit", "markdown"}

func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs whole processes for most of a minute")
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(path)) })
	// Most cases wait, so many run at once, whatever -parallel says, but of
	// those that keep a processor busy only two.
	t.Parallel()
	var all sync.WaitGroup
	places, busy := make(chan bool, 12), make(chan bool, 2)
	for _, h := range append(httpServers(), childServers()...) {
		all.Go(func() {
			if h.rss > 0 {
				busy <- true
				defer func() { <-busy }()
			}
			places <- true
			defer func() { <-places }()
			t.Run(h.name, func(t *testing.T) { h.try(t, path) })
		})
	}
	all.Wait()
}

func (h hostile) try(t *testing.T, path string) {
	dir := t.TempDir()
	args := []string{"lint", "--no-manifest"}
	if !h.bare {
		args = append(args, "--verify", "--conformance")
	}
	if !slices.Contains(h.args, "--timeout") {
		args = append(args, "--timeout", "3s")
	}
	args = append(args, h.args...)
	if !h.text {
		for _, f := range reports {
			args = append(args, "--output", f+":"+filepath.Join(dir, f))
		}
	}
	switch {
	case h.stdio != "":
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--", self, "hostile-child", h.stdio, dir)
	case h.url != nil:
		args = append(args, "--header", "X-Canary: "+canaryHeader, secret(h.url(t)))
	default:
		args = append(args, "--header", "X-Canary: "+canaryHeader, secret(listen(t, serve(h.http))))
	}

	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOSTILE_CANARY="+canaryEnv, "NO_COLOR=1")
	cmd.WaitDelay = 2 * time.Second
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
	t.Logf("exit %d, %v, %d MiB\nstdout: %s\nstderr: %s", code, took.Round(10*time.Millisecond), peak, stdout.head(), stderr.head())

	if errors.Is(err, exec.ErrWaitDelay) {
		t.Error("something that outlives lint holds its stdout or stderr")
	}
	if !slices.Contains(h.exits, code) {
		t.Errorf("exit status %d, want one of %v", code, h.exits)
	}
	// A hang is minutes; a machine that does other things too is some seconds slower.
	if limit := max(h.max, 8*time.Second) + 12*time.Second; took > limit {
		t.Errorf("took %v, at most %v allowed", took, limit)
	}
	if limit := max(h.rss, 200); peak > limit {
		t.Errorf("peak of %d MiB, at most %d allowed", peak, limit)
	}
	said := stdout.String() + "\n" + stderr.String()
	for _, s := range h.must {
		if !strings.Contains(said, s) {
			t.Errorf("neither stdout nor stderr has %q", s)
		}
	}
	if code != 0 && strings.TrimSpace(said) == "" {
		t.Error("failed without a word")
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
	if h.after != nil {
		h.after(t)
	}
}

// inspect holds one stream or report against what none may contain.
func (h hostile) inspect(t *testing.T, name, text string) {
	bad := append([]string{"panic:", "<nil>", "goroutine 1", "runtime error", "nil pointer", "0xc000", "%!",
		canaryHeader, canaryPass, canaryQuery, canaryEnv,
		base64.StdEncoding.EncodeToString([]byte(canaryUser + ":" + canaryPass))}, h.never...)
	for _, s := range bad {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s has %q: …%q…", name, s, text[max(0, i-80):min(len(text), i+80)])
		}
	}
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

// clipped keeps the first MiB of a stream, enough to judge it by. The buffer
// is no embedded field: its ReadFrom would get around the clipping.
type clipped struct {
	kept  bytes.Buffer
	total int
}

func (c *clipped) Write(b []byte) (int, error) {
	c.total += len(b)
	c.kept.Write(b[:min(len(b), max(0, 1<<20-c.kept.Len()))])
	return len(b), nil
}

// String leaves out a character that the clipping halved.
func (c *clipped) String() string {
	s := c.kept.String()
	for i := 0; c.total > len(s) && i < 3 && !utf8.ValidString(s[max(0, len(s)-4):]); i++ {
		s = s[:len(s)-1]
	}
	return s
}

func (c *clipped) head() string {
	s := c.String()
	return fmt.Sprintf("(%d bytes) %q", c.total, s[:min(len(s), 1500)])
}

// watch follows the greatest resident size of a process in MiB. The kernel's
// own count, in rusage, starts from the size of the test that forked it, so on
// Linux the high-water mark of the process itself is read while it runs.
func watch(pid int) (peak func(*os.ProcessState) int64) {
	var high atomic.Int64
	done := make(chan bool)
	go func() {
		for {
			b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if _, rest, ok := strings.Cut(string(b), "VmHWM:"); ok {
				kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				high.Store(max(high.Load(), kib>>10))
			}
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func(p *os.ProcessState) int64 {
		close(done)
		usage, ok := p.SysUsage().(*syscall.Rusage)
		switch {
		case runtime.GOOS == "linux" || !ok:
			return high.Load()
		case runtime.GOOS == "darwin":
			return usage.Maxrss >> 20
		}
		return usage.Maxrss >> 10
	}
}

func listen(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// tcp is a server below HTTP: f has one connection.
func tcp(t *testing.T, f func(c net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); f(c) }()
		}
	}()
	return "http://" + l.Addr().String()
}

// secret puts the canaries that a URL can carry into one.
func secret(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + canaryUser + ":" + canaryPass + "@" + rest + "/mcp?token=" + canaryQuery
}

// gone checks that every process that took a lock in dir has ended.
func gone(t *testing.T, dir string) {
	locks, _ := filepath.Glob(filepath.Join(dir, "lock-*"))
	if len(locks) == 0 {
		t.Error("the child never ran")
	}
	for _, path := range locks {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for deadline := time.Now().Add(time.Second); ; time.Sleep(20 * time.Millisecond) {
			if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
				break
			}
			if time.Now().After(deadline) {
				b, _ := os.ReadFile(path)
				t.Errorf("%s, pid %s, outlives lint", filepath.Base(path), b)
				if pid, err := strconv.Atoi(string(b)); err == nil && pid > 1 {
					syscall.Kill(pid, syscall.SIGKILL)
				}
				break
			}
		}
	}
}

var (
	clean     = []int{0}
	faulty    = []int{1}
	cut       = []int{2} // the check is incomplete
	refused   = []int{3}
	unreached = []int{4}    // or timed out
	failed    = []int{2, 4} // incomplete either way
	partial   = []int{1, 2, 4}
)

func httpServers() []hostile {
	return slices.Concat(slowServers(), hugeServers(), odd(), pagers(), talkers(), refusers(), liars(), tellers())
}

func nothing(http.ResponseWriter, *http.Request, rpc) bool { return false }

func hang(w http.ResponseWriter, r *http.Request, q rpc) { <-r.Context().Done() }

// listing answers skills/list with that text for the skills.
func listing(skills string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		raw(w, q, `{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[`+skills+`]}`)
	})
}

// body answers skills/list with that text and type, whatever they are.
func body(contentType, text string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, strings.ReplaceAll(text, "ID", string(q.ID)))
	})
}

// drain answers skills/list with text for ever.
func drain(contentType, prefix, text string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, strings.ReplaceAll(prefix, "ID", string(q.ID)))
		forever(w, r, text, 0)
	})
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func slowServers() []hostile {
	var asked atomic.Int64
	return []hostile{
		{name: "honest", http: nothing, exits: clean},
		{name: "honest 2025-11-25", http: legacy(nothing), exits: clean},
		{name: "never answers", http: on("server/discover", hang), exits: unreached},
		{name: "never lists", http: on("skills/list", hang), exits: unreached},
		{name: "never reads", http: on("resources/read", hang), exits: failed},
		{name: "slow drip", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			forever(w, r, " ", 50*time.Millisecond)
		}), exits: unreached},
		{name: "slow drip of headers", url: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				io.WriteString(c, "HTTP/1.1 200 OK\r\n")
				for {
					if _, err := io.WriteString(c, "X: y\r\n"); err != nil {
						return
					}
					time.Sleep(50 * time.Millisecond)
				}
			})
		}, exits: unreached},
		{name: "event stream without end", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			sse(w)
			forever(w, r, ": still here\n\n", 50*time.Millisecond)
		}), exits: failed},
		{name: "listening stream floods", http: legacy(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if r.Method != http.MethodGet {
				return false
			}
			sse(w)
			forever(w, r, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}\n\n", time.Millisecond)
			return true
		}), exits: clean},
		{name: "event stream that breaks off to be resumed", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if r.Method != http.MethodGet && q.Method != "skills/list" {
				return false
			}
			sse(w)
			fmt.Fprintf(w, "id: %d\nretry: 0\ndata:\n\n", asked.Add(1))
			return true
		}, exits: failed, after: func(t *testing.T) {
			if n := asked.Load(); n > 2000 {
				t.Errorf("asked %d times in 3 s", n)
			}
		}},
		{name: "429 with a Retry-After of an hour", http: status(429, "Retry-After", "3600"), exits: failed, must: []string{"429"}},
		{name: "503 with a Retry-After of an hour", http: status(503, "Retry-After", "3600"), exits: failed, must: []string{"503"}},
		{name: "429 for the files", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}), exits: partial},
		{name: "connection reset in a body", http: on("skills/list", reset("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"jsonrpc\":")), exits: failed},
		{name: "connection reset for every file", http: on("resources/read", reset("")), exits: partial},
		{name: "nobody listens", url: func(t *testing.T) string {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			return "http://" + l.Addr().String()
		}, exits: unreached},
		{name: "no such host", url: func(*testing.T) string { return "http://hostile.invalid" }, exits: unreached},
		{name: "speaks SSH", url: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\x1b[2J\r\n"); io.Copy(io.Discard, c) })
		}, exits: failed},
		{name: "TLS with an unknown certificate", url: func(t *testing.T) string {
			s := httptest.NewUnstartedServer(serve(nothing))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.StartTLS()
			t.Cleanup(s.Close)
			return s.URL
		}, exits: unreached, must: []string{"certificate"}},
		{name: "speaks HTTP for https", url: func(t *testing.T) string {
			return strings.Replace(listen(t, serve(nothing)), "http:", "https:", 1)
		}, exits: failed},
	}
}

// reset writes that much by hand and resets the connection.
func reset(head string) func(w http.ResponseWriter, r *http.Request, q rpc) {
	return func(w http.ResponseWriter, r *http.Request, q rpc) {
		c, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		buf.WriteString(head)
		buf.Flush()
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
}

func hugeServers() []hostile {
	wait := func(seconds string) []string { return []string{"--timeout", seconds} }
	aaa := strings.Repeat("a", 1<<16)
	dup := text(resource(skillURI, skillText))
	dups := `{"uri":"skill://alpha/SKILL.md","frontmatter":{"name":"alpha","description":"d"},"resources":[` +
		strings.Repeat(dup+",", 299_999) + dup + `]}`
	long := alpha()
	long["uri"] = "skill://" + strings.Repeat("a/../%2e%2e/e\u0301/", 1<<19) + "SKILL.md"
	return []hostile{
		{name: "endless body", http: drain("application/json", `{"jsonrpc":"2.0","id":ID,"result":{"skills":[],"x":"`, aaa), args: wait("6s"), exits: failed, max: 9 * time.Second, rss: 500},
		{name: "endless blanks", http: drain("application/json", "", strings.Repeat(" ", 1<<16)), args: wait("6s"), exits: failed, max: 9 * time.Second, rss: 500},
		{name: "endless event", http: drain("text/event-stream", "data: ", aaa), args: wait("6s"), exits: failed, max: 9 * time.Second, rss: 500},
		{name: "endless event of many lines", http: drain("text/event-stream", "", strings.Repeat("data: aaaaaaa\n", 1<<12)), args: wait("6s"), exits: failed, max: 9 * time.Second, rss: 500},
		{name: "endless error page", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.WriteHeader(500)
			forever(w, r, aaa, 0)
		}), args: wait("6s"), exits: failed, max: 9 * time.Second},
		{name: "endless headers", url: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				io.WriteString(c, "HTTP/1.1 200 OK\r\n")
				for {
					if _, err := io.WriteString(c, "X-A: "+aaa[:4000]+"\r\n"); err != nil {
						return
					}
				}
			})
		}, exits: failed},
		{name: "gzip bomb", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			var member bytes.Buffer
			z := gzip.NewWriter(&member)
			z.Write(make([]byte, 1<<20))
			z.Close()
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			forever(w, r, member.String(), 0)
		}), args: wait("6s"), exits: failed, max: 9 * time.Second, rss: 500},
		{name: "message of 65 MiB", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[%s],"x":"`, q.ID, text(alpha()))
			for range 65 << 4 {
				io.WriteString(w, aaa)
			}
			io.WriteString(w, `"}}`)
		}), args: wait("8s"), exits: cut, max: 11 * time.Second, rss: 500, must: []string{"64 MiB"}},
		{name: "files of 60 MiB each", http: bigFiles(3), args: append(wait("5s"), "--keep-going"), exits: partial, max: 8 * time.Second, rss: 800, text: true},
		{name: "a million tiny entries", http: listing("{}" + strings.Repeat(",{}", 999_999)), bare: true, args: wait("10s"), exits: partial, max: 13 * time.Second, rss: 800, text: true},
		{name: "300,000 duplicate resources", http: listing(dups), bare: true, args: wait("15s"), exits: partial, max: 15 * time.Second, rss: 1000, text: true, must: []string{"duplicate-resource"}},
		{name: "20,000 copies of one skill", http: listing(text(alpha()) + strings.Repeat(","+text(alpha()), 19_999)), bare: true, args: wait("15s"), exits: partial, max: 15 * time.Second, rss: 500, text: true, must: []string{"duplicate-skill"}},
		{name: "URI of 8 MiB", http: listing(text(long)), bare: true, args: wait("10s"), exits: partial, max: 13 * time.Second, rss: 700},
		{name: "16 MiB of combining marks for a file", http: read(skillText + strings.Repeat("\u0327\u0301", 4<<20)), args: append(wait("6s"), "--keep-going"), exits: partial, max: 9 * time.Second, rss: 700},
		{name: "alias bomb in the frontmatter", http: read("---\nname: alpha\ndescription: d\na: &a [x,x,x,x,x,x,x,x,x]\n" + bomb() + "---\n"), exits: faulty},
		{name: "deep YAML in the frontmatter", http: read("---\nname: alpha\ndescription: d\na: " + strings.Repeat("[", 60_000) + "\n---\n"), exits: faulty},
		{name: "unclosed frontmatter of 16 MiB", http: read("---\n" + strings.Repeat("a: &b *b\n", 16<<20/9)), args: wait("6s"), exits: partial, max: 9 * time.Second, rss: 700},
	}
}

func bomb() string {
	var b strings.Builder
	for c := 'b'; c <= 'z'; c++ {
		fmt.Fprintf(&b, "%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 8), c-1)
	}
	return b.String()
}

// read serves text as every file.
func read(text string) hook {
	return on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
		say(w, q, contents(q.Params.URI, text), 0)
	})
}

// bigFiles serves n files besides SKILL.md, each in a message just under the limit.
func bigFiles(n int) hook {
	a := alpha()
	for i := range n {
		a["resources"] = append(a["resources"].([]object), resource(fmt.Sprintf("skill://alpha/big%d", i), "x"))
	}
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		switch {
		case q.Method == "skills/list" && q.Params.Cursor == "":
			say(w, q, complete(object{"skills": []object{a}}), 0)
		case q.Method == "resources/read" && strings.HasPrefix(q.Params.URI, "skill://alpha/big"):
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","contents":[{"uri":%q,"blob":"`, q.ID, q.Params.URI)
			for range 60 << 4 {
				io.WriteString(w, strings.Repeat("A", 1<<16))
			}
			io.WriteString(w, `"}]}}`)
		default:
			return false
		}
		return true
	}
}

func odd() []hostile {
	everything := func(f func(w http.ResponseWriter, q rpc)) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "server/discover" {
				return false
			}
			f(w, q)
			return true
		}
	}
	json := "application/json"
	deep := func(open, close string, n int) string {
		return `{"uri":"skill://alpha/SKILL.md","frontmatter":{"name":"alpha","description":"d","x":` +
			strings.Repeat(open, n) + "1" + strings.Repeat(close, n) + `},"resources":"dynamic"}`
	}
	return []hostile{
		{name: "wrong content type", http: body("text/html", "<html>Sign in</html>"), exits: failed, must: []string{"text/html"}},
		{name: "no content", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) { w.WriteHeader(202) }), exits: failed},
		{name: "empty body", http: body(json, ""), exits: failed},
		{name: "truncated JSON", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"skills":[{"uri":"sk`), exits: failed},
		{name: "truncated JSON for a file", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", json)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"sk`, q.ID)
		}), exits: partial},
		{name: "a batch", http: body(json, `[{"jsonrpc":"2.0","id":ID,"result":{"skills":[]}}]`), exits: failed},
		{name: "JSON-RPC 1.0", http: body(json, `{"jsonrpc":"1.0","id":ID,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[]}}`), exits: partial},
		{name: "result and error", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[]},"error":{"code":1,"message":"m"}}`), exits: partial},
		{name: "odd error", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":"x","message":[]}}`), exits: partial},
		{name: "error code beyond range", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":1e400,"message":"m"}}`), exits: partial},
		{name: "JSON 10,001 deep", http: listing(deep("[", "]", 10_001)), exits: partial},
		{name: "an entry 9,000 deep beside a good one", http: listing(text(alpha()) + "," + deep(`{"a":`, "}", 9_000)), exits: faulty},
		{name: "JSON 5,000,000 deep", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":`+strings.Repeat("[", 5_000_000)), exits: failed, rss: 300},
		{name: "a key twice in the result", http: listing(`],"skills":[` + text(alpha())), exits: partial},
		{name: "a key twice in the frontmatter", http: listing(strings.Replace(text(alpha()), `"name":`, `"name":"beta","name":`, 1)), exits: partial},
		{name: "a key in capitals", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","Skills":[`+text(alpha())+`]}}`), exits: partial},
		{name: "ids of nobody", http: everything(func(w http.ResponseWriter, q rpc) {
			result, code := honest(q)
			q.ID = []byte("987654")
			say(w, q, result, code)
		}), exits: failed},
		{name: "ids that became strings", http: everything(func(w http.ResponseWriter, q rpc) {
			result, code := honest(q)
			q.ID = []byte(strconv.Quote(string(q.ID)))
			say(w, q, result, code)
		}), exits: failed},
		{name: "every answer thrice", http: everything(func(w http.ResponseWriter, q rpc) {
			result, code := honest(q)
			sse(w)
			for range 3 {
				event(w, message(q.ID, result, code))
			}
		}), exits: []int{0, 1, 2}},
		{name: "results of odd shapes", http: listing(`null,1,"x",[],{"uri":1,"frontmatter":null,"resources":null},` +
			`{"uri":"skill://a/SKILL.md","frontmatter":{"name":[],"description":{}},"resources":[null,1,{"uri":"skill://a/SKILL.md","digest":7,"size":1e400},` +
			`{"uri":"","digest":"","size":-9223372036854775808},{"uri":"skill://a/%zz","digest":"sha256:","size":9007199254740993},{"uri":"skill://a/../b","size":-0.0},` +
			`{"uri":"skill://a/b","size":9223372036854775807},{"uri":"skill://a/c","size":9223372036854775807}]},` + text(alpha())),
			exits: []int{1, 2}, must: []string{"malformed-entry", "malformed-size"}},
		{name: "odd discovery", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			raw(w, q, `{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":[],"serverInfo":[]}`)
		}), exits: []int{0}}, // the handshake of the older protocol is taken instead
		{name: "null for every result", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) > 0 {
				raw(w, q, "null")
			}
			return len(q.ID) > 0
		}, exits: partial},
		{name: "null for every file", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) { raw(w, q, "null") }), exits: []int{1, 2}},
		{name: "input required for ever", http: everything(func(w http.ResponseWriter, q rpc) {
			raw(w, q, `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"password?","requestedSchema":{"type":"object"}}}}}`)
		}), exits: []int{1, 2}},
		{name: "lists nothing", http: listing(""), exits: []int{1, 2}},
		{name: "no such method", http: everything(func(w http.ResponseWriter, q rpc) { say(w, q, nil, -32601) }), exits: []int{1, 2}, must: []string{"list-failed"}},
		{name: "not UTF-8", http: listing("{\"uri\":\"skill://a\xff\xfe\\ud800/SKILL.md\",\"frontmatter\":{\"name\":\"\xff\\udfff\",\"description\":\"\xc0\x80\",\"\xff\":1},\"resources\":\"\xff\"}"), exits: partial},
	}
}

func pagers() []hostile {
	pages := func(next func(cursor string) string) hook {
		return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			skills := []object{}
			if q.Params.Cursor == "" {
				skills = append(skills, alpha())
			}
			say(w, q, complete(object{"skills": skills, "nextCursor": next(q.Params.Cursor)}), 0)
		})
	}
	folders := func(children func(uri string) object) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			switch q.Method {
			case "server/discover":
				result, _ := honest(q)
				result["capabilities"] = capabilities(true)
				say(w, q, result, 0)
			case "resources/directory/read":
				say(w, q, children(q.Params.URI), 0)
			default:
				return false
			}
			return true
		}
	}
	folder := func(uri string) []object {
		return []object{{"uri": uri, "name": "deeper", "mimeType": "inode/directory"}}
	}
	six := []string{"--timeout", "6s"}
	return []hostile{
		{name: "one cursor for ever", http: pages(func(string) string { return "again" }), exits: cut, must: []string{"pagination-loop"}},
		{name: "cursors in a ring", http: pages(func(c string) string { return map[string]string{"": "a", "a": "b", "b": "c", "c": "a"}[c] }), exits: cut, must: []string{"pagination-loop"}},
		{name: "cursors without end", http: pages(func(c string) string { n, _ := strconv.Atoi(c); return strconv.Itoa(n + 1) }),
			args: []string{"--timeout", "15s"}, exits: cut, max: 18 * time.Second, must: []string{"listing-too-long"}},
		{name: "cursors that grow", http: pages(func(c string) string { return strings.Repeat("c", 2*len(c)+1) }), args: six, exits: failed, max: 9 * time.Second, rss: 800},
		{name: "empty cursor", http: pages(func(string) string { return "" }), exits: []int{0, 1, 2}},
		{name: "evil cursor", http: pages(func(string) string { return evil }), exits: cut},
		{name: "page two fails", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			if q.Params.Cursor != "" {
				w.WriteHeader(500)
				return
			}
			say(w, q, complete(object{"skills": []object{alpha()}, "nextCursor": "two"}), 0)
		}), exits: failed},
		{name: "folders without end", http: folders(func(uri string) object { return complete(object{"resources": folder(uri + "/deeper")}) }), args: six, exits: partial, max: 9 * time.Second},
		{name: "a folder that holds itself", http: folders(func(uri string) object { return complete(object{"resources": folder(uri)}) }), args: six, exits: partial, max: 9 * time.Second},
		{name: "a folder of pages without end", http: folders(func(uri string) object {
			return complete(object{"resources": []object{}, "nextCursor": strconv.FormatInt(time.Now().UnixNano(), 10)})
		}), args: six, exits: partial, max: 9 * time.Second},
	}
}

func talkers() []hostile {
	var lost atomic.Int64
	asking := func(methods ...string) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "initialize" || q.Method == "server/discover" || q.Method == "" {
				return false
			}
			sse(w)
			for i, m := range methods {
				event(w, object{"jsonrpc": "2.0", "id": 900 + i, "method": m, "params": object{"message": "password?", "messages": []any{}, "maxTokens": 1, "requestedSchema": object{"type": "object"}}})
			}
			result, code := honest(q)
			event(w, message(q.ID, result, code))
			return true
		}
	}
	session := func(h hook) hook {
		return legacy(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Mcp-Session-Id", "s")
			return h(w, r, q)
		})
	}
	return []hostile{
		{name: "requests from the server", http: legacy(asking("sampling/createMessage", "roots/list", "elicitation/create", "ping", "no/such")), exits: clean},
		{name: "requests from the server 2026-07-28", http: asking("sampling/createMessage", "roots/list", "elicitation/create"), exits: []int{0, 1}},
		{name: "notification flood", http: drain("text/event-stream", "", strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}\n\n", 100)), exits: failed},
		{name: "request flood", http: legacy(drain("text/event-stream", "", strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}\n\n", 100))), exits: failed},
		{name: "session lost", http: session(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || lost.Add(1) <= 5 {
				return false
			}
			w.WriteHeader(404)
			return true
		}), exits: partial},
		{name: "session lost at once", http: session(on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) { w.WriteHeader(404) })), exits: failed},
	}
}

func refusers() []hostile {
	var elsewhere, other, looped atomic.Int64
	forbid := func(code int) func(w http.ResponseWriter, r *http.Request, q rpc) {
		return func(w http.ResponseWriter, r *http.Request, q rpc) { w.WriteHeader(code) }
	}
	unasked := func(n *atomic.Int64) func(t *testing.T) {
		return func(t *testing.T) {
			if n.Load() > 0 {
				t.Error("the other origin was asked")
			}
		}
	}
	return []hostile{
		{name: "401", http: status(401, "WWW-Authenticate", `Bearer resource_metadata="http://127.0.0.1:1/x"`), exits: refused, must: []string{"401"}},
		{name: "403", http: status(403), exits: refused, must: []string{"403"}},
		{name: "407", http: status(407, "Proxy-Authenticate", "Basic"), exits: []int{2, 3, 4}, must: []string{"407"}},
		{name: "401 for the listing", http: on("skills/list", forbid(401)), exits: refused},
		{name: "403 for the files", http: on("resources/read", forbid(403)), exits: []int{1, 2, 3}},
		{name: "redirect to another origin", url: func(t *testing.T) string {
			there := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { elsewhere.Add(1) }))
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, there+"/mcp?token="+r.URL.Query().Get("token"), http.StatusTemporaryRedirect)
			}))
		}, exits: failed, after: unasked(&elsewhere)},
		{name: "redirect to another name of the host", url: func(t *testing.T) string {
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.Host, "localhost") {
					other.Add(1)
				}
				w.Header().Set("Location", "http://localhost"+r.Host[strings.LastIndexByte(r.Host, ':'):]+"/")
				w.WriteHeader(http.StatusPermanentRedirect)
			}))
		}, exits: failed, after: unasked(&other)},
		{name: "redirect to a file", http: status(307, "Location", "file:///etc/passwd"), exits: failed, never: []string{"root:"}},
		{name: "redirect to odd text", http: status(302, "Location", "http://%zz\x1b[2J\u009b::error::owned"), exits: failed},
		{name: "redirect loop", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Location", fmt.Sprintf("/mcp?n=%d", looped.Add(1)))
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}, exits: failed, after: func(t *testing.T) {
			if n := looped.Load(); n > 100 {
				t.Errorf("followed %d redirects", n)
			}
		}},
	}
}

// liars put control characters and commands into every string.
func liars() []hostile {
	info := object{"name": evil, "version": evil, "title": evil}
	entries := []object{
		{"uri": evil, "frontmatter": object{"name": evil, "description": evil, evil: evil, "license": []string{evil}, "metadata": object{evil: 1}, "compatibility": evil, "allowed-tools": evil},
			"resources": []object{{"uri": evil, "digest": evil, "size": evil}, {"uri": "skill://alpha/" + evil, "digest": evil}}},
		{"uri": "skill://" + evil + "/SKILL.md", "frontmatter": object{"name": evil, "description": "d", evil: object{evil: evil}}, "resources": evil},
		alpha(), alpha()}
	return []hostile{
		{name: "evil strings in entries", http: listing(strings.Trim(text(entries), "[]")), exits: []int{1, 2}},
		{name: "evil strings in discovery", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"supportedVersions": []string{"2026-07-28", evil}, "instructions": evil,
				"capabilities": object{"experimental": object{evil: object{}}, "extensions": object{evil: object{evil: evil}, "io.modelcontextprotocol/skills": object{"directoryRead": evil, evil: evil}}},
				"serverInfo":   info, "_meta": object{"io.modelcontextprotocol/serverInfo": info}}), 0)
		}), exits: []int{1, 2}},
		{name: "evil protocol version", http: legacy(on("initialize", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, object{"protocolVersion": evil, "capabilities": object{}, "serverInfo": info}, 0)
		})), exits: partial},
		{name: "evil strings in errors", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "server/discover" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(object{"jsonrpc": "2.0", "id": q.ID, "error": object{"code": -32000, "message": evil, "data": evil}})
			return true
		}, exits: []int{1, 2}},
		{name: "evil strings in files", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"contents": []object{{"uri": evil, "mimeType": evil, "text": evil}, {"uri": q.Params.URI, "mimeType": evil, "blob": evil}}}), 0)
		}), exits: []int{1, 2}},
		{name: "evil strings in frontmatter", http: read("---\nname: \"\\e[2J\\n::error file=a::\"\n\"\\e[2J\\n::add-mask::\": \"\\e\\n##[x]\"\n\x1b: \u202e\n---\n"), exits: []int{1, 2}},
		{name: "evil error page", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.WriteHeader(500)
			io.WriteString(w, evil)
		}), exits: failed},
		{name: "evil status and content type", url: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				bufio.NewReader(c).ReadString('\n')
				io.WriteString(c, "HTTP/1.1 200 \x1b[2J\u202eowned\r\nContent-Type: \u202e\u009b31m\r\nContent-Length: 3\r\n\r\nabc")
				io.Copy(io.Discard, c)
			})
		}, exits: failed},
		{name: "evil reason", url: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				bufio.NewReader(c).ReadString('\n')
				io.WriteString(c, "HTTP/1.1 599 \x1b[2J\u202e\u009bowned\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
				io.Copy(io.Discard, c)
			})
		}, exits: failed},
	}
}

// tellers give back what they were told in confidence.
func tellers() []hostile {
	told := func(r *http.Request) string {
		return fmt.Sprint(r.URL.RawQuery, " ", r.Header.Get("X-Canary"), " ", r.Header.Get("Authorization"))
	}
	return []hostile{
		{name: "secrets told in errors", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "server/discover" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(object{"jsonrpc": "2.0", "id": q.ID, "error": object{"code": -32000, "message": told(r)}})
			return true
		}, exits: []int{1, 2}},
		{name: "secrets told in an error page", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			http.Error(w, told(r), 500)
			return true
		}, exits: failed},
		{name: "secrets told in a refusal", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("WWW-Authenticate", `Bearer error="`+told(r)+`"`)
			http.Error(w, told(r), http.StatusUnauthorized)
			return true
		}, exits: refused},
		{name: "secrets told in a redirect", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			http.Redirect(w, r, "http://"+canaryUser+":"+canaryPass+"@localhost:1/?token="+canaryQuery+"&h="+canaryHeader, http.StatusTemporaryRedirect)
			return true
		}, exits: failed},
		{name: "secrets told in entries", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			a := alpha()
			a["uri"] = "skill://" + r.Header.Get("X-Canary") + "/SKILL.md"
			say(w, q, complete(object{"skills": []object{a}}), 0)
		}), exits: []int{1, 2}},
		{name: "secrets told in the content type", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "text/"+r.Header.Get("X-Canary"))
			io.WriteString(w, "x")
		}), exits: failed},
		{name: "secrets told in the name", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, _ := honest(q)
			info := object{"name": told(r), "version": told(r)}
			result["serverInfo"], result["_meta"] = info, object{"io.modelcontextprotocol/serverInfo": info}
			say(w, q, result, 0)
		}), exits: []int{0, 1}},
	}
}

func childServers() []hostile {
	silent := on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) { <-r.Context().Done() })
	stopped := []int{2, 4, 128 + int(syscall.SIGINT), 128 + int(syscall.SIGTERM)}
	return []hostile{
		{name: "child honest", stdio: "honest", exits: clean},
		{name: "child ignores SIGTERM and the end of stdin", stdio: "stubborn", exits: clean, max: 10 * time.Second},
		{name: "child stops itself", stdio: "stops", exits: failed, max: 12 * time.Second},
		{name: "child never answers", stdio: "silent", exits: unreached},
		{name: "child never reads", stdio: "deaf", exits: unreached},
		{name: "child floods stderr", stdio: "stderr-flood", args: []string{"--timeout", "10s"}, exits: clean, max: 13 * time.Second},
		{name: "child floods stderr and dies", stdio: "stderr-flood-dies", args: []string{"--timeout", "10s"}, exits: failed, max: 13 * time.Second},
		{name: "child has evil stderr", stdio: "stderr-evil", exits: failed},
		{name: "child prints garbage first", stdio: "garbage", exits: []int{1, 2, 4}},
		{name: "child prints an endless line", stdio: "endless-line", args: []string{"--timeout", "5s"}, exits: failed, max: 8 * time.Second, rss: 500},
		{name: "child prints blank lines for ever", stdio: "blank-lines", exits: failed},
		{name: "child floods notifications", stdio: "notifications", exits: failed},
		{name: "child floods requests and reads nothing", stdio: "requests", exits: failed},
		{name: "child asks back", stdio: "asks", exits: clean},
		{name: "child answers with ids of nobody", stdio: "ids", exits: failed},
		{name: "child has a child", stdio: "grandchild", exits: clean},
		{name: "child has a child and dies", stdio: "grandchild-dies", exits: failed},
		{name: "child has a child in a session of its own", stdio: "grandchild-setsid", exits: clean},
		{name: "child closes stdout", stdio: "mute", exits: failed},
		{name: "child exits at once", stdio: "exits", exits: failed, must: []string{"no licence file"}},
		{name: "child exits with success", stdio: "exits-0", exits: failed},
		{name: "child dies midway", stdio: "midway", exits: failed},
		{name: "child dies in a message", stdio: "half", exits: failed},
		{name: "child is slow", stdio: "slow", args: []string{"--timeout", "25s"}, exits: clean, max: 25 * time.Second},
		{name: "child tells the environment", stdio: "env", exits: failed},
		{name: "SIGINT", stdio: "stubborn-silent", args: []string{"--timeout", "20s"}, kill: syscall.SIGINT, exits: stopped, max: 10 * time.Second},
		{name: "SIGTERM", stdio: "stubborn-silent", args: []string{"--timeout", "20s"}, kill: syscall.SIGTERM, exits: stopped, max: 10 * time.Second},
		{name: "SIGHUP", stdio: "silent", args: []string{"--timeout", "20s"}, kill: syscall.SIGHUP, exits: append(stopped, -1), max: 10 * time.Second},
		{name: "SIGINT with a grandchild", stdio: "grandchild-silent", args: []string{"--timeout", "20s"}, kill: syscall.SIGINT, exits: stopped, max: 10 * time.Second},
		{name: "SIGINT over HTTP", http: silent, args: []string{"--timeout", "20s"}, kill: syscall.SIGINT, exits: stopped, max: 5 * time.Second},
	}
}

// init makes this test binary the child of its own tests.
func init() {
	if len(os.Args) == 4 && os.Args[1] == "hostile-child" {
		childMain(os.Args[2], os.Args[3])
		os.Exit(0)
	}
}

// held is never closed: the lock on it ends with this process.
var held *os.File

func hold(dir, name string) {
	f, err := os.Create(filepath.Join(dir, "lock-"+name))
	if err != nil {
		panic(err)
	}
	fmt.Fprint(f, os.Getpid())
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		panic(err)
	}
	held = f
}

// sleep ends by itself, so that a failed test leaves nothing behind for long.
func sleep() {
	time.Sleep(60 * time.Second)
	os.Exit(9)
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
}

func flood(f *os.File, s string, total int) {
	for n := 0; n < total; n += len(s) {
		if _, err := f.WriteString(s); err != nil {
			return
		}
	}
}

// grandchild starts a process that ignores every signal it can.
func grandchild(dir string, attr *syscall.SysProcAttr) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(self, "hostile-child", "sleeper", dir)
	c.Stdout, c.Stderr, c.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := c.Start(); err != nil {
		panic(err)
	}
	for {
		if b, err := os.ReadFile(filepath.Join(dir, "lock-sleeper")); err == nil && len(b) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
}

func childMain(mode, dir string) {
	hold(dir, mode)
	const lots = 1 << 40
	switch mode {
	case "sleeper", "stubborn-silent":
		stubborn()
		sleep()
	case "stubborn":
		stubborn()
	case "stops":
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "silent":
		io.Copy(io.Discard, os.Stdin)
		sleep()
	case "deaf":
		sleep()
	case "stderr-flood":
		flood(os.Stderr, strings.Repeat("e", 1<<16), 100<<20)
		go flood(os.Stderr, strings.Repeat("line\n", 1<<12), lots)
	case "stderr-flood-dies":
		flood(os.Stderr, strings.Repeat("e", 1<<16), 100<<20)
		os.Exit(1)
	case "stderr-evil":
		os.Stderr.WriteString(evil + "\n" + evil + "\xff\xfe")
		os.Exit(1)
	case "garbage":
		os.Stdout.WriteString("Starting the server\x1b[2J\n{\"level\":\"info\"}\n[]\n")
	case "endless-line":
		flood(os.Stdout, strings.Repeat("a", 1<<16), lots)
	case "blank-lines":
		flood(os.Stdout, strings.Repeat("\n", 1<<16), lots)
	case "notifications":
		flood(os.Stdout, strings.Repeat("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}\n", 100), lots)
	case "requests":
		flood(os.Stdout, strings.Repeat("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}\n", 100), lots)
	case "grandchild":
		grandchild(dir, nil)
	case "grandchild-setsid":
		grandchild(dir, &syscall.SysProcAttr{Setsid: true})
	case "grandchild-dies":
		grandchild(dir, nil)
		os.Exit(1)
	case "grandchild-silent":
		grandchild(dir, nil)
		sleep()
	case "mute":
		os.Stdout.Close()
		sleep()
	case "exits":
		os.Stderr.WriteString("hostile: no licence file\n")
		os.Exit(7)
	case "exits-0":
		os.Exit(0)
	case "env":
		os.Stderr.WriteString(strings.Join(os.Environ(), "\n"))
		os.Exit(1)
	}
	converse(mode)
	if mode == "stubborn" {
		sleep()
	}
}

// converse answers honestly until stdin ends, but for the mode's one fault.
func converse(mode string) {
	out := json.NewEncoder(os.Stdout)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		var q rpc
		if json.Unmarshal(in.Bytes(), &q) != nil || len(q.ID) == 0 || q.Method == "" {
			continue
		}
		result, code := honest(q)
		switch mode {
		case "slow":
			time.Sleep(time.Second)
		case "midway":
			if n > 4 {
				os.Exit(3)
			}
		case "half":
			if n > 1 {
				os.Stdout.WriteString(`{"jsonrpc":"2.0","id":2,"result":{"skills":[`)
				os.Exit(0)
			}
		case "ids":
			q.ID = json.RawMessage(`"nobody"`)
		case "asks":
			if q.Method != "server/discover" {
				for i, m := range []string{"sampling/createMessage", "roots/list", "elicitation/create"} {
					out.Encode(object{"jsonrpc": "2.0", "id": 900 + i, "method": m, "params": object{}})
				}
			}
		}
		out.Encode(message(q.ID, result, code))
	}
}
