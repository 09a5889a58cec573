// Package markdown finds the links of a Markdown text.
//
// It reads CommonMark 0.31 in two passes. The first one splits the text into
// blocks, line by line, and keeps the definitions of link references and the
// lines of paragraphs and headings. The second one looks for links in those
// lines. Emphasis is not read, since it has no effect on links, and neither are
// tables: the text of their cells is that of a paragraph here. Time and memory
// grow with the length of the text, whatever it is.
//
// It must not import anything that does work when the program starts: every run
// would pay for it, and most texts need no parser.
package markdown
