// Package testfiles lays out files for tests: folders, links, pipes, and tests
// that must run without the rights of the superuser.
//
// Only tests may import it.
package testfiles
