package frontmatter

import (
	"strings"
	"testing"
)

func benchmarkText(name string) string {
	return "---\nname: " + name + "\ndescription: Does one step of the work named " + name + ". Use when that step is to be done, or was done badly.\nlicense: Apache-2.0\nmetadata:\n  version: \"1.10\"\n  team: billing\n---\n\n# Steps\n"
}

// BenchmarkParse reads one block: the usual form, and one that only
// the YAML library reads.
func BenchmarkParse(b *testing.B) {
	usual := benchmarkText("pdf-processing")
	for name, text := range map[string]string{
		"usual":  usual,
		"folded": strings.Replace(usual, "description: ", "description: >-\n  ", 1),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if doc := Parse([]byte(text)); len(doc.Problems) > 0 || len(doc.Frontmatter) != 4 {
					b.Fatal(doc)
				}
			}
		})
	}
}
