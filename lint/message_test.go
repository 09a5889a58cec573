package lint

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

func TestMessageParts(t *testing.T) {
	tests := []struct{ got, want string }{
		{message.Cut("abc", 3), "abc"},
		{message.Cut("abcd", 3), "ab…"},
		{message.Cut("ééé", 3), "ééé"},
		{message.Cut("éééé", 3), "éé…"},
		{message.Cut(strings.Repeat("x", 1<<20), 3), "xx…"},
		{message.Quote("a\nb\x1b"), `"a\nb\x1b"`},
		{message.Number(0), "0"},
		{message.Number(999), "999"},
		{message.Number(1000), "1,000"},
		{message.Number(-1234567), "-1,234,567"},
		{message.Number(-123), "-123"},
		{message.ByteSize(0), "0 bytes"},
		{message.ByteSize(1023), "1,023 bytes"},
		{message.ByteSize(1024), "1 KiB"},
		{message.ByteSize(1<<20 - 1), "1 MiB"},
		{message.ByteSize(17 << 20), "17 MiB"},
		{message.ByteSize(1<<63 - 1), "8 EiB"},
		{describe(manifest.Value{Kind: manifest.Bool, Text: "true"}), "the boolean true"},
		{describe(manifest.Value{}), "null"},
		{suggestName("PDF Tools_v2"), "pdf-tools-v2"},
		{suggestName("  Café's  Menü! "), "cafes-menu"},
		{suggestName("技能"), ""},
		{suggestName("--a--"), "a"},
		{suggestName(strings.Repeat("abcdefghi ", 20)), strings.TrimSuffix(strings.Repeat("abcdefghi-", 6), "-")},
		{suggestName(strings.Repeat("x", 100)), strings.Repeat("x", 64)},
		{yamlText(""), `""`},
		{yamlText("Read, Grep"), "Read, Grep"},
		{yamlText("@all"), `"@all"`},
		{yamlText("(a)"), `"(a)"`},
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
