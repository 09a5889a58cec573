package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
)

// A capture keeps the raw JSON-RPC response of one call, as the server sent it.
// The SDK hands out typed results, in which a missing field and an empty one,
// or a number too large for its type, cannot be told apart.
type capture struct {
	mu     sync.Mutex
	result json.RawMessage
	status int // of the HTTP response, 0 over stdio
}

type captureKey struct{}

func withCapture(ctx context.Context) (context.Context, *capture) {
	c := &capture{}
	return context.WithValue(ctx, captureKey{}, c), c
}

func captureOf(ctx context.Context) *capture {
	c, _ := ctx.Value(captureKey{}).(*capture)
	return c
}

func (c *capture) set(result json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result == nil {
		c.result = bytes.Clone(result)
	}
}

func (c *capture) setStatus(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = status
}

// raw returns the result, nil when no response with one arrived.
func (c *capture) raw() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.result
}

func (c *capture) httpStatus() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

// take keeps the result of a JSON-RPC response, and passes over requests and
// notifications.
func (c *capture) take(message []byte) {
	var response struct {
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(message, &response) == nil && response.Method == nil && response.Result != nil {
		c.set(response.Result)
	}
}

// tee is a response body that feeds a capture while the SDK reads it.
type tee struct {
	io.ReadCloser
	capture *capture
	events  bool // the body is a stream of server-sent events
	buf     []byte
	data    []byte // of the event that is being read
	done    bool
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if t.done {
		return n, err
	}
	t.buf = append(t.buf, p[:n]...)
	if t.events {
		t.scan()
	} else if err == io.EOF {
		t.finish(t.buf)
	}
	return n, err
}

// scan takes whole lines off the buffer and joins the data lines of an event.
func (t *tee) scan() {
	for {
		i := bytes.IndexByte(t.buf, '\n')
		if i < 0 {
			return
		}
		line := bytes.TrimSuffix(t.buf[:i], []byte("\r"))
		t.buf = t.buf[i+1:]
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(t.data) > 0 {
				t.data = append(t.data, '\n')
			}
			t.data = append(t.data, bytes.TrimPrefix(data, []byte(" "))...)
		} else if len(line) == 0 && len(t.data) > 0 {
			t.capture.take(t.data)
			t.data = nil
			if t.capture.raw() != nil {
				t.finish(nil)
				return
			}
		}
	}
}

func (t *tee) finish(message []byte) {
	if message != nil {
		t.capture.take(message)
	}
	t.done, t.buf, t.data = true, nil, nil
}
