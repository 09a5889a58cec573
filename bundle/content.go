package bundle

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/internal/invisible"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// headSize is how many bytes decide whether a file is text, as git decides it.
const headSize = 8000

// content is what the bytes of one file look like, told as they are read.
type content struct {
	head []byte // the first headSize bytes
	text []byte // its start, as far as keep says
	keep keep
	size int64
	// hidden finds what readers do not see, unless the file is binary.
	hidden invisible.Scanner
	// Of a binary file the line ends are not counted.
	binary bool
	lf     int64 // line feeds
	crlf   int64 // those behind a carriage return
	cr     bool  // the last byte was a carriage return
	final  byte  // the last byte
}

// keep says how much of a file's text is kept.
type keep struct {
	bytes  int
	fenced bool // only of a file that starts with ---
}

func (c *content) reset(keep keep) {
	c.hidden.Reset()
	*c = content{head: c.head[:0], text: c.text[:0], keep: keep, hidden: c.hidden}
}

// add looks at the next bytes of the file.
func (c *content) add(p []byte) {
	if len(p) == 0 {
		return
	}
	if c.size == 0 && c.keep.fenced && !bytes.HasPrefix(bytes.TrimPrefix(p, mark), []byte("---")) {
		c.keep = keep{}
	}
	c.size += int64(len(p))
	c.final = p[len(p)-1]
	if room := headSize - len(c.head); room > 0 {
		part := p[:min(room, len(p))]
		c.head = append(c.head, part...)
		c.binary = c.binary || bytes.IndexByte(part, 0) >= 0
	}
	if room := c.keep.bytes - len(c.text); room > 0 {
		c.text = append(c.text, p[:min(room, len(p))]...)
	}
	if c.binary {
		return
	}
	lf := bytes.Count(p, []byte{'\n'})
	c.lf += int64(lf)
	c.hidden.Add(p, lf)
	if c.cr && p[0] == '\n' {
		c.crlf++
	}
	if bytes.IndexByte(p, '\r') >= 0 {
		c.crlf += int64(bytes.Count(p, []byte("\r\n")))
	}
	c.cr = c.final == '\r'
}

// lines returns the number of lines, an unfinished last one included.
func (c *content) lines() int64 {
	if c.size > 0 && c.final != '\n' {
		return c.lf + 1
	}
	return c.lf
}

// whole returns the kept text, without a code point that was cut off at its end.
func (c *content) whole() []byte {
	for back := 1; back < utf8.UTFMax && back <= len(c.text) && c.size > int64(len(c.text)); back++ {
		if start := len(c.text) - back; utf8.RuneStart(c.text[start]) {
			if !utf8.FullRune(c.text[start:]) {
				return c.text[:start]
			}
			break
		}
	}
	return c.text
}

// mark is the UTF-8 byte order mark.
var mark = []byte("\xEF\xBB\xBF")

// marked reports whether a text file starts with a byte order mark that nobody
// needs: readers of XML take one, and some of PowerShell want one.
func (c *content) marked(name string) bool {
	rest, ok := bytes.CutPrefix(c.head, mark)
	return ok && !c.binary && !bytes.HasPrefix(rest, []byte("<?xml")) && !hasAnySuffix(strings.ToLower(name), markedEndings)
}

// markedEndings are endings of PowerShell files, in lower case.
var markedEndings = []string{".ps1", ".psm1", ".psd1"}

// isPointer reports whether the file is what Git LFS checks out when it does
// not fetch the content.
func (c *content) isPointer() bool {
	return c.size < 1024 && bytes.HasPrefix(c.head, []byte("version https://git-lfs.github.com/spec/v1\n")) &&
		bytes.Contains(c.head, []byte("\noid "))
}

// secretNames are names of files that hold secrets, in lower case.
var secretNames = map[string]bool{
	".env": true, ".npmrc": true, ".netrc": true, "_netrc": true, ".pypirc": true, ".htpasswd": true,
	".pgpass": true, ".git-credentials": true, ".dockercfg": true, "credentials.json": true, "client_secret.json": true,
	"id_rsa": true, "id_dsa": true, "id_ecdsa": true, "id_ed25519": true, "id_ecdsa_sk": true, "id_ed25519_sk": true,
}

// secretEndings are endings of key stores, in lower case.
var secretEndings = []string{".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx"}

// harmlessEnv are endings of templates for an .env file.
var harmlessEnv = []string{".example", ".sample", ".template", ".tmpl", ".dist", ".defaults", ".schema"}

// isSecret reports whether a file's name is one that secrets go by. A *.pem or
// *.key can be a certificate, or a slide show: its content decides.
func isSecret(name string, c *content) bool {
	name = strings.ToLower(name)
	if secretNames[name] {
		return true
	}
	if strings.HasPrefix(name, ".env.") {
		return !hasAnySuffix(name, harmlessEnv)
	}
	switch {
	case strings.HasSuffix(name, ".pem"):
		return !bytes.Contains(c.head, []byte("-----BEGIN ")) || isPrivateKey(c)
	case strings.HasSuffix(name, ".key"):
		return isPrivateKey(c)
	}
	return hasAnySuffix(name, secretEndings)
}

func isPrivateKey(c *content) bool {
	return bytes.Contains(c.head, []byte("PRIVATE KEY-----"))
}

func hasAnySuffix(s string, endings []string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(s, ending) {
			return true
		}
	}
	return false
}

// checkContent reports what is wrong with the bytes of the file that was just
// read, and reads it when it is the skill's SKILL.md.
func (w *worker) checkContent(f *folder, fl *file, path string) {
	c := &w.reader.content
	if c.isPointer() {
		w.reportPath(f, path, "lfs-pointer", "the file is a Git LFS pointer, not the content it stands for: run git lfs pull")
		return
	}
	if isSecret(fl.name, c) {
		w.reportPath(f, path, "secret-file", "a file named %s usually holds secrets, and everyone who can reach the server can read it: move it out of the skill or exclude it", message.Quote(fl.name))
	}
	if !c.binary {
		w.checkHidden(f, path)
	}
	if !c.binary && c.crlf > 0 {
		mixed := c.crlf < c.lf
		if !w.attributes.Pinned(path, mixed) {
			kind := "CRLF line ends"
			if mixed {
				kind = fmt.Sprintf("CRLF line ends in %s of %s lines", message.Number(c.crlf), message.Number(c.lf))
			}
			w.reportPath(f, path, "crlf", "the file has %s, and a checkout elsewhere can change them, hence the digest: save it with LF, or add %s", kind, w.attributes.Advice(path))
		}
	}
	fl.shebang = shebang(c.head)
	linkText := w.checkLinkText(f, path)
	if f.isSkill && fl.name == manifest.SkillFile {
		if linkText { // which explains all that its content lacks
			f.doc = &skillFile{lost: true, sure: true}
			return
		}
		w.readSkillFile(f, path)
		return
	}
	if isReference(fl.name) {
		w.checkReference(f, path)
	}
	if c.marked(fl.name) {
		finding := lint.New("byte-order-mark", "the file starts with a byte order mark, which some readers take for text: save it as UTF-8 without one")
		finding.Severity = lint.Warning
		w.report(f, finding.At(w.shown(path), 1, 1))
	}
}
