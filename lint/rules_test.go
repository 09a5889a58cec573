package lint

import (
	"bytes"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/testfiles"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

func TestRulesAreFilled(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	known := []Where{Tree, Entry, Output, Server, Drift, Read}
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			if !kebab.MatchString(r.ID) {
				t.Errorf("id %q is not kebab-case", r.ID)
			}
			if seen[r.ID] {
				t.Errorf("id %q is given twice", r.ID)
			}
			seen[r.ID] = true
			if !slices.Contains(known, r.Where) {
				t.Errorf("where is %q, none of %v", r.Where, known)
			}
			for field, text := range map[string]string{"Breaks": r.Breaks, "Why": r.Why, "Fix": r.Fix, "Bad": r.Bad, "Good": r.Good} {
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s is empty", field)
				}
				if !utf8.ValidString(text) {
					t.Errorf("%s is not UTF-8: %q", field, text)
				}
				if strings.HasSuffix(text, "\n") || strings.HasPrefix(text, "\n") {
					t.Errorf("%s has a line break at an end: %q", field, text)
				}
				if strings.ContainsFunc(text, func(c rune) bool { return c == '\ufeff' || c != '\n' && unicode.IsControl(c) }) {
					t.Errorf("%s holds a character that readers do not see: %q", field, text)
				}
			}
			for field, text := range map[string]string{"Breaks": r.Breaks, "Why": r.Why, "Fix": r.Fix} {
				if strings.Contains(text, "\n") {
					t.Errorf("%s is not one line: %q", field, text)
				}
				if strings.Count(text, "`")%2 != 0 {
					t.Errorf("%s has an odd number of backquotes: %q", field, text)
				}
			}
			if strings.HasSuffix(r.Breaks, ".") || unicode.IsUpper([]rune(r.Breaks)[0]) && !strings.HasPrefix(r.Breaks, "DIR ") {
				t.Errorf("Breaks is not a lower-case phrase: %q", r.Breaks)
			}
			for field, text := range map[string]string{"Why": r.Why, "Fix": r.Fix} {
				if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ").") {
					t.Errorf("%s is no sentence: %q", field, text)
				}
			}
			if r.Bad == r.Good {
				t.Errorf("Bad and Good are the same: %q", r.Bad)
			}
			if lines := max(strings.Count(r.Bad, "\n"), strings.Count(r.Good, "\n")) + 1; lines > 8 {
				t.Errorf("an example has %d lines, over 8", lines)
			}
			if u, err := url.Parse(r.Spec); err != nil || u.Scheme != "https" || u.Host == "" {
				t.Errorf("Spec %q is no https URL", r.Spec)
			}
			if r.Required && r.Severity != Error {
				t.Errorf("a required rule is %s by default, not an error", r.Severity)
			}
		})
	}
}

// TestSpecAnchors holds the links into the two specifications to headings that
// they have.
func TestSpecAnchors(t *testing.T) {
	headings := map[string][]string{
		skillsSpec: {
			"capability-negotiation", "error-handling", "example-message-flow", "frontmatter",
			"frontmatter-verification", "getting-a-skill", "integrity-and-verification", "limits",
			"listing-skills", "names", "nested-skills", "reading-directories", "reading-skill-content",
			"relative-references", "reservations", "resource-mapping", "resource-metadata", "resources",
			"skill-entries", "skill-format", "skill-uris", "verification-on-read",
		},
		formatSpec: {
			"allowed-tools-field", "body-content", "compatibility-field", "description-field",
			"directory-structure", "frontmatter", "license-field", "metadata-field", "name-field",
			"progressive-disclosure",
		},
	}
	for _, r := range Rules() {
		page, anchor, _ := strings.Cut(r.Spec, "#")
		if anchors, ok := headings[page]; ok && !slices.Contains(anchors, anchor) {
			t.Errorf("%s: Spec %s leads to no heading", r.ID, r.Spec)
		}
	}
}

// TestRulesGolden holds ids and default severities, which scripts and
// configurations rely on.
func TestRulesGolden(t *testing.T) {
	var b bytes.Buffer
	for _, r := range Rules() {
		fmt.Fprintf(&b, "%s %s %s", r.ID, r.Severity, r.Where)
		if r.Required {
			b.WriteString(" required")
		}
		if r.Inspector {
			b.WriteString(" inspector")
		}
		b.WriteByte('\n')
	}
	testfiles.Golden(t, filepath.Join("testdata", "rules.golden"), b.Bytes(), "go test ./lint -run TestRulesGolden -update")
}

// TestExamplesAreTrue parses the examples that are a frontmatter: the bad one
// breaks its rule and no other, the good one breaks none.
func TestExamplesAreTrue(t *testing.T) {
	visible := strings.NewReplacer(`\xe9`, "\xe9", `\ufeff`, "\ufeff", "␣", " ")
	tried := 0
	for _, r := range Rules() {
		if !strings.HasPrefix(r.Good, "---\n") || r.ID == "frontmatter-too-complex" || r.ID == "empty-body" {
			continue // the two cannot be shown in a few lines, or are not of the frontmatter
		}
		tried++
		t.Run(r.ID, func(t *testing.T) {
			if got := rulesBroken(visible.Replace(r.Bad)); !slices.Equal(got, []string{r.ID}) {
				t.Errorf("the bad example breaks %q", got)
			}
			if got := rulesBroken(visible.Replace(r.Good)); got != nil {
				t.Errorf("the good example breaks %q", got)
			}
		})
	}
	if tried < 25 {
		t.Errorf("only %d examples were frontmatter", tried)
	}
}

// rulesBroken returns the rules that the text of a SKILL.md breaks.
func rulesBroken(text string) []string {
	d := frontmatter.Parse([]byte(text + "\n"))
	var ids []string
	for _, p := range d.Problems {
		ids = append(ids, p.Rule)
	}
	if ids == nil {
		name := d.Frontmatter.Text("name")
		if name == "" || !regexp.MustCompile(`^[a-z-]+$`).MatchString(name) {
			name = "refunds"
		}
		uri := manifest.NewURI(name + "/" + manifest.SkillFile)
		s := manifest.Skill{URI: uri, Frontmatter: d.Frontmatter, Resources: []manifest.Resource{{URI: uri}}}
		for _, f := range CheckSkill(s, "SKILL.md") {
			ids = append(ids, f.Rule)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
