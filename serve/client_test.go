package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/manifest"
)

type extensionParams struct {
	mcp.ParamsBase
	URI    string `json:"uri,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

type extensionResult struct {
	mcp.ResultBase
	Skills    []json.RawMessage `json:"skills"`
	Skill     json.RawMessage   `json:"skill"`
	Resources []*mcp.Resource   `json:"resources"`
}

// connect connects the Go SDK's client over a transport.
func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	for _, method := range []string{"skills/list", "skills/get", "resources/directory/read"} {
		if err := mcp.AddSendingCustomMethod[*extensionParams, *extensionResult](client, method); err != nil {
			t.Fatal(err)
		}
	}
	cs, err := client.Connect(context.Background(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	return cs
}

// The SDK's own client lists, gets, reads and walks.
func TestGoClient(t *testing.T) {
	m, _ := build(awkward)
	server := newServer(t, prepared(t, awkward), nil)
	withOwn(server, 1)
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	ss, err := server.Connect(context.Background(), serverEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ss.Close() })
	for name, transport := range map[string]mcp.Transport{
		"in memory": clientEnd,
		"http":      &mcp.StreamableClientTransport{Endpoint: endpoint(t, server)},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			cs := connect(t, transport)
			if _, ok := cs.InitializeResult().Capabilities.Extensions["io.modelcontextprotocol/skills"]; !ok {
				t.Errorf("capabilities %+v", cs.InitializeResult().Capabilities)
			}
			list, err := mcp.CallCustomMethod[*extensionParams, *extensionResult](ctx, cs, "skills/list", &extensionParams{})
			if err != nil || len(list.Skills) != len(m.Skills) {
				t.Fatalf("skills/list: %v, %d skills", err, len(list.Skills))
			}
			read := map[string]bool{}
			var walk func(uri string)
			walk = func(uri string) {
				folder, err := mcp.CallCustomMethod[*extensionParams, *extensionResult](ctx, cs, "resources/directory/read", &extensionParams{URI: uri})
				if err != nil {
					t.Fatalf("%s: %v", uri, err)
				}
				for _, r := range folder.Resources {
					if r.MIMEType == "inode/directory" {
						walk(r.URI)
						continue
					}
					result, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI})
					if err != nil || len(result.Contents) != 1 {
						t.Fatalf("%s: %v, %+v", r.URI, err, result)
					}
					u, err := manifest.ParseURI(r.URI)
					if err != nil {
						t.Fatal(err)
					}
					got := append(bytes.Clone(result.Contents[0].Blob), result.Contents[0].Text...)
					if string(got) != awkward[u.Path()] || r.Size != int64(len(got)) {
						t.Errorf("%s: %d bytes %q, listed with %d", r.URI, len(got), got, r.Size)
					}
					read[u.Path()] = true
				}
			}
			walk("skill://acme")
			for _, s := range m.Skills {
				get, err := mcp.CallCustomMethod[*extensionParams, *extensionResult](ctx, cs, "skills/get", &extensionParams{URI: s.URI.String()})
				if err != nil || !strings.Contains(string(get.Skill), s.URI.String()) {
					t.Errorf("skills/get %s: %v, %s", s.URI, err, get.Skill)
				}
				if root, _ := s.URI.Root(); root.Parent().IsZero() {
					walk(root.String())
				}
			}
			if len(read) != len(awkward) {
				t.Errorf("%d files read, want %d", len(read), len(awkward))
			}
			all, err := cs.ListResources(ctx, nil)
			if err != nil || len(all.Resources) != len(awkward)+1 {
				t.Errorf("resources/list: %v, %d resources", err, len(all.Resources))
			}
		})
	}
}
