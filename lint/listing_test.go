package lint

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func TestCheckListing(t *testing.T) {
	skill := func(path, name string) manifest.Skill {
		return manifest.Skill{URI: manifest.NewURI(path + "/SKILL.md"), Frontmatter: manifest.Frontmatter{{Key: "name", KeyPos: manifest.Pos{Line: 2, Column: 1}, Value: manifest.Value{Kind: manifest.String, Text: name, Pos: manifest.Pos{Line: 2, Column: 7}}}}}
	}
	at := func(path, name string) Listed {
		return Listed{Skill: skill(path, name), URI: "skill://" + path + "/SKILL.md"}
	}
	tests := []struct {
		name    string
		entries []Listed
		want    string
		says    string
	}{
		{"different", []Listed{at("a", "a"), at("b", "b")}, "", ""},
		{"twice", []Listed{at("a", "a"), at("a", "a")}, "skill://a/SKILL.md duplicate-skill", `has skill "skill://a/SKILL.md" twice`},
		{"twice in two spellings", []Listed{at("a", "a"), {Skill: skill("a", "a"), URI: "skill://%61/SKILL.md"}}, "skill://%61/SKILL.md duplicate-skill", `here and as "skill://a/SKILL.md"`},
		{"one name", []Listed{at("a/x", "x"), at("b/x", "x")}, "skill://b/x/SKILL.md duplicate-name", `also that of "skill://a/x/SKILL.md"`},
		{"one name, built", []Listed{{Skill: skill("a/x", "x"), Path: "s/a/x/SKILL.md"}, {Skill: skill("b/x", "x"), Path: "s/b/x/SKILL.md"}}, "s/b/x/SKILL.md:2:7 duplicate-name", `also that of "s/a/x/SKILL.md"`},
		{"capitals in a prefix", []Listed{at("x", "x"), at("Acme/a", "a"), at("Acme/b", "b")}, "skill://Acme/a/SKILL.md uri-authority", `the first segment "Acme" (of 2 skills) has capitals: it stands where a URI has its host, which readers turn into lower case; write "acme"`},
		{"capitals in two prefixes", []Listed{at("Acme/a", "a"), at("Beta/b", "b")}, "skill://Acme/a/SKILL.md uri-authority; skill://Beta/b/SKILL.md uri-authority", ""},
		{"capitals further on", []Listed{at("acme/Team/a", "a")}, "", ""},
		{"capitals of the skill's own folder", []Listed{at("Pdf", "Pdf")}, "", ""},
		{"names differ in case", []Listed{at("a/x", "x"), at("b/X", "X")}, "", ""},
		{"without names", []Listed{at("a", ""), at("b", "")}, "", ""},
		{"without URIs", []Listed{{URI: "bad"}, {URI: "bad"}}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			findings := CheckListing(tt.entries)
			for _, f := range findings {
				got = append(got, f.Place()+" "+f.Rule)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			if len(findings) > 0 && !strings.Contains(findings[0].Message, tt.says) {
				t.Errorf("message %q does not say %q", findings[0].Message, tt.says)
			}
		})
	}
}
