package report

import (
	"strings"

	"github.com/skillpack/skillpack/internal/lazyregexp"
	"github.com/skillpack/skillpack/internal/message"
)

// codeSpan shows a text as it is, in Markdown: nothing in a code span is a
// link, a mention, an emphasis or HTML. Long text is cut; the empty text is
// the empty string.
func codeSpan(s string) string {
	s = shortPlain(s)
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// shortPlain cuts a text before it is made plain, which reads all of it, and
// after, since escapes are longer.
func shortPlain(s string) string {
	return message.Cut(message.Plain(message.Cut(s, markdownCell)), markdownCell)
}

var (
	// words splits a message: a quoted text is one word.
	words = lazyregexp.New(`"(?:[^"\\]|\\.)*"|[^\s"]+|"|\s+`)
	// harmless are the words that mean nothing to Markdown, nor to the sites
	// that link user names, issues, commits and addresses.
	harmless = lazyregexp.New(`^(?:\(?(?:\p{L}+(?:['-]\p{L}+)*|[0-9]{1,3}(?:,[0-9]{3})*|[0-9]+\.[0-9])[,.;:)]*|\s+)$`)
)

// proseOf shows a message as prose in Markdown. Whatever in it is no plain word
// or number, a quotation, a path, a name, goes into code spans, since a message
// may quote a server.
func proseOf(s string) string {
	s = shortPlain(s)
	var b strings.Builder
	code := ""
	flush := func() {
		// Punctuation after a quotation belongs to the sentence.
		text := strings.TrimRight(code, " ,;:")
		for strings.HasSuffix(text, ")") && strings.Count(text, "(") < strings.Count(text, ")") {
			text = text[:len(text)-1]
		}
		b.WriteString(codeSpan(text))
		b.WriteString(code[len(text):])
		code = ""
	}
	for _, word := range words().FindAllString(s, -1) {
		blank := strings.TrimSpace(word) == ""
		switch {
		case blank && code != "":
			code += " "
		case blank:
			b.WriteByte(' ')
		case harmless().MatchString(word):
			flush()
			b.WriteString(word)
		default:
			code += word
		}
	}
	flush()
	return b.String()
}
