package remote

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/manifest"
)

// serverKeys are the keys under which editors keep their servers.
var serverKeys = []string{"mcpServers", "servers", "context_servers"}

// ParseEditorConfig reads the JSON in which editors keep their MCP servers:
// {"mcpServers": {"NAME": {"command", "args", "env", "cwd"} or {"url",
// "headers"}}}. It returns the named server as a target, ${VAR} and ${env:VAR}
// expanded in headers, arguments and environment. Its errors name what is there
// and never a value.
func ParseEditorConfig(text []byte, name string) (Target, error) {
	v, err := manifest.ParseValue(withoutComments(text))
	if err != nil {
		return Target{}, fmt.Errorf("is no JSON: %w", err)
	}
	servers := manifest.Value{}
	for _, key := range serverKeys {
		if s, ok := v.Get(key); ok && s.Kind == manifest.Object {
			servers = s
			break
		}
	}
	if servers.Kind != manifest.Object {
		return Target{}, errors.New(`has no "mcpServers" object`)
	}
	var names []string
	for _, m := range servers.Members {
		names = append(names, m.Key)
	}
	slices.Sort(names)
	if name == "" {
		if len(names) != 1 {
			return Target{}, fmt.Errorf("has %d servers: choose one with --server: %s", len(names), strings.Join(names, ", "))
		}
		name = names[0]
	}
	s, ok := servers.Get(name)
	if !ok {
		return Target{}, fmt.Errorf("has no server %q: it has %s", name, strings.Join(names, ", "))
	}
	return editorTarget(name, s)
}

func editorTarget(name string, s manifest.Value) (t Target, err error) {
	is := func(v manifest.Value, kind manifest.Kind, what string) bool {
		if v.Kind != kind && err == nil {
			err = fmt.Errorf("server %q: %s is %s, not %s", name, what, v.Kind, kind)
		}
		return v.Kind == kind
	}
	expand := func(v manifest.Value, what string) (string, []string) {
		if !is(v, manifest.String, what) {
			return "", nil
		}
		text, secrets, expandErr := Expand(strings.ReplaceAll(v.Text, "${env:", "${"))
		if expandErr != nil && err == nil {
			err = fmt.Errorf("server %q: %s: %w", name, what, expandErr)
		}
		return text, secrets
	}
	// shown expands what a message may show.
	shown := func(v manifest.Value, what string) string {
		text, secrets := expand(v, what)
		t.Secrets = append(t.Secrets, secrets...)
		return text
	}
	var args []string
	for _, m := range s.Members {
		switch m.Key {
		case "url", "serverUrl", "httpUrl":
			t.URL = shown(m.Value, m.Key)
		case "command":
			t.Command = []string{shown(m.Value, m.Key)}
		case "args":
			is(m.Value, manifest.Array, m.Key)
			for _, a := range m.Value.Items {
				args = append(args, shown(a, m.Key))
			}
		case "cwd":
			t.Dir = shown(m.Value, m.Key)
		case "env":
			is(m.Value, manifest.Object, m.Key)
			for _, e := range m.Value.Members {
				value, _ := expand(e.Value, "env "+e.Key)
				t.Env = append(t.Env, e.Key+"="+value)
			}
		case "headers":
			is(m.Value, manifest.Object, m.Key)
			t.Header = http.Header{}
			for _, h := range m.Value.Members {
				value, _ := expand(h.Value, "header "+h.Key)
				t.Header.Set(h.Key, value)
			}
		}
	}
	if t.Command != nil {
		t.Command = append(t.Command, args...)
	}
	if err != nil {
		return Target{}, err
	}
	if _, hasCommand := s.Get("command"); !hasCommand && t.URL == "" {
		return Target{}, fmt.Errorf(`server %q has neither "url" nor "command"`, name)
	}
	return t, nil
}

// withoutComments blanks the // and /* */ comments that editors allow in their
// settings, so that positions stay.
func withoutComments(text []byte) []byte {
	out := slices.Clone(text)
	inString := false
	for i := 0; i < len(out); i++ {
		switch {
		case inString && out[i] == '\\':
			i++
		case out[i] == '"':
			inString = !inString
		case inString || out[i] != '/' || i+1 == len(out):
		case out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case out[i+1] == '*':
			n := bytes.Index(out[i+2:], []byte("*/"))
			if n < 0 {
				return out // it has no end, and is no JSON
			}
			for end := i + 2 + n + 2; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		}
	}
	return out
}
