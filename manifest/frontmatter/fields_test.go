package frontmatter

import (
	"math/big"
	"strings"
	"testing"
)

// TestFieldNotes holds every text that YAML readers were measured to read as
// different values: the value is that of a YAML 1.2 reader, and where another
// reader gets another one there is a problem that says what to write.
func TestFieldNotes(t *testing.T) {
	tests := []struct {
		block, json string
		want        []place
	}{
		{"k: 2024-01-15", `{"k":"2024-01-15"}`, []place{{"ambiguous-scalar", 2, 4, `a date to YAML 1.1 readers and the string "2024-01-15" to YAML 1.2 readers: write "2024-01-15"`}}},
		{"k: yes", `{"k":"yes"}`, []place{{"ambiguous-scalar", 2, 4, `true to YAML 1.1 readers and the string "yes"`}}},
		{"k: on", `{"k":"on"}`, []place{{"ambiguous-scalar", 2, 4, `write "on"`}}},
		{"k: 014", `{"k":14}`, []place{{"ambiguous-scalar", 2, 4, "value 014 is 12 to YAML 1.1 readers and 14 to YAML 1.2 readers"}}},
		{"k: 010", `{"k":10}`, []place{{"ambiguous-scalar", 2, 4, `value 010 is 8 to YAML 1.1 readers and 10 to YAML 1.2 readers: write "010"`}}},
		{"k: 0o14", `{"k":12}`, []place{{"ambiguous-scalar", 2, 4, `the string "0o14" to YAML 1.1 readers and 12`}}},
		{"k: 1_000", `{"k":"1_000"}`, []place{{"ambiguous-scalar", 2, 4, `1000 to YAML 1.1 readers and the string "1_000"`}}},
		{"k: 1e3", `{"k":1000}`, []place{{"ambiguous-scalar", 2, 4, `the string "1e3" to YAML 1.1 readers and 1000`}}},
		{"k: 12:30:45", `{"k":"12:30:45"}`, []place{{"ambiguous-scalar", 2, 4, "45045 to YAML 1.1 readers"}}},
		{"k: 1.10", `{"k":1.1}`, nil},
		{"k: 12345678901234567890", `{"k":12345678901234567890}`, nil},
		{"k: 1\nk: 2", `{"k":1}`, []place{{"frontmatter-duplicate-key", 3, 1, "first on line 2"}}},
		{"q: &q {a: 1}\nk:\n  <<: *q", `{"q":{"a":1},"k":{"<<":{"a":1}}}`, []place{{"ambiguous-scalar", 4, 3, "write the fields out"}}},
		{"k: .inf", `{"k":".inf"}`, []place{{"frontmatter-not-json", 2, 4, `".inf"`}}},
		{"k: .nan", `{"k":".nan"}`, []place{{"frontmatter-not-json", 2, 4, `".nan"`}}},
		{"k:\tv", `{"k":"v"}`, []place{{"unportable-yaml", 2, 3, "a tab"}}},
		{`k: "a\/b"`, `{"k":"a/b"}`, []place{{"unportable-yaml", 2, 6, `the escape \/ is refused by some YAML readers: write k: "a/b"`}}},
		{"k: >\n  text", `{"k":"text\n"}`, []place{{"block-scalar-last", 2, 4, "write >-"}}},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) {
			d := Parse(document(tt.block))
			checkProblems(t, d.Problems, tt.want)
			if got := d.Frontmatter.Value().String(); got != tt.json {
				t.Errorf("value is %s, want %s", got, tt.json)
			}
		})
	}
}

func TestKeysAndValuesThatAreNotJSON(t *testing.T) {
	tests := []struct {
		block, json string
		want        []place
	}{
		{"a: &x name\n*x : v", `{"a":"name","name":"v"}`, []place{{"unportable-yaml", 2, 4, "the anchor &x"}, {"unportable-yaml", 3, 1, "the alias *x"}}},
		{"- a", `{}`, []place{{"frontmatter-not-mapping", 2, 1, "a list"}}},
		{"just text", `{}`, []place{{"frontmatter-not-mapping", 2, 1, `"just text"`}}},
		{"name:foo\ndescription:bar", `{}`, []place{{"frontmatter-not-mapping", 2, 1, "write name: foo"}}},
		{"", `{}`, []place{{"frontmatter-not-mapping", 2, 1, "empty"}}},
		{"# only a comment", `{}`, []place{{"frontmatter-not-mapping", 2, 1, "empty"}}},
		{"{a: b}", `{"a":"b"}`, nil},

		{"a: 1\nm:\n  x: 1\n  y_: 2\n  \"x\": 3", `{"a":1,"m":{"x":1,"y_":2}}`, []place{{"frontmatter-duplicate-key", 6, 3, `key "x" is given twice, first on line 4`}}},
		{"l:\n  - {a: 1, a: 2}\n  - {a: 1}", `{"l":[{"a":1},{"a":1}]}`, []place{{"frontmatter-duplicate-key", 3, 12, "line 3"}}},
		{"a: 1\nA: 2\nm: {a: 1}", `{"a":1,"A":2,"m":{"a":1}}`, nil},

		{"123: x", `{"123":"x"}`, []place{{"frontmatter-key-type", 2, 1, `"123" is a number, not a string: write "123"`}}},
		{"null: x", `{"null":"x"}`, []place{{"frontmatter-key-type", 2, 1, `write "null"`}}},
		{"m:\n  true: x", `{"m":{"true":"x"}}`, []place{{"frontmatter-key-type", 3, 3, "a boolean"}}},
		{": x\na: b", `{"a":"b"}`, []place{{"frontmatter-key-type", 2, 1, "a key is empty"}}},
		{"? [a]\n: b", `{}`, []place{{"frontmatter-key-type", 2, 3, "a key is a list"}}},
		{"name: {{name}}", `{"name":{}}`, []place{{"frontmatter-key-type", 2, 8, "in quotes"}}},
		{"!!str 123: x\n! 4: y_", `{"123":"x","4":"y_"}`, []place{{"unportable-yaml", 2, 1, "!!str"}, {"unportable-yaml", 3, 1, "tag !"}}},
		{"\"123\": x\n'null': y_\n1.2.3: z", `{"123":"x","null":"y_","1.2.3":"z"}`, nil},

		{"a: -.Inf", `{"a":"-.Inf"}`, []place{{"frontmatter-not-json", 2, 4, "-.Inf"}}},
		{"a: 1e999", `{"a":"1e999"}`, []place{{"frontmatter-not-json", 2, 4, `"1e999"`}}},
		{"a: !!binary aGk=", `{"a":"aGk="}`, []place{{"frontmatter-not-json", 2, 4, "!!binary"}}},
		{"a: !env HOME", `{"a":"HOME"}`, []place{{"frontmatter-not-json", 2, 4, `"!env"`}}},
		{"a: !!set {b: null}", `{"a":{"b":null}}`, []place{{"frontmatter-not-json", 2, 4, "!!set"}}},
		{"a: !!timestamp 2001-01-01", `{"a":"2001-01-01"}`, []place{{"frontmatter-not-json", 2, 4, "!!timestamp"}}},
		{"a: \".inf\"\nb: inf\nc: NaN\nd: 'x!y'", `{"a":".inf","b":"inf","c":"NaN","d":"x!y"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) {
			d := Parse(document(tt.block))
			checkProblems(t, d.Problems, tt.want)
			if got := d.Frontmatter.Value().String(); got != tt.json {
				t.Errorf("value is %s, want %s", got, tt.json)
			}
		})
	}
}

func TestLastBlockScalar(t *testing.T) {
	tests := []struct {
		block string
		want  []place
	}{
		{"a: |\n  x", []place{{"block-scalar-last", 2, 4, "write |-"}}},
		{"a: >2 # c\n  x", []place{{"block-scalar-last", 2, 4, "write >2-"}}},
		{"a: >+\n  x\n", []place{{"block-scalar-last", 2, 4, "write >-"}}},
		{"b: c\nm:\n  a: |\n    x", []place{{"block-scalar-last", 4, 6, "|-"}}},
		{"m:\n  - x\n  - |\n    x\n\n", []place{{"block-scalar-last", 4, 5, "|-"}}},
		{"a: >-\n  x", nil},
		{"a: |-\n  x", nil},
		{"a: >\n  x\nb: c", nil},
		{"a: >\n  x\n# the line break before a comment is never cut", nil},
		{"a: >\nb:", nil},
		{"a: \"> x\"", nil},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) { checkProblems(t, Parse(document(tt.block)).Problems, tt.want) })
	}
}

func TestCommentInValue(t *testing.T) {
	tests := []struct {
		block string
		want  []place
	}{
		{"description: Fixes issue #12 # and 13", []place{{"comment-in-value", 2, 26, `only "Fixes issue": write description: "Fixes issue #12 # and 13"`}}},
		{"name: a  # \"b\"", []place{{"comment-in-value", 2, 10, `write name: 'a  # "b"'`}}},
		{"description: a\n  b # c", []place{{"comment-in-value", 3, 5, `write description: "a b # c"`}}},
		{"description: C# and issue#12", nil},
		{"description: \"a # b\" # c", nil},
		{"description: a\n# c\nname: b", nil},
		{"license: a # b\nmetadata:\n  name: a # b", nil},
		{"description: >- # c\n  a # b", nil},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) { checkProblems(t, Parse(document(tt.block)).Problems, tt.want) })
	}
}

func TestEveryDigitIsKept(t *testing.T) {
	digits := "-" + strings.Repeat("1234567890", 30)
	hex := strings.Repeat("abcdef", 20)
	n, _ := new(big.Int).SetString(hex, 16)
	d := Parse(document("a: " + digits + "\nb: +12\nc: 0x1F\nd: -0\ne: -0.0\nf: 1.50\ng: .5\nh: 5.\ni: 1.5e+30\nj: 007"))
	checkProblems(t, d.Problems, nil)
	want := `{"a":` + digits + `,"b":12,"c":31,"d":0,"e":0,"f":1.5,"g":0.5,"h":5,"i":1.5e+30,"j":7}`
	if got := d.Frontmatter.Value().String(); got != want {
		t.Errorf("value is %s, want %s", got, want)
	}
	if got := read12("0x" + hex).text; got != n.String() {
		t.Errorf("0x%s is %s, want %s", hex, got, n)
	}
}
