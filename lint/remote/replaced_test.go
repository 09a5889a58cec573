package remote

import (
	"html"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/skillpack/skillpack/manifest"
)

// TestSeenFromServedText holds what the served bytes alone say of a mismatch.
func TestSeenFromServedText(t *testing.T) {
	utf16Text := "\xff\xfe"
	for _, unit := range utf16.Encode([]rune("größe\r\n")) {
		utf16Text += string([]byte{byte(unit), byte(unit >> 8)})
	}
	for _, test := range []struct {
		name, built, served, cause, fix string
	}{
		{"a binary file", "\x89PNG \xc3\x28", "\ufffdPNG \ufffd(", "the text has 2 U+FFFD", "as a blob"},
		{"a text in Latin-1", "caf\xe9", "caf\ufffd", "the text has 1 U+FFFD", "as a blob"},
		{"decoded as Latin-1", "café", "cafÃ©", "read as Latin-1 or Windows-1252", "raw bytes"},
		{"decoded as Windows-1252", "“café”", "â€œcafÃ©â€\u009d", "read as Latin-1 or Windows-1252", "raw bytes"},
		{"a Latin-1 file, read rightly", "caf\xe9", "café", "read as Latin-1 or Windows-1252", "raw bytes"},
		{"UTF-16", utf16Text, "größe\r\n", "is UTF-16", "raw bytes"},
		{"escaped", "a < b && \"c\"", html.EscapeString("a < b && \"c\""), "escaped for HTML", "template"},
		{"U+FFFD in bytes that are not UTF-8", "x", "\ufffd\xff", "", "-m DIR"},
		{"another text", "one", "two", "", "-m DIR"},
	} {
		t.Run(test.name, func(t *testing.T) {
			declared := manifest.Resource{Digest: manifest.DigestOf([]byte(test.built)), Size: int64(len(test.built))}
			d := diagnose([]byte(test.served), declared, nil)
			if !strings.Contains(d.cause, test.cause) || test.cause == "" && d.cause != "" || !strings.Contains(d.fix, test.fix) {
				t.Errorf("%q for %q: %v, want %q and %q", test.served, test.built, d, test.cause, test.fix)
			}
		})
	}
}

// TestReplacedBesideBuilt holds that U+FFFD is no cause where the built text has
// it as well.
func TestReplacedBesideBuilt(t *testing.T) {
	for built, want := range map[string]string{
		"decoders write \ufffd": "another content",
		"decoders write what":   "the text has 1 U+FFFD",
	} {
		declared := manifest.Resource{Digest: manifest.DigestOf([]byte("old")), Size: 3}
		if d := diagnose([]byte("Decoders put \ufffd"), declared, []byte(built)); !strings.Contains(d.cause, want) {
			t.Errorf("beside %q: %v, want %q", built, d, want)
		}
	}
}
