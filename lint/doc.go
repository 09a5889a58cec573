// Package lint holds the rules of skillpack, the findings they make, and what a
// comparison of two manifests finds.
//
// A [Rule] is a value: its id, default severity, what breaks it, why, the
// sentence of the specification it rests on, an example of each side, and the
// fix. [Rules] is the whole table; the rules command, docs/rules and the
// configuration's checks all read it.
//
// [CheckSkill] judges an entry that was built, [CheckEntry] one that came as
// JSON from a server or a file, [CheckListing] the entries of one listing
// together, [Drifts] the differences of two manifests. All make [Finding] values;
// a [Policy] sets severities and drops what is ignored. Package lint/report
// prints them.
//
// The package must not read directories, talk to servers or print: packages
// bundle and lint/remote produce the values it judges.
package lint
