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

// FuzzParseHeader holds that a header that is accepted can be sent, is what the
// text says, and that no error shows its value.
func FuzzParseHeader(f *testing.F) {
	for _, text := range []string{"Authorization: Bearer ${CANARY}", "X:${CANARY}\n", "X: ${CANARY", "X: ${1}${CANARY}${NOT_SET_AT}", "A b: c", ": x", "x", "Cookie: a=b; c=${CANARY}", "X: \x7f", "X: \t\u00e9\xff", "x:y:z", "X: $${CANARY}}", "X:"} {
		f.Add(text)
	}
	f.Setenv("CANARY", canary)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "canary") {
			return
		}
		name, value, err := ParseHeader(text)
		if err != nil {
			if strings.Contains(err.Error(), canary) {
				t.Errorf("%q: the error shows the value: %v", text, err)
			}
			return
		}
		if err := sendable(Target{Header: http.Header{name: {value}}}); err != nil {
			t.Errorf("%q is accepted, and cannot be sent: %v", text, err)
		}
		before, after, _ := strings.Cut(text, ":")
		after = strings.ReplaceAll(strings.TrimSpace(after), "${CANARY}", "")
		if name != strings.TrimSpace(before) || !variable.MatchString(after) && strings.ReplaceAll(value, canary, "") != after {
			t.Errorf("%q is %q, %q", text, name, value)
		}
	})
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
