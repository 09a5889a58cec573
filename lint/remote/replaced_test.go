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
		{"CRLF made of LF", "a\nb\n", "a\r\nb\r\n", "have CRLF line ends where the listed ones have LF", ".gitattributes"},
		{"LF made of CRLF", "a\r\nb\r\n", "a\nb\n", "have LF line ends where the listed ones have CRLF", ".gitattributes"},
		{"a mark added", "a\n", "\ufeffa\n", "byte order mark was added", "without BOM"},
		{"a mark stripped", "\ufeffa\n", "a\n", "byte order mark was stripped", "without one"},
		{"the last line break trimmed", "a\n", "a", "last line break was trimmed", "without trimming"},
		{"a last CRLF trimmed", "a\r\n", "a", "last line break was trimmed", "without trimming"},
		{"an empty line trimmed", "a\n\n", "a", "last line break was trimmed", "without trimming"},
		{"a line break added", "a", "a\n", "a line break was added at the end", "raw bytes"},
		{"a CRLF added", "a", "a\r\n", "a line break was added at the end", "raw bytes"},
		{"composed", "e\u0301", "\u00e9", "another Unicode normal form", "normalisation"},
		{"decomposed", "\u00e9", "e\u0301", "another Unicode normal form", "normalisation"},
		{"encoded twice", "a text", "YSB0ZXh0", "it was encoded twice", "encode a blob once"},
		{"encoded twice, without padding", "a texts", "YSB0ZXh0cw", "it was encoded twice", "encode a blob once"},
		{"decoded once too often", "YSB0ZXh0", "a text", "decoded as base64 once too often", "encode the blob once"},
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
