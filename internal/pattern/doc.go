// Package pattern reads and matches doublestar patterns of paths, as ignore
// files, options and the configuration have them.
//
// It must not open files, and refuses patterns that take long to match.
package pattern
