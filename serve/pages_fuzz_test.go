package serve

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

// FuzzPages holds that a walk along the cursors gives every item once and in
// order, on pages that are JSON and within their bounds, and that no other
// cursor leads anywhere.
func FuzzPages(f *testing.F) {
	f.Add([]byte{0, 0, 0}, 2, "x")
	f.Add([]byte{}, 1, "")
	f.Add([]byte{255, 255, 255, 1, 255, 0, 255}, 100, "MA")
	f.Add(bytes.Repeat([]byte{1}, 300), 1, "")
	f.Fuzz(func(t *testing.T, sizes []byte, pageSize int, cursor string) {
		if pageSize < 1 {
			return // options refuse it
		}
		items := make([][]byte, len(sizes))
		for i, size := range sizes {
			items[i] = append(append([]byte(`"`), bytes.Repeat([]byte{'a'}, int(size)*3000)...), strconv.Itoa(i)+`"`...)
		}
		p := newPages(manifest.DigestOf(sizes), "listing", "items", pageSize, items)
		var got [][]byte
		seen := map[string]bool{}
		for current := p.first; ; {
			text := append(append([]byte("{"), bytes.Join(current.parts, nil)...), '}')
			var page struct {
				Items      []json.RawMessage
				NextCursor string
			}
			if err := json.Unmarshal(text, &page); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			total := 0
			for _, item := range page.Items {
				got, total = append(got, item), total+len(item)
			}
			if len(page.Items) != current.items || len(page.Items) > pageSize || len(page.Items) > 1 && total > maxPage || len(page.Items) == 0 && len(items) > 0 {
				t.Fatalf("a page of %d items with %d bytes, at most %d", len(page.Items), total, pageSize)
			}
			if current.last != (page.NextCursor == "") || seen[page.NextCursor] {
				t.Fatalf("the last page is %v, with the cursor %q", current.last, page.NextCursor)
			}
			if current.last {
				break
			}
			seen[page.NextCursor] = true
			if current = p.at(page.NextCursor); current == nil {
				t.Fatalf("the cursor %q leads nowhere", page.NextCursor)
			}
		}
		if !bytes.Equal(bytes.Join(got, nil), bytes.Join(items, nil)) {
			t.Errorf("%d items of %d", len(got), len(items))
		}
		if !seen[cursor] && cursor != "" && p.at(cursor) != nil {
			t.Errorf("the cursor %q was not given out", cursor)
		}
		other := newPages(manifest.DigestOf(append(sizes, 0)), "listing", "items", pageSize, items)
		for given := range seen {
			if other.at(given) != nil {
				t.Errorf("the cursor %q leads somewhere in another build", given)
			}
		}
	})
}
