package remote

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/manifest"
)

// serverKeys are the keys under which editors keep their servers.
var serverKeys = []string{"mcpServers", "servers", "context_servers"}

// ParseEditorConfig reads the JSON in which editors keep their MCP servers:
// {"mcpServers": {"NAME": {"command", "args", "env", "cwd"} or {"url",
// "headers"}}}, with comments and trailing commas as editors accept them. It
// returns the named server as a target, ${VAR} and ${env:VAR} expanded in URL,
// headers, arguments and environment. Its errors name what is there and never a
// value.
func ParseEditorConfig(text []byte, name string) (Target, error) {
	v, err := manifest.ParseValue(plainJSON(text))
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
	t, err := editorTarget(name, s)
	if err != nil {
		return Target{}, err
	}
	for _, m := range servers.Members {
		t.Withheld = append(t.Withheld, credentials(m.Value)...)
	}
	return t, nil
}

// urlKeys are the keys under which editors keep a server's address.
var urlKeys = []string{"url", "serverUrl", "httpUrl"}

// credentials returns the variables that a server's URL and headers are made of.
func credentials(s manifest.Value) (names []string) {
	for _, m := range s.Members {
		switch {
		case slices.Contains(urlKeys, m.Key):
			names = append(names, Variables(plainVariable(m.Value.Text))...)
		case m.Key == "headers":
			for _, h := range m.Value.Members {
				names = append(names, Variables(plainVariable(h.Value.Text))...)
			}
		}
	}
	return names
}

// plainVariable writes ${env:VAR} as ${VAR}.
func plainVariable(s string) string { return strings.ReplaceAll(s, "${env:", "${") }

func editorTarget(name string, s manifest.Value) (t Target, err error) {
	fail := func(e error) {
		if err == nil {
			err = e
		}
	}
	is := func(v manifest.Value, kind manifest.Kind, what string) {
		if v.Kind != kind {
			fail(fmt.Errorf("server %q: %s is %s, not %s", name, what, v.Kind, kind))
		}
	}
	text := func(v manifest.Value, what string) string {
		is(v, manifest.String, what)
		return plainVariable(v.Text)
	}
	expand := func(v manifest.Value, what string) string {
		expanded, expandErr := t.Expand(text(v, what))
		if expandErr != nil {
			fail(fmt.Errorf("server %q: %s: %w", name, what, expandErr))
		}
		return expanded
	}
	var args []string
	for _, m := range s.Members {
		switch m.Key {
		case urlKeys[0], urlKeys[1], urlKeys[2]:
			t.URL = expand(m.Value, m.Key)
		case "command":
			t.Command = []string{expand(m.Value, m.Key)}
		case "args":
			is(m.Value, manifest.Array, m.Key)
			for _, a := range m.Value.Items {
				args = append(args, expand(a, m.Key))
			}
		case "cwd":
			t.Dir = expand(m.Value, m.Key)
		case "env":
			is(m.Value, manifest.Object, m.Key)
			for _, e := range m.Value.Members {
				t.Env = append(t.Env, e.Key+"="+expand(e.Value, "env "+e.Key))
			}
		case "headers":
			is(m.Value, manifest.Object, m.Key)
			var lines []string
			for _, h := range m.Value.Members {
				line, headerErr := HeaderLine(h.Key, text(h.Value, "header "+h.Key))
				if headerErr != nil {
					fail(fmt.Errorf("server %q: %w", name, headerErr))
				}
				lines = append(lines, line)
			}
			if headerErr := t.AddHeaders(lines); headerErr != nil {
				fail(fmt.Errorf("server %q: %w", name, headerErr))
			}
		}
	}
	if err != nil {
		return Target{}, err
	}
	if t.Command != nil {
		t.Command = append(t.Command, args...)
	}
	if t.Command == nil && t.URL == "" {
		return Target{}, fmt.Errorf(`server %q has neither "url" nor "command"`, name)
	}
	return t, nil
}
