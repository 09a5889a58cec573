package schema

import (
	"embed"
	"fmt"
	"strings"
)

const suffix = ".schema.json"

//go:embed *.schema.json
var files embed.FS

// Names returns the names of the schemas, in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the root of an embedded file system can always be read
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), suffix)
	}
	return names
}

// Read returns the text of the schema with a name. It returns an error that
// lists the names for any other.
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil, fmt.Errorf("there is no schema %.80q: write one of %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}
