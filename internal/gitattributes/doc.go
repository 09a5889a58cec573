// Package gitattributes answers what the .gitattributes files of a repository
// say of line ends, and which line keeps a file as it is.
//
// It must not run git, write files, or read attributes outside the work tree.
package gitattributes
