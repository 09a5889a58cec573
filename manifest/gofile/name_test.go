package gofile

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func TestGoWords(t *testing.T) {
	for path, want := range map[string]string{
		"pdf-processing":       "PDFProcessing",
		"acme/billing/refunds": "AcmeBillingRefunds",
		"mcp-builder":          "MCPBuilder",
		"aws-s3-sync":          "AWSS3Sync",
		"urls-and-apis":        "URLsAndAPIs",
		"css":                  "CSS",
		"ids":                  "Ids",
		"skill-creator":        "SkillCreator",
		"camelCase_x.y":        "CamelCaseXY",
		"3d-model":             "Skill3dModel",
		"2":                    "Skill2",
		"über-straße":          "ÜberStraße",
		"ßa":                   "Skillßa",
		"汉字/pdf":               "Skill汉字PDF",
		"cafe\u0301-don't":     "CafeDont",
		"🎉":                    "Skill",
		"a🎉b":                  "AB",
		"--a--":                "A",
	} {
		if got := goWords(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if got := goWords(path); !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("%s: %s is no exported identifier", path, got)
		}
	}
}

func names(paths ...string) []string {
	var skills []manifest.Skill
	for _, p := range paths {
		skills = append(skills, manifest.Skill{URI: manifest.NewURI(p + "/" + manifest.SkillFile)})
	}
	return constantNames(skills)
}

func TestConstantNamesOfCollisions(t *testing.T) {
	got := names("a-b/c", "a/b-c", "other")
	if got[0] == got[1] || !strings.HasPrefix(got[0], "ABC") || !strings.HasPrefix(got[1], "ABC") || len(got[0]) != len("ABC12345678URI") {
		t.Errorf("collisions are named %v", got)
	}
	if got[2] != "OtherURI" {
		t.Errorf("a skill without a collision is named %s", got[2])
	}
	// Neither order nor other skills change a name, or give it to another skill.
	more := names("z", "a/b-c", "a-b-c", "a-b/c")
	if more[1] != got[1] || more[3] != got[0] || more[2] == got[0] || more[2] == got[1] {
		t.Errorf("with more skills %v became %v", got, more)
	}
	alone := names("a-b/c")
	if alone[0] != "ABCURI" || slices.Contains(got, alone[0]) {
		t.Errorf("alone it is named %s, in a collision %v", alone[0], got)
	}
	twice := names("a", "a", "b")
	if !slices.Equal(twice, []string{"AURI", "", "BURI"}) {
		t.Errorf("a URI listed twice gives %v", twice)
	}
	// A path that spells what a collision would become.
	hash := strings.TrimSuffix(strings.TrimPrefix(got[0], "ABC"), "URI")
	spelled := names("a-b/c", "a/b-c", "ABC"+hash)
	if spelled[0] == spelled[2] || spelled[2] != got[0] || spelled[1] != got[1] {
		t.Errorf("got %v", spelled)
	}
	other, err := manifest.ParseURI("https://a/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	if two := constantNames([]manifest.Skill{{URI: manifest.NewURI("a/SKILL.md")}, {URI: other}}); two[0] == two[1] || two[0] == "" || two[1] == "" {
		t.Errorf("two schemes give %v", two)
	}
}
