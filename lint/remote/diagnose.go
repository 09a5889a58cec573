package remote

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

var bom = []byte("\uFEFF")

// diagnosis says why bytes differ from what was declared, and the way out.
type diagnosis struct{ cause, fix string }

func (d diagnosis) String() string {
	return joined(d.cause, d.fix)
}

// transform is something that happens to bytes between a build and a host. undo
// gives the candidates for the bytes before it.
type transform struct {
	diagnosis
	undo func([]byte) [][]byte
}

// transforms are tried in order on the fetched bytes: the first one that gives
// the declared digest is the cause. None needs the built bytes.
var transforms = []transform{
	{diagnosis{"the served bytes have LF line ends where the listed ones have CRLF", crlfFix}, one(toCRLF)},
	{diagnosis{"the served bytes have CRLF line ends where the listed ones have LF", crlfFix}, one(toLF)},
	{diagnosis{"a byte order mark was added", "serve the file's raw bytes, and save it as UTF-8 without BOM"}, func(b []byte) [][]byte {
		if rest, ok := bytes.CutPrefix(b, bom); ok {
			return [][]byte{rest}
		}
		return nil
	}},
	{diagnosis{"the file's byte order mark was stripped", "serve the file's raw bytes: most text decoders drop a BOM, so read it as bytes or save it without one"}, one(func(b []byte) []byte { return append(bytes.Clone(bom), b...) })},
	{diagnosis{"the last line break was trimmed", "serve the file's raw bytes, without trimming"}, func(b []byte) [][]byte {
		return [][]byte{append(bytes.Clone(b), '\n'), append(bytes.Clone(b), "\r\n"...), append(bytes.Clone(b), "\n\n"...)}
	}},
	{diagnosis{"a line break was added at the end", "serve the file's raw bytes"}, func(b []byte) [][]byte {
		if rest, ok := bytes.CutSuffix(b, []byte("\n")); ok {
			return [][]byte{rest, bytes.TrimSuffix(rest, []byte("\r"))}
		}
		return nil
	}},
	{diagnosis{"the text was put into another Unicode normal form", "serve the file's raw bytes, and turn off normalisation where it is read or stored"}, func(b []byte) [][]byte {
		return [][]byte{norm.NFD.Bytes(b), norm.NFC.Bytes(b)}
	}},
	{diagnosis{"the bytes are the base64 of the file: it was encoded twice", "encode a blob once"}, func(b []byte) [][]byte {
		return decodings(bytes.TrimSpace(b))
	}},
	{diagnosis{"the file's bytes were read as Latin-1 or Windows-1252 and written as UTF-8", decodeFix}, func(b []byte) [][]byte {
		return present(toSingleBytes(b, nil), toSingleBytes(b, windows1252))
	}},
	{diagnosis{"the file is UTF-16, and it is served as UTF-8", decodeFix}, func(b []byte) [][]byte {
		return present(toUTF16(b))
	}},
	{diagnosis{"the text was escaped for HTML", "serve the file's raw bytes, not through a template"}, one(func(b []byte) []byte {
		return []byte(html.UnescapeString(string(b)))
	})},
	{diagnosis{"the file was decoded as base64 once too often", "serve it as text, or encode the blob once"}, one(func(b []byte) []byte {
		return []byte(base64.StdEncoding.EncodeToString(b))
	})},
}

// accident says which of the usual accidents turns the built bytes into those
// with a digest.
func accident(built []byte, served manifest.Digest) diagnosis {
	for _, a := range []struct {
		diagnosis
		made []byte
	}{
		{diagnosis{"the server's file has CRLF line ends where the built one has LF", crlfFix}, toCRLF(built)},
		{diagnosis{"the server's file has LF line ends where the built one has CRLF", crlfFix}, toLF(built)},
		{diagnosis{"the server's file starts with a byte order mark and the built one does not", "serve the file that was built"}, append(bytes.Clone(bom), built...)},
		{diagnosis{"the built file starts with a byte order mark and the server's does not", "save it as UTF-8 without BOM"}, bytes.TrimPrefix(built, bom)},
		{diagnosis{"the server's file lacks the last line break", rawFix}, bytes.TrimSuffix(built, []byte("\n"))},
		{diagnosis{"the server's file lacks the spaces at its end", rawFix}, bytes.TrimSpace(built)},
		{diagnosis{"the server's file has a line break more at its end", rawFix}, append(bytes.Clone(built), '\n')},
		{diagnosis{"the server's file is in Unicode normal form C and the built one is not", normFix}, norm.NFC.Bytes(built)},
		{diagnosis{"the server's file is in Unicode normal form D and the built one is not", normFix}, norm.NFD.Bytes(built)},
		{diagnosis{"bytes that are not UTF-8 were replaced by U+FFFD before the server hashed the file", "hash the file's bytes, not its text"}, decoded(built)},
		{diagnosis{"the file's bytes were read as Latin-1 before the server hashed them", "hash the file's bytes, not its text"}, fromLatin1(built)},
		{diagnosis{"the server hashed the file without its frontmatter", "hash and serve SKILL.md as it is"}, frontmatter.Parse(built).Body},
	} {
		if manifest.DigestOf(a.made) == served {
			return a.diagnosis
		}
	}
	return diagnosis{}
}

const (
	rawFix  = "hash and serve the file's raw bytes, without trimming"
	normFix = "hash and serve the file's raw bytes, and turn off normalisation where it is read or stored"
)

const decodeFix = "serve the file's raw bytes, as a blob where they are not UTF-8"

const crlfFix = "hash and serve the same checkout, and add a line like \"skills/** -text\" to .gitattributes"

func one(f func([]byte) []byte) func([]byte) [][]byte {
	return func(b []byte) [][]byte { return [][]byte{f(b)} }
}

func toLF(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }

func toCRLF(b []byte) []byte { return bytes.ReplaceAll(toLF(b), []byte("\n"), []byte("\r\n")) }

func decodings(b []byte) (all [][]byte) {
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding} {
		if d, err := e.DecodeString(string(b)); err == nil && len(d) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// diagnose explains why fetched bytes are not those a resource declares. built
// are the bytes that were compiled, nil when they are not at hand: some causes
// lose information and show only beside them.
func diagnose(fetched []byte, declared manifest.Resource, built []byte) diagnosis {
	digest := manifest.DigestOf(fetched)
	if digest == declared.Digest {
		return diagnoseSize(fetched, declared.Size)
	}
	for _, t := range transforms {
		for _, candidate := range t.undo(fetched) {
			if manifest.DigestOf(candidate) == declared.Digest {
				return t.diagnosis
			}
		}
	}
	if d := servedSymlink(fetched); d.cause != "" {
		return d
	}
	if built == nil {
		if d := replaced(fetched); d.cause != "" {
			return d
		}
		return diagnosis{"", "give the skills directory with -m DIR: beside the built bytes more can be explained"}
	}
	if manifest.DigestOf(built) == digest {
		return diagnosis{"the served bytes are the built ones, and the listing is of another build", "rebuild and redeploy the listing together with the files"}
	}
	return diagnoseBeside(fetched, built)
}

// diagnoseSize explains a wrong size beside a right digest.
func diagnoseSize(b []byte, size int64) diagnosis {
	switch size {
	case int64(utf8.RuneCount(b)):
		return diagnosis{"the listed size counts characters", "count the bytes of the file"}
	case utf16Length(b):
		return diagnosis{"the listed size counts UTF-16 units, as a string's length does in JavaScript, Java and C#", "count the bytes of the file"}
	case int64(base64.StdEncoding.EncodedLen(len(b))), int64(base64.RawStdEncoding.EncodedLen(len(b))):
		return diagnosis{"the listed size is that of the base64 text", "count the bytes of the file"}
	}
	return diagnosis{"the digest is right and the size is not", "take both from the same bytes"}
}

func utf16Length(b []byte) (n int64) {
	for _, r := range string(b) {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// diagnoseBeside explains a difference by the two texts.
func diagnoseBeside(fetched, built []byte) diagnosis {
	same := func(a, b []byte) bool { return bytes.Equal(a, b) }
	switch {
	case same(toLF(fetched), toLF(built)):
		return diagnosis{"only the line ends differ", crlfFix}
	case same(bytes.TrimRight(fetched, " \t\r\n"), bytes.TrimRight(built, " \t\r\n")):
		return diagnosis{"only the spaces at the end differ", "serve the file's raw bytes, without trimming"}
	case same(norm.NFC.Bytes(fetched), norm.NFC.Bytes(built)):
		return diagnosis{"only the Unicode normal form differs", "serve the file's raw bytes, and turn off normalisation where it is read or stored"}
	case !utf8.Valid(built) && (same(fetched, decoded(built)) || same(fetched, replaceEach(built)) || same(fetched, bytes.ToValidUTF8(built, []byte("\uFFFD")))):
		return diagnosis{"bytes that are not UTF-8 were replaced by U+FFFD", blobFix}
	case len(fetched) < len(built) && bytes.HasPrefix(built, fetched):
		return diagnosis{fmt.Sprintf("the file is cut off after %d of %d bytes", len(fetched), len(built)), cutFix}
	case len(fetched) > 0 && len(fetched) < len(built) && bytes.HasSuffix(built, fetched):
		if frontmatter.Parse(built).Body != nil && len(frontmatter.Parse(fetched).Frontmatter) == 0 {
			return diagnosis{"the frontmatter was stripped", "serve SKILL.md as it is: the frontmatter belongs to its bytes"}
		}
		return diagnosis{fmt.Sprintf("the first %d bytes are missing", len(built)-len(fetched)), startFix}
	case same(bytes.TrimSpace(fetched), bytes.TrimSpace(frontmatter.Parse(built).Body)) && len(bytes.TrimSpace(fetched)) > 0:
		return diagnosis{"the frontmatter was stripped", "serve SKILL.md as it is: the frontmatter belongs to its bytes"}
	}
	if d := replaced(fetched); d.cause != "" && !bytes.Contains(built, replacement) {
		return d
	}
	return diagnosis{"the file has another content than the one that was built", "rebuild and redeploy: the server serves another version"}
}

// decoded replaces each start of a character that is not finished by one U+FFFD,
// as the decoders of JavaScript, Python and C# do.
func decoded(b []byte) []byte {
	text, err := unicode.UTF8.NewDecoder().Bytes(b)
	if err != nil {
		return b // it replaces, and has no errors
	}
	return text
}

// replaceEach replaces every invalid byte by one U+FFFD, as Go does.
func replaceEach(b []byte) []byte { return []byte(string([]rune(string(b)))) }
