package bundle_test

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/skillpack/skillpack/bench/floor"
	"github.com/skillpack/skillpack/internal/atomicfile"

	trees "github.com/skillpack/skillpack/bench/tree"
	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/manifest"
)

// benchmarkTree makes a tree for a benchmark.
func benchmarkTree(b *testing.B, kind string, n int) string {
	dir := b.TempDir()
	if err := trees.Kinds[kind](dir, n); err != nil {
		b.Fatal(err)
	}
	return dir
}

// readWhole reads a directory that has no fault.
func readWhole(b *testing.B, o bundle.Options) *bundle.Bundle {
	r, err := bundle.Read(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	if len(r.Findings) > 0 {
		b.Fatalf("%+v, first finding %+v", r.Summary, r.Findings[0])
	}
	return r
}

// BenchmarkRead reads 10,000 skills of three files. BenchmarkFloor does the part
// of the work that nobody can do without, on the same tree; the third goes through
// an os.Root, as every system but Linux does.
func BenchmarkRead(b *testing.B) {
	dir := benchmarkTree(b, "small", 10_000)
	b.ReportAllocs()
	for b.Loop() {
		readWhole(b, bundle.Options{Dir: dir}).Close()
	}
}

func BenchmarkFloor(b *testing.B) {
	dir := benchmarkTree(b, "small", 10_000)
	b.ReportAllocs()
	for b.Loop() {
		if n, _, _, err := floor.Hash(dir); err != nil || n != 30_000 {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkReadThroughRoot(b *testing.B) {
	dir := benchmarkTree(b, "small", 10_000)
	b.ReportAllocs()
	for b.Loop() {
		readWhole(b, bundle.Options{Dir: dir, FollowSymlinks: true}).Close()
	}
}

// BenchmarkReadLarge reads 16 skills of 16 MiB: nearly all of it is hashing.
func BenchmarkReadLarge(b *testing.B) {
	dir := benchmarkTree(b, "large", 16)
	b.SetBytes(16 * manifest.MaxBytes)
	for b.Loop() {
		readWhole(b, bundle.Options{Dir: dir}).Close()
	}
}

// BenchmarkCompare holds the manifest of 400 skills against an equal file.
func BenchmarkCompare(b *testing.B) {
	r := readWhole(b, bundle.Options{Dir: benchmarkTree(b, "small", 400)})
	defer r.Close()
	path := filepath.Join(b.TempDir(), "skills.manifest.json")
	if _, err := atomicfile.Write(path, r.Manifest.WriteJSON); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if same, missing, err := atomicfile.Compare(path, func(w io.Writer) error { return r.Manifest.WriteJSON(w) }); !same || missing || err != nil {
			b.Fatal(same, missing, err)
		}
	}
}
