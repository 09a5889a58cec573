package bundle

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// command is a place in a SKILL.md where a path seems to be run as a program.
type command struct {
	path string // as written, without what stands for the skill's own folder
	at   manifest.Pos
}

// mostCommands is how many of them one SKILL.md is asked for.
const mostCommands = 64

// findCommands returns where a Markdown text that starts on a line of its file
// runs a path, each path once. It looks at the lines of fenced code and at code
// spans, without parsing the text, and only where one of the needles is. A path
// that is only named, as one in a sentence that tells what it is for, is not run.
func findCommands(body []byte, firstLine int, needles [][]byte) []command {
	if !slices.ContainsFunc(needles, func(needle []byte) bool { return bytes.Contains(body, needle) }) {
		return nil
	}
	// Of most texts a few lines matter, and the others are not looked at one by one.
	wanted := append([][]byte{[]byte("```"), []byte("~~~")}, needles...)
	next := make([]int, len(wanted))
	for i := range next {
		next[i] = -1
	}
	s := commandScan{line: firstLine}
	for at := 0; ; {
		hit := len(body)
		for i, w := range wanted {
			if next[i] < at {
				next[i] = len(body)
				if n := bytes.Index(body[at:], w); n >= 0 {
					next[i] = at + n
				}
			}
			hit = min(hit, next[i])
		}
		if hit == len(body) {
			return s.found
		}
		start := at + bytes.LastIndexByte(body[at:hit], '\n') + 1
		s.line += bytes.Count(body[at:start], []byte{'\n'})
		line, _, _ := bytes.Cut(body[start:], []byte{'\n'})
		s.goesOn = bytes.HasSuffix(bytes.TrimRight(body[:start], "\r\n"), []byte{'\\'})
		s.look(string(bytes.TrimSuffix(line, []byte{'\r'})))
		s.line++
		if at = start + len(line) + 1; at >= len(body) {
			return s.found
		}
	}
}

// commandNeedles returns what a command line that runs a file of the folder, or of
// one below it, must contain. Texts are searched for it before they are looked
// at, which takes far longer.
func (f *folder) commandNeedles() [][]byte {
	var needles [][]byte
	for _, sub := range f.folders {
		needles = append(needles, []byte(sub.name+"/"))
	}
	for i := range f.files {
		if name := f.files[i].name; !strings.HasSuffix(name, ".md") {
			needles = append(needles, []byte("/"+name))
		}
	}
	if len(needles) > mostNeedles {
		return [][]byte{{'/'}}
	}
	return needles
}

// mostNeedles is how many searches are cheaper than looking at every path.
const mostNeedles = 8

// commandScan is what a text was seen to be up to a line.
type commandScan struct {
	found  []command
	line   int
	fence  string // the mark that closes the fenced code, or ""
	shell  bool   // the fenced code says that it is a shell's
	other  bool   // or that it is something else
	goesOn bool   // the line goes on with the command of the line before
}

// shells are the info strings of fenced code that holds commands.
var shells = []string{"sh", "bash", "shell", "zsh", "console", "shell-session", "terminal", "shellscript"}

func (s *commandScan) look(line string) {
	text := strings.TrimLeft(line, " \t>")
	for _, mark := range []string{"```", "~~~"} {
		if !strings.HasPrefix(text, mark) || s.fence != "" && s.fence != mark {
			continue
		}
		if s.fence != "" {
			s.fence = ""
			return
		}
		info, _, _ := strings.Cut(strings.ToLower(strings.Trim(text, "`~ \t")), " ")
		if mark == "```" && strings.Contains(strings.TrimLeft(text, "`"), "`") {
			break // a code span, not a fence
		}
		s.fence, s.shell = mark, slices.Contains(shells, info)
		s.other = info != "" && !s.shell
		return
	}
	switch {
	case s.fence == "":
		s.spans(line)
	case !s.other && !s.goesOn:
		s.code(line, line, s.shell)
	}
}

// spans looks at the code spans of a line.
func (s *commandScan) spans(line string) {
	for from := 0; ; {
		open := strings.IndexByte(line[from:], '`')
		if open < 0 {
			return
		}
		open += from + 1
		length := strings.IndexByte(line[open:], '`')
		if length < 0 {
			return
		}
		if code := line[open : open+length]; strings.Contains(code, "/") {
			s.code(line[:open+length], code, orders(line[:open-1]))
		}
		from = open + length + 1
	}
}

// orders reports whether the words before a code span tell the reader to run it.
func orders(before string) bool {
	words := strings.Fields(strings.ToLower(before[max(0, len(before)-64):]))
	for back := range min(3, len(words)) {
		word := words[len(words)-1-back]
		if strings.ContainsAny(word, ".,;)") {
			return false // of another sentence or clause
		}
		switch strings.Trim(word, "*_:(") {
		case "run", "runs", "running", "execute", "executes", "executing", "invoke", "invokes", "launch", "start":
			return true
		}
	}
	return false
}

// code looks at a line of code that ends a line of the file. Sure means that the
// code is run.
func (s *commandScan) code(line, code string, sure bool) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(code, " \t"), "$ "); ok {
		code, sure = rest, true
	}
	word, rest := commandWord(code)
	target, runs := commandPath(word)
	if target == "" || !(sure || runs || hasArguments(rest)) || len(s.found) == mostCommands {
		return
	}
	if slices.ContainsFunc(s.found, func(c command) bool { return c.path == target }) {
		return
	}
	at := len(line) - len(rest) - len(word)
	s.found = append(s.found, command{target, manifest.Pos{Line: s.line, Column: utf8.RuneCountInString(line[:at]) + 1}})
}

// commandWord returns the word of a command line that names the program, as it is
// written, and what follows it.
func commandWord(code string) (word, rest string) {
	for rest = strings.TrimLeft(code, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		end := strings.IndexAny(rest, " \t;|&")
		if end < 0 {
			end = len(rest)
		}
		if rest[0] == '"' {
			if i := strings.IndexByte(rest[1:], '"'); i >= 0 {
				end = max(end, i+2)
			}
		}
		word, rest = rest[:end], rest[end:]
		name, _, assigns := strings.Cut(word, "=")
		if word != "sudo" && word != "time" && !(assigns && name != "" && !strings.ContainsAny(name, "/.-$")) {
			return word, rest
		}
	}
	return "", ""
}

// commandPath returns the path below the skill's folder that a word may name, or
// "". Variables and placeholders before it stand for that folder. Runs reports
// whether the word names a program wherever it is: one that starts with "./".
func commandPath(word string) (target string, runs bool) {
	word = strings.Trim(word, `"'`)
	first, below, ok := strings.Cut(word, "/")
	if !ok {
		return "", false
	}
	switch {
	case first == ".":
		target, runs = below, true
	case first != "" && strings.ContainsRune("$<{", rune(first[0])):
		target = below
	default:
		target = word
	}
	target = path.Clean(target)
	if strings.ContainsAny(target, "$<>{}*?[]()`\"'\\") || path.IsAbs(target) || strings.HasPrefix(target, "..") || len(target) > longestPath {
		return "", false
	}
	return target, runs
}

// hasArguments reports whether what follows a program's name is its arguments: not
// nothing, and not what the author says about it.
func hasArguments(rest string) bool {
	words := strings.Fields(rest)
	return len(words) > 0 && strings.ContainsRune(`-<"'$./[{`, rune(words[0][0])) && len(words[0]) > 1 && !strings.HasPrefix(words[0], "->")
}

// shebang returns the first line of a script, without "#!", or "".
func shebang(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line[:min(len(line), 256)], []byte{'\n'})
	return string(line)
}

// interpreter returns what a shebang starts, as it can be typed before the
// script's name, or "".
func interpreter(shebang string) string {
	words := strings.Fields(shebang)
	if len(words) == 0 {
		return ""
	}
	if words[0] = path.Base(words[0]); words[0] == "env" {
		words = words[1:]
		if len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	return message.Plain(strings.Join(words, " "))
}

// checkCommands reports the scripts that a skill's SKILL.md runs by their path.
func (a *assembly) checkCommands(f *folder) []lint.Finding {
	var findings []lint.Finding
	for _, c := range f.doc.commands {
		in := f
		dir, name := path.Split(c.path)
		for segment := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
			if in != nil && segment != "" {
				in = in.child(segment)
			}
		}
		if in == nil {
			continue
		}
		i, ok := find(in.files, name, fileName)
		if !ok {
			continue
		}
		runs := interpreter(in.files[i].shebang)
		if runs == "" {
			continue
		}
		findings = append(findings, lint.New("executable-bit", "%s is run by its path, and hosts do not keep the executable bit: write %s",
			message.Quote(c.path), message.Quote(runs+" "+c.path)).At(a.shown(joinPath(f.path, manifest.SkillFile)), c.at.Line, c.at.Column))
	}
	return findings
}
