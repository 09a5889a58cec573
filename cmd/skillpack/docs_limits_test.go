package main

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// limitRow is a row of the tables in docs/security.md: what is limited, the
// number, and the package and constant that it is.
var limitRow = regexp.MustCompile("(?m)^\\| (.+) \\| ([0-9,]+) \\| `([a-z/]+) (\\w+)` \\|$")

// TestLimits holds the numbers of docs/security.md against the code.
func TestLimits(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs/security.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := limitRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 15 {
		t.Errorf("%d limits: the rows are not found", len(rows))
	}
	for _, row := range rows {
		number := strings.ReplaceAll(row[2], ",", "")
		value := constant(t, row[3], row[4])
		if strings.Contains(row[1], "in seconds") {
			value = strings.TrimSuffix(value, "000000000") // of a time.Duration
		}
		if value != number {
			t.Errorf("%s: the page says %s, %s.%s is %s", row[1], row[2], row[3], row[4], value)
		}
	}
}

// constant evaluates a constant of a package of this repository.
func constant(t *testing.T, dir, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Names[0].Name != name || len(spec.Values) != 1 {
				return true
			}
			var text strings.Builder
			if err := printer.Fprint(&text, set, spec.Values[0]); err != nil {
				t.Fatal(err)
			}
			expression := strings.ReplaceAll(text.String(), "time.Second", "1000000000")
			value, err := types.Eval(set, nil, token.NoPos, expression)
			if err != nil {
				t.Fatalf("%s.%s = %s: %v", dir, name, text.String(), err)
			}
			found = value.Value.ExactString()
			return false
		})
		if found != "" {
			return found
		}
	}
	t.Errorf("there is no constant %s.%s", dir, name)
	return ""
}
