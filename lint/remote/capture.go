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
