package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/skillpack/skillpack/internal/message"
)

// digestPrefix is the only algorithm the Skills extension defines.
const digestPrefix = "sha256:"

// Digest is the SHA-256 of a file's raw bytes. Its text form is "sha256:" and
// 64 lower-case hexadecimal digits (spec: Integrity and Verification); a
// Digest cannot hold a malformed one.
type Digest [sha256.Size]byte

// DigestOf returns the digest of b.
func DigestOf(b []byte) Digest { return sha256.Sum256(b) }

// ParseDigest reads the text form. It returns an error that says what was
// found for any other text, including capital hexadecimal digits.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	if len(s) < len(digestPrefix) || s[:len(digestPrefix)] != digestPrefix {
		return d, fmt.Errorf("digest %s does not start with %q", message.Quote(s), digestPrefix)
	}
	h := s[len(digestPrefix):]
	if len(h) != hex.EncodedLen(len(d)) {
		return d, fmt.Errorf("digest %s has %d characters after %q, not 64", message.Quote(s), len(h), digestPrefix)
	}
	for i := range len(h) {
		if c := h[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return d, fmt.Errorf("digest %s holds %q, which is no lower-case hexadecimal digit", message.Quote(s), c)
		}
	}
	_, err := hex.Decode(d[:], []byte(h))
	return d, err
}

// IsZero reports whether no digest was given: no file is known whose SHA-256 is
// all zeros.
func (d Digest) IsZero() bool { return d == Digest{} }

// String returns the text form.
func (d Digest) String() string { return string(d.appendTo(nil)) }

func (d Digest) appendTo(b []byte) []byte { return hex.AppendEncode(append(b, digestPrefix...), d[:]) }

// MarshalText returns the text form; it never fails.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is [ParseDigest].
func (d *Digest) UnmarshalText(text []byte) error {
	p, err := ParseDigest(string(text))
	if err == nil {
		*d = p
	}
	return err
}
