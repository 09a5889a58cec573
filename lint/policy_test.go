package lint

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func TestPolicySet(t *testing.T) {
	tests := []struct {
		rule     string
		severity Severity
		fails    string
	}{
		{"unknown-field", Off, ""},
		{"crlf", Error, ""},
		{"nested-skill", Warning, ""},
		{"special-file", Error, ""},
		{"special-file", Warning, "rule special-file cannot be set to warning"},
		{"special-file", Off, "rule special-file cannot be set to off"},
		{"unkown-field", Off, `there is no rule "unkown-field": is unknown-field meant?`},
		{"qqqqqqqqqq", Off, `there is no rule "qqqqqqqqqq": skillpack rules lists them`},
		{"", Off, `there is no rule ""`},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"="+tt.severity.String(), func(t *testing.T) {
			var p Policy
			err := p.Set(tt.rule, tt.severity)
			if tt.fails == "" {
				if err != nil || p.Severity[tt.rule] != tt.severity {
					t.Errorf("error %v, policy %v", err, p)
				}
			} else if err == nil || !strings.Contains(err.Error(), tt.fails) || len(p.Severity) > 0 {
				t.Errorf("error %v, want %q", err, tt.fails)
			}
		})
	}
}

func TestPolicyAddIgnore(t *testing.T) {
	tests := []struct{ rule, path, fails string }{
		{"broken-link", "legacy/**", ""},
		{"broken-link", "{a,b}/*.md", ""},
		{"broken-lnk", "legacy/**", "is broken-link meant?"},
		{"special-file", "legacy/**", "cannot be ignored"},
		{"broken-link", "", "has no path"},
		{"broken-link", "./", "has no path"},
		{"broken-link", ".//", "has no path"},
		{"broken-link", "legacy/[", `"legacy/[" is no path pattern`},
	}
	for _, tt := range tests {
		t.Run(tt.rule+" "+tt.path, func(t *testing.T) {
			var p Policy
			err := p.AddIgnore(tt.rule, tt.path)
			if tt.fails == "" {
				if err != nil || len(p.Ignore) != 1 {
					t.Errorf("error %v, policy %v", err, p)
				}
			} else if err == nil || !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("error %v, want %q", err, tt.fails)
			}
		})
	}
}

func TestParseRuleFlag(t *testing.T) {
	tests := []struct {
		flag, rule string
		severity   Severity
		fails      string
	}{
		{"crlf=error", "crlf", Error, ""},
		{"crlf=warning", "crlf", Warning, ""},
		{"crlf=off", "crlf", Off, ""},
		{"crlf", "", Off, "write ID=error, ID=warning or ID=off"},
		{"crlf=warn", "", Off, `severity "warn" is none of error, warning, off`},
		{"clrf=off", "", Off, "is crlf meant?"},
		{"=off", "", Off, "there is no rule"},
	}
	for _, tt := range tests {
		rule, severity, err := ParseRuleFlag(tt.flag)
		if tt.fails == "" && (err != nil || rule != tt.rule || severity != tt.severity) {
			t.Errorf("%s: %s, %s, %v", tt.flag, rule, severity, err)
		}
		if tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("%s: error %v, want %q", tt.flag, err, tt.fails)
		}
	}
}

func TestPolicyApply(t *testing.T) {
	link := func(path string, line, column int) Finding { return New("broken-link", "m").At(path, line, column) }
	findings := []Finding{
		link("skills/b/SKILL.md", 10, 1),
		link("skills/b/SKILL.md", 9, 2),
		New("unknown-field", "m").At("skills/b/SKILL.md", 9, 2),
		link("skills/b/SKILL.md", 9, 1),
		New("nested-skill", "m").At("skills/a", 0, 0),
		New("special-file", "m").At("skills/a", 0, 0),
		New("file-extra", "m").Served("skill://a/x.md"),
		New("crlf", "m").At("skills/legacy/x.md", 0, 0),
	}
	before := slices.Clone(findings)
	tests := []struct {
		name   string
		policy func(*Policy) error
		want   string
	}{
		{"none", func(*Policy) error { return nil },
			"skill://a/x.md error file-extra, skills/a error special-file, skills/b/SKILL.md:9:1 warning broken-link, skills/b/SKILL.md:9:2 warning broken-link, skills/b/SKILL.md:9:2 warning unknown-field, skills/b/SKILL.md:10:1 warning broken-link, skills/legacy/x.md warning crlf"},
		{"off", func(p *Policy) error { return p.Set("broken-link", Off) },
			"skill://a/x.md error file-extra, skills/a error special-file, skills/b/SKILL.md:9:2 warning unknown-field, skills/legacy/x.md warning crlf"},
		{"on", func(p *Policy) error { return p.Set("nested-skill", Warning) },
			"skill://a/x.md error file-extra, skills/a warning nested-skill, skills/a error special-file, skills/b/SKILL.md:9:1 warning broken-link, skills/b/SKILL.md:9:2 warning broken-link, skills/b/SKILL.md:9:2 warning unknown-field, skills/b/SKILL.md:10:1 warning broken-link, skills/legacy/x.md warning crlf"},
		{"ignored by the path shown", func(p *Policy) error { return p.AddIgnore("broken-link", "skills/b/**") },
			"skill://a/x.md error file-extra, skills/a error special-file, skills/b/SKILL.md:9:2 warning unknown-field, skills/legacy/x.md warning crlf"},
		{"ignored below the directory", func(p *Policy) error { p.Dir = "skills"; return p.AddIgnore("broken-link", "b/*.md") },
			"skill://a/x.md error file-extra, skills/a error special-file, skills/b/SKILL.md:9:2 warning unknown-field, skills/legacy/x.md warning crlf"},
		{"ignored by a served URI's path", func(p *Policy) error { return p.AddIgnore("file-extra", "a/*.md") },
			"skills/a error special-file, skills/b/SKILL.md:9:1 warning broken-link, skills/b/SKILL.md:9:2 warning broken-link, skills/b/SKILL.md:9:2 warning unknown-field, skills/b/SKILL.md:10:1 warning broken-link, skills/legacy/x.md warning crlf"},
		{"a pattern that does not reach", func(p *Policy) error { p.Dir = "skills"; return p.AddIgnore("crlf", "*.md") },
			"skill://a/x.md error file-extra, skills/a error special-file, skills/b/SKILL.md:9:1 warning broken-link, skills/b/SKILL.md:9:2 warning broken-link, skills/b/SKILL.md:9:2 warning unknown-field, skills/b/SKILL.md:10:1 warning broken-link, skills/legacy/x.md warning crlf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Policy
			if err := tt.policy(&p); err != nil {
				t.Fatal(err)
			}
			var got []string
			left, _ := p.Apply(findings)
			for _, f := range left {
				got = append(got, f.Place()+" "+f.Severity.String()+" "+f.Rule)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
			if !slices.Equal(findings, before) {
				t.Error("the argument was changed")
			}
		})
	}
}

// An entry of ignore means the same of a file and of what is served of it.
func TestIgnoreMeansOnePlace(t *testing.T) {
	for _, dir := range []string{"skills", "../repo/skills", "/srv/skills"} {
		for _, prefix := range []string{"", "acme/billing"} {
			below := "refunds/notes/a b.md"
			onDisk := New("broken-link", "m").At(dir+"/"+below, 3, 1)
			served := New("broken-link", "m").Served("skill://" + strings.TrimPrefix(prefix+"/refunds/notes/a%20b.md", "/"))
			for pattern, want := range map[string]bool{
				"refunds/**": true, "refunds": true, "refunds/": true, "./refunds/": true, "/refunds": true, ".//refunds": true,
				"skills/refunds/**": true, "./skills/refunds": true, "skills": true, "skills/": true, "skills/**": true,
				dir + "/refunds": true, "refunds/notes/*.md": true, "ref*": true, "**": true, "*": true, "**/a b.md": true,
				"{refunds,other}/notes": true, "refunds/notes/a b.md": true,
				"refund": false, "notes": false, "*.md": false, "skills/notes": false, "other/refunds": false, "refunds/notes/a b.md/x": false,
				"acme/billing/refunds/": prefix != "", "acme": prefix != "", "billing": false,
			} {
				p := Policy{Dir: dir, Prefix: prefix}
				if err := p.AddIgnore("broken-link", pattern); err != nil {
					t.Errorf("%s: %v", pattern, err)
					continue
				}
				for _, f := range []Finding{onDisk, served} {
					left, _ := p.Apply([]Finding{f})
					if got := len(left) == 0; got != want {
						t.Errorf("dir %q, prefix %q: %q ignores %s: %v, want %v", dir, prefix, pattern, f.Place(), got, want)
					}
				}
			}
		}
	}
	// The directory itself goes by its name, its path, or a pattern for everything.
	for pattern, want := range map[string]bool{"skills": true, "repo/skills": true, "repo": true, "**": true, "*": true, "other": false, "refunds": false} {
		p := Policy{Dir: "repo/skills"}
		if err := p.AddIgnore("stray-file", pattern); err != nil {
			t.Fatal(err)
		}
		left, _ := p.Apply([]Finding{New("stray-file", "m").At("repo/skills", 0, 0)})
		if got := len(left) == 0; got != want {
			t.Errorf("%q ignores the directory: %v, want %v", pattern, got, want)
		}
	}
	// What is not of the directory is named as it is shown.
	p := Policy{Dir: "skills", Prefix: "acme"}
	for _, pattern := range []string{"skills.manifest.json", "other"} {
		if err := p.AddIgnore("crlf", pattern); err != nil {
			t.Fatal(err)
		}
	}
	left, ignored := p.Apply([]Finding{
		New("crlf", "m").At("skills.manifest.json", 1, 1), New("crlf", "m").Served("skill://other/x.md"),
		New("crlf", "m").Served("skill://acme/x.md"), New("crlf", "m").Served("skills[3]"), New("nested-skill", "m").At("other/a", 0, 0),
	})
	want := []Ignored{{"crlf", "skills.manifest.json", 1}, {"crlf", "other", 1}}
	if len(left) != 2 || !slices.Equal(ignored, want) {
		t.Errorf("ignored %v, left %v", ignored, left)
	}
}

// A file of a nested skill counts once, as the build counts it.
func TestSummaryCount(t *testing.T) {
	file := func(path string, size int64) manifest.Resource {
		return manifest.Resource{URI: manifest.NewURI(path), Size: size}
	}
	inner := manifest.Skill{URI: manifest.NewURI("a/b/SKILL.md"), Resources: []manifest.Resource{file("a/b/SKILL.md", 5), file("a/b/x", math.MaxInt64)}}
	outer := manifest.Skill{URI: manifest.NewURI("a/SKILL.md"), Resources: append([]manifest.Resource{file("a/SKILL.md", 7)}, inner.Resources[0])}
	var s Summary
	seen := map[manifest.URI]bool{}
	s.Count(outer, seen)
	if s != (Summary{Skills: 1, Files: 2, Bytes: 12}) {
		t.Errorf("%+v", s)
	}
	if s.Count(inner, seen); s != (Summary{Skills: 2, Files: 3, Bytes: math.MaxInt64}) {
		t.Errorf("%+v", s)
	}
}
