package remote

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

// Readers differ in how many U+FFFD they put for bytes that are not UTF-8. The
// texts are those of Node, of Go, and of strings.ToValidUTF8.
func TestReplacedBytes(t *testing.T) {
	const built = "\x89PNG \xe2\x82 \xf0\x9f\x98 \xed\xa0\x80 \xc0\xaf"
	for reader, served := range map[string]string{
		"Node":  "\ufffdPNG \ufffd \ufffd \ufffd\ufffd\ufffd \ufffd\ufffd",
		"Go":    "\ufffdPNG \ufffd\ufffd \ufffd\ufffd\ufffd \ufffd\ufffd\ufffd \ufffd\ufffd",
		"valid": "\ufffdPNG \ufffd \ufffd \ufffd \ufffd",
	} {
		declared := manifest.Resource{Digest: manifest.DigestOf([]byte(built)), Size: int64(len(built))}
		if got := diagnose([]byte(served), declared, []byte(built)); !strings.Contains(got.cause, "replaced by U+FFFD") {
			t.Errorf("%s: %v", reader, got)
		}
		if got := accident([]byte(built), manifest.DigestOf([]byte(served))); reader == "Node" && !strings.Contains(got.cause, "replaced by U+FFFD") {
			t.Errorf("%s, hashed by the server: %v", reader, got)
		}
	}
}
