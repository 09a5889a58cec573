package remote

import (
	"net/http"
	"slices"
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

func TestAddHeaders(t *testing.T) {
	t.Setenv("TOKEN", "s3cret")
	t.Setenv("BREAK", "a\r\nX-Injected: b")
	var target Target
	if err := target.AddHeaders([]string{"Authorization: old", "X: 1", "X: 2"}); err != nil {
		t.Fatal(err)
	}
	if err := target.AddHeaders([]string{"authorization:  Bearer ${TOKEN}"}); err != nil {
		t.Fatal(err)
	}
	if got := target.Header; !slices.Equal(got["Authorization"], []string{"Bearer s3cret"}) || !slices.Equal(got["X"], []string{"1", "2"}) {
		t.Errorf("headers %v", got)
	}
	if !slices.Contains(target.Secrets, "s3cret") {
		t.Error("the variable's value is no secret")
	}
	for text, want := range map[string]string{
		"no colon":         "'Name: value'",
		"bad name: x":      "'Name: value'",
		": x":              "'Name: value'",
		"X: ${NOT_SET_AT}": "NOT_SET_AT is not set",
		"X: ${BREAK}":      "line break",
		"X: a\x1bb":        "control character",
	} {
		if err := target.AddHeaders([]string{text}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Injected") {
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
		var target Target
		err := target.AddHeaders([]string{text})
		if err != nil {
			if strings.Contains(err.Error(), canary) {
				t.Errorf("%q: the error shows the value: %v", text, err)
			}
			return
		}
		if err := sendable(target); err != nil {
			t.Errorf("%q is accepted, and cannot be sent: %v", text, err)
		}
		if len(target.Header) != 1 {
			t.Fatalf("%q is %q", text, target.Header)
		}
		before, after, _ := strings.Cut(text, ":")
		name := http.CanonicalHeaderKey(strings.TrimSpace(before))
		value := target.Header.Get(name)
		after = strings.ReplaceAll(strings.TrimSpace(after), "${CANARY}", "")
		if target.Header[name] == nil || !variable().MatchString(after) && strings.ReplaceAll(value, canary, "") != after || strings.Contains(target.masker()(value), canary) {
			t.Errorf("%q is %q", text, target.Header)
		}
	})
}

// TestUnexpanded holds that what only a shell replaces is no header, whatever
// stands around it, and that no more than the variable's name is told.
func TestUnexpanded(t *testing.T) {
	t.Setenv("TOKEN", "the-value")
	for line, want := range map[string]string{
		"Authorization: Bearer $TOKEN":               "the header Authorization holds $TOKEN as it stands: write ${TOKEN}",
		"Authorization: Basic s3cret:$PASS_2":        "the header Authorization holds $PASS_2 as it stands: write ${PASS_2}",
		"X-Key: s3cret ${TOKEN} $KEY":                "the header X-Key holds $KEY as it stands: write ${KEY}",
		"Authorization: Bearer ${TOKEN:-s3cret}":     "the header Authorization holds ${TOKEN…} as it stands: write ${TOKEN}",
		"Authorization: Bearer ${TOKEN-s3cret}":      "the header Authorization holds ${TOKEN…} as it stands: write ${TOKEN}",
		"Authorization: Bearer ${s3cret token":       "the header Authorization holds ${…} as it stands: write ${NAME}, with a variable's name",
		"Authorization: Bearer ${}":                  "the header Authorization holds ${…} as it stands: write ${NAME}, with a variable's name",
		"Authorization: Bearer":                      "the header Authorization holds Bearer and nothing more: write 'Authorization: Bearer ${TOKEN}'",
		"authorization:  basic ":                     "the header Authorization holds basic and nothing more: write 'Authorization: basic ${TOKEN}'",
		"Authorization: Bearer ${TOKEN}":             "",
		"Authorization: s3cret":                      "",
		"X-Scheme: Bearer":                           "",
		"X-Price: $5, $A, $token, a$TOKEN, $TOKEN1a": "",
	} {
		err := new(Target).AddHeaders([]string{line})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", line, err)
		case want != "" && (err == nil || !strings.EqualFold(err.Error(), want) || strings.Contains(err.Error(), "s3cret")):
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

// TestHeaderLine holds that a name cannot pass a part of itself off as a value.
func TestHeaderLine(t *testing.T) {
	if line, err := HeaderLine("Authorization", "Bearer a:b"); line != "Authorization: Bearer a:b" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	for _, name := range []string{"", "b c", "A: x", " A", "\u00e9"} {
		if line, err := HeaderLine(name, "s3cret"); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the name %q is accepted as %q, %v", name, line, err)
		}
	}
}

// TestAdvice holds that a refusal says where the refused credentials are written.
func TestAdvice(t *testing.T) {
	header := http.Header{"Authorization": {"Bearer x"}}
	for want, target := range map[string]Target{
		"pass them with --header 'Authorization: Bearer ${TOKEN}'":                 {URL: "https://a"},
		"look at the value that --header sends":                                    {URL: "https://a", Header: header},
		"look at the values that headers: of server prod in skillpack.yaml send":   {URL: "https://a", Header: header, HeaderSource: "headers: of server prod in skillpack.yaml"},
		"add an Authorization header to headers: of server prod in skillpack.yaml": {URL: "https://a", HeaderSource: "headers: of server prod in skillpack.yaml"},
		"look at the user and password in the URL":                                 {URL: "https://u:p@a"},
	} {
		if got := target.advice(); got != want {
			t.Errorf("advice %q, want %q", got, want)
		}
	}
}

func TestValidateTarget(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/mcp": "",
		"ftp://example.com":       "no http or https URL",
		"https:///mcp":            "names no host",
		"https://exa mple.com":    "cannot be read",
		"https:u:s3cret@host":     "names no host",
	} {
		err := Target{URL: url}.validate()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s: error %v, want %q", url, err, want)
		}
	}
	if err := (Target{}).validate(); err == nil {
		t.Error("an empty target is valid")
	}
}
