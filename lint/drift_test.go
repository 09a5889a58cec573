package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func parseManifest(t *testing.T, entries ...string) manifest.Manifest {
	t.Helper()
	m, err := manifest.Parse([]byte(`{"skills": [` + strings.Join(entries, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDrifts(t *testing.T) {
	skill := `"skill://pdf/SKILL.md"`
	other := strings.Replace(file("skill://pdf/a b.md"), goodDigest, "sha256:"+strings.Repeat("0", 64), 1)
	long := strings.Repeat("same text ", 20)
	tests := []struct {
		name     string
		old, new []string
		sides    Sides
		want     []string // place, rule, message
		status   DriftStatus
	}{
		{"equal", []string{served(skill, front, "["+self+"]")}, []string{served(skill, front, "["+self+"]")}, SidesOfLint, nil, ""},
		{"skill missing", []string{served(skill, front, "["+self+"]")}, nil, SidesOfLint,
			[]string{"skill://pdf/SKILL.md skill-missing the skill is in the build but not in what the server lists"}, Missing},
		{"skill extra", nil, []string{served(skill, front, "["+self+"]")}, SidesOfDiff,
			[]string{"skill://pdf/SKILL.md skill-extra the skill is in NEW but not in OLD"}, Extra},
		{"files", []string{served(skill, front, "["+self+","+file("skill://pdf/a b.md")+","+file("skill://pdf/b.md")+"]")},
			[]string{served(skill, front, "["+self+","+other+","+file("skill://pdf/c.md")+"]")}, SidesOfCheck,
			[]string{
				`skill://pdf/a%20b.md file-changed file "a b.md" differs: on disk 1 byte sha256:99b737495721…, now 1 byte no digest`,
				`skill://pdf/b.md file-missing file "b.md" is in the manifest on disk but not in the skills directory`,
				`skill://pdf/c.md file-extra file "c.md" is in the skills directory but not in the manifest on disk`,
			}, Changed},
		{"fields", []string{served(skill, `{"name": "pdf", "description": "old", "license": "MIT"}`, "["+self+"]")},
			[]string{served(skill, `{"name": "pdf", "description": "new", "metadata": {"version": "2"}}`, "["+self+"]")}, SidesOfLint,
			[]string{
				`skill://pdf/SKILL.md frontmatter-drift field description differs: built "old", served "new"`,
				`skill://pdf/SKILL.md frontmatter-drift field license is in the build but not in what the server lists: "MIT"`,
				`skill://pdf/SKILL.md frontmatter-drift field metadata is in what the server lists but not in the build: {"version":"2"}`,
			}, Changed},
		{"text that goes on", []string{served(skill, `{"name": "pdf", "description": "é one"}`, "["+self+"]")},
			[]string{served(skill, `{"name": "pdf", "description": "é one two"}`, "["+self+"]")}, SidesOfLint,
			[]string{`skill://pdf/SKILL.md frontmatter-drift field description differs: built "é one", served "é one two"`}, Changed},
		{"another type", []string{served(skill, `{"name": "pdf", "version": "1"}`, "["+self+"]")},
			[]string{served(skill, `{"name": "pdf", "version": 1}`, "["+self+"]")}, SidesOfLint,
			[]string{`skill://pdf/SKILL.md frontmatter-drift field version differs: built "1", served 1`}, Changed},
		{"a late difference shows", []string{served(skill, `{"name": "pdf", "description": "`+long+`é one"}`, "["+self+"]")},
			[]string{served(skill, `{"name": "pdf", "description": "`+long+`è two"}`, "["+self+"]")}, SidesOfLint,
			[]string{`skill://pdf/SKILL.md frontmatter-drift field description differs: built "…same text same text é one", served "…same text same text è two"`}, Changed},
		{"dynamic", []string{served(skill, front, "["+self+"]")}, []string{served(skill, front, `"dynamic"`)}, SidesOfLint,
			[]string{`skill://pdf/SKILL.md skill-dynamic the files cannot be compared: built 1 file with digests, served "dynamic"`}, Changed},
		{"no more dynamic", []string{served(skill, front, `"dynamic"`)}, []string{served(skill, front, "["+self+"]")}, SidesOfDiff,
			[]string{`skill://pdf/SKILL.md skill-dynamic the files cannot be compared: old "dynamic", new 1 file with digests`}, Changed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			findings, drifts := Drifts(manifest.Diff(parseManifest(t, tt.old...), parseManifest(t, tt.new...)), tt.sides)
			var got []string
			for _, f := range findings {
				got = append(got, f.Place()+" "+f.Rule+" "+f.Message)
				if f.Skill != "pdf" || f.Severity != Error {
					t.Errorf("finding %+v", f)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if drifts == nil {
				t.Error("drift is nil, which the report takes for no comparison")
			}
			if tt.status == "" {
				if len(drifts) > 0 {
					t.Errorf("drift %v", drifts)
				}
				return
			}
			d := drifts[0]
			if len(drifts) != 1 || d.Skill != "pdf" || d.Status != tt.status {
				t.Errorf("drift %+v", drifts)
			}
			for _, f := range d.Files {
				if (f.Built == nil) != (f.Status == Extra) || (f.Served == nil) != (f.Status == Missing) {
					t.Errorf("file %+v", f)
				}
			}
		})
	}
}
