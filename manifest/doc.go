// Package manifest is the data of Agent Skills as an MCP server lists them:
// skills, their resources, their frontmatter, their URIs and digests.
//
// A [Manifest] holds the entries a server returns from skills/list, in the
// shape of the Skills extension (SEP-2640). Its JSON form is
// skills.manifest.json ([Manifest.WriteJSON], [Parse]); package manifest/gofile
// writes its Go form, and package manifest/frontmatter reads a SKILL.md.
//
// The package must not open files, use the network, read YAML, or decide what is
// an error for a user: package lint judges.
package manifest
