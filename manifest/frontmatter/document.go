package frontmatter

import "github.com/skillpack/skillpack/manifest"

// Document is a SKILL.md taken apart.
type Document struct {
	// Frontmatter is every field of the block, with positions in the file. It is
	// as much as could be read when there are problems.
	Frontmatter manifest.Frontmatter
	// Block is the YAML text between the fences, the line break before the
	// closing one included.
	Block []byte
	// Body is what follows the closing fence's line.
	Body []byte
	// BodyLine is the line of the file on which the body starts, from 1.
	BodyLine int
	// Problems are all faults of the block, in the order of the file: one cause,
	// one problem.
	Problems []Problem

	quoted []correction // those that do nothing but put quotes around a value
}

// Problem is one fault of a frontmatter block.
type Problem struct {
	// Rule is the id of the rule in package lint that it breaks.
	Rule string
	Pos  manifest.Pos
	// Message says what was found, what was expected and what to write instead.
	Message string
}
