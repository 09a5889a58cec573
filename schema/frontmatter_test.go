package schema

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// TestFrontmatter holds the schema against the rules: what one refuses as an
// error, the other does.
func TestFrontmatter(t *testing.T) {
	s := compiled(t, "frontmatter")
	const required = `"name": "pdf", "description": "Fill forms."`
	tests := []struct {
		name, fields string
		ok           bool
	}{
		{"the least", required, true},
		{"every field", required + `, "license": "MIT", "compatibility": "Requires jq", "metadata": {"version": "1.0"}, "allowed-tools": "Bash(git:*) Read"`, true},
		{"another field", required + `, "model": ["a"]`, true},
		{"no metadata", required + `, "metadata": {}`, true},
		{"the longest description", `"name": "pdf", "description": "` + strings.Repeat("é", 1024) + `"`, true},
		{"no name", `"description": "Fill forms."`, false},
		{"no description", `"name": "pdf"`, false},
		{"name with capitals", `"name": "PDF", "description": "d"`, false},
		{"name with two hyphens", `"name": "p--df", "description": "d"`, false},
		{"name with a hyphen at the end", `"name": "pdf-", "description": "d"`, false},
		{"name too long", `"name": "` + strings.Repeat("x", 65) + `", "description": "d"`, false},
		{"name a number", `"name": 7, "description": "d"`, false},
		{"description blank", `"name": "pdf", "description": " "`, false},
		{"description too long", `"name": "pdf", "description": "` + strings.Repeat("é", 1025) + `"`, false},
		{"description a list", `"name": "pdf", "description": ["d"]`, false},
		{"compatibility empty", required + `, "compatibility": ""`, false},
		{"compatibility too long", required + `, "compatibility": "` + strings.Repeat("x", 501) + `"`, false},
		{"metadata a text", required + `, "metadata": "x"`, false},
		{"metadata with a number", required + `, "metadata": {"version": 1.0}`, false},
		{"metadata with a reserved key", required + `, "metadata": {"io.modelcontextprotocol/x": "y"}`, false},
		{"tools in a list", required + `, "allowed-tools": ["Read"]`, false},
		{"license a list", required + `, "license": ["MIT"]`, false},
	}
	for _, tt := range tests {
		text := "{" + tt.fields + "}"
		if err := validate(t, s, text); (err == nil) != tt.ok {
			t.Errorf("%s: valid is %v, want %v: %v", tt.name, err == nil, tt.ok, err)
		}
		v, err := manifest.ParseValue([]byte(`{"uri": "skill://pdf/SKILL.md", "resources": "dynamic", "frontmatter": ` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		_, findings := lint.CheckEntry(v)
		broken := false
		for _, f := range findings {
			// The name of a folder and fields of one's own are no matter of a schema.
			broken = broken || f.Rule != "name-path-mismatch" && f.Rule != "unknown-field" && f.Rule != "dynamic-resources"
		}
		if broken == tt.ok {
			t.Errorf("%s: the rules say %v", tt.name, findings)
		}
	}
}
