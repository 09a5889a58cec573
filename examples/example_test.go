package examples_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/skillpack/skillpack/examples"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// The generated package hands out the bytes that its manifest lists.
func ExampleReadFile() {
	text, err := examples.ReadFile(examples.ReleaseNotesURI)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frontmatter.Parse(text).Frontmatter.Text("name"))
	// Output: release-notes
}

func TestEveryByteIsListed(t *testing.T) {
	m, err := manifest.Parse([]byte(examples.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Fingerprint().String(); got != examples.Fingerprint {
		t.Errorf("fingerprint of the manifest is %s, the constant says %s", got, examples.Fingerprint)
	}
	files := 0
	for _, skill := range m.Skills {
		for _, r := range skill.Resources {
			b, err := examples.ReadFile(r.URI.String())
			if err != nil {
				t.Error(err)
				continue
			}
			files++
			if d := manifest.DigestOf(b); d != r.Digest || int64(len(b)) != r.Size {
				t.Errorf("%s: %d bytes, %s; the manifest says %d, %s", r.URI, len(b), d, r.Size, r.Digest)
			}
		}
	}
	if files == 0 {
		t.Error("the manifest lists no files")
	}
	if _, err := examples.ReadFile("skill://no-such-skill/SKILL.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not listed: error %v, want fs.ErrNotExist", err)
	}
}
