package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"
)

// failure says why the connection could not be made or was lost. limit is the
// context of the request, ctx that of the whole run, said the HTTP response.
func (s *Session) failure(ctx, limit context.Context, said httpAnswer, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := s.reasonForFailure(limit, said, err)
	f.Reason = s.mask(f.Reason)
	return f
}

func (s *Session) reasonForFailure(limit context.Context, answer httpAnswer, err error) *Failure {
	name := s.target.String()
	if s.process != nil {
		// The child's own end says more than the broken pipe it leaves.
		s.process.endsWithin(200 * time.Millisecond)
		said := s.process.printed(s.maskOwn())
		reason := fmt.Sprintf("%s does not answer as an MCP server: %s", name, reasonOf(err))
		if limit.Err() != nil {
			reason = fmt.Sprintf("%s did not answer in time", name)
		}
		if ended := s.process.ended(); ended != "" {
			reason = fmt.Sprintf("%s does not answer as an MCP server: %s", name, ended)
			if said == nil {
				reason += ", and printed nothing that says why: run it by hand"
			}
		}
		return &Failure{Unreachable, reason, said}
	}
	if last := s.wire.last.Load(); answer == (httpAnswer{}) && last != nil {
		answer = *last // the SDK gave up over another answer
	}
	status := answer.status
	if status >= 200 && status < 300 {
		status = 0
	}
	proxy := int(s.wire.proxyStatus.Load())
	after := ""
	if v := answer.retryAfter; v != "" && len(v) < 64 {
		after = "; it says Retry-After: " + v
	}
	said := fmt.Sprintf("HTTP %d %s", status, http.StatusText(status))
	var opErr *net.OpError
	switch {
	case answer.redirected != "":
		return &Failure{Kind: Unusable, Reason: name + " " + answer.redirected}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if answer.challenge != "" {
			said += fmt.Sprintf(", %q", shorten(s.mask(answer.challenge)))
		}
		return &Failure{Kind: Refused, Reason: fmt.Sprintf("%s refuses the credentials: %s; %s", name, said, s.target.advice())}
	case proxy == http.StatusProxyAuthRequired || status == http.StatusProxyAuthRequired:
		return &Failure{Kind: Unusable, Reason: fmt.Sprintf("a proxy stands before %s and wants credentials of its own: HTTP %d %s", name, http.StatusProxyAuthRequired, http.StatusText(http.StatusProxyAuthRequired))}
	case proxy != 0:
		return &Failure{Kind: Unreachable, Reason: fmt.Sprintf("a proxy stands before %s and does not let the request through: HTTP %d %s", name, proxy, http.StatusText(proxy))}
	case answer.malformed != "":
		return &Failure{Kind: Unusable, Reason: fmt.Sprintf("%s does not answer as an MCP server: %s", name, answer.malformed)}
	case status == http.StatusTooManyRequests || status >= 500:
		return &Failure{Kind: Unreachable, Reason: fmt.Sprintf("%s does not serve now: %s%s", name, said, after)}
	case limit.Err() != nil:
		return &Failure{Kind: Unreachable, Reason: fmt.Sprintf("%s did not answer in time", name)}
	case status != 0:
		return &Failure{Kind: Unusable, Reason: fmt.Sprintf("%s is no MCP endpoint: %s; check the URL's path", name, said)}
	case errors.As(err, &opErr):
		return &Failure{Kind: Unreachable, Reason: fmt.Sprintf("cannot reach %s: %s", name, reasonOf(opErr))}
	case unreachable(err):
		return &Failure{Kind: Unreachable, Reason: fmt.Sprintf("cannot reach %s: %s", name, reasonOf(err))}
	}
	return &Failure{Kind: Unusable, Reason: fmt.Sprintf("%s does not answer as an MCP server: %s", name, reasonOf(err))}
}

// unreachable reports whether an exchange failed before the server said anything:
// in the name, the handshake, or by a connection that ended or took too long.
// Whoever answers something that is no HTTP was reached.
func unreachable(err error) bool {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var web *url.Error
	text := err.Error()
	return errors.As(err, &dns) || errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &web) && web.Timeout() || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		strings.Contains(text, "tls:") || strings.Contains(text, "EOF") || strings.Contains(text, "HTTP response to HTTPS client") ||
		strings.Contains(text, "server closed idle connection") // these have no type
}

// advice says what to do about credentials that are refused.
func (t Target) advice() string {
	u, err := url.Parse(t.URL)
	switch {
	case len(t.Header) > 0 && t.HeaderSource != "":
		return "look at the values that " + t.HeaderSource + " send"
	case len(t.Header) > 0:
		return "look at the value that --header sends"
	case err == nil && u.User != nil:
		return "look at the user and password in the URL"
	case t.HeaderSource != "":
		return "add an Authorization header to " + t.HeaderSource
	}
	return "pass them with --header 'Authorization: Bearer ${TOKEN}'"
}

// maxReason is how many characters of a reason that others wrote a message shows.
const maxReason = 300

// reasonOf returns the innermost text of an error: the outer ones repeat URLs
// and methods, and a URL may hold a secret.
func reasonOf(err error) string {
	text := innermost(err)
	if strings.Contains(text, "%!") { // net/http's own words for bytes that are no HTTP
		return "its answer is no HTTP"
	}
	return shortenTo(text, maxReason)
}

func innermost(err error) string {
	var exit *exec.Error
	if errors.As(err, &exit) {
		return exit.Err.Error()
	}
	for {
		switch wrapping := err.(type) {
		case interface{ Unwrap() error }:
			if wrapping.Unwrap() == nil {
				return err.Error()
			}
			err = wrapping.Unwrap()
		case interface{ Unwrap() []error }:
			all := wrapping.Unwrap()
			if len(all) == 0 {
				return err.Error()
			}
			err = all[len(all)-1] // the SDK puts its own marks first
		default:
			return err.Error()
		}
	}
}
