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
	"strings"
	"sync/atomic"
	"time"
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
	// lastStatus is the HTTP status of the latest answer, 0 when that was a
	// success, for the reason of a connection that fails: the SDK's error has only
	// its text. proxyStatus is that of a proxy that opened no tunnel.
	lastStatus  atomic.Int64
	proxyStatus atomic.Int64
	retryAfter  atomic.Value // string
	redirected  atomic.Value // string: why a redirect is not followed
}

func origin(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

func (w *wire) checkRedirect(req *http.Request, via []*http.Request) error {
	why := ""
	if o := origin(req.URL); o != w.origin {
		why = "redirects to another origin, " + o + ": not followed; give that URL if it is the right server"
	} else if len(via) > maxRedirects {
		why = "redirects in a circle"
	}
	if why != "" {
		w.redirected.Store(why)
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
	if c != nil && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		message, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		c.setRequest(message)
	}
	resp, err := w.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if c != nil {
		c.setStatus(resp.StatusCode)
	}
	// The end of a session is nobody's answer; a GET is one behind a redirect.
	if req.Method == http.MethodPost || req.Response != nil {
		w.lastStatus.Store(0)
		w.redirected.Store("")
		if resp.StatusCode < 200 || resp.StatusCode >= 300 {
			w.lastStatus.Store(int64(resp.StatusCode))
			w.retryAfter.Store(resp.Header.Get("Retry-After"))
		}
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
