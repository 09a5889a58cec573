package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/skillpack/skillpack/internal/lazyregexp"
)

// maxMessage bounds one message of a server, in bytes.
const maxMessage = 64 << 20

// maxRedirects bounds how often a request follows its server's own redirects.
const maxRedirects = 5

var errTooLarge = fmt.Errorf("a message of the server is longer than the %d MiB, or the size, that it may have", maxMessage>>20)

// tooLarge recognises errTooLarge by its words too: the SDK hands on the text of
// what went wrong while it read.
func tooLarge(err error) bool {
	return errors.Is(err, errTooLarge) || strings.Contains(err.Error(), errTooLarge.Error())
}

// newHTTPClient returns the client for one endpoint. Headers are added to
// requests for the endpoint's own origin; a redirect elsewhere ends the request.
func newHTTPClient(t Target) (*http.Client, *wire) {
	endpoint, _ := url.Parse(t.URL) // validated before
	w := &wire{
		origin: origin(endpoint),
		header: t.Header,
		base: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 256 << 10,
			MaxIdleConnsPerHost:    64,
			IdleConnTimeout:        30 * time.Second,
			ForceAttemptHTTP2:      true,
		},
	}
	w.base.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
		w.proxyStatus.Store(0)
		if resp.StatusCode != http.StatusOK {
			w.proxyStatus.Store(int64(resp.StatusCode))
		}
		return nil
	}
	return &http.Client{Transport: w, CheckRedirect: w.checkRedirect}, w
}

// wire is the HTTP transport with what this package adds to it.
type wire struct {
	origin string
	header http.Header
	base   *http.Transport
	// last is the latest answer, zero when that was a success, for the reason of a
	// connection that fails: the SDK's error has only its text. proxyStatus is the
	// status of a proxy that opened no tunnel.
	last        atomic.Pointer[httpAnswer]
	proxyStatus atomic.Int64
}

// httpAnswer is what an HTTP response says about a request that failed.
type httpAnswer struct {
	status     int
	retryAfter string
	challenge  string // the error_description of WWW-Authenticate
	redirected string // why a redirect is not followed
	malformed  string // why it is no HTTP
}

// description is what a server says of refused credentials (RFC 6750, section 3).
var description = lazyregexp.New(`(?i)\berror_description="((?:[^"\\]|\\.)*)"`)

func answerOf(resp *http.Response) httpAnswer {
	a := httpAnswer{status: resp.StatusCode, retryAfter: resp.Header.Get("Retry-After")}
	for _, v := range resp.Header.Values("WWW-Authenticate") {
		if m := description().FindStringSubmatch(v); m != nil && a.challenge == "" {
			a.challenge = m[1]
		}
	}
	return a
}

// overloaded reports whether the server, or what stands before it, does not serve
// at the moment: that says nothing about what was asked for.
func (a httpAnswer) overloaded() bool {
	switch a.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// maxPause bounds how long a request waits for a server that asks it to.
const maxPause = 5 * time.Second

// pause returns how long the server wants to be left alone, and whether that is
// short enough to be waited for.
func (a httpAnswer) pause() (time.Duration, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(a.retryAfter))
	d := time.Duration(n) * time.Second
	return d, err == nil && n >= 0 && n <= int(maxPause/time.Second)
}

func origin(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

func (w *wire) checkRedirect(req *http.Request, via []*http.Request) error {
	why := ""
	if o := origin(req.URL); o != w.origin {
		why = "redirects to another origin, " + o + ": not followed; give that URL if it is the right server"
	} else if len(via) > maxRedirects {
		why = "redirects in a circle"
	} else if via[0].Method == http.MethodPost && req.Method == http.MethodGet && req.Response != nil {
		why = fmt.Sprintf("redirects with %d to %s, which turns a POST into a GET: give that URL", req.Response.StatusCode, Target{URL: req.URL.String()})
	}
	if why != "" {
		w.last.Store(&httpAnswer{redirected: why})
		if c := captureOf(req.Context()); c != nil {
			c.setRedirected(why)
		}
		return errors.New("the server " + why)
	}
	return nil
}

// RoundTrip sends a request, bounds the response and feeds the call's capture.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	if origin(req.URL) != w.origin {
		return nil, errors.New("a request to another origin is not sent")
	}
	req = req.Clone(req.Context())
	// Everything that is asked is a question: one whose kept connection turns out
	// to be closed is asked again. The header is not sent (net/http, Transport).
	req.Header["Idempotency-Key"] = nil
	for name, values := range w.header {
		req.Header[http.CanonicalHeaderKey(name)] = values
		if strings.EqualFold(name, "Host") && len(values) > 0 {
			req.Host = values[0]
		}
	}
	c := captureOf(req.Context())
	asked := false
	if c != nil && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		message, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		asked = c.setRequest(message)
	}
	resp, err := w.base.RoundTrip(req)
	if err != nil {
		// The SDK may hand on no more of this than that the connection is closed.
		var opErr *net.OpError
		if req.Method == http.MethodPost && req.Context().Err() == nil && !errors.As(err, &opErr) && !unreachable(err) {
			said := httpAnswer{malformed: reasonOf(err)}
			if c != nil {
				c.setAnswer(said)
			}
			w.last.Store(&said)
		}
		return nil, err
	}
	said := answerOf(resp)
	if c != nil {
		c.setAnswer(said)
	}
	// The end of a session is nobody's answer; a GET is one behind a redirect.
	if req.Method == http.MethodPost || req.Response != nil {
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			said = httpAnswer{}
		}
		w.last.Store(&said)
	}
	resp.Body = &limited{ReadCloser: resp.Body, left: maxMessage}
	if coding := resp.Header.Get("Content-Encoding"); coding != "" && coding != "identity" && resp.StatusCode == http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("it comes with Content-Encoding %s, which was not asked for: serve it as it is, or as gzip", shorten(coding))
	}
	if resp.StatusCode != http.StatusOK {
		return resp, nil
	}
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "text/html", "application/xhtml+xml":
		if asked {
			resp.Body.Close()
			return nil, fmt.Errorf("it answers %s, not JSON or an event stream: a login page or a proxy?", kind)
		}
	case "text/event-stream":
		resp.Body = newEvents(resp.Body, c)
	case "application/json":
		if c == nil {
			break
		}
		body := resp.Body
		text, err := io.ReadAll(&limited{ReadCloser: body, left: c.limit()})
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(c.take(text)), failing{err}), body}
		resp.ContentLength = -1
	}
	return resp, nil
}

// failing is a reader that ends as another did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// limited is a body that ends in an error after a number of bytes.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.ReadCloser.Read(p)
	l.left -= int64(n)
	return n, err
}
