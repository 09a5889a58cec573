package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/manifest"
)

// compiled returns a schema ready to validate; compiling checks it against the
// draft's own schema.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	id := doc.(map[string]any)["$id"].(string)
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(doc)
}

func TestNames(t *testing.T) {
	if got := Names(); !slices.Equal(got, []string{"config", "frontmatter", "manifest", "report"}) {
		t.Errorf("names %q", got)
	}
	if _, err := Read("manifst"); err == nil || !strings.Contains(err.Error(), "config, frontmatter, manifest, report") {
		t.Errorf("error %v", err)
	}
	if _, err := Read("../schema/manifest"); err == nil {
		t.Error("a path is read")
	}
	text, err := Read("manifest")
	if err != nil || !bytes.Contains(text, []byte(`"$id": "`+manifest.SchemaURI+`"`)) {
		t.Errorf("the manifest's schema is not called %s: %v", manifest.SchemaURI, err)
	}
}

// TestIDs holds that a schema is found under the address it gives itself.
func TestIDs(t *testing.T) {
	for _, name := range Names() {
		text, err := Read(name)
		want := strings.Replace(manifest.SchemaURI, "manifest", name, 1)
		if err != nil || !bytes.Contains(text, []byte(`"$id": "`+want+`"`)) {
			t.Errorf("the schema %s is not called %s: %v", name, want, err)
		}
	}
}

func written(t *testing.T, m manifest.Manifest) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func good() manifest.Manifest {
	text := func(key, value string) manifest.Member {
		return manifest.Member{Key: key, Value: manifest.Value{Kind: manifest.String, Text: value}}
	}
	uri := manifest.NewURI("acme/pdf/SKILL.md")
	return manifest.Manifest{Skills: []manifest.Skill{
		{
			URI: uri,
			Frontmatter: manifest.Frontmatter{
				text("name", "pdf"), text("description", strings.Repeat("😀", 1024)), text("license", "MIT"),
				{Key: "metadata", Value: manifest.Value{Kind: manifest.Object, Members: []manifest.Member{text("version", "1.10")}}},
				{Key: "zz", Value: manifest.Value{Kind: manifest.Array, Items: []manifest.Value{{Kind: manifest.Number, Text: "1e3"}, {}}}},
			},
			Resources: []manifest.Resource{{URI: uri, Size: 151}, {URI: manifest.NewURI("acme/pdf/é +%.md"), Size: manifest.MaxSize}},
		},
		{URI: manifest.NewURI("x/SKILL.md"), Frontmatter: manifest.Frontmatter{text("name", "x"), text("description", "d")}, Dynamic: true},
	}}
}

func TestManifestsValidate(t *testing.T) {
	s := compiled(t, "manifest")
	for name, m := range map[string]manifest.Manifest{"two skills": good(), "none": {}} {
		if err := validate(t, s, written(t, m)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBrokenManifestsDoNot(t *testing.T) {
	s := compiled(t, "manifest")
	text := written(t, good())
	tests := []struct{ name, old, new string }{
		{"no skills", `"skills"`, `"skill"`},
		{"another key in an entry", `"uri": "skill://x/SKILL.md"`, `"uri": "skill://x/SKILL.md", "extra": 1`},
		{"another key in a resource", `"size": 151`, `"size": 151, "mimeType": "text/markdown"`},
		{"no uri", `"uri": "skill://x/SKILL.md",`, ``},
		{"other file", `"uri": "skill://x/SKILL.md"`, `"uri": "skill://x/skill.md"`},
		{"no folder", `"uri": "skill://x/SKILL.md"`, `"uri": "skill://SKILL.md"`},
		{"query", `"uri": "skill://x/SKILL.md"`, `"uri": "skill://x/SKILL.md?a"`},
		{"no name", `"name": "x",`, ``},
		{"name with capitals", `"name": "x"`, `"name": "X"`},
		{"name with two hyphens", `"name": "x"`, `"name": "x--x"`},
		{"name too long", `"name": "x"`, `"name": "` + strings.Repeat("x", 65) + `"`},
		{"blank description", `"description": "d"`, `"description": " "`},
		{"description too long", strings.Repeat("😀", 1024), strings.Repeat("😀", 1025)},
		{"metadata value", `"1.10"`, `1.10`},
		{"reserved key", `"version"`, `"io.modelcontextprotocol/version"`},
		{"other string as resources", `"dynamic"`, `"Dynamic"`},
		{"no resources", `"dynamic"`, `[]`},
		{"resources null", `"dynamic"`, `null`},
		{"digest in capitals", "sha256:00", "sha256:AA"},
		{"digest without prefix", "sha256:00", "00"},
		{"size negative", `"size": 151`, `"size": -1`},
		{"size fractional", `"size": 151`, `"size": 1.5`},
		{"size too large", `9007199254740991`, `9007199254740992`},
		{"no size", `, "size": 151`, ``},
	}
	for _, tt := range tests {
		broken := strings.Replace(text, tt.old, tt.new, 1)
		if broken == text {
			t.Errorf("%s: the manifest has no %s", tt.name, tt.old)
		} else if validate(t, s, broken) == nil {
			t.Errorf("%s is valid", tt.name)
		}
	}
}

// reportJSON writes what the JSON format makes of real findings and drift.
func reportJSON(t *testing.T) string {
	t.Helper()
	v, err := manifest.ParseValue([]byte(`{"uri": "skill://a+b/c/SKILL.md", "frontmatter": {"name": "C", "x": null}, "resources": [null, {"uri": "skill://a/b", "digest": "x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, findings := lint.CheckEntry(v)
	old, changed := good(), good()
	changed.Skills[0].Resources = append(changed.Skills[0].Resources[:1:1], manifest.Resource{URI: manifest.NewURI("acme/pdf/new.md"), Digest: manifest.DigestOf(nil)})
	changed.Skills[0].Frontmatter = append(changed.Skills[0].Frontmatter[:2:2], manifest.Member{Key: "model"})
	changed.Skills[1].URI = manifest.NewURI("y/SKILL.md")
	drift, skills := lint.Drifts(manifest.Diff(old, changed), lint.SidesOfLint)
	findings = append(append(findings, drift...), lint.CheckSkill(changed.Skills[1], "y/SKILL.md")...)
	r := report.New("lint", lint.Summary{Skills: 2, Files: 3, Bytes: 4, Excluded: 1}, findings, lint.Policy{})
	r.Ignored = []lint.Ignored{{Rule: "file-extra", Path: "a/**", Count: 2}}
	r.Exclusions = []lint.Exclusion{{Pattern: ".DS_Store", Count: 1}}
	r.Server = &lint.ServerInfo{Name: "s", Version: "1", Protocol: "2026-07-28", Target: "https://mcp.example.com/mcp"}
	r.Drift = skills
	r.Verification = []lint.Verification{{URI: "skill://x/SKILL.md", Status: lint.Mismatch, Expected: "1", Actual: "2", Cause: "CRLF"}, {URI: "skill://x/a", Status: lint.Skipped}}
	f, err := report.FormatNamed("json")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r, report.Style{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReportsValidate(t *testing.T) {
	s := compiled(t, "report")
	text := reportJSON(t)
	if err := validate(t, s, text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if err := validate(t, s, strings.Replace(text, `"command"`, `"later": {"key": 1}, "command"`, 1)); err != nil {
		t.Errorf("a key of a later version: %v", err)
	}
}

func TestBrokenReportsDoNot(t *testing.T) {
	s := compiled(t, "report")
	text := reportJSON(t)
	tests := []struct{ name, old, new string }{
		{"another version", `"schemaVersion": 1`, `"schemaVersion": 2`},
		{"ok a string", `"ok": false`, `"ok": "false"`},
		{"no complete", `"complete": true,`, ``},
		{"negative count", `"errors": `, `"errors": -`},
		{"no findings", `"findings": [`, `"finding": [`},
		{"severity off", `"severity": "error"`, `"severity": "off"`},
		{"rule in capitals", `"rule": "`, `"rule": "X`},
		{"line 0", `"severity": "error"`, `"severity": "error", "line": 0`},
		{"status of drift", `"status": "missing"`, `"status": "gone"`},
		{"status of a file", `"status": "extra"`, `"status": "unlisted"`},
		{"verdict", `"status": "mismatch"`, `"status": "failed"`},
		{"digest", `"digest": "sha256:`, `"digest": "`},
		{"field without a side", `"field": "model",`, `"field": "model", "serve": null}, {"field": "x"}, {`},
	}
	for _, tt := range tests {
		broken := strings.Replace(text, tt.old, tt.new, 1)
		if broken == text {
			t.Errorf("%s: the report has no %s", tt.name, tt.old)
		} else if validate(t, s, broken) == nil {
			t.Errorf("%s is valid", tt.name)
		}
	}
}

// TestEveryPropertyIsDescribed holds that an editor has something to show.
func TestEveryPropertyIsDescribed(t *testing.T) {
	for _, name := range Names() {
		text, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		defs, _ := doc["$defs"].(map[string]any)
		var walk func(path string, node any)
		walk = func(path string, node any) {
			schema, ok := node.(map[string]any)
			if !ok {
				return
			}
			if properties, ok := schema["properties"].(map[string]any); ok {
				for key, p := range properties {
					property := p.(map[string]any)
					described := property
					if ref, ok := property["$ref"].(string); ok && property["description"] == nil {
						described = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
					}
					if described["description"] == nil {
						t.Errorf("%s: %s.%s has no description", name, path, key)
					}
				}
			}
			for key, child := range schema {
				walk(path+"."+key, child)
			}
		}
		walk("", doc)
	}
}
