package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
)

func TestParseConfig(t *testing.T) {
	c, err := parseConfig("skillpack.yaml", []byte(`skills: ./skills
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
	if c.skills != "./skills" || c.manifest != "m.json" || c.goFile != "g.go" || c.pkg != "skills" || c.embed != "inline" || c.prefix != "acme/billing" || !slices.Equal(c.exclude, []string{"**/drafts/**"}) {
		t.Errorf("config %+v", c)
	}
	if c.policy.Severity["unknown-field"] != lint.Off || c.policy.Severity["crlf"] != lint.Error || len(c.policy.Ignore) != 1 {
		t.Errorf("policy %+v", c.policy)
	}
	if len(c.servers) != 2 || c.servers[0].name != "prod" || !c.servers[0].verify || c.servers[0].headers[0].value != "Bearer ${PROD_TOKEN}" || c.servers[1].command[2] != "./cmd/server" {
		t.Errorf("servers %+v", c.servers)
	}
}

// FuzzParseConfig holds that no configuration breaks the reader, and that each
// error names the file.
func FuzzParseConfig(f *testing.F) {
	f.Add("skills: ./skills\ngo: false\n")
	f.Add("servers: {a: {url: x}}\nrules: {crlf: off}\n")
	f.Add("a: &a [*a]\n")
	f.Add("<<: {skills: x}\n")
	f.Add("\tskills: x")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseConfig("c.yaml", []byte(text)); err != nil && !strings.HasPrefix(err.Error(), "c.yaml:") {
			t.Errorf("error without the file: %v", err)
		}
	})
}
