package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
)

// says answers every request with a status and headers, given as name and value in
// turn. The headers may contain SERVER for the server's own address.
func says(status int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], strings.ReplaceAll(headers[i+1], "SERVER", "http://"+r.Host))
		}
		w.WriteHeader(status)
	}
}

// TestFailures wants the kind and the reason of each way in which a server refuses
// a session over HTTP.
func TestFailures(t *testing.T) {
	for name, test := range map[string]struct {
		server http.HandlerFunc
		kind   remote.Kind
		want   string
	}{
		"no credentials":       {says(401), remote.Refused, "SERVER refuses the credentials: HTTP 401 Unauthorized; pass them with --header 'Authorization: Bearer ${TOKEN}'"},
		"old credentials":      {says(401, "WWW-Authenticate", `Bearer error="invalid_token", error_description="expired"`), remote.Refused, `SERVER refuses the credentials: HTTP 401 Unauthorized, "expired"; pass them with --header 'Authorization: Bearer ${TOKEN}'`},
		"forbidden":            {says(403), remote.Refused, "SERVER refuses the credentials: HTTP 403 Forbidden; pass them with --header 'Authorization: Bearer ${TOKEN}'"},
		"a proxy's":            {says(407), remote.Unusable, "a proxy stands before SERVER and wants credentials of its own: HTTP 407 Proxy Authentication Required"},
		"another path":         {says(404), remote.Unusable, "SERVER is no MCP endpoint: HTTP 404 Not Found; check the URL's path"},
		"choices":              {says(300), remote.Unusable, "SERVER is no MCP endpoint: HTTP 300 Multiple Choices; check the URL's path"},
		"out of order":         {says(500), remote.Unreachable, "SERVER does not serve now: HTTP 500 Internal Server Error"},
		"overloaded":           {says(503, "Retry-After", "120"), remote.Unreachable, "SERVER does not serve now: HTTP 503 Service Unavailable; it says Retry-After: 120"},
		"too many requests":    {says(429), remote.Unreachable, "SERVER does not serve now: HTTP 429 Too Many Requests"},
		"a login page":         {says(200, "Content-Type", "text/html; charset=utf-8"), remote.Unusable, "SERVER does not answer as an MCP server: it answers text/html, not JSON or an event stream: a login page or a proxy?"},
		"another origin":       {says(307, "Location", "http://other.example/mcp"), remote.Unusable, "SERVER redirects to another origin, http://other.example: not followed; give that URL if it is the right server"},
		"a circle":             {says(308, "Location", "/"), remote.Unusable, "SERVER redirects in a circle"},
		"a POST becomes a GET": {says(302, "Location", "SERVER/mcp"), remote.Unusable, "SERVER redirects with 302 to SERVER/mcp, which turns a POST into a GET: give that URL"},
		"silence": {func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the end of the connection shows only after it
			<-r.Context().Done()
		}, remote.Unreachable, "SERVER did not answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(test.server)
			t.Cleanup(server.Close)
			wantFailure(t, server.URL, test.kind, test.want)
		})
	}
}

// wantFailure connects to a server in vain.
func wantFailure(t *testing.T, url string, kind remote.Kind, want string) {
	t.Helper()
	s, err := remote.Connect(context.Background(), remote.Target{URL: url}, remote.Options{RequestTimeout: time.Second})
	if err == nil {
		s.Close()
		t.Fatal("connected")
	}
	var failure *remote.Failure
	if !errors.As(err, &failure) || failure.Kind != kind || strings.ReplaceAll(failure.Reason, url, "SERVER") != want {
		t.Errorf("failure %+v, want kind %v: %s", err, kind, want)
	}
}

// TestFailuresOfConnections is about servers that speak no HTTP.
func TestFailuresOfConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 mail.example ESMTP\r\n")
			conn.Close()
		}
	}()
	url := "http://" + l.Addr().String()
	wantFailure(t, url, remote.Unusable, `SERVER does not answer as an MCP server: malformed HTTP status code "mail.example"`)
	l.Close()
	wantFailure(t, url, remote.Unreachable, "cannot reach SERVER: connection refused")
}

// TestFailureOfCommand holds that what a command printed before it ended is shown,
// each stream by its name, and without the values of its environment.
func TestFailureOfCommand(t *testing.T) {
	target := transports["stdio"](t, "no-such-fault")
	_, err := remote.Connect(context.Background(), target, remote.Options{RequestTimeout: 20 * time.Second})
	var failure *remote.Failure
	if !errors.As(err, &failure) {
		t.Fatalf("error %v", err)
	}
	if !strings.HasSuffix(failure.Reason, "does not answer as an MCP server: the command ended by itself with exit status 1") || failure.Kind != remote.Unreachable {
		t.Errorf("failure %+v", failure)
	}
	if len(failure.Output) != 1 || failure.Output[0].Label != "its stderr ends" || !slices.Equal(failure.Output[0].Lines, []string{`no fault "***": remotetest.Faults lists them`}) {
		t.Errorf("output %q", failure.Output)
	}
}

// TestLostInMidRun wants what a run says that cannot go on: how far it came, and why
// the server did not answer.
func TestLostInMidRun(t *testing.T) {
	for name, test := range map[string]struct {
		method     string
		answer     http.HandlerFunc
		incomplete string
		err        string
	}{
		"too many reads":   {"resources/read", says(429), "some files could not be read", "SERVER does not serve now: HTTP 429 Too Many Requests; --concurrency 1 asks for less at once"},
		"no reads":         {"resources/read", says(503), "some files could not be read", "SERVER does not serve now: HTTP 503 Service Unavailable"},
		"reads elsewhere":  {"resources/read", says(307, "Location", "http://other.example/mcp"), "some files could not be read", "SERVER redirects to another origin, http://other.example: not followed; give that URL if it is the right server"},
		"reads are denied": {"resources/read", says(403), "some files could not be read", "SERVER refuses the credentials: HTTP 403 Forbidden; pass them with --header 'Authorization: Bearer ${TOKEN}'"},
		"no listing":       {"skills/list", says(503), "skills/list got no answer", "SERVER does not serve now: HTTP 503 Service Unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := newServer(nil)
			if err != nil {
				t.Fatal(err)
			}
			url := intercept(t, s, func(w http.ResponseWriter, method, _ string, _ json.RawMessage) bool {
				if method != test.method {
					return false
				}
				test.answer(w, &http.Request{})
				return true
			})
			r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Verify: true})
			if r.Incomplete != test.incomplete {
				t.Errorf("incomplete: %q, want %q", r.Incomplete, test.incomplete)
			}
			var failure *remote.Failure
			if !errors.As(r.Err, &failure) || strings.ReplaceAll(failure.Reason, url, "SERVER") != test.err {
				t.Errorf("error %v, want %s", r.Err, test.err)
			}
		})
	}
}

// TestUnreadableAnswer holds that an answer which is not JSON-RPC is reported at its
// file, and that the session goes on: over HTTP each answer stands alone.
func TestUnreadableAnswer(t *testing.T) {
	const broken = "skill://alpha/guides/use.md"
	for name, kind := range map[string]string{"JSON": "application/json", "events": "text/event-stream"} {
		t.Run(name, func(t *testing.T) {
			s, err := newServer(nil)
			if err != nil {
				t.Fatal(err)
			}
			url := intercept(t, s, func(w http.ResponseWriter, method, uri string, _ json.RawMessage) bool {
				if method != "resources/read" || uri != broken {
					return false
				}
				w.Header().Set("Content-Type", kind)
				fmt.Fprint(w, "data: {]\n\n")
				return true
			})
			r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Verify: true, Concurrency: 1})
			if len(r.Findings) != 1 || r.Findings[0].Rule != "read-failed" || r.Findings[0].URI != broken || r.Err != nil {
				dump(t, r)
				t.Errorf("want read-failed of %s", broken)
			}
			for _, v := range r.Verification {
				if want := v.URI != broken; (v.Status == lint.Verified) != want {
					t.Errorf("%s is %s: %s", v.URI, v.Status, v.Cause)
				}
			}
		})
	}
}
