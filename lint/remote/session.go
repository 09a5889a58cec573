package remote

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// The methods of the extension and of the base protocol that a session calls.
const (
	methodList      = "skills/list"
	methodGet       = "skills/get"
	methodDirectory = "resources/directory/read"
	methodResources = "resources/list"
	methodTemplates = "resources/templates/list"
	methodRead      = "resources/read"
	methodDiscover  = "server/discover"
	// The SDK caches what the base methods answer and hides the raw result; a
	// method of our own that goes out under their name does neither.
	ownPrefix = "skillpack/"
)

// baseMethods are those of the base protocol.
var baseMethods = []string{methodDiscover, methodResources, methodTemplates, methodRead}

// MaxPages bounds how many pages of one listing are asked for.
const MaxPages = 1000

// rejectedByTransport is the SDK's own code for a request that got no answer.
const rejectedByTransport = -32005

// params are those of every call; a nil field is left out.
type params struct {
	mcp.ParamsBase
	most   int64 // bytes the answer may have; 0 is maxMessage
	URI    any   `json:"uri,omitempty"`
	Cursor any   `json:"cursor,omitempty"`
}

// discard is a result whose raw form a capture has.
type discard struct{ mcp.ResultBase }

// UnmarshalJSON accepts any result: the raw form is judged elsewhere.
func (*discard) UnmarshalJSON([]byte) error { return nil }

// register makes the client send the methods of the extension.
func register(client *mcp.Client) {
	methods := []string{methodList, methodGet, methodDirectory}
	for _, method := range baseMethods {
		methods = append(methods, ownPrefix+method)
	}
	for _, method := range methods {
		if err := mcp.AddSendingCustomMethod[*params, *discard](client, method); err != nil {
			panic(err) // the names are constants of this file
		}
	}
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if len(method) > len(ownPrefix) && method[:len(ownPrefix)] == ownPrefix {
				_, err := next(ctx, method[len(ownPrefix):], req)
				return &discard{}, err
			}
			return next(ctx, method, req)
		}
	})
}

// call sends one request and returns the raw result. It returns an [*RPCError]
// for an error the server answered, a [*Failure] when none came.
func (s *Session) call(ctx context.Context, method string, p *params) (json.RawMessage, error) {
	if slices.Contains(baseMethods, method) {
		method = ownPrefix + method
	}
	limit, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for first, paused := true, false; ; first = false {
		raw := &capture{swaps: true, most: p.most}
		session := s.current()
		_, err := mcp.CallCustomMethod[*params, *discard](withCapture(limit, raw), session, method, p)
		var rpc *jsonrpc.Error
		said := raw.http()
		status := said.status
		switch {
		case err == nil && raw.raw() != nil:
			return raw.raw(), nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return nil, errors.New("the server's answer has no result")
		case status == http.StatusUnauthorized || status == http.StatusForbidden:
			return nil, s.failure(ctx, limit, said, err)
		case said.overloaded():
			if wait, short := said.pause(); short && !paused {
				paused = true
				if err := sleep(limit, wait); err == nil {
					continue
				}
			}
			f := s.failure(ctx, limit, said, err)
			var failure *Failure
			if status == http.StatusTooManyRequests && errors.As(f, &failure) {
				failure.Reason += "; --concurrency 1 asks for less at once"
			}
			return nil, f
		case status == 0 && first && s.wire != nil && errors.Is(err, mcp.ErrConnectionClosed):
			s.renew(ctx, session) // given up over the answer to another call: this one was not sent
			continue
		case status == http.StatusNotFound && first:
			s.renew(ctx, session) // the session was lost, and a client starts another
			continue
		case errors.As(err, &rpc) && rpc.Code != rejectedByTransport:
			return nil, &RPCError{rpc.Code, s.mask(rpc.Message)}
		case status >= 400:
			s.renew(ctx, session)
			return nil, fmt.Errorf("the server answers HTTP %d %s", status, http.StatusText(status))
		case limit.Err() == nil && status == http.StatusOK:
			s.renew(ctx, session)
			if tooLarge(err) {
				return nil, errTooLarge
			}
			return nil, fmt.Errorf("the server's answer is no JSON-RPC response: %s", reasonOf(err))
		}
		return nil, s.failure(ctx, limit, said, err)
	}
}

// sleep waits, and returns ctx's error when that is over first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// walked is what skills/list gave, page by page.
type walked struct {
	// Pages are the raw results, in order.
	Pages []page
	// Entries are the items of all pages in order, each as it was sent.
	Entries []json.RawMessage
	// Complete is false when the walk ended early: Problem says why.
	Complete bool
	// Problem is a finding of pagination-loop, listing-too-long or list-failed, or nil.
	Problem *lint.Finding
	// Err is the [*RPCError] or [*Failure] that ended the walk, or nil.
	Err error
}

// page is one result of a list method.
type page struct {
	Result map[string]json.RawMessage
	Cursor string // of the next page, "" on the last
}

// walk follows the pages of a list method to the end, at most [MaxPages] of them.
// key names the array of items in a result.
func (s *Session) walk(ctx context.Context, method, key string, p params) walked {
	var l walked
	seen := map[string]bool{}
	stop := func(rule, format string, args ...any) walked {
		f := lint.New(rule, format, args...)
		l.Problem = &f
		return l
	}
	size := 0
	for cursor := ""; ; {
		if len(l.Pages) == MaxPages {
			return stop("listing-too-long", "%s has over %d pages: the listing is incomplete; serve more entries a page", method, MaxPages)
		}
		ask := p
		if cursor != "" {
			ask.Cursor = cursor
		}
		raw, err := s.call(ctx, method, &ask)
		if err != nil {
			l.Err = err
			return stop("list-failed", "%s fails on page %d: %v", method, len(l.Pages)+1, err)
		}
		size += len(raw)
		var page page
		if page.Result, err = fieldsOf(raw); err != nil {
			return stop("list-failed", "%s answers %s, which is %v: an object with a list %q is expected", method, brief(raw), err, key)
		}
		l.Pages = append(l.Pages, page)
		var items []json.RawMessage
		if list, ok := page.Result[key]; !ok || json.Unmarshal(list, &items) != nil || items == nil {
			return stop("list-failed", "%s answers page %d with %s as %q, not a list", method, len(l.Pages), brief(list), key)
		}
		room := maxEntries - len(l.Entries)
		l.Entries = append(l.Entries, items[:min(len(items), room)]...)
		delete(page.Result, key) // the entries are kept once
		if len(items) > room || size > maxMessage {
			return stop("listing-too-long", "%s gives over %d entries or %d MiB: the listing is incomplete", method, maxEntries, maxMessage>>20)
		}
		next, ok := page.Result["nextCursor"]
		if !ok || string(next) == "null" || string(next) == `""` {
			l.Complete = true
			return l
		}
		if json.Unmarshal(next, &cursor) != nil {
			return stop("list-failed", "%s answers page %d with %s as nextCursor, not a string: the listing is incomplete", method, len(l.Pages), brief(next))
		}
		l.Pages[len(l.Pages)-1].Cursor = cursor
		if seen[cursor] {
			return stop("pagination-loop", "%s gives the cursor %q a second time on page %d: the listing is incomplete; give each page a cursor of its own and the last page none", method, shorten(cursor), len(l.Pages))
		}
		seen[cursor] = true
	}
}

// maxEntries bounds the entries of one listing.
const maxEntries = 100_000

// fieldsOf returns the fields of an object. A field that is given twice is an
// error: readers differ in which one they take.
func fieldsOf(raw json.RawMessage) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no object")
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string)
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("an object with the key %q twice", shorten(key))
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		fields[key] = value
	}
	return fields, nil
}

// brief is a raw value for a message.
func brief(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	return shorten(string(raw))
}

// shorten cuts a text of a server to what fits in a message.
func shorten(s string) string { return shortenTo(s, 80) }

func shortenTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// content is one item of a resources/read result.
type content struct {
	URI      string
	MIMEType string
	Text     *string
	Blob     *string
}

// readContents asks for a resource of so many declared bytes and returns the
// items as they were sent. An answer in which every byte were escaped could not
// be longer than what is accepted.
func (s *Session) readContents(ctx context.Context, uri string, size int64) ([]content, error) {
	raw, err := s.call(ctx, methodRead, &params{URI: uri, most: 6*min(size, maxMessage) + 64<<10})
	if err != nil {
		return nil, err
	}
	// Decoding takes several times the memory of the answer: one at a time.
	s.decoding.Lock()
	defer s.decoding.Unlock()
	var result struct {
		Contents []json.RawMessage `json:"contents"`
	}
	if err := json.Unmarshal(raw, &result); err != nil || result.Contents == nil {
		return nil, fmt.Errorf("the answer %s has no list of contents", brief(raw))
	}
	contents := make([]content, len(result.Contents))
	for i, item := range result.Contents {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(item, &fields) // anything but an object has no fields
		c := &contents[i]
		_ = json.Unmarshal(fields["uri"], &c.URI)
		_ = json.Unmarshal(fields["mimeType"], &c.MIMEType)
		c.Text, c.Blob = textOf(fields["text"]), textOf(fields["blob"])
	}
	return contents, nil
}

// textOf returns a JSON string, nil for anything else.
func textOf(raw json.RawMessage) *string {
	var s *string
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return s
}

// bytes returns the content's bytes: text as UTF-8, a blob from base64.
func (c content) bytes() ([]byte, error) {
	switch {
	case c.Text != nil && c.Blob != nil:
		if b, err := (content{Blob: c.Blob}).bytes(); err != nil || string(b) != *c.Text {
			return nil, errors.New("its text and its blob differ, and clients take the one or the other: serve one of them")
		}
		return []byte(*c.Text), nil
	case c.Text != nil:
		return []byte(*c.Text), nil
	case c.Blob != nil:
		b, err := base64.StdEncoding.DecodeString(*c.Blob)
		if err != nil {
			if b, rawErr := base64.RawStdEncoding.DecodeString(*c.Blob); rawErr == nil {
				return b, nil
			}
			return nil, fmt.Errorf("its blob is no base64: %v", err)
		}
		return b, nil
	}
	return nil, errors.New("it has neither a text nor a blob")
}

// find returns the content that answers a URI.
func find(contents []content, uri string) (content, bool) {
	want, wantErr := manifest.ParseURI(uri)
	for _, c := range contents {
		if c.URI == uri {
			return c, true
		}
		if got, err := manifest.ParseURI(c.URI); err == nil && wantErr == nil && got == want {
			return c, true
		}
	}
	return content{}, false
}
