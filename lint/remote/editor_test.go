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
    "words": {"command": "x", "args": "--port=0"},
    "pairs": {"command": "x", "env": ["KEY=${TOKEN}"]},
    "lines": {"url": "https://example.com", "headers": ["Authorization: ${TOKEN}"]},
    "name": {"url": "https://example.com", "headers": {"A: x": "${TOKEN}"}},
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
		"words": "args is a string, not a list",
		"pairs": "env is a list, not a mapping",
		"lines": "headers is a list, not a mapping",
		"name":  `header "A: x": a name holds letters`,
		"empty": `neither "url" nor "command"`,
		"other": "it has empty, http, lines, local, name, pairs, unset, words",
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

// TestPlainJSON holds what editors accept beside JSON, and that the rest stays as
// it is, an error included.
func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": [1, 2,], }`:           `{"a": [1, 2 ]  }`,
		"{\"a\": 1, // last\n}":      "{\"a\": 1         \n}",
		`{"a": 1 /*, */ , /* ] */ }`: `{"a": 1                  }`,
		"\ufeff{}":                   "   {}",
		`{"a": "x,] // /* \\\",}"}`:  `{"a": "x,] // /* \\\",}"}`,
		`{"a": "//", "b": ",}"}`:     `{"a": "//", "b": ",}"}`,
		`{,}`:                        `{,}`,
		`[1,,]`:                      `[1,,]`,
		`{"a":,}`:                    `{"a":,}`,
		`/*/ {}`:                     `/*/ {}`,
		"/* a\r\n b */{}":            "    \r\n     {}",
		"// all\r{}":                 "      \r{}",
		`{"a": "`:                    `{"a": "`,
		`["a\\", ]`:                  `["a\\"  ]`,
	} {
		if got := string(plainJSON([]byte(text))); got != want {
			t.Errorf("%s became %q, want %q", text, got, want)
		}
	}
}

// TestWithheld holds that a command does not get what other servers' headers and
// URLs are made of, unless its own configuration hands it on.
func TestWithheld(t *testing.T) {
	t.Setenv("REMOTE_TOKEN", "s3cret-token")
	t.Setenv("URL_TOKEN", "s3cret-url")
	t.Setenv("OTHER", "stays")
	const config = `{"mcpServers": {
  "remote": {"url": "https://example.com/${env:URL_TOKEN}", "headers": {"Authorization": "Bearer ${REMOTE_TOKEN}"}},
  "local": {"command": "x", "env": {"HANDED": "${REMOTE_TOKEN}"}},
}}`
	target, err := ParseEditorConfig([]byte(config), "local")
	if err != nil {
		t.Fatal(err)
	}
	env := strings.Join(append(handedOn(target.Withheld), target.Env...), "\n")
	for text, want := range map[string]bool{"REMOTE_TOKEN=": false, "URL_TOKEN=": false, "OTHER=stays": true, "HANDED=s3cret-token": true} {
		if strings.Contains("\n"+env, "\n"+text) != want {
			t.Errorf("the command's environment has %q: %v, want %v", text, !want, want)
		}
	}
	if target, err = ParseEditorConfig([]byte(config), "remote"); err != nil {
		t.Fatal(err)
	}
	if got := target.String(); got != "https://example.com/***" {
		t.Errorf("the target is printed as %s", got)
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
var jsonTokens = regexp.MustCompile(`"(?:\\[\s\S]|[^"\\])*"|//[^\r\n]*|/\*[\s\S]*?\*/`)

// strictJSON replaces with spaces what editors allow beside JSON: comments by a pattern, and
// the commas that encoding/json stumbles over.
func strictJSON(text []byte) []byte {
	blanked := func(token []byte) []byte {
		token = bytes.Clone(token)
		for i, c := range token {
			if c != '\n' && c != '\r' {
				token[i] = ' '
			}
		}
		return token
	}
	plain := bytes.Clone(text)
	if rest, ok := bytes.CutPrefix(plain, bom); ok {
		plain = append(blanked(bom), rest...)
	}
	plain = jsonTokens.ReplaceAllFunc(plain, func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return blanked(token)
	})
	for {
		var syntax *json.SyntaxError
		if !errors.As(json.Unmarshal(plain, new(json.RawMessage)), &syntax) {
			return plain
		}
		end := int(syntax.Offset) - 1 // of the byte that is wrong
		if end < 0 || plain[end] != '}' && plain[end] != ']' {
			return plain
		}
		before := len(bytes.TrimRight(plain[:end], " \t\r\n")) - 1
		if before < 0 || plain[before] != ',' {
			return plain
		}
		plain[before] = ' '
	}
}

// FuzzParseEditorConfig holds that what is accepted is JSON when the comments and
// trailing commas are taken away, that a target has all that its server says, can be connected
// to, and that neither an error nor a target's name shows what stands in the
// environment.
func FuzzParseEditorConfig(f *testing.F) {
	for _, text := range []string{
		`{"mcpServers": {"a": {"command": "x", "args": [1]}}} // "`, "/*", "/*/{}", `/**/{"servers": {"a": {"url": "http://x/*y*/" /* " */}}}//`, `{"context_servers": {"": {"url": "", "command": ""}}}`,
		`{"mcpServers": {"a": {"command": "${CANARY}", "args": ["--token=${env:CANARY}", "${CANARY}\"//"], "env": {"K": "${CANARY}"}, "cwd": "${CANARY}"}}}`,
		`{"mcpServers": {"a": {"url": "https://${CANARY}@h/${CANARY}?${CANARY}#${CANARY}", "headers": {"A": "Bearer ${CANARY}", "b c": "\u0001"}}}}`,
		`{"mcpServers": {"a": {"url": "ftp://h/${CANARY}"}}}`, `{"mcpServers": {"a": {"url": "x", "args": {}, "env": [], "headers": "y"}, "b": null}}`, `{"mcpServers": {"a": {"url": "http://h", "headers": {"A: x": "y"}}, "b": {"command": "x", "args": null}}}`, `{"servers": {"a": {"command": "x", "args": [1,,], "env": {,}},},}`, `{"mcpServers": {"a": {"url": 1}, "a": {}}}`,
	} {
		f.Add([]byte(text), "a")
		f.Add([]byte("\ufeff"+strings.ReplaceAll(text, "}", ",\r//,\n}")), "")
		f.Add([]byte(text), "")
	}
	f.Setenv("CANARY", canary)
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		if bytes.Contains(text, []byte("canary")) || strings.Contains(name, "canary") {
			return // what is typed out is no secret
		}
		plain, got := strictJSON(text), plainJSON(text)
		if json.Valid(plain) != json.Valid(got) || json.Valid(plain) && !bytes.Equal(plain, got) || len(got) != len(text) {
			t.Fatalf("%q is without comments and trailing commas %q, want %q", text, got, plain)
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
