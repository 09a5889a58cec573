package lint

import (
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// longestURI is how many characters of a served URI a finding's place keeps.
const longestURI = 1024

// describe names a value that is not of the expected type: its type, and its
// text where that is short and plain.
func describe(v manifest.Value) string {
	switch v.Kind {
	case manifest.Number:
		return "the number " + message.Cut(v.Text, 40)
	case manifest.Bool:
		return "the boolean " + v.Text
	case manifest.String:
		return "the string " + message.Quote(v.Text)
	default:
		return v.Kind.String()
	}
}
