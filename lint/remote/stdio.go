package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
)

// process is a server that runs as a child, with everything it starts.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	words  *tail
	exited chan struct{} // closed when the child itself has ended
	end    sync.Once
}

// start runs the command in a process group of its own, so that ending the
// server ends what it started.
func start(t Target) (*process, error) {
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), t.Env...)
	ownGroup(cmd)
	p := &process{cmd: cmd, words: &tail{}, exited: make(chan struct{})}
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
	go func() {
		_ = cmd.Wait() // its status is in cmd.ProcessState
		close(p.exited)
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

// lastWords returns what a server that failed had to say on stderr, and how it
// ended, or "".
func (p *process) lastWords() string {
	var parts []string
	select {
	case <-p.exited:
		parts = append(parts, "it ended with "+p.cmd.ProcessState.String())
	default:
	}
	if words := p.words.String(); words != "" {
		parts = append(parts, "its stderr ends: "+words)
	}
	return strings.Join(parts, "; ")
}

// Connect makes a process a transport of the SDK.
func (p *process) Connect(ctx context.Context) (mcp.Connection, error) {
	inner := &mcp.IOTransport{Reader: &jsonLines{from: bufio.NewReaderSize(p.stdout, 64<<10), closer: p.stdout, other: p.words}, Writer: p.stdin, MaxLineLength: maxMessage}
	conn, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &stdioConn{Connection: conn, process: p, calls: map[jsonrpc.ID]*capture{}}, nil
}

// stdioConn feeds the captures of calls from the responses to their ids.
type stdioConn struct {
	mcp.Connection
	process *process
	mu      sync.Mutex
	calls   map[jsonrpc.ID]*capture
}

func (c *stdioConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() {
		if call := captureOf(ctx); call != nil {
			c.mu.Lock()
			c.calls[req.ID] = call
			c.mu.Unlock()
		}
	}
	return c.Connection.Write(ctx, m)
}

func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if resp, ok := m.(*jsonrpc.Response); ok && err == nil {
		c.mu.Lock()
		call := c.calls[resp.ID]
		delete(c.calls, resp.ID)
		c.mu.Unlock()
		if call != nil && resp.Error == nil {
			call.set(resp.Result)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("reading the server's output: %w", err)
	}
	return m, err
}

// jsonLines passes on the lines of a server's stdout that start a JSON object.
// Others are what a library printed there by mistake: hosts skip them, the SDK
// would end the connection. They are kept with the server's last words.
type jsonLines struct {
	from    *bufio.Reader
	closer  io.Closer
	other   *tail
	midLine bool // the start of the current line has been read
	pass    bool // the current line is passed on
}

func (l *jsonLines) Close() error { return l.closer.Close() }

func (l *jsonLines) Read(p []byte) (int, error) {
	for {
		if _, err := l.from.Peek(1); err != nil {
			return 0, err
		}
		chunk, _ := l.from.Peek(l.from.Buffered())
		if !l.midLine {
			l.midLine, l.pass = true, chunk[0] == '{' || chunk[0] == '['
		}
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			chunk = chunk[:i+1]
		}
		n := len(chunk)
		if l.pass {
			n = copy(p, chunk)
		} else {
			l.other.Write(chunk)
		}
		l.midLine = chunk[n-1] != '\n'
		l.from.Discard(n)
		if l.pass {
			return n, nil
		}
	}
}

// tail keeps the last bytes of a stream of any length.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailBytes = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-tailBytes):]...)
	if extra := len(t.buf) - tailBytes; extra > 0 {
		t.buf = append(t.buf[:0], t.buf[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.buf), "\uFFFD"))
}
