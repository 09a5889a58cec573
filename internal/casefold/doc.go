// Package casefold maps characters that are equal but for letter case to one.
//
// It must not normalize or transform anything else.
package casefold
