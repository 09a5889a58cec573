package frontmatter

import (
	"bytes"
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

// Limits of a frontmatter block.
const (
	MaxBlock  = 64 << 10 // bytes of YAML text
	MaxLevels = 32       // mappings and lists inside one another
)

const (
	fence = "---"
	bom   = "\uFEFF"
)

// Parse takes a SKILL.md apart and reads its frontmatter. Every
// fault is a [Problem] of the document, in the order of the file; text that is
// no SKILL.md at all has one as well. Values are those a YAML 1.2 reader with
// the core schema gets, and they are read on past any fault that leaves their
// meaning clear. It never fails and never panics, and its time is bounded by
// the length of the text.
func Parse(text []byte) Document {
	var problems []Problem
	report := func(rule string, pos manifest.Pos, format string, args ...any) {
		problems = append(problems, Problem{rule, pos, oneLine(fmt.Sprintf(format, args...))})
	}
	if message, ok := wideEncoding(text); ok {
		report("frontmatter-encoding", manifest.Pos{Line: 1, Column: 1}, "%s", message)
		return Document{Body: text, BodyLine: 1, Problems: problems}
	}
	rest, hadBOM := bytes.CutPrefix(text, []byte(bom))
	if hadBOM {
		report("byte-order-mark", manifest.Pos{Line: 1, Column: 1}, "the file starts with a byte-order mark (U+FEFF), and some readers then see no frontmatter: save it as UTF-8 without BOM")
	}
	if !utf8.Valid(rest) {
		pos, message := invalidUTF8(rest)
		report("frontmatter-encoding", pos, "%s", message)
	}
	doc := split(rest, report)
	if len(doc.Block) > MaxBlock {
		report("frontmatter-too-complex", manifest.Pos{Line: 2, Column: 1}, "the frontmatter is %d bytes long, and at most %d are read: move text into the body", len(doc.Block), MaxBlock)
	} else if doc.closed {
		readBlock(&doc.Document, report)
	} else if doc.Block != nil {
		// What stands before a near miss of the closing fence is worth reading
		// only when it is plainly a frontmatter.
		guess := doc.Document
		sound := true
		readBlock(&guess, func(string, manifest.Pos, string, ...any) { sound = false })
		if sound {
			doc.Frontmatter = guess.Frontmatter
		}
		doc.Block = nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
	doc.Problems = problems
	return doc.Document
}

// reporter takes the problems of a document as they are found.
type reporter func(rule string, pos manifest.Pos, format string, args ...any)

// fenced is a document cut at its fences. Without a closing fence, its block
// reaches to a line that its author may have meant as one, or is nil.
type fenced struct {
	Document
	closed bool
}

// split cuts a file at its fences and reports what is wrong with them.
func split(text []byte, report reporter) fenced {
	first, rest := cutLine(text)
	switch line := string(first); {
	case line == fence:
	case strings.TrimRight(line, " \t") == fence:
		report("frontmatter-fence", manifest.Pos{Line: 1, Column: len(fence) + 1}, "the opening fence has spaces behind it, and some readers then see no frontmatter: write --- and nothing else")
	default:
		if strings.HasPrefix(line, fence+"\r") {
			report("frontmatter-encoding", manifest.Pos{Line: 1, Column: len(fence) + 1}, "the lines end in a lone CR, which most readers take for no line end: save the file with LF line ends")
		} else {
			report("frontmatter-absent", manifest.Pos{Line: 1, Column: 1}, "%s", absence(text, line))
		}
		return fenced{Document: Document{Body: text, BodyLine: 1}}
	}
	start := rest
	var miss []byte
	var missLine int
	for number := 2; len(rest) > 0; number++ {
		at := len(start) - len(rest)
		var line []byte
		line, rest = cutLine(rest)
		if s := string(bytes.TrimRight(line, " \t")); s == fence {
			if len(s) < len(line) {
				report("frontmatter-fence", manifest.Pos{Line: number, Column: len(fence) + 1}, "the closing fence has spaces behind it, and some readers do not see it: write --- and nothing else")
			}
			return fenced{Document{Block: start[:at:at], Body: rest, BodyLine: number + 1}, true}
		}
		if miss == nil && nearFence(string(line)) {
			miss, missLine = start[:at:at], number
		}
	}
	doc := fenced{Document: Document{Block: miss, Body: start, BodyLine: 2}}
	if miss == nil {
		report("frontmatter-unclosed", manifest.Pos{Line: 1, Column: 1}, "no line closes the frontmatter that opens here: write --- on a line of its own behind the last field")
		return doc
	}
	line, _ := cutLine(start[len(miss):])
	found := trimmed(string(line))
	column := utf8.RuneCount(line[:bytes.Index(line, []byte(found))]) + 1
	what := nearMiss(string(line), "an indented ---")
	report("frontmatter-unclosed", manifest.Pos{Line: missLine, Column: column}, "no line closes the frontmatter, and %s does not: write exactly --- from the first column on", what)
	return doc
}

// cutLine returns the first line of text without its end, and what follows it.
func cutLine(text []byte) (line, rest []byte) {
	line, rest, ok := bytes.Cut(text, []byte{'\n'})
	if ok {
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	return line, rest
}

// nearFence reports whether a line may have been meant as a closing fence.
func nearFence(line string) bool {
	s := trimmed(line)
	if s == "..." || s == "+++" {
		return true
	}
	// Dashes of any number and kind: editors turn --- into an em dash.
	return s != "" && s != "-" && strings.TrimFunc(s, func(r rune) bool { return r == '-' || lookalike.IsDash(r) }) == ""
}

// trimmed returns a line without the spaces around it, and without what only
// looks like some.
func trimmed(line string) string {
	return strings.TrimFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || lookalike.IsSpace(r) || lookalike.IsInvisible(r)
	})
}

// nearMiss says what a line is that was meant as a fence, and names the character
// that keeps it from being one.
func nearMiss(line, indented string) string {
	s := trimmed(line)
	before, after, _ := strings.Cut(line, s)
	oddBefore, oddAfter := lookalike.First(before), lookalike.First(after)
	switch {
	case s != fence && lookalike.First(s) != 0:
		return message.Quote(s) + " (" + lookalike.Name(lookalike.First(s)) + ")"
	case s != fence:
		return message.Quote(s)
	case oddBefore != 0:
		return "--- with " + lookalike.Name(oddBefore) + " before it"
	case before != "":
		return indented
	case oddAfter != 0:
		return "--- with " + lookalike.Name(oddAfter) + " behind it"
	}
	return "--- with other characters behind it"
}

// absence says why a file's first line opens no frontmatter.
func absence(text []byte, line string) string {
	const want = "the first line of a SKILL.md is exactly ---"
	if len(text) == 0 {
		return "the file is empty: " + want + ", with name and description below it"
	}
	s := trimmed(line)
	switch {
	case s == "":
		next := text
		for number := 1; len(next) > 0; number++ {
			var l []byte
			if l, next = cutLine(next); trimmed(string(l)) != "" {
				if trimmed(string(l)) == fence {
					return fmt.Sprintf("the file starts with a blank line, and the frontmatter on line %d is not seen: remove what stands before it", number)
				}
				break
			}
		}
		return "the file starts with a blank line: " + want
	case s == fence && (line[0] == ' ' || line[0] == '\t') && lookalike.First(line) == 0:
		return "the opening --- is indented: write it from the first column on"
	case s == fence:
		return "the first line is " + nearMiss(line, "an indented ---") + ": write --- and nothing else"
	case s == "+++":
		return "the frontmatter is TOML (+++): write it as YAML between two lines ---"
	case nearFence(line):
		return fmt.Sprintf("the first line is %s: write exactly ---", nearMiss(line, "an indented ---"))
	case strings.HasPrefix(s, fence):
		return fmt.Sprintf("text stands behind the opening --- (%s): write --- and nothing else, and the fields from line 2 on", message.Quote(s))
	}
	for number, rest := 1, text; len(rest) > 0 && number < 50; number++ {
		var l []byte
		if l, rest = cutLine(rest); string(bytes.TrimRight(l, " \t")) != fence {
			continue
		}
		if field, _ := cutLine(rest); bytes.Contains(field, []byte(":")) {
			return fmt.Sprintf("text stands before the --- on line %d, and the frontmatter is not seen: %s", number, want)
		}
	}
	return fmt.Sprintf("the file starts with %s and has no frontmatter: %s", message.Quote(s), want)
}
