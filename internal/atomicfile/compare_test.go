package atomicfile

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// TestSameButLineEnds is a checkout with CRLF.
func TestSameButLineEnds(t *testing.T) {
	text := strings.Repeat("a line\n", 20_000)
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	for _, c := range []struct {
		name, disk string
		want       bool
	}{
		{"CRLF", crlf, true},
		{"some CRLF", crlf[:len(crlf)/2] + strings.ReplaceAll(crlf[len(crlf)/2:], "\r", ""), true},
		{"LF", text, true},
		{"another text", crlf + "x", false},
		{"shorter", crlf[:len(crlf)-2], false},
		{"a CR more", "\r" + crlf, false},
		{"CR at the end", crlf + "\r", false},
	} {
		testfiles.In(t, map[string]string{"f": c.disk})
		if got := SameButLineEnds("f", writing(text)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if SameButLineEnds("none", writing(text)) {
		t.Error("a missing file is the same")
	}
}
