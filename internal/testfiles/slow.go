package testfiles

import (
	"flag"
	"os"
	"testing"
)

// Everything reports whether the tests that take long run too: where the
// environment has SKILLPACK_TEST=all, as in .ci/run, and where -run names what to
// run. With -short they never do.
func Everything() bool {
	return !testing.Short() && (os.Getenv("SKILLPACK_TEST") == "all" || flag.Lookup("test.run").Value.String() != "")
}

// Slow skips a test that takes long, unless [Everything] runs. why says what takes
// the time.
func Slow(t *testing.T, why string) {
	t.Helper()
	if !Everything() {
		t.Skip(why + "; SKILLPACK_TEST=all runs it")
	}
}
