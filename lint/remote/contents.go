package remote

import (
	"bytes"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// judgeContents judges the items of an answer to resources/read beside the one
// with the requested URI, whose bytes are b. It returns nil when there is none.
func judgeContents(contents []content, uri string, b []byte) *lint.Finding {
	if len(contents) < 2 {
		return nil
	}
	want, wantErr := manifest.ParseURI(uri)
	var others []string
	differs := false
	for _, c := range contents {
		got, err := manifest.ParseURI(c.URI)
		if c.URI != uri && (err != nil || wantErr != nil || got != want) {
			others = append(others, c.URI)
			continue
		}
		also, err := c.bytes()
		differs = differs || err != nil || !bytes.Equal(also, b)
	}
	var f lint.Finding
	switch {
	case differs:
		f = lint.New("read-ambiguous", "reading the file gives %s of its URI that differ: clients use the one or the other", message.Counted(len(contents)-len(others), "item"))
	case others != nil:
		f = lint.New("read-extra-content", "reading the file also gives %q: some importers refuse more than the requested item", shorten(others[0]))
	default:
		f = lint.New("read-extra-content", "reading the file gives it %d times: some importers refuse more than one item", len(contents))
	}
	return &f
}
