// Package remote is the client side of the Skills extension: it connects to an
// MCP server, lists and gets its skills, reads their files and folders, and
// judges what it sees by the rules of package lint.
//
// [Connect] opens a [Session] over streamable HTTP or stdio. [Session.Check] is
// the whole of skillpack lint: capabilities, listing, entries, drift from a
// manifest, conformance and verification.
//
// Servers are taken to be hostile: each message is bounded in bytes, each
// request and the whole run in time; results are judged from their raw JSON by
// this module's own lenient reader, so that one bad entry hides no other;
// headers go to the server's own origin only and are never printed.
//
// The package must not read directories or manifests from disk, and must not
// decide what the exit status is.
package remote
