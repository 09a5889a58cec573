package bundle

import (
	"bytes"
	"strings"
	"testing"
)

// look reads a text in parts of some length.
func look(text string, part, kept int) *content {
	c := new(content)
	c.reset(keep{bytes: kept})
	for p := []byte(text); len(p) > 0; {
		n := min(part, len(p))
		c.add(p[:n])
		p = p[n:]
	}
	return c
}

func TestContent(t *testing.T) {
	head := strings.Repeat("x", headSize-1)
	for _, c := range []struct {
		name, text string
		binary     bool
		lf, crlf   int64
		lines      int64
	}{
		{"empty", "", false, 0, 0, 0},
		{"LF", "a\nb\n", false, 2, 0, 2},
		{"no final line break", "a\nb", false, 1, 0, 2},
		{"CRLF", "a\r\nb\r\n", false, 2, 2, 2},
		{"mixed", "a\r\nb\nc\r\n", false, 3, 2, 3},
		{"lone CR", "a\rb\r", false, 0, 0, 1},
		{"CR at the end, then none", "a\r\r\n", false, 1, 1, 1},
		{"NUL", "a\x00\r\n", true, -1, -1, -1},
		{"NUL as the last byte that counts", head + "\x00\r\n", true, -1, -1, -1},
		{"NUL behind them", head + "x\x00\r\n", false, 1, 1, 1},
	} {
		for _, part := range []int{1, 2, 3, 7999, 8000, 8001, 1 << 20} {
			got := look(c.text, part, 0)
			if got.binary != c.binary || c.lf >= 0 && (got.lf != c.lf || got.crlf != c.crlf || got.lines() != c.lines) {
				t.Errorf("%s in parts of %d: binary %v, %d LF, %d CRLF, %d lines; want %v, %d, %d, %d", c.name, part,
					got.binary, got.lf, got.crlf, got.lines(), c.binary, c.lf, c.crlf, c.lines)
			}
		}
	}
}

func TestContentKeeps(t *testing.T) {
	text := "ab\u00e9\u8aac\U0001F600z"
	for keep := range len(text) + 2 {
		for part := range len(text) {
			got := string(look(text, part+1, keep).whole())
			if want := strings.ToValidUTF8(text[:min(keep, len(text))], ""); got != want {
				t.Errorf("keep %d in parts of %d: %q, want %q", keep, part+1, got, want)
			}
		}
	}
	if got := string(look("a\xff", 1, 9).whole()); got != "a\xff" {
		t.Errorf("a whole text lost its broken end: %q", got)
	}
}

func TestPointer(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d", 32) + "\nsize 12345\n"
	for text, want := range map[string]bool{
		pointer:        true,
		" " + pointer:  false,
		"# " + pointer: false,
		"version https://git-lfs.github.com/spec/v1\nis what a pointer starts with\n": false,
		pointer + strings.Repeat("x", 1024):                                           false,
	} {
		if got := look(text, 10, 0).isPointer(); got != want {
			t.Errorf("%.80q: %v, want %v", text, got, want)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a.md", "\uFEFFa\n", true},
		{"a.csv", "\uFEFFa,b\n", true},
		{"a.md", "a\uFEFF", false},
		{"a.bin", "\uFEFF\x00", false},
		{"a.xsd", "\uFEFF<?xml version=\"1.0\"?>", false},
		{"a.PS1", "\uFEFFparam()", false},
	} {
		if got := look(c.text, 1, 0).marked(c.name); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

func TestIsSecret(t *testing.T) {
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMII…\n"
	const certificate = "-----BEGIN CERTIFICATE-----\nMII…\n"
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{".env", "", true}, {".env.local", "", true}, {".ENV", "", true}, {".env.production", "", true},
		{".env.example", "", false}, {".env.sample", "", false}, {".env.template", "", false}, {".env.dist", "", false}, {".env.local.example", "", false},
		{"env.example", "", false}, {".envrc", "", false}, {"environment.md", "", false},
		{"id_rsa", "", true}, {"id_ed25519", "", true}, {"id_rsa.pub", "", false}, {"my_id_rsa_notes.md", "", false},
		{"server.pem", key, true}, {"server.pem", "", true}, {"ca.pem", certificate, false}, {"pem.md", key, false},
		{"server.key", key, true}, {"slides.key", "PK\x03\x04", false}, {"public.key", "-----BEGIN PUBLIC KEY-----", false},
		{"a.p12", "", true}, {"a.PFX", "", true}, {"a.jks", "", true}, {"a.keystore", "", true}, {"a.p12.md", "", false},
		{".npmrc", "", true}, {".netrc", "", true}, {".pypirc", "", true}, {".htpasswd", "", true}, {"credentials.json", "", true},
		{"_netrc", "", true}, {".pgpass", "", true}, {".git-credentials", "", true}, {".dockercfg", "", true}, {"client_secret.json", "", true},
		{"id_dsa", "", true}, {"id_ecdsa", "", true}, {"id_ecdsa_sk", "", true}, {"id_ed25519_sk", "", true},
		{"credentials.md", "", false}, {"aws-credentials.json.example", "", false},
	} {
		if got := isSecret(c.name, look(c.text, 100, 0)); got != c.want {
			t.Errorf("%s with %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("a\r\nb\n\r"), 3)
	f.Add([]byte("\x00\r\n"), 1)
	f.Fuzz(func(t *testing.T, text []byte, part int) {
		if part < 1 {
			return
		}
		c := look(string(text), part, 1<<20)
		if c.binary != (bytes.IndexByte(text[:min(headSize, len(text))], 0) >= 0) {
			t.Errorf("binary is %v", c.binary)
		}
		if lf, crlf := int64(bytes.Count(text, []byte("\n"))), int64(bytes.Count(text, []byte("\r\n"))); !c.binary && (c.lf != lf || c.crlf != crlf) {
			t.Errorf("%d LF and %d CRLF, want %d and %d", c.lf, c.crlf, lf, crlf)
		}
		if !bytes.Equal(c.text, text[:min(1<<20, len(text))]) {
			t.Error("the kept text differs")
		}
	})
}
