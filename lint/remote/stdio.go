package remote

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long a child may take to end by itself after its stdin is closed, and
// after it was asked to end, before it is killed.
const (
	graceClosed = 2 * time.Second
	graceAsked  = 2 * time.Second
	drain       = 500 * time.Millisecond // to read what an ended child wrote
)

// process is a server that runs as a child, with everything it starts.
type process struct {
	cmd    *exec.Cmd
	mark   string // in the environment of the child and of all it starts
	stdin  io.WriteCloser
	stdout io.ReadCloser
	words  *tail         // its stderr
	output *tail         // what it printed on stdout that is no JSON
	noise  firstLine     // the first line of that
	exited chan struct{} // closed when the child itself has ended
	end    sync.Once
}

// start runs the command in a process group of its own, so that ending the
// server ends what it started.
func start(t Target) (*process, error) {
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.Dir = t.Dir
	mark := fmt.Sprintf("SKILLPACK_LINT=%d-%s", os.Getpid(), rand.Text())
	cmd.Env = append(append(handedOn(t.Withheld), t.Env...), mark)
	ownGroup(cmd)
	p := &process{cmd: cmd, mark: mark, words: &tail{}, output: &tail{}, exited: make(chan struct{})}
	cmd.Stderr = p.words
	// A grandchild that keeps stderr open must not keep Wait from returning.
	cmd.WaitDelay = time.Second
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of our own: Wait must not close it while the SDK still reads.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	p.stdout = r
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	serverBegins()
	go func() {
		_ = cmd.Wait() // its status is in cmd.ProcessState
		close(p.exited)
		// What it started may hold the pipe open for ever; what it wrote is read by then.
		time.Sleep(drain)
		p.stdout.Close()
	}()
	return p, nil
}

// stop ends the child and all it started: first by closing its stdin, then by
// asking, then by force. It returns when the child is gone.
func (p *process) stop() {
	p.end.Do(func() {
		p.stdin.Close()
		if !p.endsWithin(graceClosed) {
			terminateGroup(p.cmd)
			p.endsWithin(graceAsked)
		}
		// Also when the child has ended: what it started may not have.
		killGroup(p.cmd)
		<-p.exited
		killMarked(p.mark)
		serverEnds()
		p.stdout.Close()
	})
}

func (p *process) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// ended says how the child ended by itself, or "".
func (p *process) ended() string {
	select {
	case <-p.exited:
		return "the command ended by itself with " + p.cmd.ProcessState.String()
	default:
		return ""
	}
}

// printed returns what a server that failed had to say, masked.
func (p *process) printed(mask func(string) string) (all []Output) {
	if text := p.words.last(mask); text != "" {
		all = append(all, Output{"its stderr ends", lastLines(text)})
	}
	if text := p.output.last(mask); text != "" {
		all = append(all, Output{"its stdout holds text that is no JSON-RPC", lastLines(text)})
	}
	return all
}

// maxLines bounds how many lines are shown of a stream.
const maxLines = 20

func lastLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return lines[max(0, len(lines)-maxLines):]
}

// Connect makes a process a transport of the SDK.
func (p *process) Connect(ctx context.Context) (mcp.Connection, error) {
	calls := &calls{byID: map[any]*capture{}}
	lines := &jsonLines{from: bufio.NewReaderSize(p.stdout, 64<<10), closer: p.stdout, other: io.MultiWriter(p.output, &p.noise), calls: calls}
	inner := &mcp.IOTransport{Reader: lines, Writer: p.stdin, MaxLineLength: maxMessage}
	conn, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &stdioConn{Connection: conn, calls: calls}, nil
}

// calls are the captures that wait for their responses, by their ids as [idOf]
// returns them.
type calls struct {
	mu   sync.Mutex
	byID map[any]*capture
}

func (c *calls) add(id any, call *capture) {
	call.waitFor(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[id] = call
}

// take hands a message to the call it answers, if any, and returns what the SDK
// is to see of it.
func (c *calls) take(message []byte) []byte {
	m := membersOf(message)
	if _, isRequest := m["method"]; isRequest {
		return message // the server's own ids count apart
	}
	id := idOf(m)
	c.mu.Lock()
	call := c.byID[id]
	delete(c.byID, id)
	c.mu.Unlock()
	if call == nil {
		return message
	}
	return call.take(message)
}

// stdioConn registers the calls that are written.
type stdioConn struct {
	mcp.Connection
	calls *calls
}

func (c *stdioConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() {
		if call := captureOf(ctx); call != nil {
			if id, err := json.Marshal(req.ID.Raw()); err == nil {
				c.calls.add(idOf(map[string]json.RawMessage{"id": id}), call)
			}
		}
	}
	return c.Connection.Write(ctx, m)
}

// jsonLines passes on the lines of a server's stdout that are JSON-RPC, or look
// like it. Others are what a library printed there by mistake: hosts skip them, the
// SDK would end the connection. They are kept for the server's last words.
type jsonLines struct {
	from   *bufio.Reader
	closer io.Closer
	other  io.Writer
	calls  *calls
	out    []byte // what is left to hand on
}

func (l *jsonLines) Close() error { return l.closer.Close() }

func (l *jsonLines) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		start, err := l.from.Peek(1)
		if err != nil {
			return 0, err
		}
		if start[0] == ' ' || start[0] == '\t' {
			_, _ = l.from.Discard(1) // it was peeked at
			continue
		}
		if start[0] != '{' && start[0] != '[' {
			if err := l.skip(); err != nil {
				return 0, err
			}
			continue
		}
		line, err := readLine(l.from, maxMessage)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("reading the server's output: %w", err)
		}
		if !bytes.Contains(line, []byte(`"jsonrpc"`)) {
			_, _ = l.other.Write(line) // the log of a library that writes JSON; a tail takes all
			continue
		}
		if l.out = l.calls.take(line); len(l.out) > 0 && l.out[len(l.out)-1] != '\n' {
			l.out = append(l.out, '\n')
		}
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// skip passes over a line of any length in the memory of one buffer.
func (l *jsonLines) skip() error {
	for {
		part, err := l.from.ReadSlice('\n')
		_, _ = l.other.Write(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// handedOn is this process's environment without the named variables.
func handedOn(withheld []string) []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(withheld, name)
	})
}

// firstLine keeps the start of the first line with anything in it of what is
// written.
type firstLine struct {
	mu    sync.Mutex
	buf   []byte
	ended bool
}

func (f *firstLine) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rest := p; !f.ended && len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		f.buf = append(f.buf, part[:min(len(part), keptBytes-len(f.buf))]...)
		if rest = after; !ended {
			break
		}
		if f.ended = len(bytes.TrimSpace(f.buf)) > 0; !f.ended {
			f.buf = f.buf[:0]
		}
	}
	return len(p), nil
}

// line returns the line, masked, or "".
func (f *firstLine) line(mask func(string) string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return mask(strings.TrimSpace(strings.ToValidUTF8(string(f.buf), "\uFFFD")))
}

// maskOwn removes the target's secrets and what the child inherited.
func (s *Session) maskOwn() func(string) string {
	own := newMasker(inherited())
	return func(text string) string { return own(s.mask(text)) }
}

// tail keeps the last bytes of a stream of any length.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// tailBytes are shown of a stream, and so many more kept, so that a secret which
// the cut would halve is masked first.
const (
	tailBytes = 2 << 10
	keptBytes = tailBytes + 16<<10
)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-keptBytes):]...)
	if extra := len(t.buf) - keptBytes; extra > 0 {
		t.buf = append(t.buf[:0], t.buf[extra:]...)
	}
	return len(p), nil
}

// last returns what is shown of the stream, masked.
func (t *tail) last(mask func(string) string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := mask(strings.ToValidUTF8(string(t.buf), "\uFFFD"))
	return strings.TrimSpace(strings.ToValidUTF8(text[max(0, len(text)-tailBytes):], ""))
}
