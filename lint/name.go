package lint

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// maxName is how many characters a name may have.
const maxName = 64

// checkName judges the name and whether it is that of the skill's folder. A
// malformed name is one finding, whatever the folder: what its message says to
// write fixes both.
func (e *entry) checkName() {
	m, ok := e.skill.Frontmatter.Get("name")
	switch {
	case !ok:
		if m, ok := disguised(e.skill.Frontmatter, "name"); ok {
			e.report(m.KeyPos, "missing-name", "%s", disguiseMessage(m))
			return
		}
		e.report(top, "missing-name", "there is no name: write %s", e.nameLine())
		return
	case m.Value.Kind == manifest.Null, m.Value.Kind == manifest.String && m.Value.Text == "":
		e.report(valuePos(m), "missing-name", "the name is empty: write %s", e.nameLine())
		return
	case m.Value.Kind != manifest.String:
		e.report(valuePos(m), "malformed-name", "the name is %s, not a string: write %s", describe(m.Value), e.nameLine())
		return
	}
	name := m.Value.Text
	root, _ := e.skill.URI.Root()
	folder := root.Name()
	if fault := nameFault(name); fault != "" {
		e.report(valuePos(m), "malformed-name", "name %s %s%s", message.Quote(name), fault, renaming(name, folder))
		return
	}
	if folder == "" || folder == name {
		return
	}
	where := "its folder is"
	if !e.built {
		where = "the folder in its URI is"
	}
	if nameFault(folder) != "" {
		e.report(valuePos(m), "name-path-mismatch", "the name is %s but %s %s, which is no valid name: rename the folder to %s", message.Quote(name), where, message.Quote(folder), name)
		return
	}
	e.report(valuePos(m), "name-path-mismatch", "the name is %s but %s %s: rename the folder to %s, or write name: %s", message.Quote(name), where, message.Quote(folder), name, yamlString(folder))
}

// nameLine is the line to write where a name is missing: that of the folder.
func (e *entry) nameLine() string {
	root, _ := e.skill.URI.Root()
	if name := suggestName(root.Name()); name != "" {
		return "name: " + yamlString(name)
	}
	return "name: and that of the skill's folder"
}

// renaming says what to write instead of a malformed name, so that it is also
// that of the folder.
func renaming(name, folder string) string {
	to := suggestName(name)
	switch {
	case folder != "" && nameFault(folder) == "":
		return "; write name: " + yamlString(folder) + ", as the folder is called"
	case to == "":
		return ""
	case folder == "":
		return "; write name: " + yamlString(to)
	default:
		return "; write name: " + yamlString(to) + ", and call the folder so too"
	}
}

// nameFault says what keeps a text from being a name, or "".
func nameFault(name string) string {
	const expected = "a name has only a-z, 0-9 and single hyphens between them"
	for _, r := range name {
		if !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-') {
			switch {
			case isCapital(r):
				return "has capitals; " + expected
			case r == ' ':
				return "has spaces; " + expected
			case lookalike.First(string(r)) != 0:
				return "has " + lookalike.Name(r) + "; " + expected
			default:
				return fmt.Sprintf("has the character %q; %s", r, expected)
			}
		}
	}
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("has %s, %s over the limit of %d", message.Counted(len(name), "character"), message.Number(len(name)-maxName), maxName)
	case strings.HasPrefix(name, "-"):
		return "starts with a hyphen; " + expected
	case strings.HasSuffix(name, "-"):
		return "ends with a hyphen; " + expected
	case strings.Contains(name, "--"):
		return "has two hyphens in a row; " + expected
	}
	return ""
}

// suggestName makes a valid name of a text, or "" where nothing of it is left:
// lower case, accents and what is invisible dropped, hyphens for everything
// between words.
func suggestName(s string) string {
	// A longer text is cut to a name's length anyway.
	s = lookalike.Plain(message.Cut(s, 4*maxName))
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch r = unicode.ToLower(r); {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’', r == '…':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	if len(name) > maxName {
		name = name[:maxName]
		if i := strings.LastIndexByte(name, '-'); i > maxName/2 {
			name = name[:i]
		}
	}
	return strings.Trim(name, "-")
}

// yamlString returns a name as a YAML string. One that some reader takes for a
// number, a date or a boolean needs quotes.
func yamlString(name string) string {
	switch name {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return `"` + name + `"`
	}
	if name != "" && '0' <= name[0] && name[0] <= '9' && strings.Trim(name, "0123456789abcdefxo-") == "" {
		return `"` + name + `"`
	}
	return name
}

// JudgeName says what keeps a text from being a skill's name, or "" when it is
// one, and the nearest name to it, or "" when nothing of it is left.
func JudgeName(name string) (fault, nearest string) {
	if name == "" {
		return "is empty", ""
	}
	return nameFault(name), suggestName(name)
}
