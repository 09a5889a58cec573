package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
	"github.com/skillpack/skillpack/serve"
)

// skillText is a SKILL.md of a skill with a name.
func skillText(name string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ". Use when it is to be done.\n---\n\nDo it.\n"
}

// awkward is a tree with a prefix, nested skills, folders, binary files and
// names that need escaping. The keys are paths below skill://.
var awkward = map[string]string{
	"acme/billing/refunds/SKILL.md":                   skillText("refunds"),
	"acme/billing/refunds/templates/a b+c.md":         "# a b\n",
	"acme/billing/refunds/templates/eu/büro.md":       "Grüße \u2028 <b>&</b>\n",
	"acme/billing/refunds/assets/logo.png":            "\x89PNG\r\n\x1a\n\x00\xff",
	"acme/billing/refunds/empty.txt":                  "",
	"acme/billing/refunds/.hidden":                    "dot\n",
	"acme/billing/refunds/sub/partial/SKILL.md":       skillText("partial"),
	"acme/billing/refunds/sub/partial/50%.md":         "half\n",
	"acme/billing/refunds/sub/partial/bin/data":       "\x00\x01\x02",
	"acme/support/refunds-faq/SKILL.md":               skillText("refunds-faq"),
	"pdf-processing/SKILL.md":                         skillText("pdf-processing"),
	"pdf-processing/notes-latin1.md":                  "caf\xe9\n",
	"pdf-processing/references/deep/er/and/er/f.json": "{}\n",
}

// build makes the manifest of a tree: each SKILL.md is a skill of all files
// below its folder.
func build(files map[string]string) (manifest.Manifest, func(string) ([]byte, error)) {
	var m manifest.Manifest
	bytesOf := map[string]string{}
	for path, text := range files {
		bytesOf[manifest.NewURI(path).String()] = text
		root, ok := strings.CutSuffix(path, "/SKILL.md")
		if !ok {
			continue
		}
		s := manifest.Skill{URI: manifest.NewURI(path), Frontmatter: frontmatter.Parse([]byte(text)).Frontmatter}
		for _, below := range slices.Sorted(maps.Keys(files)) {
			if strings.HasPrefix(below, root+"/") {
				b := []byte(files[below])
				s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(below), Digest: manifest.DigestOf(b), Size: int64(len(b))})
			}
		}
		m.Skills = append(m.Skills, s)
	}
	m.Sort()
	return m, func(uri string) ([]byte, error) {
		text, ok := bytesOf[uri]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: uri, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	}
}

// prepared returns the skills of a tree, or fails the test.
func prepared(t testing.TB, files map[string]string, opts ...serve.Option) *serve.Skills {
	t.Helper()
	m, read := build(files)
	s, err := serve.New(m, read, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newServer returns a server that carries skills.
func newServer(t testing.TB, s *serve.Skills, o *mcp.ServerOptions) *mcp.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1.0.0"}, o)
	if err := s.Register(server); err != nil {
		t.Fatal(err)
	}
	return server
}

// endpoint serves a server over HTTP and returns its URL.
func endpoint(t testing.TB, server *mcp.Server) string {
	t.Helper()
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	hs := httptest.NewServer(h)
	t.Cleanup(hs.Close)
	return hs.URL
}

// The two revisions that are served.
const (
	newer = "2026-07-28"
	older = "2025-11-25"
)

// rpcError is the error of an answer.
type rpcError struct {
	Code    int
	Message string
	Data    struct{ URI string }
}

// call sends one request as a client of a revision would, its params as they
// are, and returns the answer.
func call(t testing.TB, url, protocol, method, params string) (result json.RawMessage, failure *rpcError) {
	t.Helper()
	if params == "" {
		params = "{}"
	}
	var named struct{ URI, Name string }
	_ = json.Unmarshal([]byte(params), &named) // a uri of another type goes into no header
	if protocol == newer && strings.HasPrefix(params, "{") {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + newer + `","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		if params != "{}" {
			meta += ","
		}
		params = "{" + meta + params[1:]
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", protocol)
	if protocol == newer {
		req.Header.Set("Mcp-Method", method)
		if method == "resources/read" {
			req.Header.Set("Mcp-Name", named.URI)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result json.RawMessage
		Error  *rpcError
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s %s: HTTP %d %s", method, params, resp.StatusCode, text)
	}
	if (answer.Result == nil) == (answer.Error == nil) {
		t.Fatalf("%s %s: neither a result nor an error: %s", method, params, text)
	}
	return answer.Result, answer.Error
}

// good is a call that must succeed, decoded.
func good[T any](t testing.TB, url, protocol, method, params string) T {
	t.Helper()
	var into T
	raw, failure := call(t, url, protocol, method, params)
	if failure != nil {
		t.Fatalf("%s %s: error %d: %s", method, params, failure.Code, failure.Message)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&into); err != nil {
		t.Fatalf("%s %s: %v in %s", method, params, err, raw)
	}
	return into
}

// uriParams are params with a uri.
func uriParams(uri string) string {
	text, _ := json.Marshal(map[string]string{"uri": uri}) // a string always encodes
	return string(text)
}
