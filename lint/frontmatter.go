package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// Limits of the Agent Skills format, in characters (code points).
const (
	maxDescription   = 1024
	maxCompatibility = 500
)

// reservedPrefix starts the metadata keys that only MCP extensions define
// (spec: Frontmatter).
const reservedPrefix = "io.modelcontextprotocol/"

// specFields are the fields that the Agent Skills specification defines.
var specFields = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

// clientFields are fields that a known client documents for a SKILL.md: Claude
// Code all of them, VS Code, Copilot and Cursor some.
var clientFields = []string{
	"when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable",
	"disallowed-tools", "model", "effort", "context", "agent", "hooks", "paths", "shell",
}

var knownFields = slices.Concat(specFields, clientFields)

// top is where a finding about something absent from the frontmatter stands:
// the opening fence.
var top = manifest.Pos{Line: 1, Column: 1}

// valuePos returns where a field's value stands, or its key where there is no
// one token that is the value.
func valuePos(m manifest.Member) manifest.Pos {
	switch {
	case m.Value.Kind == manifest.Null, m.Value.Kind == manifest.Array, m.Value.Kind == manifest.Object, m.Value.Pos.Line == 0:
		return m.KeyPos
	}
	return m.Value.Pos
}

// checkFields judges every field but the name: the description, then the others
// in the author's order.
func (e *entry) checkFields() {
	e.checkDescription()
	for _, m := range e.skill.Frontmatter {
		switch m.Key {
		case "name", "description":
		case "license":
			if m.Value.Kind != manifest.String {
				e.report(valuePos(m), "malformed-license", "license is %s: write the license's name, or that of its file", notA("string", m.Value))
			}
		case "compatibility":
			e.checkCompatibility(m)
		case "metadata":
			e.checkMetadata(m)
		case "allowed-tools":
			e.checkAllowedTools(m)
		default:
			e.checkUnknown(m)
		}
	}
}

func (e *entry) checkDescription() {
	m, ok := e.skill.Frontmatter.Get("description")
	v := m.Value
	switch {
	case !ok:
		if m, ok := disguised(e.skill.Frontmatter, "description"); ok {
			e.report(m.KeyPos, "missing-description", "%s", disguiseMessage(m))
			return
		}
		e.report(top, "missing-description", "there is no description: write description: and what the skill does and when to use it")
	case v.Kind == manifest.Null, v.Kind == manifest.String && strings.TrimSpace(v.Text) == "":
		e.report(valuePos(m), "missing-description", "the description is empty: write what the skill does and when to use it")
	case v.Kind != manifest.String:
		e.report(valuePos(m), "malformed-description", "the description is %s, not a string: put it in quotes", describe(v))
	default:
		if long := tooLong(v.Text, maxDescription); long != "" {
			e.report(valuePos(m), "malformed-description", "the description %s: shorten it, and move details into the text below", long)
		} else if units := utf16Len(v.Text); units > maxDescription {
			e.report(valuePos(m), "description-length", "the description is %s long as JavaScript counts (UTF-16), %s over the limit of %s that some hosts apply so: shorten it", message.Counted(units, "unit"), message.Number(units-maxDescription), message.Number(maxDescription))
		}
		if lines := strings.Count(strings.TrimSpace(v.Text), "\n"); lines > 0 {
			e.report(valuePos(m), "multi-line-description", "the description has %d lines, and hosts show one: write it as one paragraph, after >- if it needs several lines", lines+1)
		}
	}
}

func (e *entry) checkCompatibility(m manifest.Member) {
	v := m.Value
	switch {
	case v.Kind == manifest.Null, v.Kind == manifest.String && strings.TrimSpace(v.Text) == "":
		e.report(valuePos(m), "malformed-compatibility", "compatibility is empty: write what the skill needs, or remove the field")
	case v.Kind == manifest.Array && allStrings(v.Items):
		e.report(valuePos(m), "malformed-compatibility", "compatibility is a list: write one string, %s", oneLine("compatibility", v.Items, ", "))
	case v.Kind != manifest.String:
		e.report(valuePos(m), "malformed-compatibility", "compatibility is %s, not a string: write it as one sentence in quotes", describe(v))
	default:
		if long := tooLong(v.Text, maxCompatibility); long != "" {
			e.report(valuePos(m), "malformed-compatibility", "compatibility %s: shorten it, and move details into the text below", long)
		}
	}
}

func (e *entry) checkMetadata(m manifest.Member) {
	if m.Value.Kind != manifest.Object {
		why := ""
		if i := strings.IndexFunc(m.Value.Text, lookalike.IsColon); m.Value.Kind == manifest.String && i >= 0 {
			r, _ := utf8.DecodeRuneInString(m.Value.Text[i:])
			why = ", since " + lookalike.Name(r) + " ends no key"
		}
		e.report(valuePos(m), "malformed-metadata", "metadata is %s%s: write its keys below it, indented, each with a string", notA("mapping", m.Value), why)
		return
	}
	for _, f := range m.Value.Members {
		if strings.HasPrefix(f.Key, reservedPrefix) {
			e.report(f.KeyPos, "reserved-metadata-key", "the metadata key %s is reserved: keys under %s belong to MCP extensions, which define none; use a prefix of your own", message.Quote(f.Key), reservedPrefix)
		}
		switch {
		case f.Key == "internal" && f.Value.Kind == manifest.Bool:
			e.report(valuePos(f), "metadata-value-type", "%s", internalMessage(f.Value.Text))
		case f.Value.Kind != manifest.String:
			e.report(valuePos(f), "metadata-value-type", "the metadata value %s is %s, not a string: %s", message.Quote(f.Key), describe(f.Value), stringForm(f))
		}
	}
}

// internalMessage says of the boolean in metadata.internal who reads it as what.
// The author decides between the two: the string publishes a hidden skill.
func internalMessage(value string) string {
	if value == "true" {
		return `metadata.internal is the boolean true: npx skills hides the skill, and the official TypeScript SDK skips it, since the format wants a string: keep it to hide the skill, or write internal: "true" to publish it`
	}
	return `metadata.internal is the boolean false: npx skills shows the skill, and the official TypeScript SDK skips it, since the format wants a string: remove the key, or write internal: "false"`
}

// stringForm says how to write a metadata value as the string it must be.
func stringForm(f manifest.Member) string {
	key := yamlText(message.Cut(f.Key, 40))
	switch v := f.Value; {
	case v.Kind == manifest.Null:
		return "give it a value in quotes, or remove the key"
	case v.Kind == manifest.Array && allStrings(v.Items):
		return "write " + oneLine(key, v.Items, ", ")
	case v.Kind == manifest.Array:
		return "write its items as one string in quotes"
	case v.Kind == manifest.Object:
		return fmt.Sprintf("write its keys as keys of metadata, such as %s-%s, each with a string", key, firstKey(v))
	default:
		return fmt.Sprintf("write %s: %s", key, message.Quote(cmp.Or(v.Source, v.Text)))
	}
}

func firstKey(v manifest.Value) string {
	if len(v.Members) == 0 {
		return "name"
	}
	return message.Plain(plainKey(message.Cut(v.Members[0].Key, 40)))
}

// checkAllowedTools looks for the two other ways in which tools are listed: a
// YAML list, and a string with commas.
func (e *entry) checkAllowedTools(m manifest.Member) {
	v := m.Value
	switch {
	case v.Kind == manifest.Array && allStrings(v.Items) && slices.ContainsFunc(v.Items, splits):
		i := slices.IndexFunc(v.Items, splits)
		e.report(valuePos(m), "malformed-allowed-tools", "allowed-tools is a list, and %s in it has a space outside of parentheses, which the string that hosts expect cannot hold: write a name without spaces, as the host knows the tool by, or remove the field", message.Quote(v.Items[i].Text))
	case v.Kind == manifest.Array && allStrings(v.Items):
		e.report(valuePos(m), "malformed-allowed-tools", "allowed-tools is a list: write one string, %s", oneLine("allowed-tools", v.Items, " "))
	case v.Kind == manifest.Null:
		e.report(valuePos(m), "malformed-allowed-tools", "allowed-tools is empty: write the tools in one string, or remove the field")
	case v.Kind != manifest.String:
		e.report(valuePos(m), "malformed-allowed-tools", "allowed-tools is %s, not a string: write the tools in one string, with spaces between them", describe(v))
	default:
		if spaced, ok := withoutCommas(v.Text); !ok {
			what := "commas"
			if i := strings.IndexFunc(v.Text, isOddComma); i >= 0 {
				r, _ := utf8.DecodeRuneInString(v.Text[i:])
				what = lookalike.Name(r)
			}
			e.report(valuePos(m), "malformed-allowed-tools", "allowed-tools has %s between the tools, which become part of their names: write allowed-tools: %s", what, yamlText(spaced))
		}
	}
}

// splits reports whether a tool of a list would be read as several in a string:
// it has a space that is not part of a pattern in parentheses.
func splits(tool manifest.Value) bool {
	depth := 0
	for _, r := range strings.TrimSpace(tool.Text) {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case unicode.IsSpace(r) && depth == 0:
			return true
		}
	}
	return false
}

// withoutCommas replaces the commas between tools by spaces and reports whether
// there were none. Commas inside parentheses belong to a tool's pattern.
func withoutCommas(tools string) (string, bool) {
	var b strings.Builder
	depth, ok := 0, true
	for _, r := range tools {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case (r == ',' || isOddComma(r)) && depth == 0:
			r, ok = ' ', false
		}
		b.WriteRune(r)
	}
	if ok {
		return tools, true
	}
	return strings.Join(strings.Fields(b.String()), " "), false
}

// isOddComma reports whether a character is a comma of another script or width.
func isOddComma(r rune) bool {
	looks, ok := lookalike.ASCII(r)
	return ok && looks == ","
}

func (e *entry) checkUnknown(m manifest.Member) {
	if slices.Contains(clientFields, m.Key) || e.checkLookalike(m) {
		return
	}
	why := ""
	if char := lookalike.First(m.Key); char != 0 {
		why = ", and has " + lookalike.Name(char) + " in its name"
	}
	if len(m.Key) <= maxName {
		if near, ok := Closest(m.Key, knownFields); ok {
			e.report(m.KeyPos, "unknown-field", "the field %s is unknown%s: is %s meant?", message.Quote(m.Key), why, near)
			return
		}
	}
	e.report(m.KeyPos, "unknown-field", "the field %s is defined neither by the Agent Skills specification nor by a known client%s: hosts ignore it; data of your own goes below metadata", message.Quote(m.Key), why)
}

// notA describes a field's value of the wrong type.
func notA(kind string, v manifest.Value) string {
	if v.Kind == manifest.Null {
		return "empty"
	}
	return describe(v) + ", not a " + kind
}

func allStrings(items []manifest.Value) bool {
	return len(items) > 0 && !slices.ContainsFunc(items, func(v manifest.Value) bool { return v.Kind != manifest.String })
}

// oneLine writes a list of strings as the one string to write instead.
func oneLine(key string, items []manifest.Value, separator string) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(separator)
		}
		if b.WriteString(item.Text); b.Len() > 4*message.Longest {
			break
		}
	}
	return fmt.Sprintf("%s: %s", key, message.Quote(b.String()))
}

// utf16Len returns the length of a text in UTF-16 code units.
func utf16Len(s string) int {
	if len(s) <= maxDescription {
		return len(s) // a code unit takes a byte at least
	}
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// tooLong says by how much a text exceeds a number of code points, or "".
func tooLong(s string, most int) string {
	if len(s) <= most {
		return ""
	}
	n := utf8.RuneCountInString(s)
	if n <= most {
		return ""
	}
	return fmt.Sprintf("has %s, %s over the limit of %s", message.Counted(n, "character"), message.Number(n-most), message.Number(most))
}
