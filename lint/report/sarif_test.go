package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/skillpack/skillpack/lint"
)

// sarifSchemaOf compiles the schema of the standard, as OASIS published it with
// errata 01.
func sarifSchemaOf(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validSARIF(t *testing.T, s *jsonschema.Schema, text string) sarifLog {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := s.Validate(doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

func TestSARIF(t *testing.T) {
	s := sarifSchemaOf(t)
	got := write(t, "sarif", sample(), Style{Color: true})
	log := validSARIF(t, s, got)
	goldenReport(t, "report.sarif.golden", got)
	run := log.Runs[0]
	for _, r := range run.Results {
		if id := run.Tool.Driver.Rules[r.RuleIndex].ID; id != r.RuleID {
			t.Errorf("rule %d is %s, not %s", r.RuleIndex, id, r.RuleID)
		}
	}
}

func TestSARIFOfEveryRule(t *testing.T) {
	s := sarifSchemaOf(t)
	var findings []lint.Finding
	for _, r := range lint.Rules() {
		findings = append(findings, lint.Finding{Rule: r.ID, Severity: lint.Warning, Message: "m"})
	}
	findings = append(findings, lint.Finding{Rule: "of-another-table", Severity: lint.Error, Message: "m"})
	r := &Report{Command: "lint", Complete: true, Findings: findings}
	rules := validSARIF(t, s, write(t, "sarif", r, Style{})).Runs[0].Tool.Driver.Rules
	if len(rules) != len(findings) {
		t.Fatalf("%d rules, want %d", len(rules), len(findings))
	}
	for i, rule := range rules {
		if rule.ID != findings[i].Rule || rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %+v", rule)
		}
		if off := rule.ID == "nested-skill"; rule.Default.Enabled == off {
			t.Errorf("rule %s: %+v", rule.ID, rule.Default)
		}
	}
}

func TestSARIFPlaces(t *testing.T) {
	s := sarifSchemaOf(t)
	r := &Report{Command: "lint", Manifest: "gen/skills.json", Findings: []lint.Finding{
		{Rule: "file-extra", Severity: lint.Error, Message: "m", URI: "skill://a/x y.md"},
		{Rule: "crlf", Severity: lint.Warning, Message: "m", Path: "skills/a/ä b?.md", Line: 3},
	}}
	run := validSARIF(t, s, write(t, "sarif", r, Style{})).Runs[0]
	served, file := run.Results[0].Locations[0], run.Results[1].Locations[0]
	if served.Physical.Artifact.URI != "gen/skills.json" || served.Logical[0] != (sarifLogical{"skill://a/x y.md", "resource"}) {
		t.Errorf("served: %+v", served)
	}
	if file.Physical.Artifact.URI != "skills/a/%C3%A4%20b%3F.md" || file.Physical.Region != (sarifRegion{StartLine: 3}) || file.Logical != nil {
		t.Errorf("file: %+v", file)
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("an incomplete run is called successful")
	}
	r.Source = func(uri string) string { return strings.Replace(uri, "skill://", "skills/", 1) }
	if l := r.sarifLocation(r.Findings[0]); l.Physical.Artifact.URI != "skills/a/x%20y.md" {
		t.Errorf("with the file it was built from: %+v", l)
	}
	r.Manifest, r.Source = "", nil
	if l := r.sarifLocation(r.Findings[0]); l.Physical.Artifact.URI != "skills.manifest.json" {
		t.Errorf("without a manifest: %+v", l)
	}
}

func TestSARIFFingerprints(t *testing.T) {
	at := func(findings ...lint.Finding) (ids []string) {
		var log sarifLog
		if err := json.Unmarshal([]byte(write(t, "sarif", &Report{Findings: findings}, Style{})), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			if r.Fingerprints["primaryLocationLineHash"] != r.Fingerprints["skillpack/v1"] {
				t.Errorf("fingerprints %v", r.Fingerprints)
			}
			ids = append(ids, r.Fingerprints["skillpack/v1"])
		}
		return ids
	}
	f := lint.Finding{Rule: "crlf", Severity: lint.Warning, Message: "m", Path: "a", Line: 1, Column: 1, Skill: "s"}
	moved := f
	moved.Message, moved.Line, moved.Column = "another", 9, 9
	if a, b := at(f)[0], at(moved)[0]; a != b {
		t.Errorf("%s became %s when the line moved", a, b)
	}
	rule, path, uri, skill := f, f, f, f
	rule.Rule, path.Path, uri.URI, skill.Skill = "byte-order-mark", "b", "skill://a", "t"
	seen := map[string]bool{}
	for _, id := range at(f, moved, rule, path, uri, skill) {
		if seen[id] {
			t.Errorf("two findings are %s", id)
		}
		seen[id] = true
	}
}

func TestSARIFMessage(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                       "plain",
		`field a is {"b": [1]}`:       `field a is {{"b": [1]}}`,
		"[click](https://evil.test)":  "[click] (https://evil.test)",
		`[click\](https://evil.test)`: `[click\] (https://evil.test)`,
		"\x1b[2J\u202e":               `\x1b[2J\u202e`,
	} {
		if got := sarifMessage(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestArtifactURI(t *testing.T) {
	for path, want := range map[string]string{
		"skills/a/SKILL.md": "skills/a/SKILL.md",
		"../a.md":           "../a.md",
		"a:b/c":             "a%3Ab/c",
		"C:":                "C%3A",
		"a b/#?%.md":        "a%20b/%23%3F%25.md",
		"/srv/a b":          "file:///srv/a%20b",
		"C:/x/ä":            "file:///C:/x/%C3%A4",
		"//host/x":          "file:////host/x",
		"\xff":              "%FF",
	} {
		if got := artifactURI(path); got != want {
			t.Errorf("%q became %s, want %s", path, got, want)
		}
	}
}

func FuzzSARIF(f *testing.F) {
	s := sarifSchemaOf(f)
	fuzzHostile(f, func(t *testing.T, text string) {
		got := write(t, "sarif", hostileReport(text), Style{})
		assertPlain(t, got)
		log := validSARIF(t, s, got)
		for _, r := range log.Runs[0].Results {
			u, err := url.Parse(r.Locations[0].Physical.Artifact.URI)
			if err != nil || u.Scheme != "" && u.Scheme != "file" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || u.Path == "" {
				t.Errorf("%q is placed at %q: %v", text, r.Locations[0].Physical.Artifact.URI, err)
			}
			if strings.Contains(r.Message.Text, "](") || strings.Contains(strings.ReplaceAll(r.Message.Text, "{{", ""), "{") {
				t.Errorf("message %q is more than text", r.Message.Text)
			}
		}
	})
}
