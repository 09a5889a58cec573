// Package schema holds the JSON Schemas (draft 2020-12) of what skillpack
// writes and reads: the manifest, the report of --format json, the
// configuration skillpack.yaml, and the frontmatter of a SKILL.md.
//
// Editors and validators in other languages use them; skillpack itself checks
// with its rules, which say more than a schema can. The package must not
// validate anything: it only carries the files.
package schema
