package markdown

import (
	"bytes"
	"strings"
)

// The tags that start an HTML block wherever they start a line.
const blockTags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt" +
	" fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu" +
	" menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "

// startsHTML returns which of the seven kinds of HTML blocks a line starts, by
// the numbers of CommonMark, or 0. The line starts with a "<".
func startsHTML(line []byte) int {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return 2
	case bytes.HasPrefix(line, []byte("<?")):
		return 3
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return 5
	case bytes.HasPrefix(line, []byte("<!")):
		if len(line) > 2 && isLetter(line[2]) {
			return 4
		}
		return 0
	}
	from := 1
	if len(line) > 1 && line[1] == '/' {
		from = 2
	}
	name := strings.ToLower(string(line[from:nameEnd(line, from)]))
	rest := line[from+len(name):]
	ends := len(rest) == 0 || isSpace(rest[0]) || rest[0] == '>'
	switch name {
	case "":
		return 0
	case "script", "pre", "style", "textarea":
		if from == 1 && ends {
			return 1
		}
		return 0
	}
	if (ends || bytes.HasPrefix(rest, []byte("/>"))) && strings.Contains(blockTags, " "+name+" ") {
		return 6
	}
	if end, ok := tagEnd(line, 0); ok && isBlank(line[end:]) {
		return 7
	}
	return 0
}

// endsHTML reports whether a line is the last one of an HTML block of a kind.
func endsHTML(kind int, line []byte) bool {
	switch kind {
	case 1:
		lower := bytes.ToLower(line)
		for _, tag := range []string{"</script>", "</pre>", "</style>", "</textarea>"} {
			if bytes.Contains(lower, []byte(tag)) {
				return true
			}
		}
		return false
	case 2:
		return bytes.Contains(line, []byte("-->"))
	case 3:
		return bytes.Contains(line, []byte("?>"))
	case 4:
		return bytes.IndexByte(line, '>') >= 0
	case 5:
		return bytes.Contains(line, []byte("]]>"))
	}
	return isBlank(line)
}

// nameEnd returns the end of a tag's name that starts at an offset.
func nameEnd(text []byte, at int) int {
	if at == len(text) || !isLetter(text[at]) {
		return at
	}
	for at < len(text) && (isLetter(text[at]) || isDigit(text[at]) || text[at] == '-') {
		at++
	}
	return at
}

// tagEnd returns the end of the opening or closing tag that starts at an offset.
func tagEnd(text []byte, at int) (end int, ok bool) {
	from := at + 1
	closing := from < len(text) && text[from] == '/'
	if closing {
		from++
	}
	at = nameEnd(text, from)
	if at == from {
		return 0, false
	}
	for !closing {
		next, ok := attributeEnd(text, at)
		if !ok {
			break
		}
		at = next
	}
	at = skipSpaces(text, at)
	if at < len(text) && text[at] == '/' && !closing {
		at++
	}
	if at < len(text) && text[at] == '>' {
		return at + 1, true
	}
	return 0, false
}

// attributeEnd returns the end of the attribute that starts, with a space, at an
// offset.
func attributeEnd(text []byte, at int) (end int, ok bool) {
	from := skipSpaces(text, at)
	if from == at || from == len(text) || !isLetter(text[from]) && text[from] != '_' && text[from] != ':' {
		return 0, false
	}
	for at = from; at < len(text) && (isLetter(text[at]) || isDigit(text[at]) || strings.IndexByte("_.:-", text[at]) >= 0); {
		at++
	}
	equals := skipSpaces(text, at)
	if equals == len(text) || text[equals] != '=' {
		return at, true // without a value
	}
	value := skipSpaces(text, equals+1)
	if value == len(text) {
		return at, true
	}
	switch quote := text[value]; quote {
	case '"', '\'':
		if i := bytes.IndexByte(text[value+1:], quote); i >= 0 {
			return value + 1 + i + 1, true
		}
		return at, true
	}
	end = value
	for end < len(text) && text[end] > ' ' && strings.IndexByte("\"'=<>`", text[end]) < 0 {
		end++
	}
	if end == value {
		return at, true
	}
	return end, true
}

// skipHTML returns the end of the tag, comment or link in angle brackets that
// starts at an offset, or of the bracket if it is text.
func (p *inlines) skipHTML(at int) int {
	rest := p.text[at:]
	for _, form := range []struct{ start, end string }{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"},
	} {
		if !bytes.HasPrefix(rest, []byte(form.start)) {
			continue
		}
		from := at + len(form.start)
		switch {
		case form.start == "<!--" && bytes.HasPrefix(p.text[from:], []byte(">")):
			return from + 1
		case form.start == "<!--" && bytes.HasPrefix(p.text[from:], []byte("->")):
			return from + 2
		case form.start == "<!" && (from == len(p.text) || !isLetter(p.text[from])):
			return at + 1
		}
		if !p.none[form.end] {
			if i := bytes.Index(p.text[from:], []byte(form.end)); i >= 0 {
				return from + i + len(form.end)
			}
			if p.none == nil {
				p.none = map[string]bool{}
			}
			p.none[form.end] = true
		}
		return at + 1
	}
	if end, ok := autolinkEnd(p.text, at); ok {
		return end
	}
	if end, ok := tagEnd(p.text, at); ok {
		return end
	}
	return at + 1
}

// autolinkEnd returns the end of the URL or e-mail address in angle brackets that
// starts at an offset.
func autolinkEnd(text []byte, at int) (end int, ok bool) {
	i := at + 1
	for i < len(text) && text[i] > ' ' && text[i] != '<' && text[i] != '>' && text[i] != 0x7F {
		i++
	}
	if i == len(text) || text[i] != '>' {
		return 0, false
	}
	inner := text[at+1 : i]
	return i + 1, isURL(inner) || isAddress(inner)
}

// isURL reports whether a text starts with a scheme of 2 to 32 characters.
func isURL(text []byte) bool {
	scheme, _, ok := bytes.Cut(text, []byte{':'})
	if !ok || len(scheme) < 2 || len(scheme) > 32 || !isLetter(scheme[0]) {
		return false
	}
	for _, c := range scheme {
		if !isLetter(c) && !isDigit(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// isAddress reports whether a text is an e-mail address.
func isAddress(text []byte) bool {
	local, domain, ok := bytes.Cut(text, []byte{'@'})
	if !ok || len(local) == 0 {
		return false
	}
	for _, c := range local {
		if !isLetter(c) && !isDigit(c) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) < 0 {
			return false
		}
	}
	for label := range bytes.SplitSeq(domain, []byte{'.'}) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !isLetter(c) && !isDigit(c) && c != '-' {
				return false
			}
		}
	}
	return true
}
