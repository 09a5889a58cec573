//go:build interop

package main

import (
	"path/filepath"
	"testing"
)

// TestDocumentationNode runs the blocks that TestDocumentation leaves out: those
// with servers, clients and linters of other people.
func TestDocumentationNode(t *testing.T) {
	modules, err := filepath.Abs(nodeModules(t))
	if err != nil {
		t.Fatal(err)
	}
	runDocumentation(t, modules)
}
