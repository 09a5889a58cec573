package manifest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// benchmarkSkills returns skills of three files.
func benchmarkSkills(n int) Manifest {
	var m Manifest
	for i := range n {
		name := fmt.Sprintf("skill-%05d", i)
		s := Skill{URI: NewURI("acme/" + name + "/SKILL.md"), Frontmatter: ParseFrontmatter([]byte(benchmarkText(name))).Frontmatter}
		for j, file := range []string{"SKILL.md", "references/guide.md", "scripts/run.sh"} {
			s.Resources = append(s.Resources, Resource{NewURI("acme/" + name + "/" + file), DigestOf([]byte(name + file)), int64(1000*j + i)})
		}
		m.Skills = append(m.Skills, s)
	}
	return m
}

func benchmarkText(name string) string {
	return "---\nname: " + name + "\ndescription: Does one step of the work named " + name + ". Use when that step is to be done, or was done badly.\nlicense: Apache-2.0\nmetadata:\n  version: \"1.10\"\n  team: billing\n---\n\n# Steps\n"
}

// BenchmarkParseFrontmatter reads one block: the usual form, and one that only
// the YAML library reads.
func BenchmarkParseFrontmatter(b *testing.B) {
	usual := benchmarkText("pdf-processing")
	for name, text := range map[string]string{
		"usual":  usual,
		"folded": strings.Replace(usual, "description: ", "description: >-\n  ", 1),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if doc := ParseFrontmatter([]byte(text)); len(doc.Problems) > 0 || len(doc.Frontmatter) != 4 {
					b.Fatal(doc)
				}
			}
		})
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	m := benchmarkSkills(1000)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.WriteJSON(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var text bytes.Buffer
	if err := benchmarkSkills(1000).WriteJSON(&text); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if m, err := Parse(text.Bytes()); err != nil || len(m.Skills) != 1000 {
			b.Fatal(err)
		}
	}
}

// BenchmarkDiff compares two manifests that differ in one file.
func BenchmarkDiff(b *testing.B) {
	before, after := benchmarkSkills(1000), benchmarkSkills(1000)
	after.Skills[500].Resources[1].Size++
	b.ReportAllocs()
	for b.Loop() {
		if changes := Diff(before, after); len(changes) != 1 {
			b.Fatal(changes)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	m := benchmarkSkills(1000)
	b.ReportAllocs()
	for b.Loop() {
		if m.Fingerprint() == (Digest{}) {
			b.Fatal("no fingerprint")
		}
	}
}
