package lint

import (
	"strings"
	"testing"
)

// TestReason holds that every form which stands alone says why a run is not
// complete; beside text the reason goes to stderr.
func TestReason(t *testing.T) {
	r := NewReport("lint", Summary{}, nil, Policy{})
	r.Complete, r.Reason = false, "the server did not answer"
	for _, f := range Formats() {
		var b strings.Builder
		if err := f.Write(&b, r, Style{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), r.Reason); got != (f.Name != "text") {
			t.Errorf("%s holds the reason: %v\n%s", f.Name, got, b.String())
		}
	}
}
