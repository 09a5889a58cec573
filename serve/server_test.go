package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/serve"
)

// declared is what a server says of itself.
type declared struct {
	Capabilities struct {
		Extensions map[string]json.RawMessage
		Resources  *json.RawMessage
		Logging    *json.RawMessage
		Tools      *json.RawMessage
	}
	Instructions string
}

// The extension is declared in both handshakes, beside what the server's own
// options say.
func TestDeclaration(t *testing.T) {
	initialize := `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`
	hello := func(url string) map[string]declared {
		return map[string]declared{
			"discover":   good[declared](t, url, newer, "server/discover", "{}"),
			"initialize": good[declared](t, url, older, "initialize", initialize),
		}
	}
	plain := newServer(t, prepared(t, awkward), nil)
	own := newServer(t, prepared(t, awkward, serve.WithInstructions()), &mcp.ServerOptions{
		Instructions: "Ask first.",
		Capabilities: &mcp.ServerCapabilities{Extensions: map[string]any{"com.example/own": map[string]any{}}, Resources: &mcp.ResourceCapabilities{ListChanged: true}},
	})
	for range 2 { // what one client is told must not reach the next twice
		for how, d := range hello(endpoint(t, plain)) {
			if got := string(d.Capabilities.Extensions[serve.ExtensionID]); got != `{"directoryRead":true}` {
				t.Errorf("%s: extension %s", how, got)
			}
			if d.Capabilities.Resources == nil || string(*d.Capabilities.Resources) != "{}" || d.Capabilities.Logging == nil || d.Instructions != "" {
				t.Errorf("%s: %+v", how, d)
			}
		}
		for how, d := range hello(endpoint(t, own)) {
			if len(d.Capabilities.Extensions) != 2 || string(*d.Capabilities.Resources) != `{"listChanged":true}` || d.Capabilities.Logging != nil {
				t.Errorf("%s: %+v", how, d.Capabilities)
			}
			if !strings.HasPrefix(d.Instructions, "Ask first.\n\nThis server has skills") || strings.Count(d.Instructions, "\n- skill://") != 4 {
				t.Errorf("%s: instructions %q", how, d.Instructions)
			}
		}
	}
}

func TestInstructions(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		name := fmt.Sprintf("skill-%02d", i)
		files[name+"/SKILL.md"] = strings.Replace(skillText(name), ". Use", ". "+strings.Repeat("Very ", 50)+"long. Use", 1)
	}
	s := prepared(t, files, serve.WithUnlisted("skill-00"))
	lines := strings.Split(s.Instructions(), "\n")
	if len(lines) != 52 || strings.Contains(s.Instructions(), "skill-00") || lines[51] != "- and 9 more, which skills/list returns" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if len([]rune(lines[1])) > 130 {
		t.Errorf("a line of %d characters", len(lines[1]))
	}
	if s := prepared(t, nil).Instructions(); s != "" {
		t.Errorf("no skills: %q", s)
	}
}

// withOwn adds resources and a tool of the team's own to a server.
func withOwn(server *mcp.Server, n int) {
	for i := range n {
		uri := fmt.Sprintf("file:///own/%02d", i)
		server.AddResource(&mcp.Resource{URI: uri, Name: fmt.Sprintf("own-%02d", i)}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: "own"}}}, nil
		})
	}
	server.AddTool(&mcp.Tool{Name: "hello", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hi"}}}, nil
	})
}

// The server's own resources and tools stay, before and after the skills.
func TestOwnResources(t *testing.T) {
	for _, test := range []struct{ ours, theirs, own int }{{1000, 1000, 1}, {1000, 1000, 0}, {3, 2, 5}, {13, 5, 5}, {4, 1000, 7}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			server := newServer(t, prepared(t, awkward, serve.WithPageSize(test.ours)), &mcp.ServerOptions{PageSize: test.theirs})
			withOwn(server, test.own)
			url := endpoint(t, server)
			seen := map[string]int{}
			for cursor := `{}`; cursor != ""; {
				page := good[resourcesResult](t, url, newer, "resources/list", cursor)
				for _, r := range page.Resources {
					seen[r.URI]++
				}
				cursor = ""
				if page.Next != nil {
					cursor = `{"cursor":"` + *page.Next + `"}`
				}
			}
			if len(seen) != len(awkward)+test.own || slices.Max(slices.Collect(maps.Values(seen))) != 1 {
				t.Errorf("%d resources, want %d, each once: %v", len(seen), len(awkward)+test.own, seen)
			}
			if test.own == 0 {
				return
			}
			read := good[readResult](t, url, newer, "resources/read", uriParams("file:///own/00"))
			if len(read.Contents) != 1 || *read.Contents[0].Text != "own" {
				t.Errorf("an own resource: %+v", read.Contents)
			}
			first := good[resourcesResult](t, url, newer, "resources/list", "{}")
			if last := first.Next == nil; last && *first.TTL != 0 {
				t.Errorf("ttlMs %d for resources that must not be cached", *first.TTL)
			}
			result, _ := call(t, url, older, "tools/call", `{"name":"hello","arguments":{}}`)
			if !strings.Contains(string(result), `"hi"`) {
				t.Errorf("tools/call: %s", result)
			}
		})
	}
}

// Replace changes every answer at once, and refuses cursors from before.
func TestReplace(t *testing.T) {
	s := prepared(t, awkward, serve.WithPageSize(2))
	url := endpoint(t, newServer(t, s, nil))
	first := good[listResult](t, url, newer, "skills/list", "{}")
	before := s.Fingerprint()
	changed := maps.Clone(awkward)
	changed["pdf-processing/SKILL.md"] += "More.\n"
	changed["new/SKILL.md"] = skillText("new")
	s.Replace(prepared(t, changed, serve.WithPageSize(2)))
	if s.Fingerprint() == before {
		t.Error("the fingerprint is still that of the old set")
	}
	if _, failure := call(t, url, newer, "skills/list", `{"cursor":"`+*first.Next+`"}`); failure == nil || failure.Code != -32602 {
		t.Errorf("a cursor of the old set: %+v", failure)
	}
	read := good[readResult](t, url, newer, "resources/read", uriParams("skill://pdf-processing/SKILL.md"))
	if *read.Contents[0].Text != changed["pdf-processing/SKILL.md"] {
		t.Errorf("read %q", *read.Contents[0].Text)
	}
	good[getResult](t, url, newer, "skills/get", uriParams("skill://new/SKILL.md"))
	// A restart with the same skills takes cursors of before.
	s.Replace(prepared(t, awkward, serve.WithPageSize(2)))
	good[listResult](t, url, newer, "skills/list", `{"cursor":"`+*first.Next+`"}`)
}
