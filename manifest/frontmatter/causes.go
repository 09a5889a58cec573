package frontmatter

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/lookalike"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// corrections returns what may have been meant, the likeliest first. before is
// what the library says.
func (f *fieldText) corrections(before *yamlError) [][]correction {
	var all [][]correction
	v := f.joined
	if inner, mark, ok := unquoted(v); ok && (f.glued || f.keyed) {
		all = append(all, f.put(quote(inner), lookalike.Name(mark)+" is "+oddity(mark)))
	}
	switch {
	case f.glued:
		reason := "there is no space behind the colon of " + message.Quote(f.key+":")
		all = append(all, f.put(v, reason), f.put(quote(v), reason))
		return all
	case !f.keyed && isEmptyKey(f.value):
		return [][]correction{{{first: f.lo, last: f.hi - 1, rule: "frontmatter-key-type", col: f.indent + 1, message: "a key is empty: write a name before the colon"}}}
	case !f.keyed:
		return nil
	}
	all = append(all, f.keyCauses()...)
	if v == "" {
		return all
	}
	if f.value == "" {
		const reason = "the value stands on a line of its own that is not indented"
		return append(all, f.put(v, reason), f.put(quote(v), reason))
	}
	plain := f.put(quote(v), "not valid YAML ("+before.reason+")")
	switch c := v[0]; {
	case c == '"' || c == '\'':
		all = append(all, f.quotedCauses(c)...)
	case c == '[' || c == '{':
		all = append(all, f.bracketCauses(c)...)
	case c == '|' || c == '>':
		all = append(all, f.blockCauses()...)
	case c == '-' && blankAt(v, 1):
		if list, ok := f.inlineList(); ok && !textField(f.key) {
			all = append(all, f.put(list, "a list cannot start on the line of its key"))
		}
		all = append(all, f.put(quote(v), "a value cannot start with \"- \""))
	case strings.IndexByte("?:", c) >= 0 && blankAt(v, 1), strings.IndexByte("@`%*&!,]}", c) >= 0:
		all = append(all, f.put(quote(v), "an unquoted value cannot start with "+v[:1]))
	case strings.Contains(v, ": ") || strings.Contains(v, ":\t"):
		all = append(all, f.put(quote(v), `": " inside an unquoted value is read as a key`))
	case strings.HasSuffix(v, ":"):
		all = append(all, f.put(quote(v), "a colon at the end of an unquoted value is read as a key"))
	case strings.Contains(v, " #"):
		all = append(all, f.put(quote(v), "a # behind a space starts a comment, and the value cannot go on behind it"))
	case slices.ContainsFunc(f.lines, func(line string) bool { return hasContent(line) && indentation(line) <= f.indent }):
		all = append(all, f.put(quote(v), "the value goes on in a line that is not indented"))
	}
	return append(all, plain)
}

// textField reports whether a key's value is text and never a list.
func textField(key string) bool {
	return key == "name" || key == "description" || key == "license" || key == "compatibility"
}

// keyCauses are the corrections of a key that needs quotes or half has them.
func (f *fieldText) keyCauses() [][]correction {
	if f.key == "" {
		return nil
	}
	key, reason := f.key, "a key cannot start with "+f.key[:1]
	switch c := key[0]; {
	case strings.IndexByte("@`%*&!|>[{,]}", c) >= 0:
		key = quote(key)
	case (c == '"' || c == '\'') && quotedEnd(key, 0) == len(key) && (len(key) == 1 || key[len(key)-1] != c):
		key, reason = strings.TrimSpace(key[1:]), "the quote of the key is not closed"
	default:
		return nil
	}
	head := strings.Replace(f.head, f.key, key, 1) + f.missing
	fix := func(last int, value string) []correction {
		line := head + value
		return []correction{{first: f.lo, last: last, lines: []string{line}, rule: "frontmatter-unparsable", col: f.indent + 1, message: reason + ": write " + sample(line)}}
	}
	return [][]correction{fix(f.lo, f.value), fix(f.hi-1, quote(f.joined))}
}

// quotedCauses are the corrections of a value that starts with a quote.
func (f *fieldText) quotedCauses(q byte) [][]correction {
	v := f.joined
	end := quotedEnd(v, 0)
	closed := end > 1 && v[end-1] == q && (q == '\'' || !escapedAt(v, end-1))
	if !closed {
		reason := "the quote is not closed"
		inner := v[1:]
		return [][]correction{f.put(v+string(q), reason), f.put(quote(inner), reason), f.put(quote(v), reason)}
	}
	var all [][]correction
	if q == '"' {
		all = f.escapeCauses(v[:end])
	}
	rest := strings.TrimLeft(v[end:], " \t")
	if rest == "" || rest[0] == '#' {
		return all
	}
	if isBlank(v[end-2]) || !isBlank(v[end]) {
		inner := strings.TrimSuffix(v[1:], string(q))
		all = append(all, f.put(quote(inner), "a quote inside the value ends it"))
	}
	return append(all, f.put(quote(v), "text follows the closing quote"))
}

// escapedAt reports whether the character at i stands behind an odd number of
// backslashes.
func escapedAt(s string, i int) bool {
	n := 0
	for i--; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// escapeCauses are the corrections of escapes in double quotes: of those that
// other readers know, and of those that none does.
func (f *fieldText) escapeCauses(v string) [][]correction {
	var all [][]correction
	at, name := -1, ""
	var portable strings.Builder
	unknown := ""
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 == len(v) {
			portable.WriteByte(v[i])
			continue
		}
		next := v[i+1]
		switch {
		case next == '/':
			portable.WriteByte('/')
			if at < 0 {
				at, name = i, `\/`
			}
			i++
		case next == 'u':
			if r, ok := surrogates(v[i:]); ok {
				portable.WriteRune(r)
				if at < 0 {
					at, name = i, v[i:i+12]
				}
				i += 11
				continue
			}
			fallthrough
		default:
			if !knownEscape(v[i+1:]) && unknown == "" {
				unknown = v[i : i+1+utf8.RuneLen([]rune(v[i+1:])[0])]
			}
			portable.WriteString(v[i : i+2])
			i++
		}
	}
	if at >= 0 && unknown == "" {
		c := f.put(portable.String(), "the escape "+name+" is refused by some YAML readers")
		c[0].rule = "unportable-yaml"
		if at < len(f.value) {
			c[0].col += utf8.RuneCountInString(v[:at])
		}
		all = append(all, c)
	}
	if unknown != "" {
		inner := strings.TrimSuffix(v[1:], `"`)
		all = append(all, f.put("'"+strings.ReplaceAll(inner, "'", "''")+"'", "the escape "+unknown+" means nothing in double quotes"))
	}
	return all
}

// knownEscape reports whether the text behind a backslash is an escape of YAML.
func knownEscape(s string) bool {
	digits := 0
	switch s[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return strings.IndexByte("0abt\tnvfre \"/\\N_LP'\n", s[0]) >= 0
	}
	if len(s) < 1+digits {
		return false
	}
	n, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	return err == nil && n <= utf8.MaxRune && !utf16.IsSurrogate(rune(n))
}

// surrogates reads the two escapes of one character as JSON writes it.
func surrogates(s string) (rune, bool) {
	if len(s) < 12 || s[6:8] != `\u` {
		return 0, false
	}
	high, err := strconv.ParseUint(s[2:6], 16, 32)
	low, err2 := strconv.ParseUint(s[8:12], 16, 32)
	r := utf16.DecodeRune(rune(high), rune(low))
	return r, err == nil && err2 == nil && r != utf8.RuneError
}

// bracketCauses are the corrections of a value that starts with a bracket.
func (f *fieldText) bracketCauses(c byte) [][]correction {
	v := f.joined
	open, end := bracketEnd(v)
	if end < 0 {
		closers := ""
		for _, b := range slices.Backward(open) {
			closers += string(b + 2) // in ASCII, ] and } are two behind [ and {
		}
		reason := "the bracket " + string(c) + " is not closed"
		return [][]correction{f.put(strings.TrimRight(v, " \t,")+closers, reason), f.put(quote(v), reason)}
	}
	rest := strings.TrimLeft(v[end:], " \t")
	if rest != "" {
		return [][]correction{f.put(quote(v), "text follows the closing bracket, and only text in quotes can start with "+string(c))}
	}
	all := [][]correction{}
	if list, ok := quotedItems(v); ok {
		c := f.put(list, "a ? in an unquoted item of a list in brackets is refused by some YAML readers")
		c[0].rule = "unportable-yaml"
		all = append(all, c)
	}
	return append(all, f.put(quote(v), "only text in quotes can start with "+string(c)))
}

// bracketEnd returns the offset behind the bracket that closes the first one,
// or -1 and the brackets that are open at the end.
func bracketEnd(v string) (open []byte, end int) {
	for i := 0; i < len(v); i++ {
		switch c := v[i]; c {
		case '"', '\'':
			if i > 0 && strings.IndexByte(" \t,[{:", v[i-1]) >= 0 {
				i = quotedEnd(v, i) - 1
			}
		case '[', '{':
			open = append(open, c)
		case ']', '}':
			if open = open[:len(open)-1]; len(open) == 0 {
				return nil, i + 1
			}
		}
	}
	return open, -1
}

// quotedItems puts the items of a flat list that hold a ? in quotes.
func quotedItems(v string) (string, bool) {
	inner := strings.TrimSuffix(strings.TrimPrefix(v, "["), "]")
	if len(inner) != len(v)-2 || strings.ContainsAny(inner, `[]{}"'`) || !strings.Contains(inner, "?") {
		return "", false
	}
	items := strings.Split(inner, ",")
	for i, item := range items {
		if items[i] = strings.TrimSpace(item); strings.Contains(item, "?") {
			items[i] = quote(items[i])
		}
	}
	return "[" + strings.Join(items, ", ") + "]", true
}

// blockCauses are the corrections of a value that starts like a block scalar.
func (f *fieldText) blockCauses() [][]correction {
	header, text, _ := strings.Cut(f.value, " ")
	text = strings.TrimSpace(text)
	if strings.TrimLeft(header[1:], "+-123456789") != "" {
		return [][]correction{f.put(quote(f.joined), "an unquoted value cannot start with "+header[:1])}
	}
	if text != "" && text[0] != '#' {
		joined := strings.TrimSpace(strings.TrimPrefix(f.joined, header))
		return [][]correction{f.put(quote(joined), "the text of a block scalar ("+header+") starts on the line below it")}
	}
	base := f.indent + tabWidth
	for _, line := range f.lines {
		if width := indentation(line); width > f.indent && hasContent(line) {
			base = width
			break
		}
	}
	var all []correction
	for i, line := range f.lines {
		if content := strings.TrimLeft(line, " \t"); content != "" && indentation(line) < base {
			c := correction{first: f.lo + 1 + i, last: f.lo + 1 + i, lines: []string{strings.Repeat(" ", base) + content}, rule: "frontmatter-unparsable", col: contentColumn(line)}
			if len(all) == 0 {
				c.message = "the line belongs to the block scalar above it and is not indented like it: " + indentAdvice(base, content)
			}
			all = append(all, c)
		}
	}
	return [][]correction{all}
}

// inlineList returns the items of a list that starts on its key's line as a
// list in brackets, and whether it is one.
func (f *fieldText) inlineList() (string, bool) {
	items := []string{strings.TrimSpace(f.value[1:])}
	for _, line := range f.lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		} else if !isItem(line) {
			return "", false
		}
		items = append(items, strings.TrimSpace(line[1:]))
	}
	for i, item := range items {
		if read12(item).kind == manifest.String && strings.ContainsAny(item, ",[]{}#?:&*!|>'\"%@`\\") && item[0] != '"' && item[0] != '\'' {
			items[i] = quote(item)
		}
	}
	return "[" + strings.Join(items, ", ") + "]", true
}
