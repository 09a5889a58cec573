package report

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
)

// TestReason holds that every form which stands alone says why a run is not
// complete; beside text the reason goes to stderr.
func TestReason(t *testing.T) {
	r := New("lint", lint.Summary{}, nil, lint.Policy{})
	r.Complete, r.Reason = false, "the server did not answer"
	hostile := *r
	hostile.Reason = "its last words: \u009b31m\n::error::owned"
	for _, f := range Formats() {
		var b strings.Builder
		if err := f.Write(&b, r, Style{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), r.Reason); got != (f.Name != "text") {
			t.Errorf("%s holds the reason: %v\n%s", f.Name, got, b.String())
		}
		b.Reset()
		if err := f.Write(&b, &hostile, Style{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "\u009b") || strings.Contains(b.String(), "\n::error::owned") {
			t.Errorf("%s lets a server's words through as they are:\n%s", f.Name, b.String())
		}
	}
}
