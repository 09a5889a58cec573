package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParseEditorConfig(t *testing.T) {
	t.Setenv("TOKEN", "s3cret")
	const config = `{
  // a comment, as editors allow
  "mcpServers": {
    "http": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
    "local": {"command": "node", "args": ["server.js", "--port=0"], "env": {"KEY": "${TOKEN}"}, "cwd": "srv"}, /* and another */
    "unset": {"url": "https://example.com", "headers": {"X": "${NO_SUCH_VARIABLE}"}},
    "empty": {}
  }
}`
	target, err := ParseEditorConfig([]byte(config), "http")
	if err != nil || target.URL != "https://example.com/mcp" || target.Header.Get("Authorization") != "Bearer s3cret" {
		t.Errorf("http: %+v, %v", target, err)
	}
	target, err = ParseEditorConfig([]byte(config), "local")
	if err != nil || !slices.Equal(target.Command, []string{"node", "server.js", "--port=0"}) || !slices.Equal(target.Env, []string{"KEY=s3cret"}) || target.Dir != "srv" {
		t.Errorf("local: %+v, %v", target, err)
	}
	for name, want := range map[string]string{
		"unset": "NO_SUCH_VARIABLE is not set",
		"empty": `neither "url" nor "command"`,
		"other": "it has empty, http, local, unset",
		"":      "choose one with --server",
	} {
		if _, err := ParseEditorConfig([]byte(config), name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("server %q: error %v, want %q and no secret", name, err, want)
		}
	}
	if _, err := ParseEditorConfig([]byte(`{"other": {}}`), ""); err == nil || !strings.Contains(err.Error(), "mcpServers") {
		t.Errorf("no servers: error %v", err)
	}
}

// canary is a secret of the environment that nothing may show.
const canary = "canary-0123456789"

// errDialed is how a request ends that could be sent.
var errDialed = errors.New("dialed")

// sendable returns nil when a target's headers can be sent.
func sendable(t Target) error {
	req, err := http.NewRequest(http.MethodGet, "http://example.com", nil)
	if err != nil {
		return err
	}
	if t.Header != nil {
		req.Header = t.Header
	}
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errDialed }}
	if _, err = transport.RoundTrip(req); errors.Is(err, errDialed) {
		return nil
	}
	return err
}

// jsonTokens are a JSON string, and the comments that editors allow.
var jsonTokens = regexp.MustCompile(`"(?:\\[\s\S]|[^"\\])*"|//[^\n]*|/\*[\s\S]*?\*/`)

// FuzzParseEditorConfig holds that what is accepted is JSON when the comments
// are taken away, that a target has all that its server says, can be connected
// to, and that neither an error nor a target's name shows what stands in the
// environment.
func FuzzParseEditorConfig(f *testing.F) {
	for _, text := range []string{
		`{"mcpServers": {"a": {"command": "x", "args": [1]}}} // "`, "/*", "/*/{}", `/**/{"servers": {"a": {"url": "http://x/*y*/" /* " */}}}//`, `{"context_servers": {"": {"url": "", "command": ""}}}`,
		`{"mcpServers": {"a": {"command": "${CANARY}", "args": ["--token=${env:CANARY}", "${CANARY}\"//"], "env": {"K": "${CANARY}"}, "cwd": "${CANARY}"}}}`,
		`{"mcpServers": {"a": {"url": "https://${CANARY}@h/${CANARY}?${CANARY}#${CANARY}", "headers": {"A": "Bearer ${CANARY}", "b c": "\u0001"}}}}`,
		`{"mcpServers": {"a": {"url": "ftp://h/${CANARY}"}}}`, `{"mcpServers": {"a": {"url": "x", "args": {}, "env": [], "headers": "y"}, "b": null}}`, `{"mcpServers": {"a": {"url": 1}, "a": {}}}`,
	} {
		f.Add([]byte(text), "a")
		f.Add([]byte(text), "")
	}
	f.Setenv("CANARY", canary)
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		if bytes.Contains(text, []byte("canary")) || strings.Contains(name, "canary") {
			return // what is typed out is no secret
		}
		plain := jsonTokens.ReplaceAllFunc(text, func(token []byte) []byte {
			if token[0] == '"' {
				return token
			}
			return bytes.Map(func(r rune) rune {
				if r == '\n' {
					return r
				}
				return ' '
			}, token)
		})
		if blank := withoutComments(text); json.Valid(plain) != json.Valid(blank) || len(blank) != len(text) || bytes.Count(blank, []byte("\n")) != bytes.Count(text, []byte("\n")) {
			t.Fatalf("%q is without comments %q, want %q", text, blank, plain)
		}
		target, err := ParseEditorConfig(text, name)
		if err == nil {
			err = target.validate()
		}
		if err != nil {
			if strings.Contains(err.Error(), canary) {
				t.Errorf("%q: the error shows a secret: %v", text, err)
			}
			return
		}
		if strings.Contains(target.String(), canary) || strings.Contains(target.masker()(strings.Join(target.Command, " ")+target.Dir), canary) {
			t.Errorf("%q: the target %s shows a secret", text, target)
		}
		if err := sendable(target); err != nil && target.URL != "" {
			t.Errorf("%q: %v", text, err)
		}
		checkTarget(t, plain, name, target)
	})
}

// checkTarget compares a target with what encoding/json sees of its server.
func checkTarget(t *testing.T, text []byte, name string, got Target) {
	t.Helper()
	var file map[string]json.RawMessage
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%q is accepted: %v", text, err)
	}
	for _, key := range serverKeys {
		var servers map[string]json.RawMessage
		if file[key] == nil || json.Unmarshal(file[key], &servers) != nil || servers == nil {
			continue
		}
		if _, ok := servers[name]; !ok && name == "" && len(servers) == 1 {
			for name = range servers {
			}
		}
		var want map[string]any
		if err := json.Unmarshal(servers[name], &want); err != nil {
			t.Fatalf("%q has no server %q: %v", text, name, err)
		}
		args, _ := want["args"].([]any)
		env, _ := want["env"].(map[string]any)
		headers, _ := want["headers"].(map[string]any)
		if _, isCommand := want["command"]; isCommand && len(got.Command) != 1+len(args) || len(got.Env) != len(env) || len(got.Header) > len(headers) || len(headers) > 0 && len(got.Header) == 0 {
			t.Errorf("%q, server %q, is %+v", text, name, got)
		}
		return
	}
	t.Errorf("%q has no servers", text)
}
