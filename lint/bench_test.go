package lint

import (
	"fmt"
	"testing"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// BenchmarkCheckEntry judges a served entry of fifty files.
func BenchmarkCheckEntry(b *testing.B) {
	s := manifest.Skill{URI: manifest.NewURI("acme/pdf/SKILL.md"), Frontmatter: frontmatter.Parse([]byte("---\nname: pdf\ndescription: Reads PDF files. Use when one is to be read.\n---\n")).Frontmatter}
	s.Resources = append(s.Resources, manifest.Resource{URI: s.URI, Size: 1})
	for i := range 49 {
		s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(fmt.Sprintf("acme/pdf/references/%d.md", i)), Size: int64(i)})
	}
	text, err := s.MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := manifest.ParseValue(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, findings := CheckEntry(v); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}

// BenchmarkCheckListing judges 20,000 skills together.
func BenchmarkCheckListing(b *testing.B) {
	listed := make([]Listed, 20_000)
	for i := range listed {
		name := fmt.Sprintf("skill-%05d", i)
		listed[i].Skill = manifest.Skill{URI: manifest.NewURI(name + "/SKILL.md"), Frontmatter: manifest.Frontmatter{{Key: "name", Value: manifest.Value{Kind: manifest.String, Text: name}}}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if findings := CheckListing(listed); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}
