package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// module is a small module: its own test catches two changes, and wide one more.
var module = map[string]string{
	"go.mod": "module example.test/m\n\ngo 1.26\n",
	"m.go": `package m

func Largest(values []int) (largest int) {
	for _, v := range values {
		if v > largest {
			largest = v
		}
	}
	return largest
}

func Unused(a, b bool) bool { return a && b }
`,
	"m_test.go": `package m

import "testing"

func TestLargest(t *testing.T) {
	if got := Largest([]int{2, 7, 5}); got != 7 {
		t.Error(got)
	}
}
`,
	"wide/wide_test.go": `package wide

import (
	"testing"

	"example.test/m"
)

func TestUnused(t *testing.T) {
	if m.Unused(true, false) {
		t.Error("true")
	}
}
`,
}

// TestRun holds that a change which a test sees is caught, by the package's own
// tests or by the wider ones, that one which changes nothing survives until it is
// listed, and that the files stay as they are.
func TestRun(t *testing.T) {
	testfiles.Slow(t, "runs the go command a dozen times")
	dir := t.TempDir()
	for name, text := range module {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const equal = "m.go Largest: v > largest => v >= largest\n"
	const unseen = "m.go:12: survived, not run by the package's tests\nm.go Unused: a && b => a || b\n"
	for _, test := range []struct {
		name string
		o    options
		want string
	}{
		{"own tests", options{n: 6}, unseen + "m.go:5: survived\n" + equal + ".: 4 of 6 changes: 2 caught, 0 known to change nothing, 2 survived\n"},
		{"wider tests", options{n: 6, wider: []string{"./wide"}}, "m.go:5: survived\n" + equal + ".: 4 of 6 changes: 3 caught, 0 known to change nothing, 1 survived\n"},
		{"listed", options{n: 6, wider: []string{"./wide"}, equivalents: equal + "\tthe same value\n"}, ".: 4 of 6 changes: 3 caught, 1 known to change nothing, 0 survived\n"},
		{"one change", options{n: 1, seed: 2}, "m.go:5: survived\n" + equal + ".: 1 of 6 changes: 0 caught, 0 known to change nothing, 1 survived\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.o.dir = dir
			var out bytes.Buffer
			survived, err := test.o.run(&out, ".")
			if err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != test.want || survived != strings.Count(test.want, ": survived") {
				t.Errorf("%d survived; printed:\n%swant:\n%s", survived, got, test.want)
			}
		})
	}
	if b, err := os.ReadFile(filepath.Join(dir, "m.go")); err != nil || string(b) != module["m.go"] {
		t.Errorf("the file was changed (%v):\n%s", err, b)
	}
}
