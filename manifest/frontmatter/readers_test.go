package frontmatter

import (
	"github.com/skillpack/skillpack/manifest"
	"strings"
	"testing"
)

// value reads a value that a test knows to be JSON.
func value(t *testing.T, text string) manifest.Value {
	t.Helper()
	v, err := manifest.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestExplainReaders compares what an author wrote with what other readers make
// of it, in both orders.
func TestExplainReaders(t *testing.T) {
	const date, float, old, own = "types dates", "64-bit floats", "a YAML 1.1 reader", "gopkg.in/yaml.v3"
	for _, test := range []struct{ written, read, want string }{
		{`"2024-01-15"`, `"2024-01-15T00:00:00Z"`, date + ` made one of it; quote it: "2024-01-15"`},
		{`"2024-01-15"`, `"2024-01-15 00:00:00 +0000 UTC"`, date},
		{`"2024-01-15"`, `"2024-01-15T00:00:00"`, date},
		{`"2024-01-15"`, `"2024-01-15 00:00:00"`, date},
		{`"2024-01-15"`, `"Mon, 15 Jan 2024 00:00:00 UTC"`, date},
		{`"2024-01-15"`, `"2024-01-16T00:00:00Z"`, ""},
		{`"2024-01-15"`, `"2024-01-15T01:00:00Z"`, ""},
		{`"2024-01-15"`, `"soon"`, ""},
		{`"2001-12-14t21:59:43.10-05:00"`, `"2001-12-15T02:59:43.1Z"`, date},
		{`"2001-12-14 21:59:43"`, `"2001-12-14T21:59:43Z"`, date},
		{`"v2024"`, `"2024-01-15T00:00:00Z"`, ""},
		{`12345678901234567890`, `12345678901234567000`, float},
		{`0.1`, `0.2`, ""},
		{`"yes"`, `true`, old + ` typed it; quote it: "yes"`},
		{`"010"`, `8`, old},
		{`"010"`, `10`, ""},
		{`"0X1F"`, `31`, own},
		{`"a\n"`, `"a"`, "the last line break of a block scalar"},
		{`"a\r\nb"`, `"a\nb"`, "CRLF"},
		{`"a"`, `"b"`, ""},
		{`"a"`, `1`, ""},
		{`["yes"]`, `[true]`, ""},
	} {
		for range 2 {
			got := ExplainReaders(value(t, test.written), value(t, test.read))
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("%s and %s: %q, want %q", test.written, test.read, got, test.want)
			}
			test.written, test.read = test.read, test.written
		}
	}
}

func TestKnownEscape(t *testing.T) {
	for _, c := range "0abt\tnvfre \"/\\N_LP'\n" {
		if !knownEscape(string(c)) {
			t.Errorf("%q is not known", c)
		}
	}
	for text, want := range map[string]bool{
		"1": false, "c": false, "x41": true, "x4": false, "x4g": false, "u00e9": true, "u00e": false, "ud800": false, "U0001F600": true, "U00110000": false, "U0010FFFF": true,
	} {
		if got := knownEscape(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestReadingDescribe(t *testing.T) {
	digits := strings.Repeat("1234567890", 4)
	for text, want := range map[string]string{"1.50": "1.5", digits: digits, digits + "1": digits[:39] + "…", "a": `the string "a"`, "null": "null", "true": "true"} {
		if got := read12(text).describe(); got != want {
			t.Errorf("%s is described as %s, want %s", text, got, want)
		}
	}
}
