// Command skillpack compiles directories of Agent Skills into what an MCP
// server lists, and checks that a server serves just that.
//
// Each command is one file of this package: its flags, the wiring of the
// packages that do the work, and its exit status. Rules, reading, writing and
// reports live in packages lint, bundle and manifest, never here.
package main
