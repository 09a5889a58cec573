package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/schema"
)

func configSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Read("config")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("config")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is a YAML document as an editor's validator sees it.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// configs are configurations, and whether they are valid.
var configs = []struct {
	text string
	ok   bool
}{
	{"", true},
	{"skills: ./skills\n", true},
	{"skills: 7\n", false},
	{"skills: ''\n", false},
	{"skill: ./skills\n", false},
	{"- skills\n", false},
	{"manifest: m.json\n", true},
	{"manifest: [m.json]\n", false},
	{"go: false\n", true},
	{"go: true\n", false},
	{"go: skills_gen.go\n", false},
	{"go: {}\n", true},
	{"go: {file: a.go, package: a, embed: inline}\n", true},
	{"go: {embed: file}\n", false},
	{"go: {files: a.go}\n", false},
	{"prefix: ''\n", true},
	{"prefix: acme/billing\n", true},
	{"prefix: [acme]\n", false},
	{"exclude: []\n", true},
	{"exclude: ['**/drafts/**', '*.log']\n", true},
	{"exclude: '*.log'\n", false},
	{"exclude: [1]\n", false},
	{"rules: {unknown-field: off, crlf: error, empty-body: warning}\n", true},
	{"rules: {crlf: loud}\n", false},
	{"rules: {clrf: off}\n", false},
	{"rules: {frontmatter-unparsable: off}\n", false},
	{"rules: {frontmatter-unparsable: error}\n", true},
	{"rules: [crlf]\n", false},
	{"ignore: [{rule: broken-link, path: 'legacy/**'}]\n", true},
	{"ignore: [{rule: broken-link}]\n", false},
	{"ignore: [{path: 'legacy/**'}]\n", false},
	{"ignore: [{rule: broken-lnk, path: x}]\n", false},
	{"ignore: [{rule: frontmatter-unparsable, path: x}]\n", false},
	{"ignore: {rule: broken-link, path: x}\n", false},
	{"servers: {prod: {url: 'https://mcp.example.com/mcp', headers: {A: b, N: 1}, verify: true}}\n", true},
	{"servers: {local: {command: [go, run, ./x], env: {LOG: debug, N: 1, ON: true}}}\n", true},
	{"servers: {}\n", true},
	{"servers: {eu-1.prod_2: {command: [a]}}\n", true},
	{"servers: {../x: {command: [a]}}\n", false},
	{"servers: {'..': {command: [a]}}\n", false},
	{"servers: {prod: {}}\n", false},
	{"servers: {prod: {url: 'https://a.example', command: [a]}}\n", false},
	{"servers: {prod: {url: 'https://a.example', verify: 'yes'}}\n", false},
	{"servers: {prod: {url: 'https://a.example', header: {A: b}}}\n", false},
	{"servers: {local: {command: go run}}\n", false},
	{"servers: {local: {command: []}}\n", false},
	{"servers: {local: {command: [a], env: {A: [b]}}}\n", false},
	{"servers: [{url: 'https://a.example'}]\n", false},
}

// TestConfigSchema holds the schema against the reader: an editor accepts what
// skillpack accepts, and nothing else.
func TestConfigSchema(t *testing.T) {
	s := configSchema(t)
	for _, tt := range configs {
		if err := s.Validate(asJSON(t, tt.text)); (err == nil) != tt.ok {
			t.Errorf("%q: the schema says %v", tt.text, err)
		}
		if _, err := Parse("skillpack.yaml", []byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("%q: the reader says %v", tt.text, err)
		}
	}
}

// TestConfigSamples holds the documentation's samples against the schema and the
// reader.
func TestConfigSamples(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	s, samples := configSchema(t), 0
	for _, block := range strings.Split(all.String(), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if !strings.Contains("\n"+block, "\nskills:") && !strings.Contains("\n"+block, "\nservers:") {
			continue // of another tool
		}
		samples++
		if err := s.Validate(asJSON(t, block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
		if _, err := Parse("skillpack.yaml", []byte(block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
	}
	if samples < 2 {
		t.Errorf("%d samples of skillpack.yaml in the documentation", samples)
	}
}

// TestConfigSchemaRules holds that the schema knows every rule, says what
// breaks it, and refuses what the reader refuses.
func TestConfigSchemaRules(t *testing.T) {
	text, err := schema.Read("config")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs struct {
			Rules struct {
				Properties map[string]struct {
					Description string
					Ref         string `json:"$ref"`
				}
			}
			Ignore struct {
				Properties struct{ Rule struct{ Enum []string } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var ignorable []string
	for _, r := range lint.Rules() {
		kind := "severity"
		if r.Required {
			kind = "required"
			if r.Severity != lint.Error {
				t.Errorf("rule %s is required and no error: the schema has no such kind", r.ID)
			}
		} else {
			ignorable = append(ignorable, r.ID)
		}
		if p := doc.Defs.Rules.Properties[r.ID]; p.Description != r.Breaks || p.Ref != "#/$defs/"+kind {
			about, _ := json.Marshal(r.Breaks)
			t.Errorf("schema/config.schema.json is not current: in $defs.rules.properties write\n%q: {\"description\": %s, \"$ref\": \"#/$defs/%s\"}", r.ID, about, kind)
		}
	}
	if got, want := len(doc.Defs.Rules.Properties), len(lint.Rules()); got != want {
		t.Errorf("the schema has %d rules, want %d: remove those that are gone", got, want)
	}
	if got := doc.Defs.Ignore.Properties.Rule.Enum; fmt.Sprint(got) != fmt.Sprint(ignorable) {
		t.Errorf("schema/config.schema.json is not current: $defs.ignore lists %q, want %q", got, ignorable)
	}
}
