package bundle

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skillpack/skillpack/internal/casefold"
	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
)

// The longest names that every file system a skill may be stored on can hold.
const (
	longestName = 255  // bytes
	longestPath = 1024 // bytes, the prefix included
)

// portableNames are the characters that every SDK leaves as they are in a URI.
const portableNames = "A-Z a-z 0-9 . _ ~ -"

// checkPrefix returns an error for a prefix that cannot start a skill path.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	for segment := range strings.SplitSeq(prefix, "/") {
		switch {
		case segment == "":
			return fmt.Errorf("the prefix %s has an empty segment: it neither starts nor ends with /, nor holds //, as in acme/billing", message.Quote(prefix))
		case segment == "." || segment == "..":
			return fmt.Errorf("the prefix %s has the segment %q: write the path it means, as in acme/billing", message.Quote(prefix), segment)
		case !portable(segment):
			return fmt.Errorf("the prefix %s is part of every URI, and %s has a character that is none of %s%s", message.Quote(prefix), message.Quote(segment), portableNames, instead(suggestName(segment, nil)))
		case reserved(segment) != "":
			return fmt.Errorf("the prefix %s has the segment %q, %s%s", message.Quote(prefix), segment, reserved(segment), instead(suggestName(segment, nil)))
		case len(segment) > longestName:
			return fmt.Errorf("the prefix %s has a segment of %d bytes: at most %d fit into a file name", message.Quote(prefix), len(segment), longestName)
		}
	}
	return nil
}

// nameFault returns the rule that a file's or folder's name breaks and what to
// say of it, or two empty strings. A name has one fault: the worst. Taken
// reports whether a name is one of its siblings'.
func nameFault(name string, taken func(string) bool) (rule, text string) {
	if portable(name) && name[len(name)-1] != '.' {
		if why := reserved(name); why != "" {
			return "path-reserved", fmt.Sprintf("the name %q is %s%s", name, why, instead(suggestName(name, taken)))
		}
		return "", ""
	}
	better := suggestName(name, taken)
	suggestion := instead(better)
	if bad := unreadable(name); bad != "" {
		return "path-encoding", fmt.Sprintf("the name %s %s%s", message.Quote(name), bad, suggestion)
	}
	if why := reserved(name); why != "" {
		return "path-reserved", fmt.Sprintf("the name %s is %s%s", message.Quote(name), why, suggestion)
	}
	if !norm.NFC.IsNormalString(name) {
		composed := fmt.Sprintf("the name %+q is not in Unicode normal form C: write %+q", name, norm.NFC.String(name))
		if better != "" {
			composed += fmt.Sprintf(", or best %q", better)
		}
		return "path-not-nfc", composed
	}
	r := strings.IndexFunc(name, func(r rune) bool { return !portableRune(r) })
	c, _ := utf8.DecodeRuneInString(name[r:])
	char := fmt.Sprintf("%q", c)
	if lookalike.First(string(c)) != 0 {
		char = lookalike.Name(c)
	}
	return "path-portability", fmt.Sprintf("the name %s has %s, which SDKs spell in different ways in its URI; portable are %s%s", message.Quote(name), char, portableNames, suggestion)
}

// instead says what to write, if there is something to write.
func instead(name string) string {
	if name == "" {
		return ""
	}
	return ": write " + message.Quote(name)
}

// unreadable says why a name has no one reading as text, or "".
func unreadable(name string) string {
	for i, r := range name {
		switch {
		case r == utf8.RuneError && strings.HasPrefix(name[i:], "\uFFFD"):
		case r == utf8.RuneError:
			return "is not valid UTF-8"
		case r < 0x20 || r == 0x7F:
			return fmt.Sprintf("holds the control character %q", r)
		case r == '\\':
			return "holds a backslash, which separates folders on Windows"
		}
	}
	return ""
}

func portableRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '~' || r == '-'
}

func portable(name string) bool {
	for i := range len(name) {
		if !portableRune(rune(name[i])) {
			return false
		}
	}
	return name != ""
}

// devices are the names that Windows keeps for devices, with any extension. The
// superscript digits count as digits there.
var devices = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CONIN$": true, "CONOUT$": true}
	for _, d := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"} {
		m["COM"+d], m["LPT"+d] = true, true
	}
	return m
})

// reserved says why Windows cannot store a name, or "".
func reserved(name string) string {
	if i := strings.IndexAny(name, `<>:"|?*`); i >= 0 {
		return fmt.Sprintf("one Windows cannot store, for its %q", name[i])
	}
	switch name[len(name)-1] {
	case '.':
		return "one Windows cannot store, for the dot at its end"
	case ' ':
		return "one Windows cannot store, for the space at its end"
	}
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.TrimRight(stem, " ")
	if len(stem) <= len("CONOUT$") && devices()[strings.ToUpper(stem)] {
		return "that of a device on Windows"
	}
	return ""
}

// suggestName returns a portable name in place of one that is not, or "" when
// nothing of the name is left or the result is taken. Accents and what is
// invisible are dropped, runs of other characters become one hyphen.
func suggestName(name string, taken func(string) bool) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(name) {
		switch {
		case unicode.Is(unicode.Mn, r), lookalike.IsInvisible(r):
		case !portableRune(r):
			gap = true
		default:
			if last := b.String(); gap && last != "" && r != '.' && r != '-' && !strings.HasSuffix(last, "-") && !strings.HasSuffix(last, ".") {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		}
	}
	out := strings.TrimRight(b.String(), ".")
	if out == "" || strings.Trim(out, ".-_~") == "" {
		return ""
	}
	if stem, ext, _ := strings.Cut(out, "."); devices()[strings.ToUpper(stem)] {
		out = stem + "-file"
		if ext != "" {
			out += "." + ext
		}
	}
	// A name that lost its stem, such as one in another script, is no suggestion.
	if strings.HasPrefix(out, ".") && !strings.HasPrefix(name, ".") || out == name || taken != nil && taken(out) {
		return ""
	}
	return out
}

// foldName returns a name as a file system that ignores letter case and Unicode
// normalisation compares it: names with equal results are one file there.
func foldName(name string) string {
	fold := name
	if !ascii(name) {
		fold = norm.NFC.String(name)
	}
	fold = strings.Map(casefold.Rune, fold)
	if fold == name || ascii(fold) {
		return fold
	}
	// Folding can leave a sequence that composes.
	return norm.NFC.String(fold)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// shownName returns a name so that it can be told from another that looks the
// same.
func shownName(name, other string) string {
	if strings.EqualFold(name, other) && (ascii(name) || norm.NFC.IsNormalString(name) && norm.NFC.IsNormalString(other)) {
		return message.Quote(name)
	}
	return fmt.Sprintf("%+q", name)
}
