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
