package frontmatter

import (
	"bytes"
	"fmt"
	"github.com/skillpack/skillpack/manifest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFix(t *testing.T) {
	const head, tail = "---\nname: a\n", "---\n\nBody: 010 \xC3\xA9\n"
	tests := []struct {
		name, in, want string
		done           string // rule: what was done, joined by " | "
	}{
		{"nothing", head + "description: d\n" + tail, head + "description: d\n" + tail, ""},
		{"colon", head + "description: Use for refunds: all\n" + tail, head + "description: \"Use for refunds: all\"\n" + tail,
			`frontmatter-unparsable: wrote description: "Use for refunds: all"`},
		{"colon, CRLF, no other byte", "---\r\nname:   a  \r\ndescription: x: y  \r\n# c\r\n---\r\nB\r\n", "---\r\nname:   a  \r\ndescription: \"x: y\"\r\n# c\r\n---\r\nB\r\n",
			`frontmatter-unparsable: wrote description: "x: y"`},
		{"colon over two lines", head + "description: one: two\n  three\n" + tail, head + "description: \"one: two three\"\n" + tail,
			`frontmatter-unparsable: wrote description: "one: two three"`},
		{"text behind closed quotes", head + "description: '' or so\n" + tail, head + "description: \"'' or so\"\n" + tail,
			`frontmatter-unparsable: wrote description: "'' or so"`},
		{"quotes and colon", head + "description: say \"x\": y\\z\n" + tail, head + "description: 'say \"x\": y\\z'\n" + tail,
			`frontmatter-unparsable: wrote description: 'say "x": y\z'`},
		{"starts with a reserved character", head + "description: @all\nargument-hint: [a] [b]\n" + tail, head + "description: \"@all\"\nargument-hint: \"[a] [b]\"\n" + tail,
			`frontmatter-unparsable: wrote description: "@all" | frontmatter-unparsable: wrote argument-hint: "[a] [b]"`},
		{"nested", head + "metadata:\n  a: b: c\n  l:\n    - k: v: w\n" + tail, head + "metadata:\n  a: \"b: c\"\n  l:\n    - k: \"v: w\"\n" + tail,
			`frontmatter-unparsable: wrote a: "b: c" | frontmatter-unparsable: wrote - k: "v: w"`},
		{"reads two ways", head + "mode: 0777\nwhen: 2024-01-31\npaths: [yes, a, off]\n\"k\": {q: 1_000} # c\n" + tail,
			head + "mode: \"0777\"\nwhen: \"2024-01-31\"\npaths: [\"yes\", a, \"off\"]\n\"k\": {q: \"1_000\"} # c\n" + tail,
			"ambiguous-scalar: put quotes around 0777 | ambiguous-scalar: put quotes around 2024-01-31 | ambiguous-scalar: put quotes around yes | ambiguous-scalar: put quotes around off | ambiguous-scalar: put quotes around 1_000"},
		{"key that reads two ways", head + "on: x\n" + tail, head + "\"on\": x\n" + tail, "ambiguous-scalar: put quotes around the key on"},
		{"metadata", head + "metadata:\n  v: 1.10 # c\n  b: true\n  q:\n  l: [1]\n  w: yes\nversion: 1.10\n" + tail, head + "metadata:\n  v: \"1.10\" # c\n  b: \"true\"\n  q:\n  l: [1]\n  w: \"yes\"\nversion: 1.10\n" + tail,
			"metadata-value-type: put quotes around 1.10 | metadata-value-type: put quotes around true | ambiguous-scalar: put quotes around yes"},
		{"BOM and fences", "\uFEFF--- \t\r\nname: a\r\n---  \r\n---  \n", "---\r\nname: a\r\n---\r\n---  \n",
			"byte-order-mark: took away the byte-order mark | frontmatter-fence: took away the spaces behind --- | frontmatter-fence: took away the spaces behind ---"},
		{"BOM without frontmatter", "\uFEFFhello", "hello", "byte-order-mark: took away the byte-order mark"},
		{"folded last", head + "description: > # c\n  one\n  two\n\n" + tail, head + "description: >- # c\n  one\n  two\n\n" + tail, "block-scalar-last: wrote >- for >"},
		{"literal last, indented", head + "metadata:\n  x: |2\n      one\n" + tail, head + "metadata:\n  x: |2-\n      one\n" + tail, "block-scalar-last: wrote |2- for |2"},
		{"all at once", "\uFEFF---\ndescription: a: b\nx: 010\nallowed-tools:\n- A\n- B\nlast: |\n  t\n--- \n", "---\ndescription: \"a: b\"\nx: \"010\"\nallowed-tools:\n- A\n- B\nlast: |-\n  t\n---\n",
			`byte-order-mark: took away the byte-order mark | frontmatter-unparsable: wrote description: "a: b" | ambiguous-scalar: put quotes around 010 | block-scalar-last: wrote |- for | | frontmatter-fence: took away the spaces behind ---`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, done := Fix([]byte(tt.in), nil)
			if string(got) != tt.want {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
			var said []string
			for _, p := range done {
				said = append(said, p.Rule+": "+p.Message)
			}
			if s := strings.Join(said, " | "); s != tt.done {
				t.Errorf("done %s\nwant %s", s, tt.done)
			}
			if again, more := Fix(got, nil); !bytes.Equal(again, got) || len(more) > 0 {
				t.Errorf("fixed again: %q, %v", again, more)
			}
		})
	}
}

// What has more than one meaning is left to its author.
func TestFixRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"open quote":                      `description: "one: two`,
		"open bracket":                    "description: [one: two",
		"comment behind":                  "description: one: two # three",
		"comment between":                 "description: one: two\n  # three\n  four",
		"empty line between":              "description: one: two\n\n  four",
		"no space behind the colon":       "description:one",
		"list on the line of its key":     "tags: - one",
		"tab":                             "metadata:\n\ta: b",
		"boolean field":                   "user-invocable: yes",
		"number in a boolean field":       "disable-model-invocation: 010",
		"boolean that npx skills acts on": "metadata:\n  internal: true",
		"and the other one":               "metadata:\n  internal: false",
		"one that only YAML 1.1 knows":    "metadata:\n  internal: yes",
		"number in its place":             "metadata:\n  internal: 010",
		"boolean deep in metadata":        "metadata:\n  host:\n    always: yes",
		"number deep in metadata":         "metadata:\n  host: [010]",
		"boolean of a hook":               "hooks:\n  Stop:\n    - once: yes",
		"number of a hook":                "hooks:\n  Stop:\n    - timeout: 1_000",
		"boolean of an unknown field":     "enabled: no",
		"and deeper":                      "settings:\n  - a: on",
		"tools as a list":                 "allowed-tools: [Read, Grep]",
		"and below":                       "allowed-tools:\n  - Read\n  - Grep",
		"value that an alias repeats":     "a: &x 010\nb: *x",
		"merge key":                       "a: {b: c}\nd:\n  <<: {b: c}",
		"date over two lines":             "a: 2024-01-31\n  10:00:00",
		"kept line breaks":                "a: |+\n  b\n",
		"null in metadata":                "metadata:\n  a: null",
		"control character near a value":  "a: 010\x01: b",
		"not a number":                    "a: .nan",
		"key given twice, the other kept": "a: b\na: 010",
	} {
		t.Run(name, func(t *testing.T) {
			text := "---\n" + line + "\n---\nBody\n"
			if got, done := Fix([]byte(text), nil); string(got) != text || len(done) > 0 {
				t.Errorf("fixed: %q, %v", got, done)
			}
		})
	}
	for _, text := range []string{"", "---\na: 010\n", "---\na: 010\n ---\n", "--- x\n", "---\na: 010 \xE9\n---\n", "\xFF\xFE-\x00"} {
		if got, done := Fix([]byte(text), nil); string(got) != text || len(done) > 0 {
			t.Errorf("%q fixed: %q, %v", text, got, done)
		}
	}
}

func TestFixWanted(t *testing.T) {
	text := "\uFEFF---\na: 010\nmetadata:\n  v: 010\n  w: 1.0\n---\n"
	got, done := Fix([]byte(text), func(rule string) bool { return rule == "metadata-value-type" })
	if want := "\uFEFF---\na: 010\nmetadata:\n  v: \"010\"\n  w: \"1.0\"\n---\n"; string(got) != want || len(done) != 2 {
		t.Errorf("got %q, %v", got, done)
	}
}

// A fault that cannot be fixed does not keep the others from it.
func TestFixBesidesRefused(t *testing.T) {
	text := "---\na: &x 010\nb: *x\nc: 011\nd: \"open\nd: 012\nf: 013\n---\n"
	got, _ := Fix([]byte(text), nil)
	if want := "---\na: &x 010\nb: *x\nc: \"011\"\n"; !strings.HasPrefix(string(got), want) || !strings.HasSuffix(string(got), "f: \"013\"\n---\n") {
		t.Errorf("got %q", got)
	}
}

// A block made of lines that cannot be fixed together is given up soon: reading
// it a hundred times would take a minute.
func TestFixOfManyFaultsEnds(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 60_000; i++ {
		fmt.Fprintf(&b, "k%d:  : \n", i)
	}
	text := document(b.String())
	start := time.Now()
	Parse(text)
	once := time.Since(start)
	start = time.Now()
	Fix(text, nil)
	if all := time.Since(start); all > 40*once+time.Second {
		t.Errorf("reading takes %v, and fixing %v", once, all)
	}
}

// FuzzFix holds for any bytes: fixing ends without a panic, fixing again changes
// nothing, no fault is added, the body stays, and so does every value but those
// of which a fault was fixed; a rule that is not wanted is left alone, and CRLF
// line ends change nothing but the bytes.
func FuzzFix(f *testing.F) {
	for _, block := range blockSeeds(100) {
		f.Add(document(block))
	}
	for _, text := range []string{
		"\uFEFF--- \na: b: c\nm: 010\nallowed-tools: [A, B]\nmetadata: {x: 1.0, y: yes}\nlast: >\n  t\n--- \nbody",
		"---\r\nallowed-tools:\r\n- A\r\n- B\r\nmetadata:\r\n  v: 1\r\n  w: a: b\r\n  x: |\r\n   t\r\n---\r\n",
		"---\nname:\u00a0a: b\nmetadata：\n\u00a0\u00a0“k”：“v: w”\n– x\nz: \u200b\n---\n",
		"---\na: &a yes\nb: *a\nyes: off\nc: - d\ne: 'f' g\n---\n",
		"---\nallowed-tools:\n  - \"A(b c)\"\n  - 'D'\nmetadata:\n  1.0: 2.0\n  x: {y: 1}\nz: |+\n  k\n\n---\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkFix(t, text)
		if block := spelled(string(text)); block != string(text) {
			checkFix(t, document(block))
		}
	})
}

func checkFix(t *testing.T, text []byte) {
	t.Helper()
	before := Parse(text)
	fixed, done := Fix(text, nil)
	after := Parse(fixed)
	if (len(done) == 0) != bytes.Equal(text, fixed) {
		t.Fatalf("%v done, and %q became %q", done, text, fixed)
	}
	if again, more := Fix(fixed, nil); !bytes.Equal(again, fixed) {
		t.Fatalf("%q\nfixed %q\nfixed again %q: %v", text, fixed, again, more)
	}
	if len(after.Problems) > len(before.Problems) || !bytes.Equal(after.Body, before.Body) {
		t.Fatalf("%q\nfixed %q: %v", text, fixed, after.Problems)
	}
	requoted := 0
	for _, p := range done {
		if p.Rule == "ambiguous-scalar" || p.Rule == "metadata-value-type" || p.Rule == "block-scalar-last" {
			requoted++
		}
	}
	if n := differing(before.Frontmatter.Value(), after.Frontmatter.Value()); n > requoted {
		t.Fatalf("%q\nfixed %q: %d values differ, %v done", text, fixed, n, done)
	}
	if !slices.EqualFunc(before.Frontmatter, after.Frontmatter, func(a, b manifest.Member) bool { return a.Key == b.Key }) {
		t.Fatalf("%q\nfixed %q: other fields", text, fixed)
	}
	if len(done) == 0 {
		return
	}
	if after.Block != nil && !hasFault(after.Problems) {
		checkTyped(t, after)
	}
	rule := done[0].Rule
	only, some := Fix(text, func(r string) bool { return r == rule })
	if len(some) == 0 || bytes.Equal(only, text) || slices.ContainsFunc(some, func(p Problem) bool { return p.Rule != rule }) {
		t.Fatalf("%q\nwith %s alone %q: %v done, and of all rules %v", text, rule, only, some, done)
	}
	crlf := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }
	if _, wide := wideEncoding(text); wide || bytes.Contains(text, []byte("\r")) || len(crlf(before.Block)) > MaxBlock {
		return
	}
	if got, _ := Fix(crlf(text), nil); !bytes.Equal(got, crlf(fixed)) {
		t.Fatalf("%q\nfixed          %q\nfixed with CRLF %q", text, fixed, got)
	}
}

// differing counts the smallest values in which two differ.
func differing(v, w manifest.Value) int {
	n := 0
	switch {
	case v.Kind == manifest.Array && w.Kind == manifest.Array && len(v.Items) == len(w.Items):
		for i := range v.Items {
			n += differing(v.Items[i], w.Items[i])
		}
	case v.Kind == manifest.Object && w.Kind == manifest.Object && len(v.Members) == len(w.Members):
		for i := range v.Members {
			n += differing(v.Members[i].Value, w.Members[i].Value)
		}
	case !v.Equal(w):
		n = 1
	}
	return n
}
