// Package remotetest is an MCP server of skills for tests of clients: it serves
// a manifest, and breaks on demand. Each fault is a switch, named after the rule
// of skillpack that it must raise; without one the server is faithful. It speaks
// JSON-RPC by itself, over HTTP ([Server.ServeHTTP]) and standard streams
// ([Server.ServeStdio]), since an SDK would not let it be wrong.
//
// It must not be used for anything but tests: it keeps every file in memory and
// checks no origin.
package remotetest
