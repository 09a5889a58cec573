package frontmatter

import (
	"slices"
	"strings"
	"testing"
)

func TestUnparsable(t *testing.T) {
	const rule = "frontmatter-unparsable"
	tests := []struct {
		name, block, json string
		want              []place
	}{
		{"colon", "name: a\ndescription: Use for X: do Y\nlicense: MIT", `{"name":"a","description":"Use for X: do Y","license":"MIT"}`,
			[]place{{rule, 3, 14, `write description: "Use for X: do Y"`}}},
		{"a document's mark between the fields", "  a: b\n  ---\n  c: d", `{}`,
			[]place{{rule, 3, 3, "not valid YAML: could not find expected ':'"}}},
		{"a tab and a block scalar that ends early", "\tb: |\n # \n    >", `{}`,
			[]place{{rule, 2, 1, "write behind 2 spaces b: |"}, {rule, 3, 2, "not valid YAML: did not find expected key"}}},
		{"no space behind an indented colon", "m:\n  a: b\n  c:d\n  e: f: g", `{"m":{"a":"b","c":"d","e":"f: g"}}`,
			[]place{{rule, 4, 5, "write c: d"}, {rule, 5, 6, `write e: "f: g"`}}},
		{"a key in quotes that has a colon", "\"d: e\": f: g", `{"d: e":"f: g"}`, []place{{rule, 2, 9, `write "d: e": "f: g"`}}},
		{"colon at the end", "description: Use for this:", `{"description":"Use for this:"}`,
			[]place{{rule, 2, 14, `write description: "Use for this:"`}}},
		{"colon, quotes and backslash", `description: it's: C:\x "y"`, `{"description":"it's: C:\\x \"y\""}`,
			[]place{{rule, 2, 14, `write description: 'it''s: C:\x "y"'`}}},
		{"colon in a continued line", "description: Use\n  for X: do Y\n\n  and Z\nname: a", `{"description":"Use for X: do Y and Z","name":"a"}`,
			[]place{{rule, 2, 14, `write description: "Use for X: do Y and Z"`}}},
		{"every broken line", "a: b: c\nd: e\nf: g: h\nm:\n  i: j: k\n  l: @m\np: 'o", `{"a":"b: c","d":"e","f":"g: h","m":{"i":"j: k","l":"@m"},"p":"o"}`,
			[]place{{rule, 2, 4, `a: "b: c"`}, {rule, 4, 4, `f: "g: h"`}, {rule, 6, 6, `i: "j: k"`}, {rule, 7, 6, `l: "@m"`}, {rule, 8, 4, `p: 'o'`}}},
		{"tabs", "m:\n\ta: b\n\tc: d", `{"m":{"a":"b","c":"d"}}`,
			[]place{{rule, 3, 1, "write behind 2 spaces a: b"}, {rule, 4, 1, "write behind 2 spaces c: d"}}},
		{"tab before a field", "name: a\n\tdescription: b", `{"name":"a","description":"b"}`,
			[]place{{rule, 3, 2, "write without indentation description: b"}}},
		{"double quote open", "name: \"a\ndescription: b", `{"name":"a","description":"b"}`, []place{{rule, 2, 7, `write name: "a"`}}},
		{"single quote open", "name: 'a\ndescription: b", `{"name":"a","description":"b"}`, []place{{rule, 2, 7, `write name: 'a'`}}},
		{"quote open, escape at the end", `name: "a\`, `{"name":"a\\"}`, []place{{rule, 2, 7, `write name: 'a\'`}}},
		{"apostrophe in single quotes", "name: 'it's a'", `{"name":"it's a"}`, []place{{rule, 2, 7, `write name: "it's a"`}}},
		{"quotes in double quotes", `name: "say "hi" now"`, `{"name":"say \"hi\" now"}`, []place{{rule, 2, 7, `write name: 'say "hi" now'`}}},
		{"text behind a quote", `name: "a" b`, `{"name":"\"a\" b"}`, []place{{rule, 2, 7, `write name: '"a" b'`}}},
		{"two quoted words", `name: "a" or "b"`, `{"name":"\"a\" or \"b\""}`, []place{{rule, 2, 7, `write name: '"a" or "b"'`}}},
		{"unknown escape", `name: "C:\path"`, `{"name":"C:\\path"}`, []place{{rule, 2, 7, `the escape \p means nothing in double quotes: write name: 'C:\path'`}}},
		{"bracket open", "tags: [a, b\nname: c", `{"tags":["a","b"],"name":"c"}`, []place{{rule, 2, 7, "write tags: [a, b]"}}},
		{"brace open", "m: {a: [b\nname: c", `{"m":{"a":["b"]},"name":"c"}`, []place{{rule, 2, 4, "write m: {a: [b]}"}}},
		{"text behind a bracket", "argument-hint: [path] [opts]", `{"argument-hint":"[path] [opts]"}`, []place{{rule, 2, 16, `write argument-hint: "[path] [opts]"`}}},
		{"commas in a list", "a: [b,,c]", `{"a":"[b,,c]"}`, []place{{rule, 2, 4, `a: "[b,,c]"`}}},
		{"at", "a: @b", `{"a":"@b"}`, []place{{rule, 2, 4, `cannot start with @: write a: "@b"`}}},
		{"backtick", "a: `b` c", "{\"a\":\"`b` c\"}", []place{{rule, 2, 4, "write a: \"`b` c\""}}},
		{"percent", "a: %b", `{"a":"%b"}`, []place{{rule, 2, 4, `write a: "%b"`}}},
		{"bold", "a: **b** c", `{"a":"**b** c"}`, []place{{rule, 2, 4, `write a: "**b** c"`}}},
		{"bold key", "**a**: b: c", `{"**a**":"b: c"}`, []place{{rule, 2, 1, `write "**a**": "b: c"`}}},
		{"text behind >", "description: > b\n  c", `{"description":"b c"}`, []place{{rule, 2, 14, `write description: "b c"`}}},
		{"text behind |", "description: | b", `{"description":"b"}`, []place{{rule, 2, 14, `write description: "b"`}}},
		{"bar that starts text", "a: |b", `{"a":"|b"}`, []place{{rule, 2, 4, `write a: "|b"`}}},
		{"list on the line of its key", "a: - b\n   - c, d", `{"a":["b","c, d"]}`, []place{{rule, 2, 4, `write a: [b, "c, d"]`}}},
		{"dash that starts text", "description: - b", `{"description":"- b"}`, []place{{rule, 2, 14, `write description: "- b"`}}},
		{"question mark", "a: ? b", `{"a":"? b"}`, []place{{rule, 2, 4, `write a: "? b"`}}},
		{"no space behind the colon", "name:foo\ndescription: b", `{"name":"foo","description":"b"}`, []place{{rule, 2, 6, "write name: foo"}}},
		{"field indented too far", "name: a\n description: b", `{"name":"a","description":"b"}`, []place{{rule, 3, 2, "write without indentation description: b"}}},
		{"first field indented", "  name: a\ndescription: b", `{"name":"a","description":"b"}`, []place{{rule, 2, 3, "write without indentation name: a"}}},
		{"member indented too far", "m:\n  a: b\n   c: d", `{"m":{"a":"b","c":"d"}}`, []place{{rule, 4, 4, "write behind 2 spaces c: d"}}},
		{"field behind members indented too far", "m:\n  a: b\n  c: d\n license: e\nname: f", `{"m":{"a":"b","c":"d"},"license":"e","name":"f"}`, []place{{rule, 5, 2, "write without indentation license: e"}}},
		{"field behind quotes indented too far", "a: \"b c\"\n d: e", `{"a":"b c","d":"e"}`, []place{{rule, 3, 2, "write without indentation d: e"}}},
		{"quoted key open, then a block scalar", "'a:  | x\nb: c", `{"a":"| x","b":"c"}`, []place{{rule, 2, 1, `write a:  "| x"`}}},
		{"first member indented too far", "m:\n    a: b\n  c: d", `{"m":{"a":"b","c":"d"}}`, []place{{rule, 3, 5, "write behind 2 spaces a: b"}}},
		{"continued without indentation", "description: a\nb c\nname: d", `{"description":"a b c","name":"d"}`, []place{{rule, 2, 14, `write description: "a b c"`}}},
		{"block scalar without indentation", "description: |\nb c\nname: d", `{"description":"b c\n","name":"d"}`, []place{{rule, 3, 1, "write behind 2 spaces b c"}}},
		{"block scalar dedented", "description: |\n    b\n  c\nname: d", `{"description":"b\nc\n","name":"d"}`, []place{{rule, 4, 3, "write behind 4 spaces c"}}},
		{"empty line in a mapping with faults", "m:\n  a: b: c\n\n  d: e: f", `{"m":{"a":"b: c","d":"e: f"}}`, []place{{rule, 3, 6, `write a: "b: c"`}, {rule, 5, 6, `write d: "e: f"`}}},
		{"field inside a dedented block scalar", "description: |\n    license: b\n  c\nname: d", `{"description":"license: b\nc\n","name":"d"}`, []place{{rule, 4, 3, "write behind 4 spaces c"}}},
		{"comment inside a value", "description: a # b\n  c", `{"description":"a # b c"}`, []place{{rule, 2, 14, `write description: "a # b c"`}}},
		{"in a list of mappings", "l:\n  - a: b: c\n    d: e\n  - f", `{"l":[{"a":"b: c","d":"e"},"f"]}`, []place{{rule, 3, 8, `write a: "b: c"`}}},
		{"field among items", "l:\n  - a\n  b: c\nname: d", `{"l":["a"],"name":"d"}`, []place{{rule, 4, 3, "items of a list stand on one level"}}},
		{"value on its own line", "a:\n\"b\"", `{"a":"b"}`, []place{{rule, 2, 3, `write a: "b"`}}},
		{"unknown alias", "a: *b", `{"a":"*b"}`, []place{{rule, 2, 4, `write a: "*b"`}}},
		{"quoted over lines beside a fault", "a: \"b\n\n  c: d\"\ne: f: g", `{"a":"b\nc: d","e":"f: g"}`, []place{{rule, 5, 4, `e: "f: g"`}}},
		{"anchors beside a fault", "a: &b c\nd: *b\ne: f: g", `{"a":"c","d":"c","e":"f: g"}`,
			[]place{{"unportable-yaml", 2, 4, "&b"}, {"unportable-yaml", 3, 4, "*b"}, {rule, 4, 4, `e: "f: g"`}}},
		{"columns behind a correction", "a: [b?, on]\nc: d", `{"a":["b?","on"],"c":"d"}`,
			[]place{{"unportable-yaml", 2, 4, `["b?", on]`}, {"ambiguous-scalar", 2, 9, `write "on"`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(document(tt.block))
			// A block scalar at the end is not what this test is about.
			d.Problems = slices.DeleteFunc(d.Problems, func(p Problem) bool { return p.Rule == "block-scalar-last" })
			checkProblems(t, d.Problems, tt.want)
			if got := d.Frontmatter.Value().String(); got != tt.json {
				t.Errorf("value is %s, want %s", got, tt.json)
			}
			for _, p := range d.Problems {
				if strings.Contains(p.Message, "yaml:") || strings.Contains(p.Message, "\n") || strings.HasSuffix(p.Message, ".") {
					t.Errorf("message %q has a prefix, a line break or a full stop", p.Message)
				}
			}
		})
	}
}

// TestCorrections holds that the lines of a correction, put in place of those
// it names, make the block well-formed: a repair of the file can rest on them.
func TestCorrections(t *testing.T) {
	const block = "a: b: c\nd: e\n  f: g\nl:\n\t- x: y: z\n\t- '\nname: \"it\"s\ntags: [a\n"
	lines := strings.Split(block, "\n")
	r := &repairer{was: lines, lines: slices.Clone(lines), budget: maxRepair}
	r.block(0, len(lines), 0)
	if len(r.lost) > 0 || len(r.fixes) < 6 {
		t.Fatalf("corrections %+v, lost %+v", r.fixes, r.lost)
	}
	for _, c := range r.fixes {
		if c.last < c.first || len(c.lines) > c.last-c.first+1 {
			t.Errorf("correction %+v does not fit its lines", c)
		}
	}
	if _, err := parseYAML(strings.Join(r.lines, "\n")); err != nil {
		t.Errorf("corrected block %q: %v", r.lines, err)
	}
}

func TestSampleShowsBothEnds(t *testing.T) {
	line := `description: "` + strings.Repeat("é", 200) + `"`
	got := sample(line)
	if n := len([]rune(got)); n > 90 || !strings.HasPrefix(got, `description: "é`) || !strings.HasSuffix(got, `é"`) {
		t.Errorf("sample is %q, %d characters", got, n)
	}
	if short := `name: "a"`; sample(short) != short {
		t.Errorf("sample of a short line is %q", sample(short))
	}
}

func TestQuoteIsReadBack(t *testing.T) {
	for _, s := range []string{"a", "", "a: b", `"`, `\`, `it's`, `it's "so" \n`, "é😀 #", "- a", "'"} {
		v := Parse(document("a: " + quote(s))).Frontmatter.Text("a")
		if v != s {
			t.Errorf("%s is read as %q", quote(s), v)
		}
	}
}
