package remote

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

// replacement is what decoders put in place of bytes that are not UTF-8.
var replacement = []byte("\uFFFD")

// replaced explains bytes from themselves alone: a text with U+FFFD has lost what
// was there. It is asked when no other cause is found.
func replaced(b []byte) diagnosis {
	n := bytes.Count(b, replacement)
	if n == 0 || !utf8.Valid(b) {
		return diagnosis{}
	}
	return diagnosis{
		fmt.Sprintf("the text has %s U+FFFD, which decoders put in place of bytes that are not UTF-8", message.Number(n)),
		blobFix,
	}
}

const blobFix = "serve this file as a blob, not as text"

// binaryEndings are endings of files that are never text, in lower case.
var binaryEndings = []string{
	".7z", ".avif", ".bin", ".bmp", ".bz2", ".db", ".docx", ".eot", ".exe", ".flac", ".gif", ".gz", ".ico", ".jar", ".jpeg", ".jpg", ".mov", ".mp3", ".mp4", ".ogg",
	".otf", ".parquet", ".pdf", ".png", ".pptx", ".pyc", ".so", ".sqlite", ".tar", ".tgz", ".tif", ".tiff", ".ttf", ".wasm", ".wav", ".webm", ".webp", ".woff", ".woff2", ".xlsx", ".xz", ".zip", ".zst",
}

// judgeReplaced reports a file that is read as it is listed, and was spoiled
// before: text in place of a binary file, with U+FFFD where bytes were lost.
func (c *check) judgeReplaced(e Entry, uri string, b []byte) {
	d := replaced(b)
	if d.cause == "" {
		return
	}
	isBinary := slices.Contains(binaryEndings, strings.ToLower(path.Ext(uri))) ||
		bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' })
	if isBinary {
		c.report(lint.New("replaced-bytes", "the binary file is served as text: %s", d).Served(uri).Of(e.Path()))
	}
}

// windows1252 are the characters of the bytes 0x80 to 0x9F; 0 is none.
var windows1252 = []rune("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ")

// toSingleBytes returns a UTF-8 text in Latin-1, or, with the characters that are
// at 0x80 to 0x9F, in another character set of one byte each. It returns nil for a
// text that has other characters, or ASCII alone.
func toSingleBytes(b []byte, high []rune) []byte {
	if !utf8.Valid(b) {
		return nil
	}
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		} else if i := slices.Index(high, r); i >= 0 {
			out = append(out, byte(0x80+i))
		} else if r <= 0xFF {
			out = append(out, byte(r))
		} else {
			return nil
		}
	}
	if len(out) == len(b) {
		return nil
	}
	return out
}

// fromLatin1 returns bytes read as Latin-1, in UTF-8.
func fromLatin1(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// toUTF16 returns a UTF-8 text in UTF-16 as Windows programs write it: little
// endian, with a byte order mark.
func toUTF16(b []byte) []byte {
	if !utf8.Valid(b) {
		return nil
	}
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(string(bytes.TrimPrefix(b, bom)))) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// present returns those of some texts that there are.
func present(all ...[]byte) [][]byte {
	return slices.DeleteFunc(all, func(b []byte) bool { return b == nil })
}
