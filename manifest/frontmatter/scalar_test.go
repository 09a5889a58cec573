package frontmatter

import (
	"strings"
	"testing"
)

func TestAmbiguousScalars(t *testing.T) {
	tests := []struct{ text, says string }{
		{"0777", "is 511 to YAML 1.1 readers and 777 to"},
		{"+010", "is 8 to YAML 1.1 readers and 10 to"},
		{"-010", "is -8 to YAML 1.1 readers and -10 to"},
		{"08", `is the string "08" to YAML 1.1 readers and 8 to`},
		{"0_7", `is 7 to YAML 1.1 readers and the string "0_7" to`},
		{"0b11", `is 3 to YAML 1.1 readers and the string "0b11" to`},
		{"-0b11", "is -3 to"},
		{"-0b0", "is 0 to YAML 1.1 readers"},
		{"0x1_F", `is 31 to YAML 1.1 readers and the string "0x1_F" to`},
		{"-0x1F", `is -31 to YAML 1.1 readers and the string "-0x1F" to`},
		{"+0x1F", "is 31 to"},
		{"1_000", "is 1000 to"},
		{"1_000.5", "is 1000.5 to"},
		{"1:30", `is 90 to YAML 1.1 readers and the string "1:30" to`},
		{"-1:30", "is -90 to"},
		{"190:20:30.15", "is 685230.15 to"},
		{"2001-01-01", "is a date to"},
		{"2001-12-14t21:59:43.10-05:00", "is a date to"},
		{"2001-12-14 21:59:43", "is a date to"},
		{"2001-1-1", `is a date to Go's yaml.v3 and the string "2001-1-1" to`},
		{"0X1F", `is 31 to Go's yaml.v3 and the string "0X1F" to`},
		{"1e3", `is the string "1e3" to YAML 1.1 readers and 1000 to`},
		{"1.5e3", `is the string "1.5e3" to`},
		{"+.5", `is the string "+.5" to YAML 1.1 readers and 0.5 to`},
		{"0o14", `is the string "0o14" to YAML 1.1 readers and 12 to`},
		{"=", "is the mark of a default value to"},
		{"<<", "is a merge key to"},
	}
	for _, word := range []string{"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"} {
		tests = append(tests, struct{ text, says string }{word, "is true to YAML 1.1 readers and the string"})
	}
	for _, word := range []string{"n", "N", "no", "No", "NO", "off", "Off", "OFF"} {
		tests = append(tests, struct{ text, says string }{word, "is false to YAML 1.1 readers and the string"})
	}
	for _, tt := range tests {
		if got := disagreement(tt.text); !strings.HasPrefix(got, tt.says) {
			t.Errorf("%s %q, want %q…", tt.text, got, tt.says)
		}
	}
}

func TestUnambiguousScalars(t *testing.T) {
	for _, text := range []string{
		"a", "true", "False", "null", "~", "Null", "7", "007", "00", "0", "-12", "+12", "1.10", "1.2.3", "v1.2", "1.0", ".5",
		"5.", "09.5", "1.5e+3", "1.5E-3", "0x1F", "12345678901234567890", strings.Repeat("9", 400), "1.2.3-beta", "2024", "2024-01", "20240115",
		"01:30", "1:60", "10:30am", "_1", "+_", "-", "--", "+", ".", "..", "1,000", "1 000", "yES", "oN", "nope", "yes and no",
		"y n", "TrUe", "0b12", "0o8", "0xg", "0b", "1e", "e3", "1.e", "-x", "+1 555 0100", "==", "<", "<a>", "=x", "192.168.0.1", "1/2", "50%",
		"3.11+", ">=3.11", "2024-01-15T10", "Node", "None", "Off-by-one",
	} {
		if got := disagreement(text); got != "" {
			t.Errorf("%s %s", text, got)
		}
	}
}

func TestAmbiguousPlaces(t *testing.T) {
	tests := []struct {
		block string
		want  []place
	}{
		{"no: a", []place{{"ambiguous-scalar", 2, 1, `key no is false to YAML 1.1 readers and the string "no" to YAML 1.2 readers: write "no"`}}},
		{"a:\n  - [x, {b: on}]", []place{{"ambiguous-scalar", 3, 13, `write "on"`}}},
		{"a:\n  2024-01-15:\n    - 1:30", []place{{"ambiguous-scalar", 3, 3, "a date"}, {"ambiguous-scalar", 4, 7, "90"}}},
		{"=: a", []place{{"ambiguous-scalar", 2, 1, `write "="`}}},
		{"a: <<", []place{{"ambiguous-scalar", 2, 4, `write "<<"`}}},
		{"<<: {a: b}", []place{{"ambiguous-scalar", 2, 1, "write the fields out"}}},
		{"a: &b {c: d}\ne: &f {g: h}\ni:\n  <<: [*b, *f]\n  j: k", []place{{"ambiguous-scalar", 5, 3, "write the fields out"}}},
		{"a: \"yes\"\n'on': 'no'\nb: |-\n  010\nc: [\"1:30\"]", nil},
		{"a: yes \nb: [x]", []place{{"ambiguous-scalar", 2, 4, `write "yes"`}}},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) { checkProblems(t, Parse(document(tt.block)).Problems, tt.want) })
	}
}

// TestScalarsOfAnyLengthAreTypedQuickly would run into the time limit of the
// test if a number were worked out digit by digit.
func TestScalarsOfAnyLengthAreTypedQuickly(t *testing.T) {
	for _, text := range []string{"0x" + strings.Repeat("f", 60_000), "0" + strings.Repeat("7", 60_000), "1" + strings.Repeat(":1", 30_000), "1e" + strings.Repeat("9", 60_000)} {
		if len(disagreement(text)) == 0 && read12(text).special == "" && text[1] != 'x' {
			t.Errorf("%.10s… is not ambiguous", text)
		}
	}
}

// TestLibraryWords holds what disagreement leaves out: Go's yaml.v3 takes no word
// for another value than YAML 1.2 does, unless both of the specification's
// versions differ.
func TestLibraryWords(t *testing.T) {
	const letters = "yYeEsSnNoOfFtTrRuUaAlL~<="
	words := []string{""}
	for range 3 {
		for _, w := range words {
			for _, c := range letters {
				words = append(words, w+string(c))
			}
		}
	}
	words = append(words, "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "tRue", "false", "False", "FALSE", "nan", "NaN", "inf", "Infinity", "none", "None", "undefined", "infinity", "!!x", "x: y")
	for _, s := range words {
		if s == "" || !read11(s).equal(read12(s)) {
			continue
		}
		if own := goReading(s); !own.equal(read12(s)) {
			t.Errorf("%q is %s to the library and %s to YAML 1.2", s, own.describe(), read12(s).describe())
		}
	}
}
