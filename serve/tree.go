package serve

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/manifest"
)

// folderType is the MIME type of a directory resource (spec: Directory Resources).
const folderType = "inode/directory"

// tree is the folders above the listed files, up to the first segment of their
// URIs.
type tree struct {
	folders map[manifest.URI]map[string]child
}

// child is what lies directly in a folder.
type child struct {
	uri      manifest.URI
	resource []byte // of a file; nil for a folder
}

func newTree() *tree { return &tree{map[manifest.URI]map[string]child{}} }

// add puts a file into its folder, and that into the one above.
func (t *tree) add(uri manifest.URI, resource []byte) {
	c := child{uri, resource}
	for folder := uri.Parent(); !folder.IsZero(); folder = folder.Parent() {
		children, known := t.folders[folder]
		if !known {
			children = map[string]child{}
			t.folders[folder] = children
		}
		children[c.uri.Name()] = c
		if known {
			return // the folders above are there already
		}
		c = child{uri: folder}
	}
}

// check refuses an address that is a file and a folder at once: no directory
// has one, so the manifest was not built from any.
func (t *tree) check(files map[manifest.URI]*file) error {
	for uri := range t.folders {
		if files[uri] != nil {
			return fmt.Errorf("the manifest lists %s as a file, and files below it: rename one of them", uri)
		}
	}
	return nil
}

// sorted returns each folder with the metadata of its children, by name.
func (t *tree) sorted() iter.Seq2[manifest.URI, [][]byte] {
	return func(yield func(manifest.URI, [][]byte) bool) {
		for uri, byName := range t.folders {
			children := make([]child, 0, len(byName))
			for _, c := range byName {
				children = append(children, c)
			}
			slices.SortFunc(children, func(a, b child) int { return strings.Compare(a.uri.Name(), b.uri.Name()) })
			items := make([][]byte, len(children))
			for i, c := range children {
				items[i] = c.resource
				if c.resource == nil {
					// Only strings are written, which always works.
					items[i], _ = marshal(resource{URI: c.uri.String(), Name: c.uri.Name(), MIMEType: folderType})
				}
			}
			if !yield(uri, items) {
				return
			}
		}
	}
}
