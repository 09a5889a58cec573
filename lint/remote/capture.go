package remote

import (
	"context"
	"encoding/json"
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
	id     any // of the request, as [idOf] returns it; nil lets any response answer it
	result json.RawMessage
	answer httpAnswer // the HTTP response, zero over stdio
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

func (c *capture) setAnswer(a httpAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = a
}

func (c *capture) setRedirected(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer.redirected = why
}

// setRequest makes the capture wait for the response to one request; another
// kind of message changes nothing. A session that is opened makes several
// requests, of which the last one counts. It reports whether the message is one.
func (c *capture) setRequest(message []byte) bool {
	m := membersOf(message)
	id := idOf(m)
	if _, isRequest := m["method"]; !isRequest || id == nil {
		return false
	}
	c.waitFor(id)
	return true
}

// waitFor makes the capture wait for the response with an id, as [idOf] returns it.
func (c *capture) waitFor(id any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id, c.result = id, nil
}

// raw returns the result, nil when no response with one arrived.
func (c *capture) raw() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.result
}

// http returns the latest HTTP response of the call.
func (c *capture) http() httpAnswer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answer
}

// take keeps the result of a response and returns what the SDK is to see of the
// message. Anything but the response with a result to the call that is waited
// for passes as it is.
func (c *capture) take(message []byte) []byte {
	m := membersOf(message)
	var version string
	_, isRequest := m["method"]
	_, isError := m["error"]
	result, ok := m["result"]
	id := idOf(m)
	if !ok || isRequest || isError || id == nil || json.Unmarshal(m["jsonrpc"], &version) != nil || version != "2.0" {
		return message
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.id != nil && c.id != id || c.result != nil { // the first answer counts
		return message
	}
	c.result = result
	if !c.swaps {
		return message
	}
	return append(append([]byte(`{"jsonrpc":"2.0","id":`), m["id"]...), `,"result":{}}`...)
}

// membersOf takes a JSON-RPC message apart; it is nil for anything but an
// object. A struct would not do: its fields also take "Result" and "RESULT",
// which no host does.
func membersOf(message []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(message, &m) != nil {
		return nil
	}
	return m
}

// idOf returns the id of a message, a number or a string in whatever spelling,
// or nil when it has none.
func idOf(m map[string]json.RawMessage) any {
	var id any
	if json.Unmarshal(m["id"], &id) != nil {
		return nil
	}
	switch id.(type) {
	case string, float64:
		return id
	}
	return nil
}
