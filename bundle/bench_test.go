package bundle_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/skillpack/skillpack/bundle"
)

// BenchmarkRead reads 10,000 skills of three files: SKILL.md with links to the
// two others, a reference and a script. Compare with BenchmarkFloor, which does
// the part of the work that nobody can do without, on the same tree.
func BenchmarkRead(b *testing.B) {
	dir := manySkills(b, 10_000)
	for b.Loop() {
		r, err := bundle.Read(context.Background(), bundle.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Findings) > 0 || r.Summary.Files != 30_000 {
			b.Fatalf("%+v, first finding %+v", r.Summary, r.Findings[:min(1, len(r.Findings))])
		}
		r.Close()
	}
}

// BenchmarkFloor walks the tree and hashes its files, in parallel.
func BenchmarkFloor(b *testing.B) {
	dir := manySkills(b, 10_000)
	for b.Loop() {
		if n, err := walkAndHash(dir); err != nil || n != 30_000 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkReadLarge reads 64 skills of one file of 16 MiB, less its SKILL.md.
func BenchmarkReadLarge(b *testing.B) {
	dir := b.TempDir()
	data := make([]byte, 16<<20-1000)
	for i := range data {
		data[i] = byte(i * 7919 >> 8)
	}
	for i := range 64 {
		name := fmt.Sprintf("skill-%02d", i)
		write(b, filepath.Join(dir, name, "SKILL.md"), skillText(name, ""))
		write(b, filepath.Join(dir, name, "data.bin"), string(data))
	}
	b.SetBytes(64 * int64(len(data)))
	for b.Loop() {
		r, err := bundle.Read(context.Background(), bundle.Options{Dir: dir})
		if err != nil || len(r.Findings) > 0 {
			b.Fatal(r, err)
		}
		r.Close()
	}
}

func manySkills(b *testing.B, n int) string {
	dir := b.TempDir()
	reference := strings.Repeat("A sentence that a reader of the reference would want to read.\n", 50)
	for i := range n {
		name := fmt.Sprintf("skill-%05d", i)
		body := "# " + name + "\n\nRun `scripts/run.sh`, and read [the reference](references/guide.md) first.\n\n" +
			strings.Repeat("1. Do the next step with **care**, and check it.\n", 20)
		write(b, filepath.Join(dir, name, "SKILL.md"), skillText(name, body))
		write(b, filepath.Join(dir, name, "references", "guide.md"), reference)
		write(b, filepath.Join(dir, name, "scripts", "run.sh"), "#!/bin/sh\necho "+name+"\n")
	}
	return dir
}

func walkAndHash(dir string) (int, error) {
	paths := make(chan string, 1024)
	var group sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for path := range paths {
				data, err := os.ReadFile(path)
				if err != nil {
					continue
				}
				sum := sha256.Sum256(data)
				mu.Lock()
				if sum != [32]byte{} {
					n++
				}
				mu.Unlock()
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths <- path
		}
		return err
	})
	close(paths)
	group.Wait()
	return n, err
}
