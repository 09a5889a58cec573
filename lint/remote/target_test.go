package remote

import (
	"net/http"
	"strings"
	"testing"
)

func TestTargetHidesSecrets(t *testing.T) {
	target := Target{
		URL:    "https://user:pass@example.com/mcp?token=s3cret#f",
		Header: http.Header{"Authorization": {"Bearer s3cret"}},
		Env:    []string{"KEY=s3cret"},
	}
	if got, want := target.String(), "https://example.com/mcp"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestParseHeader(t *testing.T) {
	t.Setenv("TOKEN", "s3cret")
	t.Setenv("BREAK", "a\r\nX-Injected: b")
	name, value, err := ParseHeader("Authorization:  Bearer ${TOKEN}")
	if name != "Authorization" || value != "Bearer s3cret" || err != nil {
		t.Errorf("got %q, %q, %v", name, value, err)
	}
	for text, want := range map[string]string{
		"no colon":         "'Name: value'",
		"bad name: x":      "'Name: value'",
		": x":              "'Name: value'",
		"X: ${NOT_SET_AT}": "NOT_SET_AT is not set",
		"X: ${BREAK}":      "line break",
	} {
		if _, _, err := ParseHeader(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Injected") {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestValidateTarget(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/mcp": "",
		"ftp://example.com":       "no http or https URL",
		"https:///mcp":            "names no host",
		"https://exa mple.com":    "cannot be read",
	} {
		err := Target{URL: url}.validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", url, err, want)
		}
	}
	if err := (Target{}).validate(); err == nil {
		t.Error("an empty target is valid")
	}
}
