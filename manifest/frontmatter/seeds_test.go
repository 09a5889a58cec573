package frontmatter

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// readersDisagree are texts that YAML readers take for different values, and
// their neighbours that all agree on.
var readersDisagree = []string{
	"2024-01-15", "2024-1-15", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "yes", "on", "y", "No", "off", "014", "010", "+010", "0777", "08", "0o14", "0b11", "0x1F", "-0x1F",
	"1_000", "1_000.5", "1e3", "1.5e3", "1.5e+3", "12:30:45", "1:30", "01:30", "190:20:30.15", "1.10", "1.0", "+.5", ".5", "5.", "-0", "-0.0", "007", "12345678901234567890", "1e400",
	".inf", "-.Inf", ".nan", "null", "~", "Null", "true", "FALSE", "=", "<<", "-", "--", ".", "1.2.3", "v1.2", "2024", "192.168.0.1", "!!str 1", "! 1", "!t x", "*a", "&a b",
	`"a\/b"`, `"\x41\u00e9\U0001F389\N\_\L\P\e\0\a\b\t\n\v\f\r\"\\"`, `"\ud83c\udf89"`, `"\ud800"`, `"\'"`, `"a \` + "\n  b\"", `'it''s'`, "\"a\n\n  b\"", "a\n  b\n\n  c", "a # b", "a#b", "a: b", "a:b", "a:", ":a",
	"https://example.com/a?b=c#d", "[a, b]", "[a, ]", "[,]", "[a: b]", "{a: b, c}", "{a:b}", "{a: }", "{\"a\":b}", "[a,\n  b]", "{}", "[]", "[[], {}]", "[\"a\", 'b']", "[-]", "[- a]", "[?a]", "[a?]", "- a", "? a", "@a", "`a`", "%a", "|", ">", "# a",
}

// shapesOfSkills are blocks in the forms that the frontmatters of published
// skills have.
var shapesOfSkills = []string{
	"name: pdf-tools\ndescription: Fill, merge and sign PDF files. Use when the user mentions a form, a scan or \"a PDF\" — also for tables.",
	"name: release-notes\ndescription: >-\n  Write the notes of a release from its commits.\n  Use it before a tag is pushed;\n\n  not for drafts.\nlicense: Apache-2.0\nmetadata:\n  author: acme\n  version: \"1.0\"",
	"name: \"review\"\ndescription: 'Reviews a change: finds what''s wrong & says why'\nallowed-tools: Bash(git diff:*) Bash(git log:*) Read Grep\nmodel: inherit",
	"name: deploy\ndescription: |-\n  Deploys a service.\n\n  Steps:\n    1. build: `make`\n    2. push\n\n  Use when asked to \"ship it\".\ndisable-model-invocation: true\nargument-hint: \"[env] [--dry-run]\"",
	"name: 说明\ndescription: 处理 PDF 文件。当用户提到表单、「扫描」时使用：合并、拆分 🎉\ntags: [pdf, 文档, 'a, b']",
	"# a comment\nname: api-client   # trailing\n\ndescription: Calls https://api.example.com/v1?x=y#z; C# and F# too, 50% faster, @mentions, a-b_c.\ncompatibility: Requires Node >=20, git & jq\nmetadata:\n    openclaw:\n        requires:\n            bins: [\"jq\", \"curl\"]\n            env:\n                - API_KEY\n        emoji: \"🎯\"",
	"name: hooks\ndescription: Runs hooks\nhooks:\n  PreToolUse:\n    - matcher: \"Write|Edit\"\n      hooks:\n        - type: command\n          command: \"\\\"$DIR\\\"/check.sh\"\n          timeout: 10\nuser-invocable: false",
	"description: last: here\nname: x",
	"name: clipped\ndescription: >\n  folded text\n  at the end\n",
	"name: lists\ndescription: d\nallowed-tools:\n- Read\n- Grep\nkeywords:\n  - a\n  -   b\n  - - c\n    - d\n  - e: f\n    g: h",
	"\"name\": quoted\n'description': keys\n\"a b\":\n  c : d",
	"name: x\ndescription: \"over\n  two lines\n\n  and a paragraph\"\nlicense: plain text\n  over two lines",
	"{name: flow, description: \"all in braces\"}",
	"name: x\ndescription: |2\n    indented\n   less\nlicense: |+\n  kept\n\n\nversion: 1.0.0",
}

// blockSeeds are the blocks that fuzzing starts from: each text above as a
// field, as a nested field, as an item and as a key, each shape, and random
// blocks of every kind.
func blockSeeds(random int) []string {
	var blocks []string
	for _, text := range readersDisagree {
		blocks = append(blocks, "a: "+text+"\nb: c", "a:\n  b:\n  - "+text+"\n  - [x, "+text+"]\n  - {x: "+text+"}", text+": a")
	}
	blocks = append(blocks, "k:\tv", "k: \tv", "k: v\t", "a: 1\na: 2", "a: {b: 1, b: 2}", "a: &q {b: 1}\nc:\n  <<: *q", "a:\n\tb: c", "? a\n: b", "a: b\n...\nc: d", "%YAML 1.2\na: b", "a: b\n--- \nc: d", "--- {}", "--- {\"a\": b, *c: &d e}", "&a\n--- {b: \"c\"}", "--- &a !!map {b: |}", "a: &b\n--- \"c\"\n", "... \n{a: b}", "--- ['a', {b: *c}]")
	blocks = append(blocks, shapesOfSkills...)
	for seed := range uint64(random) {
		blocks = append(blocks, wildYAML(rand.New(rand.NewPCG(seed, 2))))
	}
	for i := range 16 {
		blocks = append(blocks, "a: \x90"+string([]byte{byte(0x80 + i), byte(0xA0 + i), 'x', byte(0x90 + i), byte(0xB0 + i), byte(0xD0 + i), byte(0x80 + i), byte(0xE0 + i), 0x8A, byte(0xF0 + i)}))
	}
	return blocks
}

// yamlTokens are what stands in a block for the bytes from 0x80 on; see spelled.
var yamlTokens = [128]string{
	"\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n\n", "\n \n", "\n\t", "\r\n", "\r", "\nk: ", "\n  k: ", "\n    k: ", "\n'q': ", "\n\"q\" : ", "\n? ",
	": ", " : ", ":", ":\n", ": \n  ", ": |\n  ", ": >\n  ", ": |-\n  ", ": >+\n  ", ": |2\n  ", ": >1-\n ", " |\n", " >\n", "- ", "- - ", "-\n",
	"\"", "'", "''", "\"\"", "\\\"", "\\\\", "\\n", "\\u00e9", "\\x41", "\\U0001F389", "\\ud83c\\udf89", "\\/", "\\ ", "\\\n", "\\N", "\\0",
	"[", "]", "{", "}", ", ", ",", "[]", "{}", "[a, b]", "{a: b}", "[[", "]]", "{\"a\":b}", "[a: b]", "{a}", "[,]",
	" #", "#", " # c\n", "\n# c\n", "\n  # c\n", "&a ", "*a", "!!str ", "!t ", "! ", "<<: *a", "%YAML 1.2\n", "---", "...", "\n---\n", "\n...\n",
	"a", "b c", "x y z", "é", "说", "🎉", "\u00a0", "\u0085", "\u2028", "\uFEFF", "\uFFFD", "\uE000", "\x00", "\x7f", "\t", "  ",
	"yes", "on", "null", "~", "true", "False", "010", "0o7", "0x1F", "1_0", "1e3", "1.50", "-1", "+.5", ".inf", "2024-01-15",
	"1:30", "99999999999999999999", "=", "<<", "-", "--", "@", "`", "%", "?", "? ", "|", ">", "*", "&", "!",
}

// spelled makes a block of a fuzzer's bytes. What is no UTF-8 is of no use to a
// reader of texts; there, each byte from 0x80 on becomes a token of YAML, which
// lets the fuzzer change a block token by token.
func spelled(data string) string {
	if utf8.ValidString(data) {
		return data
	}
	var b strings.Builder
	for i := range len(data) {
		if data[i] < 0x80 {
			b.WriteByte(data[i])
		} else {
			b.WriteString(yamlTokens[data[i]-0x80])
		}
	}
	return b.String()
}
