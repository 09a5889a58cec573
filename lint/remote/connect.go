package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// The protocol revisions that a connection can be pinned to.
const (
	Protocol2025 = "2025-11-25"
	Protocol2026 = "2026-07-28"
)

// DefaultRequestTimeout bounds one request when [Options] says nothing else.
const DefaultRequestTimeout = 30 * time.Second

// probeTimeout bounds the attempt to speak the newer protocol to a server over
// stdio: an old one may answer nothing at all.
const probeTimeout = 10 * time.Second

// Options are how to connect.
type Options struct {
	// Protocol is [Protocol2025] or [Protocol2026]; empty takes the newest
	// revision that both sides speak.
	Protocol string
	// RequestTimeout bounds each request; 0 is [DefaultRequestTimeout].
	RequestTimeout time.Duration
	// Wait keeps trying to connect to a server that cannot be reached yet, for
	// this long.
	Wait time.Duration
	// Version is this program's version, told to the server.
	Version string
}

// Kind says why a server could not be used.
type Kind uint8

// The kinds of failure, each an exit status of its own.
const (
	Unusable    Kind = iota // it was reached and is no MCP server, or none of the right protocol
	Refused                 // it refused the credentials (HTTP 401 or 403)
	Unreachable             // it could not be reached, or did not answer in time
)

// Failure is why a server could not be used. Its text holds no header,
// environment value or query.
type Failure struct {
	Kind   Kind
	Reason string // one line
	// Output is what a server that is a child had printed by then.
	Output []Output
}

// Output is the end of what a child printed on one stream, without secrets. The
// lines are the server's own: whoever prints them makes them plain.
type Output struct {
	Label string // what it is, such as "its stderr ends"
	Lines []string
}

func (f *Failure) Error() string { return f.Reason }

// RPCError is an error that a server answered a request with.
type RPCError struct {
	Code    int64
	Message string
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("error %d: %s", e.Code, shortenTo(e.Message, maxReason))
}

// InvalidParams is the JSON-RPC code that the extension asks for when a URI is
// not served (spec: Error Handling).
const InvalidParams = -32602

// Session is a connection to one server. It is safe for concurrent use.
type Session struct {
	target       Target
	options      Options
	mask         func(string) string // removes the target's secrets from a text
	timeout      time.Duration
	decoding     sync.Mutex
	mu           sync.Mutex // guards session and renewals
	session      *mcp.ClientSession
	renewals     int
	process      *process // nil over HTTP
	wire         *wire    // nil over stdio
	http         *http.Client
	info         lint.ServerInfo
	capabilities manifest.Value
	fellBack     time.Duration
}

// Connect opens a session. It returns a [*Failure], or ctx's error.
func Connect(ctx context.Context, t Target, o Options) (*Session, error) {
	if err := t.validate(); err != nil {
		return nil, &Failure{Kind: Unusable, Reason: err.Error()}
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = DefaultRequestTimeout
	}
	deadline := time.Now().Add(o.Wait)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		s, err := connect(ctx, t, o)
		var f *Failure
		left := time.Until(deadline)
		if err == nil || !errors.As(err, &f) || f.Kind != Unreachable || left <= 0 {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(pause, left)): // the last try is at the end of the wait
		}
	}
}

// connect tries once, and over stdio a second time with the older protocol when
// the newer one gets no answer.
func connect(ctx context.Context, t Target, o Options) (*Session, error) {
	if t.URL != "" || o.Protocol != "" {
		return dial(ctx, t, o, o.RequestTimeout)
	}
	s, err := dial(ctx, t, o, min(o.RequestTimeout, probeTimeout))
	var f *Failure
	if errors.As(err, &f) && f.Kind == Unreachable && ctx.Err() == nil {
		o.Protocol = Protocol2025
		if old, oldErr := dial(ctx, t, o, o.RequestTimeout); oldErr == nil {
			old.fellBack = min(o.RequestTimeout, probeTimeout)
			return old, nil
		}
	}
	return s, err
}

func dial(ctx context.Context, t Target, o Options, timeout time.Duration) (*Session, error) {
	s := &Session{target: t, options: o, timeout: o.RequestTimeout, mask: t.masker()}
	if t.URL != "" {
		s.http, s.wire = newHTTPClient(t)
	} else {
		p, err := start(t)
		if err != nil {
			reason := "cannot start " + t.Command[0] + ": " + reasonOf(err)
			if missing := errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist); missing && strings.Contains(t.Command[0], " ") {
				reason += "; all of it is taken for the name of one program: leave out the quotes around a command and its arguments"
			}
			return nil, &Failure{Kind: Unreachable, Reason: t.masker()(reason)}
		}
		s.process = p
	}
	limit, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	raw := &capture{}
	var err error
	if s.session, err = s.openWithin(withCapture(limit, raw)); err != nil {
		f := s.failure(ctx, limit, httpAnswer{}, err)
		s.shutdown()
		return nil, f
	}
	result := s.session.InitializeResult()
	s.info = lint.ServerInfo{Protocol: result.ProtocolVersion, Target: t.String()}
	if result.ServerInfo != nil {
		s.info.Name, s.info.Version = result.ServerInfo.Name, result.ServerInfo.Version
	}
	s.info = maskedInfo(s.info, s.mask)
	if o.Protocol != "" && result.ProtocolVersion != o.Protocol {
		s.Close()
		return nil, &Failure{Kind: Unusable, Reason: fmt.Sprintf("the server speaks protocol %s, not %s: leave out --protocol, or name that one", result.ProtocolVersion, o.Protocol)}
	}
	s.capabilities = capabilitiesOf(raw.raw(), result)
	return s, nil
}

// openWithin is open that returns when ctx is over: the SDK may still wait for
// the end of a session that it could not begin. Over stdio the child's end is an
// end as well, whoever else holds its pipes.
func (s *Session) openWithin(ctx context.Context) (*mcp.ClientSession, error) {
	type result struct {
		session *mcp.ClientSession
		err     error
	}
	opened := make(chan result, 1)
	go func() {
		session, err := s.open(ctx)
		opened <- result{session, err}
	}()
	select {
	case r := <-opened:
		return r.session, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-opened:
		return r.session, r.err
	case <-time.After(100 * time.Millisecond):
		return nil, ctx.Err()
	}
}

// open makes the SDK's session over the transport of s.
func (s *Session) open(ctx context.Context) (*mcp.ClientSession, error) {
	var transport mcp.Transport = s.process
	if s.process == nil {
		transport = &mcp.StreamableClientTransport{
			Endpoint: s.target.URL, HTTPClient: s.http, MaxRetries: 1,
			// Nothing is waited for but answers.
			DisableStandaloneSSE: true, MaxEventSize: maxMessage,
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "skillpack", Version: s.options.Version}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{}, // no roots, no sampling, no elicitation
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	register(client)
	return client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: s.options.Protocol})
}

// current returns the SDK's session.
func (s *Session) current() *mcp.ClientSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// maxRenewals bounds how often a session is opened again.
const maxRenewals = 16

// renew replaces a session that the SDK gave up over an answer it could not
// read: over HTTP each answer stands alone, and the next may well be right.
func (s *Session) renew(ctx context.Context, broken *mcp.ClientSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wire == nil || s.session != broken || s.renewals == maxRenewals {
		return
	}
	s.renewals++
	limit, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	fresh, err := s.openWithin(limit)
	if err != nil {
		return // the next call fails for the same reason, and says so
	}
	s.session = fresh
	go broken.Close()
}

// capabilitiesOf returns the declared capabilities as they were sent; what the
// SDK understood of them is only the fallback.
func capabilitiesOf(raw json.RawMessage, result *mcp.InitializeResult) manifest.Value {
	if v, err := manifest.ParseValue(raw); err == nil {
		if c, ok := v.Get("capabilities"); ok {
			return c
		}
	}
	text, err := json.Marshal(result.Capabilities)
	if err != nil {
		return manifest.Value{Kind: manifest.Object}
	}
	v, _ := manifest.ParseValue(text) // what was just written
	return v
}

// Info says which server this is.
func (s *Session) Info() lint.ServerInfo { return s.info }

// FellBack returns how long the server was asked in [Protocol2026], over stdio,
// without an answer before the session was opened in [Protocol2025]; 0 when it was
// not so.
func (s *Session) FellBack() time.Duration { return s.fellBack }

// Close ends the session, and over stdio the server with all it started.
func (s *Session) Close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.current().Close() // the server may be gone already
	}()
	if s.process != nil {
		s.process.stop()
	}
	select {
	case <-closed:
	case <-time.After(2 * time.Second): // a server that does not answer the end of its session
	}
	s.shutdown()
}

func (s *Session) shutdown() {
	if s.process != nil {
		s.process.stop()
	}
	if s.wire != nil {
		s.wire.base.CloseIdleConnections()
	}
}
