package main

import (
	"bytes"
	"testing"
)

// TestPageSizes keeps every page short enough to read at once.
func TestPageSizes(t *testing.T) {
	for _, d := range documents(t) {
		most := 0
		switch {
		case d.path == "README.md":
			most = 119
		}
		if lines := bytes.Count(d.source, []byte("\n")); most > 0 && lines > most {
			t.Errorf("%s has %d lines, more than %d: split it by subject", d.path, lines, most)
		}
	}
}
