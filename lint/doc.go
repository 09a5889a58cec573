// Package lint holds the rules of skillpack, the findings they make, and the
// reports those are printed in.
//
// A [Rule] is a value: its id, default severity, what breaks it, why, the
// sentence of the specification it rests on, an example of each side, and the
// fix. [Rules] is the whole table; the rules command, docs/rules.md and the
// configuration's checks all read it.
//
// [CheckSkill] judges an entry that was built, [CheckEntry] one that came as
// JSON from a server or a file, [CheckListing] the entries of one listing
// together. All make [Finding] values; a [Policy] sets severities and drops
// what is ignored; a [Report] prints them.
//
// The package must not read directories or talk to servers: packages bundle
// and lint/remote produce the values it judges.
package lint
