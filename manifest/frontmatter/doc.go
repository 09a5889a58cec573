// Package frontmatter reads the YAML block at the head of a SKILL.md.
//
// [Parse] is the one reader: the build uses it on files, and the check of a
// server uses it on served bytes, so both see the same values. It reports every
// fault with its position, also what YAML readers disagree on, and says what to
// write instead. [Fix] writes what needs no guess. [ExplainReaders] tells which
// kind of reader made one value out of another.
//
// The package must not open files, use the network, or decide how severe a fault
// is: it reports a [Problem], and package lint judges it. No other package may
// import gopkg.in/yaml.v3, except the reader of skillpack.yaml.
package frontmatter
