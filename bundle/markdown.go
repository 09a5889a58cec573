package bundle

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/markdown"
	"github.com/skillpack/skillpack/manifest"
)

// mostTargets is how many targets of a SKILL.md are kept until the folders are
// known. The links of one with more are read again.
const mostTargets = 256

// targetsIn returns what a Markdown text links to, each target once. When it has
// too many, sure is false.
func targetsIn(body []byte) (targets []string, sure bool) {
	links, err := findLinks(body, 1)
	if err != nil || len(links) > mostTargets {
		return nil, false
	}
	for _, l := range links {
		targets = append(targets, l.target)
	}
	return targets, true
}

// findLinks returns the relative links of a Markdown text that starts on a line
// of its file: inline and by reference, not those in code, each target once,
// where it first stands. It returns [markdown.ErrTooDeep] for a text that is none.
func findLinks(body []byte, firstLine int) ([]link, error) {
	all, err := markdown.Links(body)
	if err != nil {
		return nil, err
	}
	var links []link
	seen := map[string]int{}
	position := positions{text: body, line: firstLine}
	for _, l := range all {
		if strings.HasPrefix(l.Label, "^") {
			continue // a footnote, which is no part of CommonMark
		}
		target, ok := relativeTarget(markdown.Unescape(l.Destination))
		if !ok {
			continue
		}
		if i, ok := seen[target]; ok {
			links[i].times++
			continue
		}
		seen[target] = len(links)
		links = append(links, link{target, position.of(l.Offset), 1})
	}
	return links, nil
}

// positions turns offsets into positions; offsets mostly grow.
type positions struct {
	text []byte
	line int // of start
	// start is where the line of the last offset starts.
	start int
}

func (p *positions) of(offset int) manifest.Pos {
	if offset < p.start {
		p.line -= bytes.Count(p.text[offset:p.start], []byte{'\n'})
		p.start = bytes.LastIndexByte(p.text[:offset], '\n') + 1
	} else if next := bytes.LastIndexByte(p.text[p.start:offset], '\n'); next >= 0 {
		p.line += bytes.Count(p.text[p.start:offset], []byte{'\n'})
		p.start += next + 1
	}
	return manifest.Pos{Line: p.line, Column: utf8.RuneCount(p.text[p.start:offset]) + 1}
}
