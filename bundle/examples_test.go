package bundle_test

import (
	"context"
	"testing"

	"github.com/skillpack/skillpack/bundle"
)

// TestExampleSkills holds the skills of this repository to every rule: there is
// nothing to report about them.
func TestExampleSkills(t *testing.T) {
	b, err := bundle.Read(context.Background(), bundle.Options{Dir: "../examples/skills"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, f := range b.Findings {
		t.Error(line(f))
	}
	var paths []string
	for _, s := range b.Manifest.Skills {
		paths = append(paths, s.Path())
	}
	if len(paths) != 4 || paths[3] != "team/data/csv-profiling" {
		t.Errorf("the skills are %q, want four, the last below team/data", paths)
	}
}
