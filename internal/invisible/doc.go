// Package invisible finds characters in a text that readers do not see and
// models read: tags, zero-width characters and controls of text direction.
//
// A [Scanner] takes a file in parts, as it is read, and reports places, not
// faults. Characters that a script or an emoji needs are not among them. The
// package must not hold more of a file than a few hundred bytes beyond the part
// it was given, and must not know what a skill is.
package invisible
