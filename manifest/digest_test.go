package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/internal/message"
)

const emptyDigest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestDigestText(t *testing.T) {
	if got := DigestOf(nil).String(); got != emptyDigest {
		t.Errorf("digest of nothing is %s", got)
	}
	d, err := ParseDigest(emptyDigest)
	if err != nil || d != DigestOf(nil) {
		t.Errorf("ParseDigest = %v, %v", d, err)
	}
	text, err := json.Marshal(map[string]Digest{"d": d})
	if err != nil || string(text) != `{"d":"`+emptyDigest+`"}` {
		t.Errorf("JSON form is %s, %v", text, err)
	}
}

// Only the digest of 32 zero bytes stands for none.
func TestDigestIsZero(t *testing.T) {
	last := Digest{31: 1}
	for d, want := range map[Digest]bool{{}: true, DigestOf(nil): false, last: false} {
		if got := d.IsZero(); got != want {
			t.Errorf("%s is no digest: %v, want %v", d, got, want)
		}
	}
}

func TestParseDigestRefuses(t *testing.T) {
	hex := strings.TrimPrefix(emptyDigest, digestPrefix)
	for _, test := range []struct{ text, reason string }{
		{"", `does not start with "sha256:"`},
		{hex, `does not start with "sha256:"`},
		{"SHA256:" + hex, `does not start with "sha256:"`},
		{"sha512:" + hex, `does not start with "sha256:"`},
		{"sha256:" + hex[1:], "has 63 characters"},
		{"sha256:" + hex + "0", "has 65 characters"},
		{"sha256:" + strings.ToUpper(hex), "no lower-case hexadecimal digit"},
		{"sha256:" + hex[:63] + "g", `holds 'g'`},
		{"sha256:" + hex[:63] + " ", `holds ' '`},
		{"sha256: " + hex[:63], `holds ' '`},
	} {
		d, err := ParseDigest(test.text)
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.reason)
		}
		if d != (Digest{}) {
			t.Errorf("%q: a digest came with the error", test.text)
		}
		kept := DigestOf(nil)
		if kept.UnmarshalText([]byte(test.text)) == nil || kept != DigestOf(nil) {
			t.Errorf("%q: UnmarshalText changed its receiver or did not fail", test.text)
		}
	}
}

func TestShortenKeepsMessagesOnALine(t *testing.T) {
	got := message.Quote(strings.Repeat("é", 200) + "\n")
	if n := len([]rune(got)); n > 82 || !strings.HasSuffix(got, `…"`) {
		t.Errorf("%d characters: %s", n, got)
	}
	if got := message.Quote("a\nb"); got != `"a\nb"` {
		t.Errorf("got %s", got)
	}
}
