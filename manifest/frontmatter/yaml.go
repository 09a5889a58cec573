package frontmatter

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/skillpack/skillpack/manifest"
	"gopkg.in/yaml.v3"
)

// nodeKind tells what a node of a YAML text is.
type nodeKind uint8

const (
	scalarNode nodeKind = iota
	mappingNode
	sequenceNode
	aliasNode
)

// nodeStyle tells how a scalar is written.
type nodeStyle uint8

const (
	plainStyle nodeStyle = iota
	singleStyle
	doubleStyle
	literalStyle
	foldedStyle
)

// node is one node of a YAML text as its author wrote it: nothing is typed,
// merged or expanded.
type node struct {
	kind      nodeKind
	style     nodeStyle // of a scalar
	flow      bool      // of a collection: written with brackets
	tag       string    // an explicit tag in its short form ("!!str"), or ""
	value     string    // of a scalar; the anchor's name, of an alias
	line, col int       // of its first property or its content, from 1, in the text
	children  []*node   // items, or keys and values by turns
	target    *node     // of an alias

	// What the scanner finds out about the text of the node.
	start       int  // offset of its content, behind its properties
	nonSpecific bool // the tag "!", which turns off typing
}

// yamlError is a text that the library refuses.
type yamlError struct {
	line   int // from 1, near the fault; 0 is unknown
	reason string
}

func (e *yamlError) Error() string { return e.reason }

// deep reports whether the library gave up because of nesting.
func (e *yamlError) deep() bool { return strings.Contains(e.reason, "exceeded max depth") }

// parseYAML reads the first document of a text; a nil node is an empty one. A
// second document is not an error, text that belongs to none is. The library's
// panics are errors like its other failures.
func parseYAML(text string) (root *node, failure *yamlError) {
	defer func() {
		if p := recover(); p != nil {
			root, failure = nil, &yamlError{0, fmt.Sprint(p)}
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc, next yaml.Node
	if err := d.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, newYAMLError(err)
	}
	// The decoder stops behind the first document; only asking for another one
	// tells whether the rest of the text is well-formed.
	if err := d.Decode(&next); err != nil && err != io.EOF {
		return nil, newYAMLError(err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	c := converter{made: map[*yaml.Node]*node{}}
	root = c.node(doc.Content[0])
	for _, a := range c.aliases {
		a.node.target = c.made[a.target]
	}
	return root, nil
}

// converter copies the library's tree. Aliases are joined to their targets at
// the end: an alias can stand inside its own target.
type converter struct {
	made    map[*yaml.Node]*node // nodes with an anchor
	aliases []struct {
		node   *node
		target *yaml.Node
	}
}

func (c *converter) node(from *yaml.Node) *node {
	n := &node{value: from.Value, line: from.Line, col: from.Column, flow: from.Style&yaml.FlowStyle != 0}
	if from.Style&yaml.TaggedStyle != 0 {
		n.tag = from.Tag
	}
	if from.Anchor != "" {
		c.made[from] = n
	}
	switch from.Kind {
	case yaml.AliasNode:
		n.kind = aliasNode
		c.aliases = append(c.aliases, struct {
			node   *node
			target *yaml.Node
		}{n, from.Alias})
	case yaml.MappingNode:
		n.kind = mappingNode
	case yaml.SequenceNode:
		n.kind = sequenceNode
	default:
		switch {
		case from.Style&yaml.DoubleQuotedStyle != 0:
			n.style = doubleStyle
		case from.Style&yaml.SingleQuotedStyle != 0:
			n.style = singleStyle
		case from.Style&yaml.LiteralStyle != 0:
			n.style = literalStyle
		case from.Style&yaml.FoldedStyle != 0:
			n.style = foldedStyle
		}
	}
	if len(from.Content) > 0 {
		n.children = make([]*node, len(from.Content))
		for i, child := range from.Content {
			n.children[i] = c.node(child)
		}
	}
	return n
}

// newYAMLError takes the library's message apart.
func newYAMLError(err error) *yamlError {
	e := &yamlError{reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(e.reason, "line "); ok {
		if n, reason, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(n); err == nil {
				e.line, e.reason = line, reason
			}
		}
	}
	return e
}

// goReading returns what a Go program gets that lets the library type a plain
// scalar. It differs from both YAML versions for a few texts.
func goReading(text string) reading {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: text}
	var v any
	if err := n.Decode(&v); err != nil {
		return reading{kind: manifest.String, text: text}
	}
	switch v := v.(type) {
	case nil:
		return reading{kind: manifest.Null}
	case bool:
		return reading{kind: manifest.Bool, text: strconv.FormatBool(v)}
	case time.Time:
		return reading{kind: manifest.String, text: v.Format(time.RFC3339Nano), special: "a date"}
	case string:
		return reading{kind: manifest.String, text: v}
	case float64:
		number, ok := floatLiteral(v)
		if !ok {
			return reading{kind: manifest.String, text: text}
		}
		return reading{kind: manifest.Number, text: number}
	default:
		return reading{kind: manifest.Number, text: fmt.Sprint(v)}
	}
}
