package remote

import (
	"bytes"
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
	return &http.Client{Transport: w, CheckRedirect: w.checkRedirect}, w
}

// wire is the HTTP transport with what this package adds to it.
type wire struct {
	origin string
	header http.Header
	base   *http.Transport
	// lastStatus is the latest HTTP status that was no success, for the reason of
	// a connection that fails: the SDK's error has only its text.
	lastStatus atomic.Int64
	retryAfter atomic.Value // string
	redirected atomic.Value // string: the other origin
}

func origin(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

func (w *wire) checkRedirect(req *http.Request, via []*http.Request) error {
	if o := origin(req.URL); o != w.origin {
		w.redirected.Store(o)
		return fmt.Errorf("the server redirects to another origin, %s: not followed; name that server if it is the right one", o)
	}
	if len(via) > maxRedirects {
		return errors.New("the server redirects in a circle")
	}
	return nil
}

// RoundTrip sends a request, bounds the response and feeds the call's capture.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	if origin(req.URL) != w.origin {
		return nil, errors.New("a request to another origin is not sent")
	}
	if len(w.header) > 0 {
		req = req.Clone(req.Context())
		for name, values := range w.header {
			req.Header[http.CanonicalHeaderKey(name)] = values
			if strings.EqualFold(name, "Host") && len(values) > 0 {
				req.Host = values[0]
			}
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
	if resp.StatusCode >= 400 && req.Method == http.MethodPost {
		w.lastStatus.Store(int64(resp.StatusCode))
		w.retryAfter.Store(resp.Header.Get("Retry-After"))
	}
	resp.Body = &limited{ReadCloser: resp.Body, left: maxMessage}
	if c == nil || resp.StatusCode != http.StatusOK {
		return resp, nil
	}
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "text/event-stream":
		resp.Body = newEvents(resp.Body, c)
	case "application/json":
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
