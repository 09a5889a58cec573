package frontmatter

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// entry corrects the lines [lo, hi) of one entry, or gives them up.
func (r *repairer) entry(lo, hi, level int) {
	end := hi
	for end > lo+1 && !hasContent(r.lines[end-1]) {
		end--
	}
	r.content(lo, end, level)
	if tabs := r.tabbed(end, hi, MaxBlock); len(tabs) > 0 && r.fails(lo, hi) != nil {
		r.attempt(lo, hi, tabs...)
	}
}

// content is entry without the empty lines behind it.
func (r *repairer) content(lo, hi, level int) {
	before := r.fails(lo, hi)
	if before == nil {
		return
	}
	if r.strayField(r.field(lo, hi), level) {
		return
	}
	if r.tabs(lo, hi, before) {
		return
	}
	if r.nested(lo, hi, level) {
		return
	}
	f := r.field(lo, hi)
	for _, c := range f.corrections(before) {
		if r.attempt(lo, hi, c...) {
			return
		}
	}
	r.lose(lo, hi, before.reason)
}

// tabs corrects the lines in [lo, hi) that tabs indent, first those where a
// blank must stand, then all. It reports whether that was all, and keeps what
// changes the failure.
func (r *repairer) tabs(lo, hi int, before *yamlError) bool {
	must := r.tabbed(lo, hi, indentation(r.lines[lo]))
	if r.attempt(lo, hi, must...) {
		return true
	}
	all := r.tabbed(lo, hi, MaxBlock)
	if len(must) == 0 {
		// Other readers take these tabs for text.
		for i := range all {
			all[i].rule = "unportable-yaml"
		}
	}
	if r.attempt(lo, hi, all...) {
		return true
	}
	if len(must) > 0 {
		lines, fixes := slices.Clone(r.lines[lo:hi]), len(r.fixes)
		for _, c := range must {
			r.apply(c)
		}
		if after := r.fails(lo, hi); after.reason == before.reason && after.line == before.line {
			copy(r.lines[lo:hi], lines)
			r.fixes = r.fixes[:fixes]
		}
	}
	return false
}

// tabbed returns the corrections of the lines in [lo, hi) that tabs indent
// from a column up to most, counted from 0.
func (r *repairer) tabbed(lo, hi, most int) []correction {
	var all []correction
	for i := lo; i < hi; i++ {
		line := r.lines[i]
		content := strings.TrimLeft(line, " \t")
		tab := strings.IndexByte(line[:len(line)-len(content)], '\t')
		if tab < 0 || tab > most {
			continue
		}
		c := correction{first: i, last: i, lines: []string{""}, rule: "unportable-yaml", col: tab + 1, message: "the line holds nothing but a tab, which some YAML readers refuse: empty it"}
		if content != "" {
			if content[0] != '#' {
				c.rule = "frontmatter-unparsable"
			}
			width := tab // enough for the line; what the tab adds is of no use
			if tab <= indentation(r.lines[lo]) {
				width = indentation(line)
			}
			c.lines[0] = strings.Repeat(" ", width) + content
			c.message = "a tab indents the line, and YAML allows only spaces: " + indentAdvice(width, content)
		}
		all = append(all, c)
	}
	return all
}

// nested corrects an entry whose fault lies in the entries below it, and
// reports whether that was all.
func (r *repairer) nested(lo, hi, level int) bool {
	line := r.lines[lo]
	if isItem(line) {
		dash := len(line) - len(strings.TrimLeft(line, " \t"))
		inside := line[:dash] + " " + line[dash+1:]
		if _, _, isField := splitKey(inside); !isField && !isItem(inside) && hasContent(inside) {
			return false
		}
		fixes, lost := len(r.fixes), len(r.lost)
		r.lines[lo] = inside
		r.block(lo, hi, level+1)
		restore := func(s string) string {
			if len(s) <= dash {
				return line[:dash] + "-"
			}
			return s[:dash] + "-" + s[dash+1:]
		}
		r.lines[lo] = restore(r.lines[lo])
		for i := fixes; i < len(r.fixes); i++ {
			if c := &r.fixes[i]; c.first == lo && len(c.lines) > 0 {
				c.lines[0] = restore(c.lines[0])
			}
		}
		return len(r.lost) > lost || r.fails(lo, hi) == nil
	}
	_, at, ok := splitKey(line)
	if !ok || hasContent(line[at:]) || lo+1 == hi {
		return false
	}
	if first := r.lines[lo+1]; hasContent(first) && !isItem(first) && indentation(first) <= indentation(line) {
		return false
	}
	lost := len(r.lost)
	if !r.strayMember(lo, hi, level) {
		r.block(lo+1, hi, level+1)
	}
	return len(r.lost) > lost || r.fails(lo, hi) == nil
}

// strayMember corrects a field of the level of line lo that stands below its
// members and is indented by less than they are, and goes on with all.
func (r *repairer) strayMember(lo, hi, level int) bool {
	outer, members := indentation(r.lines[lo]), indentation(r.lines[lo+1])
	for i := lo + 2; i < hi; i++ {
		key, _, ok := splitKey(r.lines[i])
		if width := indentation(r.lines[i]); ok && knownField(key) && outer < width && width < members {
			r.shift(i, hi, width-outer, "the line is indented deeper than its field")
			r.block(lo, hi, level+1)
			return true
		}
	}
	return false
}

// fieldText is the text of one entry that holds no other: a field or an item.
type fieldText struct {
	lo, hi  int
	indent  int
	head    string   // the first line up to its value
	key     string   // as written; "" for an item
	value   string   // on the first line
	lines   []string // the lines below it, as they are
	joined  string   // the value of all lines as one
	keyed   bool     // it has a key and a space behind the colon
	glued   bool     // it has a key, but no space behind the colon
	missing string   // what to write between head and value
}

func (r *repairer) field(lo, hi int) *fieldText {
	line := r.lines[lo]
	f := &fieldText{lo: lo, hi: hi, indent: indentation(line), lines: slices.Clone(r.lines[lo+1 : hi])}
	content := strings.TrimLeft(line, " \t")
	at := len(line) - len(content)
	if isItem(line) {
		f.keyed = true
		at++
	} else if key, value, ok := splitKey(line); ok {
		f.key, f.keyed, at = key, true, value
	} else if key, _, ok := gluedKey(line); ok {
		f.key, f.glued, f.missing = key, true, " "
		at += len(key) + 1
	} else if i := strings.Index(content, ": "); i > 0 && (content[0] == '"' || content[0] == '\'') {
		f.key, f.keyed = content[:i], true
		at += i + 2
	}
	for at < len(line) && isBlank(line[at]) {
		at++
	}
	f.head, f.value = line[:at], strings.TrimRight(line[at:], " \t")
	if strings.HasSuffix(f.head, ":") || strings.HasSuffix(f.head, "-") {
		f.missing = " "
	}
	var parts []string
	for _, l := range append([]string{f.value}, f.lines...) {
		if s := strings.Trim(l, " \t"); s != "" {
			parts = append(parts, s)
		}
	}
	f.joined = strings.Join(parts, " ")
	return f
}

// isEmptyKey reports whether a line starts with the colon of a key.
func isEmptyKey(line string) bool {
	s := strings.TrimLeft(line, " \t")
	return s != "" && s[0] == ':' && blankAt(s, 1)
}

// put returns the correction that writes a value on one line.
func (f *fieldText) put(value, reason string) []correction {
	line := f.head + f.missing + value
	return []correction{{
		first: f.lo, last: f.hi - 1, lines: []string{line},
		rule: "frontmatter-unparsable", col: utf8.RuneCountInString(f.head) + 1, message: reason + ": write " + sample(line),
		quotes: value == quote(f.joined) && f.whole(),
	}}
}

// whole reports whether the value as one text, and only it, is what the author
// wrote: no comment, empty line or other entry is part of it, and neither a
// block scalar nor a quote or bracket that is not closed was begun.
func (f *fieldText) whole() bool {
	if !f.keyed || f.missing != "" || f.value == "" || strings.Contains(f.joined, " #") || strings.Contains(f.joined, "\t") {
		return false
	}
	for _, line := range f.lines {
		if !hasContent(line) || indentation(line) <= f.indent {
			return false
		}
	}
	switch c := f.value[0]; c {
	case '|', '>', '#':
		return false
	case '-':
		return !blankAt(f.value, 1) || textField(f.key) // else the first item of a list may be meant
	case '"', '\'':
		end := quotedEnd(f.joined, 0)
		return end > 1 && f.joined[end-1] == c && (c == '\'' || !escapedAt(f.joined, end-1))
	case '[', '{':
		_, end := bracketEnd(f.joined)
		return end > 0
	}
	return true
}

// strayField corrects a field that is indented as if it belonged to the value
// above it, and goes on with both.
func (r *repairer) strayField(f *fieldText, level int) bool {
	if !f.keyed || f.key == "" || f.value == "" {
		return false
	}
	whole := !strings.ContainsAny(f.value, " \t") // text of one word hardly goes on in the next line
	switch f.value[0] {
	case '|', '>':
		return false
	case '"', '\'':
		if quotedEnd(f.value, 0) < len(f.value) || len(f.value) < 2 || f.value[len(f.value)-1] != f.value[0] {
			return false
		}
		whole = true
	case '[', '{':
		if _, end := bracketEnd(f.value); end != len(f.value) {
			return false
		}
		whole = true
	}
	for i, line := range f.lines {
		key, _, ok := splitKey(line)
		if !ok || !knownField(key) && (!fieldName(key) || !whole && indentation(line) != f.indent+1) || indentation(line) <= f.indent {
			continue
		}
		lines, fixes := slices.Clone(r.lines[f.lo:f.hi]), len(r.fixes)
		at := f.lo + 1 + i
		r.shift(at, f.hi, indentation(line)-f.indent, "the line is indented as if it belonged to the value above it")
		lost := len(r.lost)
		r.block(f.lo, f.hi, level+1)
		if len(r.lost) == lost {
			return true
		}
		copy(r.lines[f.lo:f.hi], lines)
		r.fixes, r.lost = r.fixes[:fixes], r.lost[:lost]
		return false
	}
	return false
}

// knownField reports whether a key is one that skills have at their top level.
func knownField(key string) bool {
	switch key {
	case "name", "description", "license", "compatibility", "metadata", "allowed-tools", "version", "author",
		"model", "tags", "argument-hint", "user-invocable", "disable-model-invocation":
		return true
	}
	return false
}
