// Package gofile writes the Go source file of a manifest: its JSON, its
// fingerprint, a constant for each skill's URI, and the bytes of every file,
// embedded or as literals. It also finds the file's package name, and decides
// whether go:embed can take the files.
//
// It must not read skills or know rules, and writes only to an io.Writer.
package gofile
