package main

import (
	"os"
	"strings"
	"testing"
)

// The TypeScript server in the documentation is the one that the checks run.
func TestOtherLanguages(t *testing.T) {
	doc, err := os.ReadFile("../../docs/other-languages.md")
	if err != nil {
		t.Fatal(err)
	}
	server, err := os.ReadFile("../../testdata/interop/manifest-server.mjs")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```js\n")
	quoted, _, ok := strings.Cut(rest, "```\n")
	if !ok || quoted != string(server) {
		t.Error("docs/other-languages.md does not quote testdata/interop/manifest-server.mjs as it is: copy it")
	}
}
