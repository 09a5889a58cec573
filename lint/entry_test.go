package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

const (
	goodDigest = "sha256:99b737495721155ece826d57521e2d66141ebdc1344a400487481ea2642ab19e"
	self       = `{"uri": "skill://pdf/SKILL.md", "digest": "` + goodDigest + `", "size": 151}`
	front      = `{"name": "pdf", "description": "Fill PDF forms"}`
)

// served is an entry of JSON in which single parts can be replaced.
func served(uri, frontmatter, resources string) string {
	return fmt.Sprintf(`{"uri": %s, "frontmatter": %s, "resources": %s}`, uri, frontmatter, resources)
}

// withFront is a good entry but for its frontmatter's fields.
func withFront(fields string) string {
	return served(`"skill://pdf/SKILL.md"`, "{"+fields+"}", "["+self+"]")
}

// withResource is a good entry with one more resource.
func withResource(resource string) string {
	return served(`"skill://pdf/SKILL.md"`, front, "["+self+", "+resource+"]")
}

func file(name string) string {
	return fmt.Sprintf(`{"uri": %q, "digest": %q, "size": 1}`, name, goodDigest)
}

func rulesOf(findings []Finding) []string {
	ids := make([]string, len(findings))
	for i, f := range findings {
		ids[i] = f.Rule
	}
	return ids
}

func checkJSON(t *testing.T, text string) (manifest.Skill, []Finding) {
	t.Helper()
	v, err := manifest.ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("the test's JSON: %v\n%s", err, text)
	}
	s, findings := CheckEntry(v)
	for _, f := range findings {
		if strings.ContainsAny(f.Message, "\n\r\x1b") || f.Message == "" || len(f.Message) > 1000 {
			t.Errorf("message is not one short line: %q", f.Message)
		}
	}
	return s, findings
}

// entryTest is one entry: want lists every finding in order, says is part of
// the first one's message.
type entryTest struct{ name, entry, want, says string }

// entryTests are, for each rule, entries that break it and near misses that do
// not.
func entryTests() []entryTest {
	description := func(text string) string { return withFront(`"name": "pdf", "description": "` + text + `"`) }
	more := func(fields string) string { return withFront(`"name": "pdf", "description": "d", ` + fields) }
	at := func(uri string) string {
		return served(`"`+uri+`"`, front, `[`+strings.Replace(self, "skill://pdf/SKILL.md", uri, 1)+`]`)
	}
	return []entryTest{
		{"good", served(`"skill://pdf/SKILL.md"`, front, "["+self+"]"), "", ""},
		{"good with unknown keys in the entry", `{"_meta": {"x": 1}, "uri": "skill://pdf/SKILL.md", "frontmatter": ` + front + `, "resources": [` + self + `]}`, "", ""},

		{"null", `null`, "malformed-entry", "the entry is null: an object"},
		{"number", `7`, "malformed-entry", "the number 7"},
		{"list", `[]`, "malformed-entry", "a list"},
		{"empty object", `{}`, "malformed-entry malformed-entry malformed-entry", `no "uri"`},
		{"no uri", `{"frontmatter": ` + front + `, "resources": []}`, "malformed-entry", `the entry named "pdf" has no "uri"`},
		{"uri null", served(`null`, front, "[]"), "malformed-entry", "is null: a string is expected"},
		{"no frontmatter", `{"uri": "skill://pdf/SKILL.md", "resources": [` + self + `]}`, "malformed-entry", `no "frontmatter"`},
		{"frontmatter a list", served(`"skill://pdf/SKILL.md"`, "[]", "["+self+"]"), "malformed-entry", `"frontmatter" is a list`},
		{"frontmatter null", served(`"skill://pdf/SKILL.md"`, "null", "["+self+"]"), "malformed-entry", `"frontmatter" is null`},
		{"no resources", `{"uri": "skill://pdf/SKILL.md", "frontmatter": ` + front + `}`, "malformed-entry", `no "resources"`},
		{"resources null", served(`"skill://pdf/SKILL.md"`, front, "null"), "malformed-entry", `"resources" is null`},
		{"resources an object", served(`"skill://pdf/SKILL.md"`, front, "{}"), "malformed-entry", `"resources" is a mapping`},
		{"resources another string", served(`"skill://pdf/SKILL.md"`, front, `"Dynamic"`), "malformed-entry", `the string "Dynamic"`},
		{"resource null", withResource("null"), "malformed-entry", "resources[1] is null"},
		{"resource a number", withResource("3"), "malformed-entry", "resources[1] is the number 3"},
		{"resource without uri", withResource(`{"digest": "` + goodDigest + `", "size": 1}`), "malformed-entry", `resources[1] has no "uri"`},
		{"resource uri a number", withResource(`{"uri": 1}`), "malformed-entry", `the "uri" of resources[1] is the number 1`},

		{"relative uri", at("pdf/SKILL.md"), "malformed-uri", "no scheme"},
		{"opaque uri", at("skill:pdf/SKILL.md"), "malformed-uri", "no //"},
		{"relative uris", served(`"pdf/SKILL.md"`, front, "["+file("pdf/SKILL.md")+","+file("pdf/a.md")+","+file("a.md")+"]"), "malformed-uri malformed-uri", ""},
		{"no folder", served(`"skill://SKILL.md"`, front, "[]"), "malformed-uri", "does not end in a folder and /SKILL.md"},
		{"other file", served(`"skill://pdf/skill.md"`, front, "[]"), "malformed-uri", "write skill://SKILL-PATH/SKILL.md"},
		{"empty uri", served(`""`, front, "[]"), "malformed-uri", "no scheme"},
		{"malformed resource uri", withResource(file("skill://pdf//a.md")), "malformed-uri", "resource URI"},

		{"other scheme", at("github://pdf/SKILL.md"), "uri-scheme", "the scheme is github:"},
		{"scheme in capitals", at("SKILL://pdf/SKILL.md"), "uri-spelling", `write "skill://pdf/SKILL.md"`},

		{"raw blank", withResource(file("skill://pdf/a b.md")), "uri-spelling", `write "skill://pdf/a%20b.md"`},
		{"lower-case escape", withResource(file("skill://pdf/%c3%a9.md")), "uri-spelling", `%C3%A9`},
		{"escaped letter", withResource(file("skill://pdf/%61.md")), "uri-spelling", `is not in the normal form of RFC 3986: write "skill://pdf/a.md"`},
		{"raw plus", withResource(file("skill://pdf/a+b.md")), "uri-spelling", `has '+' unescaped like the TypeScript SDK 2.4 and Go's url.PathEscape, unlike JavaScript's encodeURIComponent and Python's quote (%2B): rename it, or write "skill://pdf/a%2Bb.md"`},
		{"raw parenthesis", withResource(file("skill://pdf/a(b.md")), "uri-spelling", `has '(' unescaped like the TypeScript SDK 2.4 and JavaScript's encodeURIComponent, unlike Go's url.PathEscape and Python's quote (%28): rename it, or write "skill://pdf/a%28b.md"`},
		{"raw letter of another script", withResource(file("skill://pdf/\u00fc.md")), "uri-spelling", `has 'ü' unescaped, which RFC 3986 forbids: write "skill://pdf/%C3%BC.md"`},
		{"canonical escapes", withResource(file("skill://pdf/a%20b%2B%C3%A9.md")), "", ""},
		{"odd root is one finding", served(`"skill://a+b/pdf/SKILL.md"`, front, "["+file("skill://a+b/pdf/SKILL.md")+","+file("skill://a+b/pdf/x.md")+"]"), "uri-spelling", `skill://a%2Bb/pdf/SKILL.md`},
		{"odd root and odd file", served(`"skill://a+b/pdf/SKILL.md"`, front, "["+file("skill://a+b/pdf/SKILL.md")+","+file("skill://a+b/pdf/x y.md")+"]"), "uri-spelling uri-spelling", ``},

		{"query", at("skill://pdf/SKILL.md?v=1"), "uri-unsafe", "query"},
		{"fragment", withResource(file("skill://pdf/a#b.md")), "uri-unsafe", "fragment"},
		{"broken escape", withResource(file("skill://pdf/50%.md")), "uri-unsafe", "%25"},
		{"escaped separator", withResource(file("skill://pdf/a%2Fb.md")), "uri-unsafe", "separator"},
		{"dot segment that stays inside", withResource(file("skill://pdf/./a.md")), "uri-unsafe", `"." segment`},
		{"dots that climb out", served(`"skill://acme/pdf/SKILL.md"`, front, "["+file("skill://acme/pdf/SKILL.md")+","+file("skill://acme/pdf/../other/a.md")+"]"), "resource-outside-skill-root", `leads to "skill://acme/other/a.md"`},
		{"escaped dots that climb out", served(`"skill://acme/pdf/SKILL.md"`, front, "["+file("skill://acme/pdf/SKILL.md")+","+file("skill://acme/pdf/%2e%2E/a.md")+"]"), "resource-outside-skill-root", `leads to "skill://acme/a.md"`},
		{"dots do not climb over the authority", withResource(file("skill://pdf/../a.md")), "uri-unsafe", `".." segment`},
		{"self by a detour", served(`"skill://pdf/SKILL.md"`, front, "["+file("skill://pdf/x/../SKILL.md")+"]"), "uri-unsafe", ""},

		{"user and port", at("skill://me@host:80/pdf/SKILL.md"), "uri-authority", `write "me%40host%3A80"`},
		{"not ASCII", at("skill://é/pdf/SKILL.md"), "uri-authority", `%C3%A9`},
		{"escapes are a reg-name", at("skill://%C3%A9/pdf/SKILL.md"), "", ""},
		{"two faults in one URI", at("skill://a@b/c d/pdf/SKILL.md"), "uri-authority uri-spelling", ""},

		{"no name", withFront(`"description": "d"`), "missing-name", "write name: pdf"},
		{"name empty", withFront(`"name": "", "description": "d"`), "missing-name", "the name is empty"},
		{"name null", withFront(`"name": null, "description": "d"`), "missing-name", ""},
		{"name a number", withFront(`"name": 7, "description": "d"`), "malformed-name", "the name is the number 7, not a string"},
		{"name with capitals", withFront(`"name": "PDF", "description": "d"`), "malformed-name", "has capitals"},
		{"name with underscore", withFront(`"name": "p_df", "description": "d"`), "malformed-name", `has the character '_'`},
		{"name with spaces elsewhere", withFront(`"name": "PDF Tools", "description": "d"`), "malformed-name", "write name: pdf, as the folder is called"},
		{"name and folder malformed", served(`"skill://PDF_Tools/SKILL.md"`, `{"name": "PDF_Tools", "description": "d"}`, "["+file("skill://PDF_Tools/SKILL.md")+"]"), "malformed-name", "write name: pdf-tools, and call the folder so too"},
		{"leading hyphen", withFront(`"name": "-pdf", "description": "d"`), "malformed-name", "starts with a hyphen"},
		{"trailing hyphen", withFront(`"name": "pdf-", "description": "d"`), "malformed-name", "ends with a hyphen"},
		{"double hyphen", withFront(`"name": "p--df", "description": "d"`), "malformed-name", "two hyphens"},
		{"name of another script", withFront(`"name": "技能", "description": "d"`), "malformed-name", "character '技'"},
		{"name too long", withFront(`"name": "` + strings.Repeat("a", 70) + `", "description": "d"`), "malformed-name", "has 70 characters, 6 over the limit of 64"},
		{"name of 64", served(`"skill://`+strings.Repeat("a", 64)+`/SKILL.md"`, `{"name": "`+strings.Repeat("a", 64)+`", "description": "d"}`, "["+file("skill://"+strings.Repeat("a", 64)+"/SKILL.md")+"]"), "", ""},
		{"name of digits at both ends", served(`"skill://0-9/SKILL.md"`, `{"name": "0-9", "description": "d"}`, "["+file("skill://0-9/SKILL.md")+"]"), "", ""},
		{"name of letters at both ends", served(`"skill://a-z/SKILL.md"`, `{"name": "a-z", "description": "d"}`, "["+file("skill://a-z/SKILL.md")+"]"), "", ""},
		{"name of one digit", served(`"skill://7/SKILL.md"`, `{"name": "7", "description": "d"}`, "["+file("skill://7/SKILL.md")+"]"), "", ""},

		{"other name", withFront(`"name": "forms", "description": "d"`), "name-path-mismatch", `the name is "forms" but the folder in its URI is "pdf": rename the folder to forms, or write name: pdf`},
		{"folder that is no name", served(`"skill://My_PDF/SKILL.md"`, front, "["+file("skill://My_PDF/SKILL.md")+"]"), "name-path-mismatch", "rename the folder to pdf"},
		{"prefix that is no name", at("skill://acme/My_Team/pdf/SKILL.md"), "", ""},

		{"no description", withFront(`"name": "pdf"`), "missing-description", "there is no description"},
		{"blank description", description(" \\n "), "missing-description", "empty"},
		{"description null", withFront(`"name": "pdf", "description": null`), "missing-description", ""},
		{"description a list", withFront(`"name": "pdf", "description": ["a"]`), "malformed-description", "a list, not a string"},
		{"description of 1,024", description(strings.Repeat("é", 1024)), "", ""},
		{"description of 1,030", description(strings.Repeat("é", 1030)), "malformed-description", "has 1,030 characters, 6 over the limit of 1,024"},
		{"description of 1,023 and an emoji", description(strings.Repeat("x", 1023) + "😀"), "description-length", "1,025 units long as JavaScript counts (UTF-16), 1 over"},
		{"description of 1,022 and an emoji", description(strings.Repeat("x", 1022) + "😀"), "", ""},

		{"description of three lines", description(`One.\n\nTwo.`), "multi-line-description", "has 3 lines"},
		{"description with a line break at its end", description(`One.\n`), "", ""},

		{"compatibility a list", more(`"compatibility": ["git", "jq"]`), "malformed-compatibility", `compatibility: "git, jq"`},
		{"compatibility empty", more(`"compatibility": " "`), "malformed-compatibility", "empty"},
		{"compatibility a number", more(`"compatibility": 3.14`), "malformed-compatibility", "the number 3.14"},
		{"compatibility of 501", more(`"compatibility": "` + strings.Repeat("x", 501) + `"`), "malformed-compatibility", "1 over"},
		{"compatibility of 500", more(`"compatibility": "` + strings.Repeat("x", 500) + `"`), "", ""},

		{"metadata a string", more(`"metadata": "x"`), "malformed-metadata", `the string "x", not a mapping`},
		{"metadata null", more(`"metadata": null`), "malformed-metadata", "metadata is empty"},
		{"metadata empty", more(`"metadata": {}`), "", ""},
		{"metadata number", more(`"metadata": {"version": 1.10}`), "metadata-value-type", `write version: "1.10"`},
		{"metadata boolean", more(`"metadata": {"beta": true}`), "metadata-value-type", `write beta: "true"`},
		{"metadata list", more(`"metadata": {"tags": ["a", "b"]}`), "metadata-value-type", `write tags: "a, b"`},
		{"metadata mixed list", more(`"metadata": {"tags": ["a", 1]}`), "metadata-value-type", `one string`},
		{"metadata mapping", more(`"metadata": {"author": {"mail": "x"}}`), "metadata-value-type", `author-mail`},
		{"metadata null value", more(`"metadata": {"x": null}`), "metadata-value-type", "remove the key"},
		{"metadata key that acts on a terminal", more(`"metadata": {"a\u001b[31m": 1}`), "metadata-value-type", `\x1b`},
		{"metadata two", more(`"metadata": {"x": 1, "y": "s", "z": 2}`), "metadata-value-type metadata-value-type", ""},
		{"metadata strings", more(`"metadata": {"version": "1.10", "": ""}`), "", ""},
		{"reserved key", more(`"metadata": {"io.modelcontextprotocol/x": "1"}`), "reserved-metadata-key", "reserved"},
		{"key that only looks reserved", more(`"metadata": {"io.modelcontextprotocol": "1", "io.modelcontextprotocol.x/y": "1"}`), "", ""},

		{"tools a list", more(`"allowed-tools": ["Read", "Bash(git:*)"]`), "malformed-allowed-tools", `allowed-tools: "Read Bash(git:*)"`},
		{"tools a list, with a pattern", more(`"allowed-tools": ["Bash(git add:*)"]`), "malformed-allowed-tools", `allowed-tools: "Bash(git add:*)"`},
		{"tools a list, with a space", more(`"allowed-tools": ["Read", "Azure MCP/search"]`), "malformed-allowed-tools", `"Azure MCP/search" in it has a space outside of parentheses`},
		{"compatibility a list of sentences", more(`"compatibility": ["needs git", "needs jq"]`), "malformed-compatibility", `"needs git, needs jq"`},
		{"tools with commas", more(`"allowed-tools": "Read, Grep"`), "malformed-allowed-tools", "write allowed-tools: Read Grep"},
		{"tools with commas in a pattern", more(`"allowed-tools": "Bash(git add:*, git log:*) Read"`), "", ""},
		{"tools null", more(`"allowed-tools": null`), "malformed-allowed-tools", "empty"},
		{"tools a mapping", more(`"allowed-tools": {}`), "malformed-allowed-tools", "a mapping"},
		{"tools", more(`"allowed-tools": "Read Grep"`), "", ""},

		{"license a list", more(`"license": ["MIT"]`), "malformed-license", "a list"},
		{"license", more(`"license": "MIT"`), "", ""},

		{"misspelt field", more(`"licence": "MIT"`), "unknown-field", "is license meant?"},
		{"misspelt client field", more(`"user-invokable": true`), "unknown-field", "is user-invocable meant?"},
		{"unknown field", more(`"zzzzzz": "1"`), "unknown-field", "below metadata"},
		{"client fields", more(`"disable-model-invocation": true, "when_to_use": "x", "hooks": {}`), "", ""},

		{"dynamic", served(`"skill://pdf/SKILL.md"`, front, `"dynamic"`), "dynamic-resources", "cannot verify"},
		{"no resource", served(`"skill://pdf/SKILL.md"`, front, `[]`), "manifest-missing-self", "do not list"},
		{"self in lower case", served(`"skill://pdf/SKILL.md"`, front, "["+file("skill://pdf/skill.md")+"]"), "manifest-missing-self", "differs from it in case"},
		{"self in another spelling", served(`"skill://pdf/SKILL.md"`, front, "["+file("skill://pdf/%53KILL.md")+"]"), "uri-spelling", ""},

		{"twice", withResource(file("skill://pdf/SKILL.md")), "duplicate-resource", "twice"},
		{"twice in two spellings", withResource(file("skill://pdf/a%20b") + "," + file("skill://pdf/a b")), "uri-spelling duplicate-resource", ""},
		{"differs in case", withResource(file("skill://pdf/A.md") + "," + file("skill://pdf/a.md")), "", ""},

		{"outside", withResource(file("skill://other/a.md")), "resource-outside-skill-root", "not below"},
		{"outside by a prefix", withResource(file("skill://pdf-2/a.md")), "resource-outside-skill-root", "not below"},
		{"the root itself", withResource(file("skill://pdf")), "resource-outside-skill-root", ""},
		{"other scheme than the skill", withResource(file("file://pdf/a.md")), "resource-outside-skill-root", ""},
		{"nested SKILL.md", withResource(file("skill://pdf/sub/SKILL.md")), "", ""},

		{"no digest", withResource(`{"uri": "skill://pdf/a.md", "size": 1}`), "missing-digest", `resource "a.md" has no "digest"`},
		{"digest null", withResource(`{"uri": "skill://pdf/a.md", "digest": null, "size": 1}`), "missing-digest", ""},
		{"digest a number", withResource(`{"uri": "skill://pdf/a.md", "digest": 1, "size": 1}`), "malformed-digest", "the number 1"},
		{"digest in capitals", withResource(`{"uri": "skill://pdf/a.md", "digest": "sha256:` + strings.ToUpper(goodDigest[7:]) + `", "size": 1}`), "malformed-digest", "write " + goodDigest},
		{"digest without prefix", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest[7:] + `", "size": 1}`), "malformed-digest", "write " + goodDigest},
		{"digest with sha-256=", withResource(`{"uri": "skill://pdf/a.md", "digest": "SHA-256=` + goodDigest[7:] + `", "size": 1}`), "malformed-digest", "write " + goodDigest},
		{"digest of another algorithm", withResource(`{"uri": "skill://pdf/a.md", "digest": "sha512:` + goodDigest[7:] + `", "size": 1}`), "malformed-digest", "does not start with"},
		{"digest too short", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest[:70] + `", "size": 1}`), "malformed-digest", "63 characters"},
		{"digest empty", withResource(`{"uri": "skill://pdf/a.md", "digest": "", "size": 1}`), "malformed-digest", ""},

		{"no size", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `"}`), "missing-size", `resource "a.md" has no "size"`},
		{"size null", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": null}`), "missing-size", ""},
		{"size negative", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": -1}`), "malformed-size", "is -1: a whole number"},
		{"size fractional", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": 1.5}`), "malformed-size", "is 1.5"},
		{"size 2^60", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": 1152921504606846976}`), "malformed-size", "1152921504606846976"},
		{"size 1e400", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": 1e400}`), "malformed-size", "1e400"},
		{"size a string", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": "12"}`), "malformed-size", "write 12 without quotes"},
		{"size 0", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": 0}`), "", ""},
		{"size 1e2", withResource(`{"uri": "skill://pdf/a.md", "digest": "` + goodDigest + `", "size": 1e2}`), "", ""},
		{"a resource with three faults", withResource(`{"uri": "skill://other/a.md", "digest": "x", "size": -1}`), "malformed-digest malformed-size resource-outside-skill-root", ""},

		{"total at the limit", withResource(`{"uri": "skill://pdf/a.bin", "digest": "` + goodDigest + `", "size": 16777065}`), "", ""},
		{"total over the limit", withResource(`{"uri": "skill://pdf/a.bin", "digest": "` + goodDigest + `", "size": 16777066}`), "size-limit-exceeded", `1 over the limit of 16,777,216 (16 MiB); the largest: "a.bin" with 16 MiB, "SKILL.md" with 151 bytes`},
		{"a malformed size hides no overrun", withResource(`{"uri": "skill://pdf/a", "digest": "` + goodDigest + `", "size": -99999999}, {"uri": "skill://pdf/b", "digest": "` + goodDigest + `", "size": 16777216}`), "size-limit-exceeded malformed-size", ""},
		{"a malformed URI hides no overrun", withResource(`{"uri": "a", "digest": "` + goodDigest + `", "size": 16777216}`), "size-limit-exceeded malformed-uri", ""},
		{"skill-level findings first", served(`"skill://pdf/SKILL.md"`, `{}`, `[null, {"uri": "skill://pdf/a"}]`), "missing-name missing-description manifest-missing-self malformed-entry missing-digest missing-size", ""},
	}
}

func TestCheckEntry(t *testing.T) {
	for _, tt := range entryTests() {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := checkJSON(t, tt.entry)
			if got := strings.Join(rulesOf(findings), " "); got != tt.want {
				t.Fatalf("got %q, want %q\n%v", got, tt.want, findings)
			}
			if len(findings) > 0 && !strings.Contains(findings[0].Message, tt.says) {
				t.Errorf("message %q does not say %q", findings[0].Message, tt.says)
			}
		})
	}
}

// TestEveryEntryRuleBreaks holds that the table leaves no rule out.
func TestEveryEntryRuleBreaks(t *testing.T) {
	broken := []string{"resource-limit-exceeded", "duplicate-skill", "duplicate-name"} // have tests of their own
	for _, tt := range entryTests() {
		broken = append(broken, strings.Fields(tt.want)...)
	}
	for _, r := range Rules() {
		if r.Where == Entry && !slices.Contains(broken, r.ID) {
			t.Errorf("no case breaks %s", r.ID)
		}
	}
}

func TestCheckEntryKeepsWhatIsListed(t *testing.T) {
	s, _ := checkJSON(t, withResource(`null, {"uri": "skill://pdf/a.md", "digest": "x", "size": 1}, `+file("skill://pdf/b.md")))
	if s.URI != manifest.NewURI("pdf/SKILL.md") || s.Name() != "pdf" || s.Dynamic {
		t.Errorf("skill %v", s)
	}
	if len(s.Resources) != 3 || s.Resources[2].URI != manifest.NewURI("pdf/b.md") || s.Resources[2].Size != 1 || s.Resources[2].Digest.String() != goodDigest {
		t.Errorf("resources %v", s.Resources)
	}
	if s, _ := checkJSON(t, withResource(`{"uri": "skill://pdf/a.md", "digest": 1}`)); len(s.Resources) != 2 || !s.Resources[1].Digest.IsZero() || s.Resources[1].Size != manifest.NoSize {
		t.Errorf("a file without a usable digest and size is %v; want it listed without them", s.Resources)
	}
	if s, findings := checkJSON(t, served(`"nonsense"`, front, `"dynamic"`)); !s.URI.IsZero() || s.Name() != "pdf" || !s.Dynamic || findings[0].URI != "nonsense" {
		t.Errorf("skill %v, findings %v", s, findings)
	}
}

func TestResourceLimit(t *testing.T) {
	for _, n := range []int{512, 513} {
		items := []string{self}
		for i := range n - 1 {
			items = append(items, file(fmt.Sprintf("skill://pdf/%d", i)))
		}
		_, findings := checkJSON(t, served(`"skill://pdf/SKILL.md"`, front, "["+strings.Join(items, ",")+"]"))
		if want := n > 512; (len(findings) == 1) != want {
			t.Errorf("%d resources: %v", n, findings)
		} else if want && !strings.Contains(findings[0].Message, "513 files, 1 over the limit of 512") {
			t.Errorf("message %q", findings[0].Message)
		}
	}
}

func TestManyFaultsAreBounded(t *testing.T) {
	items := strings.Repeat("null,", 5000) + self
	_, findings := checkJSON(t, served(`"skill://pdf/SKILL.md"`, front, "["+items+"]"))
	// The limit of files, 512 of the 5,000 entries, and how many more there are.
	if len(findings) != 514 || findings[0].Rule != "resource-limit-exceeded" {
		t.Fatalf("%d findings, the first %v", len(findings), findings[0])
	}
	if last := findings[len(findings)-1]; last.Rule != "malformed-entry" || !strings.Contains(last.Message, "4,488 more") {
		t.Errorf("last finding %v", last)
	}
}

func TestCheckSkillPlaces(t *testing.T) {
	member := func(key, value string, line int) manifest.Member {
		return manifest.Member{Key: key, KeyPos: manifest.Pos{Line: line, Column: 1}, Value: manifest.Value{Kind: manifest.String, Text: value, Pos: manifest.Pos{Line: line, Column: len(key) + 3}}}
	}
	uri := manifest.NewURI("acme/pdf/SKILL.md")
	skill := func(fields ...manifest.Member) manifest.Skill {
		return manifest.Skill{URI: uri, Frontmatter: fields, Resources: []manifest.Resource{{URI: uri, Size: 3}}}
	}
	metadata := manifest.Member{Key: "metadata", KeyPos: manifest.Pos{Line: 4, Column: 1}, Value: manifest.Value{Kind: manifest.Object, Pos: manifest.Pos{Line: 5, Column: 3}, Members: []manifest.Member{
		{Key: "io.modelcontextprotocol/a", KeyPos: manifest.Pos{Line: 5, Column: 3}, Value: manifest.Value{Kind: manifest.Number, Text: "1.10", Pos: manifest.Pos{Line: 5, Column: 30}}},
	}}}
	large := skill(member("name", "pdf", 2), member("description", "d", 3))
	large.Resources = append(large.Resources, manifest.Resource{URI: manifest.NewURI("acme/pdf/a.bin"), Size: 20 << 20})
	tests := []struct {
		name  string
		skill manifest.Skill
		want  []string
	}{
		{"good", skill(member("name", "pdf", 2), member("description", "d", 3)), nil},
		{"nothing", skill(), []string{"skills/pdf/SKILL.md:1:1 missing-name", "skills/pdf/SKILL.md:1:1 missing-description"}},
		{"name and unknown field", skill(member("name", "Pdf", 2), member("description", "d", 3), member("descripton", "d", 4)), []string{"skills/pdf/SKILL.md:2:7 malformed-name", "skills/pdf/SKILL.md:4:1 unknown-field"}},
		{"mismatch", skill(member("name", "x", 2), member("description", "d", 3)), []string{"skills/pdf/SKILL.md:2:7 name-path-mismatch"}},
		{"metadata", skill(member("name", "pdf", 2), member("description", "d", 3), metadata), []string{"skills/pdf/SKILL.md:5:3 reserved-metadata-key", "skills/pdf/SKILL.md:5:30 metadata-value-type"}},
		{"size", large, []string{"skills/pdf/SKILL.md size-limit-exceeded"}},
		{"dynamic", manifest.Skill{URI: uri, Frontmatter: large.Frontmatter, Dynamic: true}, []string{"skills/pdf/SKILL.md dynamic-resources"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range CheckSkill(tt.skill, "skills/pdf/SKILL.md") {
				got = append(got, f.Place()+" "+f.Rule)
				if f.Skill != "acme/pdf" || f.URI != "" || f.Help == "" {
					t.Errorf("finding %+v", f)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func FuzzCheckEntry(f *testing.F) {
	f.Add([]byte(served(`"skill://pdf/SKILL.md"`, front, "["+self+"]")))
	f.Add([]byte(withResource(file("skill://pdf/../%2e%2e/a b") + `, null, {"uri": "x", "size": 9007199254740991}`)))
	f.Add([]byte(withFront(`"name": "É_x", "metadata": {"a": [1], "b": {"c": null}}, "allowed-tools": "a,(b,c", "zz": 1`)))
	f.Add([]byte(`{"uri": "SKILL://A@b/c d/SKILL.md", "frontmatter": {"name": 1}, "resources": "x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := manifest.ParseValue(text)
		if err != nil {
			return
		}
		s, findings := CheckEntry(v)
		if len(findings) > 100*(mostPerRule+1) {
			t.Errorf("%d findings", len(findings))
		}
		for _, found := range findings {
			if len(found.Message) > 2500 || strings.ContainsFunc(found.Message, message.Unprintable) {
				t.Errorf("message is no short printable line: %q", found.Message)
			}
		}
		if len(findings) > 0 || s.Dynamic {
			return
		}
		// What has no finding is what the manifest's strict reader takes, and
		// nothing of it was dropped.
		strict, err := manifest.ParseSkill(v)
		if err != nil {
			t.Fatalf("no finding, but %v\n%s", err, text)
		}
		if strict.Fingerprint() != s.Fingerprint() || len(CheckSkill(strict, "p")) > 0 {
			t.Errorf("two readings of %s", text)
		}
	})
}

func BenchmarkCheckSkill(b *testing.B) {
	uri := manifest.NewURI("acme/pdf/SKILL.md")
	field := func(key, value string) manifest.Member {
		return manifest.Member{Key: key, Value: manifest.Value{Kind: manifest.String, Text: value}}
	}
	s := manifest.Skill{
		URI:         uri,
		Frontmatter: manifest.Frontmatter{field("name", "pdf"), field("description", strings.Repeat("word ", 100)), field("license", "MIT")},
		Resources:   []manifest.Resource{{URI: uri, Size: 1}, {URI: manifest.NewURI("acme/pdf/a.md")}, {URI: manifest.NewURI("acme/pdf/b.md")}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(CheckSkill(s, "p")) > 0 {
			b.Fatal("findings")
		}
	}
}
