package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdio is the SDK's transport over the standard streams, but for the end of
// stdin: a client that closes it, as a pipe does, still gets the answers to what
// it asked before.
type stdio struct{ mcp.StdioTransport }

// Connect opens the connection.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.StdioTransport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConn{Connection: conn, answered: make(chan struct{}, 1)}, nil
}

// patientConn counts the requests that wait for their answers.
type patientConn struct {
	mcp.Connection
	mu       sync.Mutex
	open     int
	answered chan struct{} // an answer was written
}

func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if req, ok := m.(*jsonrpc.Request); ok && err == nil && req.IsCall() {
		c.mu.Lock()
		c.open++
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.drain(ctx)
	}
	return m, err
}

// drain waits until every request is answered, at most for a goodbye.
func (c *patientConn) drain(ctx context.Context) {
	timer := time.NewTimer(goodbye)
	defer timer.Stop()
	for {
		c.mu.Lock()
		open := c.open
		c.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-c.answered:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (c *patientConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		c.open--
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}
