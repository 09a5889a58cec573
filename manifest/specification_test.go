package manifest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// The example of the extension's specification comes out with exactly its
// frontmatter, digests and sizes.
func TestSpecificationExample(t *testing.T) {
	lines := func(l ...string) string { return strings.Join(l, "\n") + "\n" }
	files := []struct{ path, text string }{
		{"SKILL.md", lines("---", "name: pdf-processing", "description: Extract, fill, and assemble PDF documents", "---", "",
			"# PDF processing", "", "Choose the matching template from `templates/`.")},
		{"templates/invoice.md", lines("# Invoice", "", "Customer:", "Amount:")},
		{"templates/purchase-order.md", lines("# Purchase order", "", "Supplier:", "Items:")},
	}
	d := frontmatter.Parse([]byte(files[0].text))
	if len(d.Problems) > 0 {
		t.Errorf("problems: %v", d.Problems)
	}
	s := manifest.Skill{URI: manifest.NewURI("pdf-processing/SKILL.md"), Frontmatter: d.Frontmatter}
	for _, f := range files {
		s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI("pdf-processing/" + f.path), Digest: manifest.DigestOf([]byte(f.text)), Size: int64(len(f.text))})
	}
	m := manifest.Manifest{Skills: []manifest.Skill{s}}
	m.Sort()
	want := `{
  "$schema": "` + manifest.SchemaURI + `",
  "skills": [
    {
      "uri": "skill://pdf-processing/SKILL.md",
      "frontmatter": {
        "name": "pdf-processing",
        "description": "Extract, fill, and assemble PDF documents"
      },
      "resources": [
        {"uri": "skill://pdf-processing/SKILL.md", "digest": "sha256:99b737495721155ece826d57521e2d66141ebdc1344a400487481ea2642ab19e", "size": 151},
        {"uri": "skill://pdf-processing/templates/invoice.md", "digest": "sha256:61f4ea6d2c75fde1b4977219e7e3107d491c3c26aefb6686e84d6281c088d9ee", "size": 29},
        {"uri": "skill://pdf-processing/templates/purchase-order.md", "digest": "sha256:f2ff774b1737ff3dec81c47946f9976f18a1a9f69dda0a81f22eabd95173c158", "size": 35}
      ]
    }
  ]
}
`
	var got bytes.Buffer
	if err := m.WriteJSON(&got); err != nil || got.String() != want {
		t.Errorf("%v\n%s", err, got.String())
	}
}
