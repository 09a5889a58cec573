package frontmatter

import "testing"

func TestUnportableYAML(t *testing.T) {
	tests := []struct {
		block, json string
		want        []place
	}{
		{"a: &b c\nd: *b", `{"a":"c","d":"c"}`, []place{{"unportable-yaml", 2, 4, "anchor &b"}, {"unportable-yaml", 3, 4, "alias *b"}}},
		{"&a b: c", `{"b":"c"}`, []place{{"unportable-yaml", 2, 1, "&a"}}},
		{"a: !!str 5", `{"a":"5"}`, []place{{"unportable-yaml", 2, 4, "!!str"}}},
		{"a: !!int \"5\"", `{"a":5}`, []place{{"unportable-yaml", 2, 4, "!!int"}}},
		{"a: !<tag:yaml.org,2002:str> 5", `{"a":"5"}`, []place{{"unportable-yaml", 2, 4, "!!str"}}},
		{"a: ! 5", `{"a":"5"}`, []place{{"unportable-yaml", 2, 4, "tag !"}}},
		{"a: !!map\n  b: c", `{"a":{"b":"c"}}`, []place{{"unportable-yaml", 2, 4, "!!map"}}},
		{"a:\tb", `{"a":"b"}`, []place{{"unportable-yaml", 2, 3, "a tab outside"}}},
		{"a: b\t# c", `{"a":"b"}`, []place{{"unportable-yaml", 2, 5, "a tab outside"}}},
		{"a: b\tc", `{"a":"b\tc"}`, []place{{"unportable-yaml", 2, 5, "a tab inside an unquoted value"}}},
		{"a: [b,\tc]", `{"a":["b","c"]}`, []place{{"unportable-yaml", 2, 7, "a tab outside"}}},
		{"a: b\n\t\nc: d", `{"a":"b","c":"d"}`, []place{{"unportable-yaml", 3, 1, "nothing but a tab"}}},
		{"a: |\n  \tb\n  c\nd: e", `{"a":"b\nc\n","d":"e"}`, []place{{"unportable-yaml", 3, 3, "a tab"}}},
		{"a: [b,\n  [c,\n   d]]", `{"a":["b",["c","d"]]}`, []place{{"unportable-yaml", 2, 4, "list in brackets over several lines"}}},
		{"a: {b: c,\n  d: e}", `{"a":{"b":"c","d":"e"}}`, []place{{"unportable-yaml", 2, 4, "mapping in braces over several lines"}}},
		{`a: "b\'c"`, `{"a":"b'c"}`, []place{{"unportable-yaml", 2, 6, `\'`}}},
		{`a: "\ud83d\ude00"`, `{"a":"😀"}`, []place{{"unportable-yaml", 2, 5, `write a: "😀"`}}},
		{"? a\n: b", `{"a":"b"}`, []place{{"unportable-yaml", 2, 1, "KEY: VALUE"}}},
		{"a: b\n...\nc: d", `{"a":"b"}`, []place{{"unportable-yaml", 3, 1, "..."}}},
		{"a: b\n--- text", `{"a":"b"}`, []place{{"unportable-yaml", 3, 1, "---"}}},
		{"%YAML 1.2\na: b", `{"a":"b"}`, []place{{"unportable-yaml", 2, 1, "directive"}}},
		{"a: {b}", `{"a":{"b":null}}`, []place{{"unportable-yaml", 2, 5, "write b: null"}}},
		{"a: {b:c}", `{"a":{"b:c":null}}`, []place{{"unportable-yaml", 2, 5, "write b: c"}}},
		{"a: {b:}", `{"a":{"b:":null}}`, []place{{"unportable-yaml", 2, 6, "without a space behind it"}}},
		{"a: [b: c]", `{"a":[{"b":"c"}]}`, []place{{"unportable-yaml", 2, 5, "without braces"}}},
		{"a: [why?, how]", `{"a":["why?","how"]}`, []place{{"unportable-yaml", 2, 4, `write a: ["why?", how]`}}},
		{"a: [?b]", `{"a":[{"b":null}]}`, []place{{"unportable-yaml", 2, 5, "in quotes"}}},
		{"a: [-]", `{"a":["-"]}`, []place{{"unportable-yaml", 2, 5, `write "-"`}}},
		{"a: \"b\"#c", `{"a":"b"}`, []place{{"unportable-yaml", 2, 7, "comment without a space"}}},
		{"a: |#c\n  b\nd: e", `{"a":"b\n","d":"e"}`, []place{{"unportable-yaml", 2, 5, "comment without a space"}}},
		{"a: \"b\nc\"", `{"a":"b c"}`, []place{{"unportable-yaml", 3, 1, "continued line"}}},
		{"a:\n  - 'b\n\n  c'", `{"a":["b\nc"]}`, []place{{"unportable-yaml", 5, 3, "continued line"}}},
		{"a:\n|-\n  b", `{"a":"b"}`, []place{{"unportable-yaml", 3, 1, "line of its own"}}},
		{"a: |\n     \n # b\nc: d", `{"a":"","c":"d"}`, []place{{"unportable-yaml", 3, 1, "longer than its indentation"}}},
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

// TestOrdinaryYAML holds what all readers agree on and no rule may speak of.
func TestOrdinaryYAML(t *testing.T) {
	tests := []struct{ block, json string }{
		{"a: b & c * d ! e % f @ g ` h, [i] {j} | k > l", "{\"a\":\"b & c * d ! e % f @ g ` h, [i] {j} | k > l\"}"},
		{"a: http://x.y/z?q=1&r#f", `{"a":"http://x.y/z?q=1&r#f"}`},
		{"a: C:\\dir, it's \"so\"", `{"a":"C:\\dir, it's \"so\""}`},
		{"a: -b\nc: :d\ne: ?f\ng: :h", `{"a":"-b","c":":d","e":"?f","g":":h"}`},
		{"a: \"\\t\\n\\x41\\u00e9\\U0001F600 \\\\ \\\" \\N\"", `{"a":"\t\nAé😀 \\ \" ` + "\u0085" + `"}`},
		{"a: \"b\tc\"\nd: 'e\tf'\ng: |-\n  h\ti # j\tk\n# l\tm", `{"a":"b\tc","d":"e\tf","g":"h\ti # j\tk"}`},
		{"a: \"b\n  c\\\n  d\"", `{"a":"b cd"}`},
		{"a: b\n  c\n\n  d", `{"a":"b c\nd"}`},
		{"a:\n- b\n- c:\n    d\n  e: f", `{"a":["b",{"c":"d","e":"f"}]}`},
		{"a:\n  - - b\n    - c", `{"a":[["b","c"]]}`},
		{"a: [b, 'c', \"d\", 1, [e], {f: g}, ]", `{"a":["b","c","d",1,["e"],{"f":"g"}]}`},
		{`a: {"b":"c","d":[1,2]}`, `{"a":{"b":"c","d":[1,2]}}`},
		{"a: {b: , c: d}", `{"a":{"b":null,"c":"d"}}`},
		{"a:\nb: ~\nc: ''\nd: []\ne: {}", `{"a":null,"b":null,"c":"","d":[],"e":{}}`},
		{"a: |\n  b\n    c\n\n  # d\n\ne: >\n  f\n  g\n\n    h\n  i\nj: k", `{"a":"b\n  c\n\n# d\n","e":"f g\n\n  h\ni\n","j":"k"}`},
		{"# c\n\na: b # not the name\n  # d\n\"e f\" : g", `{"a":"b","e f":"g"}`},
		{"a.b/c-d_e: f\nallowed-tools: Bash(git:*) Read", `{"a.b/c-d_e":"f","allowed-tools":"Bash(git:*) Read"}`},
		{"a:   b   ", `{"a":"b"}`},
	}
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) {
			d := Parse(document(tt.block))
			checkProblems(t, d.Problems, nil)
			if got := d.Frontmatter.Value().String(); got != tt.json {
				t.Errorf("value is %s, want %s", got, tt.json)
			}
		})
	}
}
