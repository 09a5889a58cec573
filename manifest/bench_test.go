package manifest

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// benchmarkSkills returns skills of three files.
func benchmarkSkills(n int) Manifest {
	var m Manifest
	for i := range n {
		name := fmt.Sprintf("skill-%05d", i)
		s := Skill{URI: NewURI("acme/" + name + "/SKILL.md"), Frontmatter: benchmarkFields(name)}
		for j, file := range []string{"SKILL.md", "references/guide.md", "scripts/run.sh"} {
			s.Resources = append(s.Resources, Resource{NewURI("acme/" + name + "/" + file), DigestOf([]byte(name + file)), int64(1000*j + i)})
		}
		m.Skills = append(m.Skills, s)
	}
	return m
}

func benchmarkFields(name string) Frontmatter {
	text := func(s string) Value { return Value{Kind: String, Text: s} }
	return Frontmatter{
		{Key: "name", Value: text(name)},
		{Key: "description", Value: text("Does one step of the work named " + name + ". Use when that step is to be done, or was done badly.")},
		{Key: "license", Value: text("Apache-2.0")},
		{Key: "metadata", Value: Value{Kind: Object, Members: []Member{{Key: "version", Value: text("1.10")}, {Key: "team", Value: text("billing")}}}},
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
