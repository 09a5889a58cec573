package bundle

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/skillpack/skillpack/manifest"
)

// markdown parses CommonMark, but emphasis, which has no bearing on links. It
// keeps no state.
var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(
		util.Prioritized(boundedParser{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(boundedLinkParser{boundedParser{parser.NewLinkParser()}}, 200),
		util.Prioritized(boundedParser{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(boundedParser{parser.NewRawHTMLParser()}, 400),
	),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

// The parser's time grows with the square of the brackets in a paragraph, of
// the lines in it, and of the depth of quotes and lists. Texts that people write
// stay far below these bounds.
const (
	mostWork  = 1 << 27 // bytes of paragraph ahead, summed over brackets and the like
	mostDepth = 100     // marks of quotes and lists that start one line
	mostRows  = 4000    // lines of one paragraph
)

// errTangled is the error of a text that takes too long to parse.
var errTangled = errors.New("it has more brackets, or deeper quotes and lists, than a text has")

// workKey finds the work left in the parser's context.
var workKey = parser.NewContextKey()

// boundedParser ends the parsing of a text that takes too long.
type boundedParser struct{ parser.InlineParser }

// Parse counts the rest of the paragraph as work, since the parser may look
// through all of it. The parser has no way to return an error, hence the panic,
// which findLinks catches.
func (b boundedParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	left := pc.Get(workKey).(*int)
	_, here := block.PeekLine()
	if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
		*left -= lines.At(lines.Len()-1).Stop - here.Start
	}
	if *left < 0 {
		panic(errTangled)
	}
	return b.InlineParser.Parse(parent, block, pc)
}

// boundedLinkParser hands on what the link parser does at the end of a block.
type boundedLinkParser struct{ boundedParser }

// CloseBlock is that of the link parser.
func (b boundedLinkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	b.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// tangled reports whether the structure of blocks takes too long to parse.
func tangled(body []byte) bool {
	rows := 0
	for line := range bytes.Lines(body) {
		rest := bytes.TrimLeft(line, " \t>*+-.)0123456789")
		depth := bytes.Count(line[:len(line)-len(rest)], []byte{'>'}) + len(bytes.Fields(line[:len(line)-len(rest)]))
		rows++
		if len(bytes.TrimSpace(line)) == 0 {
			rows = 0
		}
		if depth > mostDepth || rows > mostRows {
			return true
		}
	}
	return false
}

// findLinks returns the relative links of a Markdown text that starts on a line
// of its file: inline and by reference, not those in code, each target once,
// where it first stands. It returns errTangled for a text that is none.
func findLinks(body []byte, firstLine int) (links []link, err error) {
	defer func() {
		if caught := recover(); caught == errTangled {
			links, err = nil, errTangled
		} else if caught != nil {
			panic(caught)
		}
	}()
	if tangled(body) {
		return nil, errTangled
	}
	seen := map[string]int{}
	position := positions{text: body, line: firstLine}
	add := func(n ast.Node, destination []byte, reference *ast.ReferenceLink) {
		if reference != nil && bytes.HasPrefix(reference.Value, []byte("^")) {
			return // a footnote, which is no part of CommonMark
		}
		target, ok := relativeTarget(destination)
		if !ok {
			return
		}
		if i, ok := seen[target]; ok {
			links[i].times++
			return
		}
		seen[target] = len(links)
		links = append(links, link{target, position.of(offsetIn(body, destination, n.Pos())), 1})
	}
	left := mostWork
	pc := parser.NewContext()
	pc.Set(workKey, &left)
	root := markdown.Parse(text.NewReader(body), parser.WithContext(pc))
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				add(n, n.Destination, n.Reference)
			case *ast.Image:
				add(n, n.Destination, n.Reference)
			}
		}
		return ast.WalkContinue, nil
	})
	return links, err
}

// offsetIn returns where a part stands in a text. The parser hands out parts of
// the text itself, so the room behind the two tells; where it had to copy, the
// offset is that of the link.
func offsetIn(text, part []byte, link int) int {
	at := cap(text) - cap(part)
	if at >= 0 && at+len(part) <= len(text) && bytes.Equal(text[at:at+len(part)], part) {
		return at
	}
	return max(0, min(link, len(text)))
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
