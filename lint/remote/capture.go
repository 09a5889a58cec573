package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// A capture keeps the raw JSON-RPC response of one call, as the server sent it.
// The SDK hands out typed results, in which a missing field and an empty one, or
// a number too large for its type, cannot be told apart; and it decodes a
// message several times over, which multiplies what a large one costs.
type capture struct {
	// swaps puts a small stand-in in the place of the result that the SDK sees.
	swaps bool
	// most bounds the response in bytes; 0 is maxMessage.
	most int64

	mu     sync.Mutex
	result json.RawMessage
	status int // of the HTTP response, 0 over stdio
}

type captureKey struct{}

func withCapture(ctx context.Context, c *capture) context.Context {
	return context.WithValue(ctx, captureKey{}, c)
}

func captureOf(ctx context.Context) *capture {
	c, _ := ctx.Value(captureKey{}).(*capture)
	return c
}

func (c *capture) limit() int64 {
	if c == nil || c.most <= 0 {
		return maxMessage
	}
	return min(c.most, maxMessage)
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

// wrapper is what a JSON-RPC message is wrapped in.
type wrapper struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// take keeps the result of a response and returns what the SDK is to see of the
// message. Anything but a response with a result passes as it is.
func (c *capture) take(message []byte) []byte {
	var m wrapper
	if json.Unmarshal(message, &m) != nil || m.Version != "2.0" || m.ID == nil || m.Method != nil || m.Result == nil || m.Error != nil {
		return message
	}
	c.mu.Lock()
	c.result = m.Result
	c.mu.Unlock()
	if !c.swaps {
		return message
	}
	return append(append([]byte(`{"jsonrpc":"2.0","id":`), m.ID...), `,"result":{}}`...)
}

// events passes a stream of server-sent events on, event by event, so that the
// one with the response can be taken.
type events struct {
	from    *bufio.Reader
	closer  io.Closer
	capture *capture
	out     []byte // what is left to hand on
	err     error  // after out
}

func newEvents(body io.ReadCloser, c *capture) *events {
	return &events{from: bufio.NewReaderSize(body, 32<<10), closer: body, capture: c}
}

func (e *events) Close() error { return e.closer.Close() }

func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.out, e.err = e.next()
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

// next reads one event, up to the blank line that ends it.
func (e *events) next() (event []byte, err error) {
	var data []byte
	lines := 0
	for {
		line, err := readLine(e.from, e.capture.limit()-int64(len(event)))
		event = append(event, line...)
		text := bytes.TrimRight(line, "\r\n")
		if d, ok := bytes.CutPrefix(text, []byte("data:")); ok {
			if lines > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(d, []byte(" "))...)
			lines++
		}
		if err == nil && len(text) > 0 {
			continue
		}
		if lines > 0 {
			if seen := e.capture.take(data); len(seen) < len(data) {
				event = append(append([]byte("event: message\ndata: "), seen...), "\n\n"...)
			}
		}
		return event, err
	}
}

// readLine reads a line with its end, of at most so many bytes.
func readLine(r *bufio.Reader, most int64) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > most {
			return nil, errTooLarge
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
