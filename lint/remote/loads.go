package remote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
)

// reader is a client whose treatment of a listing is known, from its own code
// and from the tests that run it.
type reader struct {
	name string
	// loads returns how many of the entries it takes.
	loads func(all []Entry) int
}

// readers are the clients that the tests of testdata/interop run.
var readers = []reader{
	{"the official TypeScript client 2.4.0", func(all []Entry) int {
		// It validates the listing as a whole: one bad entry refuses all.
		if slices.ContainsFunc(all, func(e Entry) bool {
			return broken(e, "missing-size", "malformed-size", "missing-digest", "malformed-digest")
		}) {
			return 0
		}
		return len(all)
	}},
	{"MCP Inspector 2.12", func(all []Entry) (n int) {
		// It goes by the digest alone where there is no size.
		for _, e := range all {
			if !broken(e, "malformed-size", "missing-digest", "malformed-digest") {
				n++
			}
		}
		return n
	}},
}

// broken reports whether an entry breaks one of some rules.
func broken(e Entry, rules ...string) bool {
	return slices.ContainsFunc(e.Findings, func(f lint.Finding) bool { return slices.Contains(rules, f.Rule) })
}

// loads says how many of the entries the known clients load.
func loads(all []Entry) string {
	parts := make([]string, len(readers))
	for i, r := range readers {
		parts[i] = fmt.Sprintf("%s loads %d of %d skills", r.name, r.loads(all), len(all))
	}
	return ": " + strings.Join(parts, ", ")
}
