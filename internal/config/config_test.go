package config

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/skillpack/skillpack/lint"
)

func TestParseConfig(t *testing.T) {
	c, err := Parse("skillpack.yaml", []byte(`skills: ./skills
manifest: m.json
go: {file: g.go, package: skills, embed: inline}
prefix: acme/billing
exclude: ["**/drafts/**"]
rules: {unknown-field: off, crlf: error}
ignore: [{rule: broken-link, path: "legacy/**"}]
servers:
  prod:  {url: "https://mcp.example.com/mcp", headers: {Authorization: "Bearer ${PROD_TOKEN}"}, verify: true}
  local: {command: [go, run, ./cmd/server], env: {LOG: debug}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Skills != "./skills" || c.Manifest != "m.json" || c.GoFile != "g.go" || c.Package != "skills" || c.Embed != "inline" || c.Prefix != "acme/billing" || !slices.Equal(c.Exclude, []string{"**/drafts/**"}) {
		t.Errorf("config %+v", c)
	}
	if c.Policy.Severity["unknown-field"] != lint.Off || c.Policy.Severity["crlf"] != lint.Error || len(c.Policy.Ignore) != 1 {
		t.Errorf("policy %+v", c.Policy)
	}
	if len(c.Servers) != 2 || c.Servers[0].Name != "prod" || !c.Servers[0].Verify || c.Servers[0].Headers[0].Value != "Bearer ${PROD_TOKEN}" || c.Servers[1].Command[2] != "./cmd/server" {
		t.Errorf("servers %+v", c.Servers)
	}
}

// configPlace is how an error names where it is.
var configPlace = regexp.MustCompile(`^c\.yaml:(?:(\d+):(\d+): | more than one YAML document)`)

// readerOnly are the words of errors about what no schema can refuse.
var readerOnly = regexp.MustCompile(`not valid YAML|more than one YAML|is given twice|path pattern|plain text|alias|is expected, not|is a list|is a mapping|severity is|unknown key`)

// FuzzParseConfig holds that no configuration breaks the reader, that each error
// names a place in the file, that what the reader accepts the schema accepts
// too, with the same values, and the other way round.
func FuzzParseConfig(f *testing.F) {
	s := configSchema(f)
	for _, c := range configs {
		f.Add(c.text)
	}
	for _, text := range []string{"a: &a [*a]\n", "<<: {skills: x}\n", "\tskills: x", "skills: &a x\nmanifest: *a\n", "---\nskills: x\n---\n", "skills: x\nskills: y\n", "ignore: [{rule: crlf, path: '['}]", "skills: !!str 1\nprefix: !t x\n",
		"servers:\n  a:\n    command: [x, 'y z']\n    env: {A: 010, 1: 2024-01-31}\n", "go: off\nexclude:\n- a\n- \"b\"\n", "? skills\n: x", "skills: 'x\n  y'\n", "\uFEFFskills: x", "skills: x\r\nmanifest: y\r\n", "go: {file: a", "{}", "~", "# c", "rules: {crlf: Off, symlink: ERROR}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("c.yaml", []byte(text))
		if err != nil {
			place := configPlace.FindStringSubmatch(err.Error())
			if place == nil || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("%q: the error is no line that names a place: %v", text, err)
			}
			if line, _ := strconv.Atoi(place[1]); line > strings.Count(text, "\n")+strings.Count(text, "\r")+2 {
				t.Errorf("%q: %v is outside of the file", text, err)
			}
		}
		var v any
		if yaml.Unmarshal([]byte(text), &v) != nil {
			return
		}
		b, jsonErr := json.Marshal(v)
		if jsonErr != nil {
			return // a key that is no string
		}
		doc, jsonErr := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		schemaErr := s.Validate(doc)
		if err != nil {
			if schemaErr == nil && !readerOnly.MatchString(err.Error()) {
				t.Errorf("%q: the schema accepts it, and the reader says %v", text, err)
			}
			return
		}
		if schemaErr != nil {
			t.Fatalf("%q: the reader accepts it, and the schema says %v", text, schemaErr)
		}
		checkConfig(t, text, c, doc)
	})
}

// checkConfig compares a configuration with its document as JSON.
func checkConfig(t *testing.T, text string, c Config, doc any) {
	t.Helper()
	top, _ := doc.(map[string]any)
	output, _ := top["go"].(map[string]any)
	for _, p := range []struct {
		in   map[string]any
		key  string
		have string
	}{{top, "skills", c.Skills}, {top, "manifest", c.Manifest}, {top, "prefix", c.Prefix}, {output, "file", c.GoFile}, {output, "package", c.Package}, {output, "embed", c.Embed}} {
		if want, _ := p.in[p.key].(string); want != p.have {
			t.Errorf("%q: %s is %q, want %q", text, p.key, p.have, want)
		}
	}
	if c.NoGo != (top["go"] == false) {
		t.Errorf("%q: no Go file is %v", text, c.NoGo)
	}
	rules, _ := top["rules"].(map[string]any)
	ignored, _ := top["ignore"].([]any)
	servers, _ := top["servers"].(map[string]any)
	excluded, _ := top["exclude"].([]any)
	if len(rules) != len(c.Policy.Severity) || len(ignored) != len(c.Policy.Ignore) || len(servers) != len(c.Servers) || len(excluded) != len(c.Exclude) {
		t.Errorf("%q is read as %+v", text, c)
	}
	for _, s := range c.Servers {
		want, ok := servers[s.Name].(map[string]any)
		headers, _ := want["headers"].(map[string]any)
		env, _ := want["env"].(map[string]any)
		command, _ := want["command"].([]any)
		url, _ := want["url"].(string)
		verify, _ := want["verify"].(bool)
		if !ok || s.URL != url || s.Verify != verify || len(s.Headers) != len(headers) || len(s.Env) != len(env) || len(s.Command) != len(command) {
			t.Errorf("%q: server %q is read as %+v", text, s.Name, s)
		}
		for i, word := range command {
			if word != s.Command[i] {
				t.Errorf("%q: word %d of the command is %q", text, i, s.Command[i])
			}
		}
	}
}
