package lint

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func TestMessageParts(t *testing.T) {
	tests := []struct{ got, want string }{
		{cut("abc", 3), "abc"},
		{cut("abcd", 3), "ab…"},
		{cut("ééé", 3), "ééé"},
		{cut("éééé", 3), "éé…"},
		{cut(strings.Repeat("x", 1<<20), 3), "xx…"},
		{quote("a\nb\x1b"), `"a\nb\x1b"`},
		{number(0), "0"},
		{number(999), "999"},
		{number(1000), "1,000"},
		{number(-1234567), "-1,234,567"},
		{number(-123), "-123"},
		{byteSize(0), "0 bytes"},
		{byteSize(1023), "1,023 bytes"},
		{byteSize(1024), "1 KiB"},
		{byteSize(1<<20 - 1), "1 MiB"},
		{byteSize(17 << 20), "17 MiB"},
		{byteSize(1<<63 - 1), "8 EiB"},
		{describe(manifest.Value{Kind: manifest.Bool, Text: "true"}), "the boolean true"},
		{describe(manifest.Value{}), "null"},
		{suggestName("PDF Tools_v2"), "pdf-tools-v2"},
		{suggestName("  Café's  Menü! "), "cafes-menu"},
		{suggestName("技能"), ""},
		{suggestName("--a--"), "a"},
		{suggestName(strings.Repeat("abcdefghi ", 20)), strings.TrimSuffix(strings.Repeat("abcdefghi-", 6), "-")},
		{suggestName(strings.Repeat("x", 100)), strings.Repeat("x", 64)},
		{yamlString("123"), `"123"`},
		{yamlString("on"), `"on"`},
		{yamlString("2024-01-31"), `"2024-01-31"`},
		{yamlString("0x1f"), `"0x1f"`},
		{yamlString("3d-printing"), "3d-printing"},
		{yamlString("pdf-2"), "pdf-2"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
