package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/internal/message"
)

// logRequests prints a line on stderr for each request that was answered.
func logRequests(r reporting) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			start := time.Now()
			result, err := next(ctx, method, req)
			if strings.HasPrefix(method, "notifications/") {
				return result, err
			}
			outcome := "ok"
			if err != nil {
				outcome = err.Error()
			}
			line := fmt.Sprintf("%s %s%s: %s (%v)", start.Format(time.TimeOnly), method, subject(req), outcome, time.Since(start).Round(10*time.Microsecond))
			fmt.Fprintln(r.notes, message.Plain(line)) // asked for, also with --quiet
			return result, err
		}
	}
}

// subject is what a request is about, with a space before it: its uri or
// cursor, of whatever type the client sent.
func subject(req mcp.Request) string {
	text, err := json.Marshal(req.GetParams())
	if err != nil {
		return ""
	}
	var params struct{ URI, Cursor any }
	if json.Unmarshal(text, &params) != nil {
		return ""
	}
	about := ""
	if params.URI != nil {
		about += fmt.Sprintf(" %v", params.URI)
	}
	if params.Cursor != nil && params.Cursor != "" {
		about += fmt.Sprintf(" cursor %v", params.Cursor)
	}
	const most = 300
	if r := []rune(about); len(r) > most {
		about = string(r[:most]) + "…"
	}
	return about
}
