package remote

import (
	"path"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/linktext"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

const symlinkFix = "commit a real file, or check out with core.symlinks=true"

// servedSymlink explains served bytes that are the text of a symlink, as git
// writes it where symlinks are switched off.
func servedSymlink(b []byte) diagnosis {
	if target, ok := linktext.Likely(b); ok {
		return diagnosis{"the server has the text of a symlink to " + message.Quote(target) + " in place of the file", symlinkFix}
	}
	return diagnosis{}
}

// mostLinks bounds how many links one run tries, each a link from one file to
// another.
const mostLinks = 1 << 20

// longestLink is the size up to which a listed file is taken for a link, in bytes.
const longestLink = 256

// listedSymlink explains a listed digest that is that of a symlink's text. The
// text itself is not at hand: links to the files that are listed are tried, and
// those of another length need no hash.
func (c *check) listedSymlink(listed manifest.Resource) diagnosis {
	if listed.Size > longestLink || listed.Digest.IsZero() {
		return diagnosis{}
	}
	from := strings.Split(path.Dir(listed.URI.Path()), "/")
	for _, e := range c.entries {
		for _, r := range e.Resources {
			if c.links.Add(1) > mostLinks {
				return diagnosis{}
			}
			for _, target := range linkTexts(from, strings.Split(r.URI.Path(), "/")) {
				if (listed.Size == manifest.NoSize || int64(len(target)) == listed.Size) && manifest.DigestOf([]byte(target)) == listed.Digest {
					return diagnosis{"the server hashed the text of a symlink to " + message.Quote(target) + " in place of the file", symlinkFix}
				}
			}
		}
	}
	return diagnosis{}
}

// linkTexts returns what a symlink in a folder to a file can hold: the path to the
// file, and the path with "./" before it.
func linkTexts(folder, file []string) []string {
	same := 0
	for same < len(folder) && same < len(file)-1 && folder[same] == file[same] {
		same++
	}
	way := path.Join(append(slices.Repeat([]string{".."}, len(folder)-same), file[same:]...)...)
	return []string{way, "./" + way}
}
