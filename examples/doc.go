// Package examples compiles the skills beside it into Go: its generated file
// holds their manifest and their bytes. A server imports such a package and
// needs no skills directory when it runs.
//
// Anyone can do the same in three steps: add the tool to go.mod (go get -tool),
// put the line below into a Go file beside the skills directory, and run go
// generate.
package examples

//go:generate go tool skillpack build ./skills
