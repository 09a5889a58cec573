package pattern

import (
	"math"
	"strings"
	"testing"
)

func TestAlternatives(t *testing.T) {
	for glob, want := range map[string]float64{
		"": 1, "a,b": 1, "{a}": 1, "{a,b}": 2, "{a,b}/{c,d,e}": 6, "{a,{b,c}}": 3, "{a,{b,c}d,{e,f}{g,h}}": 7,
		`\{a,b\}`: 1, `{a\,b,c}`: 2, "[{,}]": 1, "{[,],b}": 2, `{[\],],b}`: 2, `[\]]{a,b}`: 2, "[a]{a,b}": 2, "{a": math.Inf(1),
	} {
		if got := alternatives(glob); got != want {
			t.Errorf("%s stands for %v patterns, want %v", glob, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, glob := range []string{"a/**", "{a,b}", strings.Repeat("{a,b}", 8), strings.Repeat("a", 1024)} {
		if err := Check(glob); err != nil {
			t.Errorf("%.40s: %v", glob, err)
		}
	}
	for glob, want := range map[string]string{
		strings.Repeat("a", 1025):              "over 1,024 bytes",
		"[a":                                   "is not closed",
		"{a,b":                                 "is not closed",
		`a\`:                                   "is not closed",
		strings.Repeat("{a,b}", 8) + "{a,b}":   "over 256 patterns",
		"{" + strings.Repeat("a,", 256) + "a}": "over 256 patterns",
	} {
		if err := Check(glob); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", glob, err, want)
		}
	}
}
