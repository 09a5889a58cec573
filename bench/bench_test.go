//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/skillpack/skillpack/bench/floor"
	"github.com/skillpack/skillpack/bench/tree"
	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/manifest"
)

// TestTrees holds every tree to be what the table says of it, faultless, and read
// whole by the floor as well.
func TestTrees(t *testing.T) {
	for _, test := range []struct {
		kind             string
		n, skills, files int
		bytes            int64 // 0: any
	}{
		{"small", 3, 3, 9, 0},
		{"single", 3, 3, 3, 0},
		{"files", 300, 3, 300, 0},
		{"large", 2, 2, 4, 2 * manifest.MaxBytes},
		{"full", 1, 1, manifest.MaxResources, manifest.MaxBytes},
	} {
		dir := t.TempDir()
		if err := tree.Kinds[test.kind](dir, test.n); err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Read(context.Background(), bundle.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		if s := b.Summary; len(b.Findings) > 0 || s.Skills != test.skills || s.Files != test.files || test.bytes > 0 && s.Bytes != test.bytes {
			t.Errorf("%s: %+v with %v", test.kind, s, b.Findings)
		}
		files, bytes, _, err := floor.Hash(dir)
		if err != nil || files != int64(b.Summary.Files) || bytes != b.Summary.Bytes {
			t.Errorf("%s: the floor reads %d files of %d bytes (%v), not %d of %d", test.kind, files, bytes, err, b.Summary.Files, b.Summary.Bytes)
		}
	}
}

// TestFloorHashes holds the floor to read every byte.
func TestFloorHashes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b")
	sum := func(text string) [32]byte {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, sum, err := floor.Hash(dir)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if got := sum("abc"); got != manifest.DigestOf([]byte("abc")) {
		t.Errorf("the sum of one file is %x", got)
	}
}

func TestRows(t *testing.T) {
	for _, test := range []struct {
		row    row
		missed bool
	}{
		{row{value: 1.6, bound: 1.6}, false},
		{row{value: 1.7, bound: 1.6}, true},
		{row{value: 8, bound: 8, least: true}, false},
		{row{value: 7.9, bound: 8, least: true}, true},
		{row{value: 99}, false},
		{row{bound: 8, least: true, reason: "not measured"}, false},
	} {
		if test.row.missed() != test.missed {
			t.Errorf("%v: missed is %v", test.row, !test.missed)
		}
	}
	if m := median([]float64{5, 1, 3, 100}); m != 4 {
		t.Errorf("the median is %g", m)
	}
}
