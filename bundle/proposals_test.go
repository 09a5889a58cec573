package bundle_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// TestProposals does what the messages say. Every line, word or name that one of
// them proposes about the bad side of an archive in testdata/rules is taken out of
// the message and put where the finding is. The side is then judged again, and the
// finding must be gone. A message that proposes something in no known form fails
// the test, and so does a form that no message has.
func TestProposals(t *testing.T) {
	archives, err := filepath.Abs(ruleArchives)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(archives, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]int{}
	rules := map[string]bool{}
	for _, file := range files {
		id, _, _ := strings.Cut(filepath.Base(file), ".")
		if id == "unreadable" || id == "changed-while-reading" {
			continue // it takes another user or a second program, and proposes nothing to write
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			a := openArchive(t, file)
			a.layOut()
			findings := a.judged()
			for _, f := range findings {
				for i, p := range proposalsOf(t, f) {
					used[p.form]++
					rules[f.Rule] = true
					t.Run(f.Rule+" "+strconv.Itoa(f.Line)+" "+strconv.Itoa(i), func(t *testing.T) {
						b := openArchive(t, file)
						b.layOut()
						checkProposal(b, f, p, findings)
					})
				}
			}
		})
	}
	for _, form := range forms {
		if used[form.pattern.String()] == 0 {
			t.Errorf("no message has the form %s", form.pattern)
		}
	}
	// About this many there are: fewer would mean that messages are no longer read.
	if len(rules) < 30 {
		t.Errorf("proposals of only %d rules were tried", len(rules))
	}
}

// judged returns the findings of the bad side, those of rules that are off too.
func (a *archive) judged() []lint.Finding { return a.judge("bad") }

// checkProposal does what a message proposes, and looks for its finding again.
func checkProposal(a *archive, f lint.Finding, p proposal, before []lint.Finding) {
	for _, name := range namedCharacters.FindAllStringSubmatch(f.Message, -1) {
		code, err := strconv.ParseInt(name[1], 16, 32)
		a.must(err)
		if strings.ContainsRune(p.text, rune(code)) {
			a.Errorf("%q has the character that the message finds fault with: %s", p.text, f.Message)
		}
	}
	p.do(a, f, p.text)
	after := a.judged()
	count := func(findings []lint.Finding) (n int) {
		for _, g := range findings {
			if g.Rule == f.Rule {
				n++
			}
		}
		return n
	}
	same := func(g lint.Finding) bool {
		return g.Rule == f.Rule && g.Place() == f.Place() && g.Message == f.Message
	}
	if slices.ContainsFunc(after, same) || count(after) >= count(before) {
		var left strings.Builder
		for _, g := range after {
			left.WriteString("\n" + line(g))
		}
		a.Errorf("%s\nis not gone after %q:%s", line(f), p.text, left.String())
	}
}

// namedCharacters are those a message calls by code point and name.
var namedCharacters = regexp.MustCompile(`U\+([0-9A-F]{4,6}) [A-Z]`)

// proposal is something to write that a message shows.
type proposal struct {
	form string // the pattern it was found by
	text string
	do   func(a *archive, f lint.Finding, text string)
}

// form is one way in which messages propose something. Each group holds what to
// write, and has its own way to write it; there are as many choices as groups.
type form struct {
	pattern *regexp.Regexp
	rules   string // a pattern for the ids that it is for; "" for all
	choices []func(a *archive, f lint.Finding, text string)
}

func newForm(pattern, rules string, choices ...func(a *archive, f lint.Finding, text string)) form {
	return form{regexp.MustCompile(pattern), "^(?:" + rules + ")$", choices}
}

// forms are all of them. The first that matches a message counts.
var forms = []form{
	newForm(`write (name: \S+), and call the folder so too$`, ".*", writeNameAndFolder),
	newForm(`write (name: \S+), as the folder is called$`, ".*", writeLine),
	newForm(`: rename the folder to (\S+), or write (name: \S+)$`, ".*", renameFolder, writeLine),
	newForm(`: write (behind \d+ spaces? .*|without indentation .*)$`, ".*", writeIndented),
	newForm(`or write (internal: "\w+")(?: to publish it)?$`, ".*", writeLine),
	newForm(`: write one string, (\S+: ".*")$`, ".*", writeLine),
	newForm(`: write ((?:"[^"]*"|[\w -]+):(?: .*)?|- .*)$`, "frontmatter-unparsable|comment-in-value|metadata-value-type|malformed-(?:name|allowed-tools)|unportable-yaml|reference-frontmatter|missing-.*", writeLine),
	newForm(`: write the key as (\S+)$`, ".*", writeKey),
	newForm(`: is (\S+) meant\?$`, ".*", writeKey),
	newForm(`: write (".*"), the string that the format wants, or (true), for which`, ".*", writeToken, writeToken),
	newForm(`: write (".*"), or (true|false) where a boolean is meant$`, ".*", writeToken, writeToken),
	newForm(`: write ("[^"]*"|true|false|[>|]\d?-)$`, "ambiguous-scalar|frontmatter-key-type|block-scalar-last", writeToken),
	newForm(`: write the value in quotes, (".*")$`, ".*", writeToken),
	newForm(`: write (?:exactly )?(---)(?: |$)`, ".*", writeFence),
	newForm(`: write (spaces)$`, "unportable-yaml", writeSpaces),
	newForm(`: write (".*"), or best (".*")$`, "path-.*", renamePath, renamePath),
	newForm(`: write (".*")$`, "path-.*", renamePath),
	newForm(`only a file named exactly (SKILL.md) does; rename it$`, ".*", renamePath),
	newForm(`: write (".*")(?: \(\d+ links\))?$`, "broken-link", writeTarget),
	newForm(`: write (".*")$`, "executable-bit", writeCommand),
	newForm(`save it with (LF), or add the line (".*") to`, ".*", writeLF, addAttributes),
	newForm(`: (?:rename it, or )?write ("[^"]+")$`, "uri-spelling", writeURI),
	newForm(`[;:] write (".*")$`, "uri-authority", writeAuthority),
	newForm(`: write (sha256:[0-9a-f]+)$`, ".*", writeDigest),
	newForm(`; write (\d+) without quotes$`, ".*", writeSize),
}

// inWords are proposals that only the author can follow: they ask for a text, a
// file or a value that no program knows.
var inWords = regexp.MustCompile(`: (` + strings.Join([]string{
	`write the (?:fields out|value out.*|text in quotes, without the tag|skill's .*|license's name, or that of its file|tools in one string.*|path it resolves to)`,
	`write its (?:keys|items) .*`, `write (?:name: NAME|description: and what|what the skill) .*`, `write them out`,
	`write it (?:as one sentence in quotes|on one line, .*|as one paragraph, .*)`, `write a (?:word as the key|relative one .*|literal % as %25)`,
	`write --- on a line of its own behind the last field`, `write skill://\S+`, `write one, move the folder .*`, `write its SKILL\.md, .*`,
	`write the instructions .*`, `name the directory that holds the skills, or write the first`, `rename one of the two`,
	`some hosts show only one of the two; rename one`,
}, "|") + `)$`)

// proposalsOf takes out of a message what it proposes.
func proposalsOf(t *testing.T, f lint.Finding) []proposal {
	if inWords.MatchString(f.Message) {
		return nil
	}
	for _, form := range forms {
		m := form.pattern.FindStringSubmatch(f.Message)
		if m == nil || !regexp.MustCompile(form.rules).MatchString(f.Rule) {
			continue
		}
		var all []proposal
		for i, do := range form.choices {
			all = append(all, proposal{form.pattern.String(), m[i+1], do})
		}
		return all
	}
	if strings.Contains(f.Message, "write ") || strings.Contains(f.Message, "rename ") || strings.HasSuffix(f.Message, "?") {
		t.Errorf("a proposal in a form that the test does not know: %s", line(f))
	}
	return nil
}

// at returns the lines of the finding's file and the index of the finding's line.
func at(a *archive, f lint.Finding) (lines []string, i int) {
	text, err := os.ReadFile(f.Path)
	a.must(err)
	return strings.Split(string(text), "\n"), f.Line - 1
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// writeLine puts a line, with the indentation of the one that is there, in place
// of the field at the finding and the lines of its value; into a listing, its
// value in place of the field's. A field that is missing comes first.
func writeLine(a *archive, f lint.Finding, text string) {
	if f.URI != "" {
		writeField(a, f, text)
		return
	}
	lines, i := at(a, f)
	if strings.HasPrefix(f.Message, "there is no ") {
		writeLines(a, f, slices.Insert(lines, i+1, text))
		return
	}
	indent := indentOf(lines[i])
	end := i + 1
	for end < len(lines) && lines[end] != "---" && len(indentOf(lines[end])) > len(indent) {
		end++
	}
	writeLines(a, f, slices.Replace(lines, i, end, indent+text))
}

func writeLines(a *archive, f lint.Finding, lines []string) {
	a.write(f.Path, []byte(strings.Join(lines, "\n")))
}

// writeIndented puts a line in place of another, with an indentation of its own.
func writeIndented(a *archive, f lint.Finding, text string) {
	lines, i := at(a, f)
	text, without := strings.CutPrefix(text, "without indentation ")
	if m := regexp.MustCompile(`^behind (\d+) spaces? (.*)$`).FindStringSubmatch(text); !without && m != nil {
		n, err := strconv.Atoi(m[1])
		a.must(err)
		text = strings.Repeat(" ", n) + m[2]
	}
	lines[i] = text
	writeLines(a, f, lines)
}

func writeFence(a *archive, f lint.Finding, text string) {
	lines, i := at(a, f)
	lines[i] = text
	writeLines(a, f, lines)
}

// replaceAt replaces what a pattern matches at the finding's column.
func replaceAt(a *archive, f lint.Finding, pattern, text string) {
	lines, i := at(a, f)
	r := []rune(lines[i])
	head, tail := string(r[:f.Column-1]), string(r[f.Column-1:])
	m := regexp.MustCompile(`^(?:` + pattern + `)`).FindString(tail)
	if m == "" {
		a.Fatalf("nothing at the place of %s", line(f))
	}
	lines[i] = head + text + tail[len(m):]
	writeLines(a, f, lines)
}

// writeToken puts a scalar in place of another.
func writeToken(a *archive, f lint.Finding, text string) {
	pattern := `[^,\]} ]+`
	if strings.HasPrefix(f.Message, "the key ") {
		pattern = `[^:]+`
	}
	replaceAt(a, f, pattern, text)
}

func writeKey(a *archive, f lint.Finding, text string) { replaceAt(a, f, `[^:]+`, text) }

func writeSpaces(a *archive, f lint.Finding, _ string) { replaceAt(a, f, `\t+`, " ") }

func unquoteText(a *archive, text string) string {
	s, err := strconv.Unquote(text)
	a.must(err)
	return s
}

// renamePath gives the finding's file or folder another name.
func renamePath(a *archive, f lint.Finding, text string) {
	if strings.HasPrefix(text, `"`) {
		text = unquoteText(a, text)
	}
	from := unquoteText(a, `"`+strings.ReplaceAll(f.Path, `"`, `\"`)+`"`)
	a.must(os.Rename(from, path.Join(path.Dir(from), text)))
}

// renameFolder gives the skill's folder another name, on disk or in its URI.
func renameFolder(a *archive, f lint.Finding, text string) {
	if f.URI != "" {
		replaceJSON(a, "/"+path.Base(path.Dir(f.URI))+"/", "/"+text+"/")
		return
	}
	a.must(os.Rename(path.Dir(f.Path), path.Join(path.Dir(path.Dir(f.Path)), text)))
}

func writeNameAndFolder(a *archive, f lint.Finding, text string) {
	writeLine(a, f, text)
	renameFolder(a, f, strings.TrimPrefix(text, "name: "))
}

// quotedIn returns the first text in quotes of a message.
func quotedIn(a *archive, f lint.Finding) string {
	i := strings.IndexByte(f.Message, '"')
	if i < 0 {
		a.Fatalf("nothing in quotes: %s", line(f))
	}
	quoted, err := strconv.QuotedPrefix(f.Message[i:])
	a.must(err)
	return unquoteText(a, quoted)
}

func writeTarget(a *archive, f lint.Finding, text string) {
	was := quotedIn(a, f)
	a.edit(f.Path, func(s string) string { return strings.ReplaceAll(s, was, unquoteText(a, text)) })
}

func writeCommand(a *archive, f lint.Finding, text string) {
	replaceAt(a, f, `"?(?:\./|\$\{\w+\}/)?`+regexp.QuoteMeta(quotedIn(a, f))+`"?`, unquoteText(a, text))
}

func writeLF(a *archive, f lint.Finding, _ string) {
	a.edit(f.Path, func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") })
}

func addAttributes(a *archive, f lint.Finding, text string) {
	a.write("bad/.gitattributes", []byte(unquoteText(a, text)+"\n"))
}

// replaceJSON replaces text in the listing of the bad side.
func replaceJSON(a *archive, was, text string) {
	i := slices.IndexFunc(a.content.Files, func(f txtar.File) bool { return f.Name == "bad.json" })
	s := expand(string(a.content.Files[i].Data))
	if !strings.Contains(s, was) {
		a.Fatalf("the listing has no %q", was)
	}
	a.content.Files[i].Data = []byte(strings.ReplaceAll(s, was, text))
}

// writeURI puts a URI in place of another; that of a skill is also the start of
// its files'.
func writeURI(a *archive, f lint.Finding, text string) {
	was := quotedIn(a, f)
	if root, isSkill := strings.CutSuffix(was, manifest.SkillFile); isSkill && strings.HasPrefix(f.Message, "URI ") {
		replaceJSON(a, root, strings.TrimSuffix(unquoteText(a, text), manifest.SkillFile))
		return
	}
	replaceJSON(a, `"`+was+`"`, text)
}

func writeDigest(a *archive, f lint.Finding, text string) {
	was := regexp.MustCompile(`is "(\S+)": write`).FindStringSubmatch(f.Message)
	replaceJSON(a, was[1], text)
}

func writeSize(a *archive, _ lint.Finding, text string) { replaceJSON(a, `"`+text+`"`, text) }

func writeAuthority(a *archive, f lint.Finding, text string) {
	was := quotedIn(a, f)
	if f.URI == "" {
		a.options.Prefix = strings.Replace(a.options.Prefix, was, unquoteText(a, text), 1)
		return
	}
	replaceJSON(a, "://"+was+"/", "://"+unquoteText(a, text)+"/")
}

// writeField sets a field of an entry's frontmatter in the listing.
func writeField(a *archive, f lint.Finding, text string) {
	i := slices.IndexFunc(a.content.Files, func(f txtar.File) bool { return f.Name == "bad.json" })
	var listing map[string]any
	a.must(json.Unmarshal([]byte(expand(string(a.content.Files[i].Data))), &listing))
	entries, ok := listing["skills"].([]any)
	if !ok {
		entries = []any{listing}
	}
	key, value, _ := strings.Cut(text, ": ")
	if strings.HasPrefix(value, `"`) {
		value = unquoteText(a, value)
	}
	for _, e := range entries {
		entry := e.(map[string]any)
		fields, ok := entry["frontmatter"].(map[string]any)
		if !ok || entry["uri"] != f.URI {
			continue
		}
		if f.Rule == "metadata-value-type" {
			fields = fields["metadata"].(map[string]any)
		}
		fields[key] = value
	}
	data, err := json.Marshal(listing)
	a.must(err)
	a.content.Files[i].Data = data
}
