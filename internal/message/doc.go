// Package message builds the parts of a message to users: quoted and shortened
// text, counts, sizes, lists.
//
// It must not know what a message is about, and import nothing of this module.
package message
