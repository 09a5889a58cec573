package lint

import "slices"

// table is every rule, in the order of documentation.
var table = slices.Concat(treeRules, skillFileRules, entryRules, outputRules, serverRules, driftRules, readRules)

// The documents the rules rest on; a rule adds the anchor.
const (
	skillsSpec  = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx"
	formatSpec  = "https://agentskills.io/specification"
	mcpSpec     = "https://modelcontextprotocol.io/specification/2026-07-28"
	yamlSpec    = "https://yaml.org/spec/1.2.2/"
	uriSpec     = "https://www.rfc-editor.org/rfc/rfc3986"
	windowsSpec = "https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file"
	gitSpec     = "https://git-scm.com/docs"
)
