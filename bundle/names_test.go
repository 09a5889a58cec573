package bundle

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
)

func TestNameFault(t *testing.T) {
	for _, c := range []struct{ name, rule, contains string }{
		{"guide.md", "", ""},
		{"A-Z_0~9.tar.gz", "", ""},
		{".env", "", ""},
		{"..x", "", ""},
		{"\xff.md", "path-encoding", `"\xff.md" is not valid UTF-8`},
		{"a\nb.md", "path-encoding", `control character '\n': write "a-b.md"`},
		{"a\x7f", "path-encoding", `'\x7f'`},
		{`a\b.md`, "path-encoding", `backslash`},
		{"a\uFFFDb", "path-portability", `'�'`},
		{"CON", "path-reserved", `device on Windows: write "CON-file"`},
		{"aux.md", "path-reserved", `write "aux-file.md"`},
		{"nul.tar.gz", "path-reserved", `write "nul-file.tar.gz"`},
		{"COM¹.txt", "path-reserved", "device"},
		{"CONIN$", "path-reserved", "device"},
		{"con .txt", "path-reserved", "device"},
		{"lpt0", "path-reserved", "device"},
		{"a:b", "path-reserved", `':': write "a-b"`},
		{"why?.md", "path-reserved", `'?': write "why.md"`},
		{"end.", "path-reserved", `dot at its end: write "end"`},
		{"end ", "path-reserved", `space at its end: write "end"`},
		{"auxiliary.md", "", ""},
		{"com10", "", ""},
		{"console", "", ""},
		{"cafe\u0301.md", "path-not-nfc", `"cafe\u0301.md" is not in Unicode normal form C: write "caf\u00e9.md", or best "cafe.md"`},
		{"caf\u00e9.md", "path-portability", `'é'`},
		{"credit note (EU).md", "path-portability", `' ', which SDKs spell in different ways in its URI; portable are A-Z a-z 0-9 . _ ~ -: write "credit-note-EU.md"`},
		{"a+b@c.md", "path-portability", `'+'`},
		{"説明.md", "path-portability", `'説'`},
	} {
		rule, message := nameFault(c.name, nil)
		if rule != c.rule || !strings.Contains(message, c.contains) || (rule == "") != (message == "") {
			t.Errorf("nameFault(%q) = %s, %s\nwant %s with %s", c.name, rule, message, c.rule, c.contains)
		}
	}
}

func TestSuggestName(t *testing.T) {
	taken := func(name string) bool { return name == "a-b.md" }
	for name, want := range map[string]string{
		"a b.md":      "", // taken
		"a  c.md":     "a-c.md",
		" x ":         "x",
		"Ünï.md":      "Uni.md",
		"ﬁle.md":      "file.md",
		"説明.md":       "", // nothing left but the ending
		"説明":          "",
		".a b":        ".a-b",
		"a - b":       "a-b",
		"x (1).md":    "x-1.md",
		"100%.md":     "100.md",
		"<x>":         "x",
		"a...":        "a",
		"aux?":        "aux-file",
		"plain-name":  "", // nothing to change
		"\xff\xfe":    "",
		"a\xffb":      "a-b",
		"tab\there.x": "tab-here.x",
	} {
		if got := suggestName(name, taken); got != want {
			t.Errorf("suggestName(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzSuggestName holds that a name that is suggested breaks no rule, is another
// one, and needs no better one itself.
func FuzzSuggestName(f *testing.F) {
	for _, seed := range []string{"a b", "aux.md", "é", "\xff", "...", "con.con.", "a:b", " x ", "ﬁle (1).md", "CON .txt", "a\u202eb", strings.Repeat("x y", 120) + ".md", "lpt¹", "-a", "説明.md", "a\u0301 b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || strings.ContainsAny(name, "/\x00") {
			return
		}
		if better := suggestName(name, nil); better != "" {
			if rule, message := nameFault(better, nil); rule != "" {
				t.Errorf("%q is suggested for %q, and breaks %s: %s", better, name, rule, message)
			}
			if again := suggestName(better, nil); better == name || again != "" {
				t.Errorf("%q is suggested for %q, and %q for it", better, name, again)
			}
		}
	})
}

func TestFoldName(t *testing.T) {
	for _, same := range [][]string{
		{"readme.md", "README.md", "ReadMe.MD"},
		{"caf\u00e9", "cafe\u0301", "CAF\u00c9", "CAFE\u0301"},
		{"k", "K", "\u212A"},
		{"s", "S", "\u017F"},
		{"σ", "ς", "Σ"},
		{"\u1E9E", "ß"},
		{"\u00C5", "\u212B", "A\u030A", "a\u030A"},
	} {
		for _, name := range same[1:] {
			if a, b := foldName(same[0]), foldName(name); a != b {
				t.Errorf("%+q folds to %+q, %+q to %+q", same[0], a, name, b)
			}
		}
	}
	for _, pair := range [][2]string{{"a", "b"}, {"straße", "strasse"}, {"ı", "i"}, {"ﬁ", "fi"}, {"é", "e"}, {"[", "{"}, {"@", "`"}} {
		if foldName(pair[0]) == foldName(pair[1]) {
			t.Errorf("%q and %q fold alike", pair[0], pair[1])
		}
	}
}

func TestCheckPrefix(t *testing.T) {
	for _, prefix := range []string{"", "acme", "acme/billing", "a.b/c_d/~e"} {
		if err := checkPrefix(prefix); err != nil {
			t.Error(err)
		}
	}
	for prefix, want := range map[string]string{
		"/acme":                  "empty segment",
		"acme/":                  "empty segment",
		"a//b":                   "empty segment",
		"a/./b":                  `segment "."`,
		"..":                     `segment ".."`,
		"a b":                    `write "a-b"`,
		`a\b`:                    `"a\\b" has a character that is none of`,
		"é":                      `write "e"`,
		"x/CON":                  `device on Windows: write "CON-file"`,
		"x.":                     "dot at its end",
		strings.Repeat("x", 256): "256 bytes",
	} {
		if err := checkPrefix(prefix); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("checkPrefix(%q) = %v, want one with %s", prefix, err, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for path, want := range map[string]string{
		"a/b.md":      "a/b.md",
		`say "hi".md`: `say "hi".md`,
		"a\nb":        `a\nb`,
		"\xff/x":      `\xff/x`,
		`a\b`:         `a\\b`,
		"é":           "é",
		"a\u202eb":    `a\u202eb`,
	} {
		if got := message.Printable(path); got != want {
			t.Errorf("message.Printable(%q) = %s, want %s", path, got, want)
		}
	}
}
