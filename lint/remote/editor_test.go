package remote

import (
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

func FuzzParseEditorConfig(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "x", "args": [1]}}} // "`))
	f.Add([]byte("/*"))
	f.Fuzz(func(t *testing.T, text []byte) {
		target, err := ParseEditorConfig(text, "")
		if err == nil && target.validate() != nil && target.URL == "" && len(target.Command) == 0 {
			t.Errorf("a target without URL and command: %+v", target)
		}
	})
}
