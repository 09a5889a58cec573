package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// write returns the manifest's JSON file.
func write(t testing.TB, m Manifest) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteJSON(t *testing.T) {
	s := Skill{
		URI: NewURI("acme/pdf/SKILL.md"),
		Frontmatter: Frontmatter(parseValue(t, `{"name": "pdf", "description": "<a> & \"b\" é\n",
			"metadata": {"version": "1.10", "tags": [], "none": {}, "n": [1.50, null]}}`).Members),
		Resources: []Resource{
			{NewURI("acme/pdf/SKILL.md"), DigestOf(nil), 0},
			{NewURI("acme/pdf/a b.md"), DigestOf(nil), MaxSize},
		},
	}
	dynamic := Skill{URI: NewURI("x/SKILL.md"), Dynamic: true}
	empty := Skill{URI: NewURI("y/SKILL.md")}
	want := `{
  "$schema": "` + SchemaURI + `",
  "skills": [
    {
      "uri": "skill://acme/pdf/SKILL.md",
      "frontmatter": {
        "name": "pdf",
        "description": "<a> & \"b\" é\n",
        "metadata": {
          "version": "1.10",
          "tags": [],
          "none": {},
          "n": [
            1.50,
            null
          ]
        }
      },
      "resources": [
        {"uri": "skill://acme/pdf/SKILL.md", "digest": "` + emptyDigest + `", "size": 0},
        {"uri": "skill://acme/pdf/a%20b.md", "digest": "` + emptyDigest + `", "size": 9007199254740991}
      ]
    },
    {
      "uri": "skill://x/SKILL.md",
      "frontmatter": {},
      "resources": "dynamic"
    },
    {
      "uri": "skill://y/SKILL.md",
      "frontmatter": {},
      "resources": []
    }
  ]
}
`
	m := Manifest{[]Skill{s, dynamic, empty}}
	got := write(t, m)
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if !json.Valid([]byte(got)) {
		t.Error("not JSON to the standard library")
	}
	back, err := Parse([]byte(got))
	if err != nil || write(t, back) != want {
		t.Errorf("read back: %v\n%s", err, write(t, back))
	}
	if got := write(t, Manifest{}); got != "{\n  \"$schema\": \""+SchemaURI+"\",\n  \"skills\": []\n}\n" {
		t.Errorf("an empty manifest is %s", got)
	}
}

func TestSkillMarshalJSON(t *testing.T) {
	s := Skill{URI: NewURI("a/SKILL.md"), Frontmatter: Frontmatter{{Key: "name", Value: Value{Kind: String, Text: "a <b>"}}}, Resources: []Resource{{NewURI("a/SKILL.md"), DigestOf(nil), 0}}}
	got, err := s.MarshalJSON()
	want := `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a <b>"},"resources":[{"uri":"skill://a/SKILL.md","digest":"` + emptyDigest + `","size":0}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestParseValuePositions(t *testing.T) {
	v := parseValue(t, "{\n  \"é\": [ 1,\n\t\"é\", {\"k\" : true}],\n  \"z\": null }")
	list, z := v.Members[0], v.Members[1]
	for _, test := range []struct {
		what string
		got  Pos
		want Pos
	}{
		{"the object", v.Pos, Pos{1, 1}},
		{"é", list.KeyPos, Pos{2, 3}},
		{"the list", list.Value.Pos, Pos{2, 8}},
		{"1", list.Value.Items[0].Pos, Pos{2, 10}},
		{"\"é\"", list.Value.Items[1].Pos, Pos{3, 2}},
		{"the inner object", list.Value.Items[2].Pos, Pos{3, 7}},
		{"k", list.Value.Items[2].Members[0].KeyPos, Pos{3, 8}},
		{"true", list.Value.Items[2].Members[0].Value.Pos, Pos{3, 14}},
		{"z", z.KeyPos, Pos{4, 3}},
		{"null", z.Value.Pos, Pos{4, 8}},
	} {
		if test.got != test.want {
			t.Errorf("%s is at %v, want %v", test.what, test.got, test.want)
		}
	}
}

func TestParseValueRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, test := range []struct {
		text string
		pos  Pos
		why  string
	}{
		{"", Pos{1, 1}, "ends early"},
		{"{\"a\":", Pos{1, 6}, "ends early"},
		{"[1,", Pos{1, 4}, "ends early"},
		{"[1,]", Pos{1, 4}, ""},
		{"[1 2]", Pos{1, 4}, ""},
		{"{\"a\":1,}", Pos{1, 8}, ""},
		{"{\"a\" 1}", Pos{1, 6}, ""},
		{"{1: 2}", Pos{1, 2}, ""},
		{"nul", Pos{1, 4}, "ends early"},
		{"- 1", Pos{1, 2}, "invalid character ' ' in numeric literal"},
		{"[tru e]", Pos{1, 5}, "invalid character ' ' in literal true"},
		{"01", Pos{1, 2}, ""},
		{"NaN", Pos{1, 1}, ""},
		{"'a'", Pos{1, 1}, ""},
		{"\"a\nb\"", Pos{1, 3}, ""},
		{"1 2", Pos{1, 3}, "more text"},
		{"{}\n{}", Pos{2, 1}, "more text"},
		{"{} x", Pos{1, 4}, ""},
		{"{\"a\":1,\n \"a\":2}", Pos{2, 2}, `key "a" is given twice`},
		{"{\"a\":1, \"\\u0061\":2}", Pos{1, 9}, `key "a" is given twice`},
		{"[\"\xff\"]", Pos{1, 3}, "not UTF-8"},
		{"\xef\xbb\xbf{}", Pos{1, 1}, ""},
		{`["a\ud800b"]`, Pos{1, 4}, `\ud800 is half of a surrogate pair`},
		{`["\uDC00"]`, Pos{1, 3}, `\uDC00 is half of a surrogate pair`},
		{`["\ud83d\ud83d"]`, Pos{1, 3}, "half of a surrogate pair"},
		{`{"\ud83d": 1}`, Pos{1, 3}, "half of a surrogate pair"},
		{deep(65), Pos{1, 65}, "over 64 levels"},
		{strings.Repeat("[", 1_000_000), Pos{1, 65}, "over 64 levels"},
	} {
		v, err := ParseValue([]byte(test.text))
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%.40q gives %v, %v", test.text, v, err)
			continue
		}
		if e.Pos != test.pos || !strings.Contains(e.Reason, test.why) {
			t.Errorf("%.40q: %v, want %v %s", test.text, e, test.pos, test.why)
		}
	}
	for _, text := range []string{deep(64), `"\ud83c\udf89"`, `"\\ud800"`, `"\ufffd"`, `"\\\\ud800"`} {
		if _, err := ParseValue([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A server's whole listing can stand on one line; finding the columns of all
// its values must not take the square of its length.
func TestParseValueOnOneLongLine(t *testing.T) {
	text := "[" + strings.Repeat(`"0123456789",`, 100_000) + "0]"
	start := time.Now()
	v := parseValue(t, text)
	if got, want := v.Items[100_000].Pos, (Pos{1, len(text) - 1}); got != want {
		t.Errorf("the last value is at %v, want %v", got, want)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestParseRefuses(t *testing.T) {
	entry := func(more string) string {
		return `{"skills": [{"uri": "skill://a/SKILL.md"` + more + `}]}`
	}
	for _, test := range []struct{ text, why string }{
		{`[]`, "no manifest"},
		{`{}`, "no manifest"},
		{`{"skills": {}}`, "no manifest"},
		{"\ufeff{}", "a byte order mark before the JSON"},
		{"\xff\xfe{\x00}\x00", "UTF-16"},
		{"\xfe\xff\x00{\x00}", "UTF-16"},
		{"\xff", "not UTF-8"},
		{`{"skills": [1]}`, "an entry is a number, not an object"},
		{`{"skills": [{}]}`, `no "uri" string`},
		{`{"skills": [{"uri": 1}]}`, `no "uri" string`},
		{`{"skills": [{"uri": "skill://a/x.md"}]}`, "ends in /SKILL.md"},
		{`{"skills": [{"uri": "a"}]}`, "has no scheme"},
		{entry(``), `no "frontmatter" object`},
		{entry(`, "frontmatter": []`), `no "frontmatter" object`},
		{entry(`, "frontmatter": {}`), `neither a list nor "dynamic"`},
		{entry(`, "frontmatter": {}, "resources": "Dynamic"`), `neither a list nor "dynamic"`},
		{entry(`, "frontmatter": {}, "resources": [{}]`), `no "uri" string`},
		{entry(`, "frontmatter": {}, "resources": [{"uri": "skill://a/SKILL.md"}]`), "has no digest"},
		{entry(`, "frontmatter": {}, "resources": [{"uri": "skill://a/SKILL.md", "digest": "x"}]`), "does not start with"},
		{entry(`, "frontmatter": {}, "resources": [{"uri": "skill://a/SKILL.md", "digest": "` + emptyDigest + `"}]`), "has no size"},
		{entry(`, "frontmatter": {}, "resources": [{"uri": "skill://a/SKILL.md", "digest": "` + emptyDigest + `", "size": -1}]`), "has no size"},
	} {
		m, err := Parse([]byte(test.text))
		var e *SyntaxError
		if !errors.As(err, &e) || !strings.Contains(e.Reason, test.why) || e.Pos.Line == 0 {
			t.Errorf("%s: %v, want %q", test.text, err, test.why)
		}
		if m.Skills != nil {
			t.Errorf("%s: a manifest came with the error", test.text)
		}
	}
}

func TestValueSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "12": 12, "12.0": 12, "1.2e1": 12, "9007199254740991": 9007199254740991, "9007199254740991.0": 9007199254740991, "9007199254740992.0": -1,
		"-1": -1, "1.5": -1, "9007199254740992": -1, "1e400": -1, "1e1000000000": -1, `"1"`: -1, "null": -1,
	} {
		got, ok := parseValue(t, text).Size()
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
}

// plainOf is a value as encoding/json decodes it.
func plainOf(v Value) any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Array:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = plainOf(item)
		}
		return list
	case Object:
		object := make(map[string]any, len(v.Members))
		for _, m := range v.Members {
			object[m.Key] = plainOf(m.Value)
		}
		return object
	}
	return nil
}

// halfPair matches the escape of a surrogate: a text without one has no half of
// a pair. depthOf and keysOf tell the other two things that encoding/json takes.
var halfPair = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

func depthOf(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			deepest = max(deepest, depthOf(item))
		}
		return deepest + 1
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, depthOf(item))
		}
		return deepest + 1
	}
	return 0
}

// keysOf counts the keys of all objects in a decoded value.
func keysOf(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += keysOf(item)
		}
	case map[string]any:
		for _, item := range v {
			n += 1 + keysOf(item)
		}
	}
	return n
}

// colons counts the colons of a JSON text outside of its strings: its keys.
func colons(text []byte) int {
	return bytes.Count(regexp.MustCompile(`"(?:\\.|[^"\\])*"`).ReplaceAll(text, nil), []byte(":"))
}

// FuzzParse holds that no text makes the reader panic, that it accepts what the
// standard library accepts and gets the same values from it, but for what its
// documentation refuses, and that writing and reading are inverse.
func FuzzParse(f *testing.F) {
	m := Manifest{[]Skill{{URI: NewURI("a b/SKILL.md"), Frontmatter: Frontmatter(parseValue(f, `{"name":"a","é":[1e2,{"":null}]}`).Members), Resources: []Resource{{NewURI("a b/SKILL.md"), DigestOf(nil), 3}}}}}
	f.Add([]byte(write(f, m)))
	f.Add([]byte(strings.ReplaceAll(write(f, m), `"resources": [`, `"resources": "dynamic", "x": [`)))
	f.Add([]byte(strings.ReplaceAll(write(f, m), `"size": 3`, `"size": 3.0e0, "size ": -1`)))
	for _, s := range []string{`{"skills":[]}`, `[1,]`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud800"`, `"\ud83c\udf89"`, `"\udf89\ud83c"`, `"\\ud800"`, "\xff", `{"a":{"b":[true,false,null,-0.5e-3]}}`, "[[[[", `{} x`, ` "a\/\b\f\n\r\t\"" `, "\uFEFF{}", "1 2", "-", "01", "1.", "{\"a\"", "nul", "\"\u2028\x7f\"",
		strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65), `{"Skills":[]}`, "1e999", "123456789012345678901234567890"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var plain any
		valid := json.Valid(text) && dec.Decode(&plain) == nil
		v, err := ParseValue(text)
		var e *SyntaxError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%q: %T", text, err)
		}
		if err != nil {
			if lines := strings.Split(string(text), "\n"); e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Column < 1 || e.Pos.Column > len(lines[e.Pos.Line-1])+1 {
				t.Errorf("%q: %v is outside of the text", text, e)
			}
			if valid && utf8.Valid(text) && depthOf(plain) <= maxDepth && keysOf(plain) == colons(text) && !halfPair.Match(text) {
				t.Errorf("%q is JSON, but %v", text, err)
			}
			return
		}
		if !valid || !reflect.DeepEqual(plainOf(v), plain) {
			t.Fatalf("%q is read as %s, and by the standard library as %v", text, v, plain)
		}
		if depthOf(plain) > maxDepth || keysOf(plain) != colons(text) {
			t.Fatalf("%q is accepted", text)
		}
		again, err := ParseValue(v.AppendJSON(nil))
		if err != nil || !again.Equal(v) || again.String() != v.String() {
			t.Errorf("%q is written %s and read as %s, %v", text, v, again, err)
		}
		m, err := Parse(text)
		if err != nil {
			return
		}
		out := write(t, m)
		back, err := Parse([]byte(out))
		if err != nil || write(t, back) != out || back.Fingerprint() != m.Fingerprint() || len(Diff(m, back)) > 0 {
			t.Errorf("%q is written %s and read as %s, %v", text, out, write(t, back), err)
		}
		checkManifest(t, m, plain)
	})
}

// checkManifest compares a manifest with its text as encoding/json decodes it.
func checkManifest(t *testing.T, m Manifest, plain any) {
	t.Helper()
	skills := plain.(map[string]any)["skills"].([]any)
	if len(skills) != len(m.Skills) {
		t.Fatalf("%d skills of %d", len(m.Skills), len(skills))
	}
	for i, s := range m.Skills {
		entry := skills[i].(map[string]any)
		_, path, _ := modelURI(entry["uri"].(string))
		if s.URI.Path() != path || !reflect.DeepEqual(plainOf(s.Frontmatter.Value()), entry["frontmatter"]) {
			t.Errorf("%v is read as %s with %s", entry, s.URI, s.Frontmatter.Value())
		}
		list, ok := entry["resources"].([]any)
		if ok == s.Dynamic || len(list) != len(s.Resources) {
			t.Fatalf("%v is read as %v", entry["resources"], s.Resources)
		}
		for k, r := range s.Resources {
			file := list[k].(map[string]any)
			_, path, _ := modelURI(file["uri"].(string))
			size, err := file["size"].(json.Number).Float64()
			if r.URI.Path() != path || r.Digest.String() != file["digest"] || float64(r.Size) != size || err != nil {
				t.Errorf("%v is read as %v", file, r)
			}
		}
	}
}

// A number of a hostile listing can be as long as a message; its value is not
// worked out digit by digit.
func TestLongNumbersTakeNoTime(t *testing.T) {
	long := Value{Kind: Number, Text: strings.Repeat("1", 20<<20) + ".0"}
	start := time.Now()
	if _, ok := long.Size(); ok {
		t.Error("it is a size")
	}
	if other := (Value{Kind: Number, Text: long.Text + "0"}); long.Equal(other) {
		t.Error("it equals another spelling")
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestAppendStringKeepsText(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		if got := parseValue(t, string(appendString(nil, "a"+string(r)))); got.Text != "a"+string(r) {
			t.Errorf("%s came back as %s", strconv.QuoteRune(r), strconv.Quote(got.Text))
		}
	}
}
