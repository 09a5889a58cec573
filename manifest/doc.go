// Package manifest is the data of Agent Skills as an MCP server lists them:
// skills, their resources, their frontmatter, their URIs, and the forms they
// are written in.
//
// A [Manifest] holds the entries a server returns from skills/list, in the
// shape of the Skills extension (SEP-2640). Its JSON form is
// skills.manifest.json ([Manifest.WriteJSON], [Parse]); its Go form is written
// by package gofile. [ParseFrontmatter] is the one reader of
// SKILL.md: the build uses it on files, and the check of a server uses it on
// served bytes, so both see the same values.
//
// The package must not open files, use the network, or decide what is an
// error for a user: it reports what it found (see [Problem]) and package lint
// judges it.
package manifest
