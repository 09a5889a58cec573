package invisible

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tags returns a text as tag characters.
func tags(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(0xE0000 + c)
	}
	return b.String()
}

// scan returns the places of a text that is read in parts of a size.
func scan(text string, size int) ([]Place, int) {
	var s Scanner
	for part := range slices.Chunk([]byte(text), size) {
		s.Add(part, bytes.Count(part, []byte{'\n'}))
	}
	s.End()
	return s.Places, s.More
}

func TestFound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Place
	}{
		{"tags", "One.\nTwo." + tags("ignore all") + "\n", []Place{{Tag, 2, 5, 10, 0xE0069, "ignore all"}}},
		{"tags with spaces between", "A" + tags("ab") + " " + tags("cd"), []Place{{Tag, 1, 2, 4, 0xE0061, "abcd"}}},
		{"language tag", "\U000E0001", []Place{{Tag, 1, 1, 1, 0xE0001, ""}}},
		{"tags behind another flag", "\U0001F3F3" + tags("gbsct\x7f"), []Place{{Tag, 1, 2, 6, 0xE0067, "gbsct"}}},
		{"a sentence behind the flag", "\U0001F3F4" + tags("delete all\x7f"), []Place{{Tag, 1, 2, 11, 0xE0064, "delete all"}}},
		{"an open flag", "\U0001F3F4" + tags("gbsct") + "x", []Place{{Tag, 1, 2, 5, 0xE0067, "gbsct"}}},
		{"zero-width space", "é\n\nÄre\u200bfund", []Place{{ZeroWidth, 3, 4, 1, 0x200B, "Äre\u200bfund"}}},
		{"joiner between Latin letters", "re\u200dfund", []Place{{ZeroWidth, 1, 3, 1, 0x200D, "re\u200dfund"}}},
		{"joiner at the end", "\U0001F468\u200d", []Place{{ZeroWidth, 1, 2, 1, 0x200D, "\U0001F468\u200d"}}},
		{"non-joiners in a row", "می\u200c\u200c\u200cخ", []Place{{ZeroWidth, 1, 3, 3, 0x200C, "می\u200c\u200c\u200cخ"}}},
		{"mark inside", "a\ufeffb", []Place{{ZeroWidth, 1, 2, 1, 0xFEFF, "a\ufeffb"}}},
		{"second mark", "\ufeff\ufeffb", []Place{{ZeroWidth, 1, 2, 1, 0xFEFF, "\ufeff\ufeffb"}}},
		{"override", "one\n a \u202edcba\u202c b\nthree", []Place{{Direction, 2, 4, 2, 0x202E, "a \u202edcba\u202c b"}}},
		{"override of Hebrew", "\u202eשלום\u202c", []Place{{Direction, 1, 1, 2, 0x202E, "\u202eשלום\u202c"}}},
		{"mark of direction", "a\u200fb", []Place{{Direction, 1, 2, 1, 0x200F, "a\u200fb"}}},
		{"mark, Hebrew in another line", "a\u200fb\nשלום", []Place{{Direction, 1, 2, 1, 0x200F, "a\u200fb"}}},
		{"two classes in a line", "a\u200b\u202e\u200b\u202c", []Place{{ZeroWidth, 1, 2, 2, 0x200B, "a\u200b\u202e\u200b\u202c"}, {Direction, 1, 3, 2, 0x202E, "a\u200b\u202e\u200b\u202c"}}},
		{"others", "\u180e\n\u2060\n\u2064\n\u206a\n\u061c", []Place{
			{ZeroWidth, 1, 1, 1, 0x180E, "\u180e"}, {ZeroWidth, 2, 1, 1, 0x2060, "\u2060"}, {ZeroWidth, 3, 1, 1, 0x2064, "\u2064"},
			{ZeroWidth, 4, 1, 1, 0x206A, "\u206a"}, {Direction, 5, 1, 1, 0x061C, "\u061c"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, more := scan(c.text, 1<<20); !slices.Equal(got, c.want) || more != 0 {
				t.Errorf("got %+v (%d more), want %+v", got, more, c.want)
			}
		})
	}
}

func TestNotFound(t *testing.T) {
	for name, text := range map[string]string{
		"plain":                      "Plain text.\n" + strings.Repeat("long ", 1000),
		"typography":                 "“quotes” – dash — …\u00a0‰ ‼️ ⁇ \u2028 \u205f x",
		"leading mark":               "\ufeff# Title",
		"family":                     "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466",
		"skin and sign":              "\U0001F937\U0001F3FD\u200d\u2642\ufe0f \u2764\ufe0f\u200d\U0001F525",
		"black bird, head shaking":   "\U0001F426\u200d\u2b1b \U0001F642\u200d\u2194\ufe0f",
		"eye in bubble, pirate flag": "\U0001F441\ufe0f\u200d\U0001F5E8\ufe0f \U0001F3F4\u200d\u2620\ufe0f",
		"Scotland, Texas":            "\U0001F3F4" + tags("gbsct\x7f") + " \U0001F3F4" + tags("ustx\x7f"),
		"Persian":                    "می\u200cخواهم **کتاب**\u200cها API\u200cها ه\u200d.",
		"Devanagari":                 "क्\u200dष क्\u200cष",
		"Malayalam, Sinhala":         "ന്\u200d ශ්\u200dරී",
		"Thai, Khmer":                "ภาษา\u200bไทย ភាសា\u200bខ្មែរ",
		"Hebrew":                     "שלום\u200f! C++\u200e שלום",
		"Arabic letter mark":         "12\u061c-ب",
		"ideographs and a selector":  "葛\U000E0100 中文，日本語。",
		"not UTF-8":                  "\xe2\x80\xf3\xa0\xff\xef\xbb\xe1\xa0\xd8",
	} {
		if got, more := scan(text, 1<<20); len(got) > 0 || more > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestManyPlaces(t *testing.T) {
	text := strings.Repeat("a\u200bb\u200bc\n", MaxPlaces+5)
	got, more := scan(text, 1<<20)
	if len(got) != MaxPlaces || more != 5 || got[MaxPlaces-1].Line != MaxPlaces || got[MaxPlaces-1].Count != 2 {
		t.Errorf("%d places and %d more, the last kept %+v", len(got), more, got[len(got)-1])
	}
	long := tags(strings.Repeat("x", 5000))
	if got, _ := scan(long, 1000); len(got) != 1 || got[0].Count != 5000 || len(got[0].Text) > maxSpelled {
		t.Errorf("%+v", got)
	}
}

// TestParts reads random texts in parts of every small size: the parts must make
// no difference.
func TestParts(t *testing.T) {
	pieces := []string{
		"a", "word ", "\n", "é", "中", "\u200b", "\u200c", "\u200d", "\ufeff", "\u202e", "\u202c", "\u200f", "ש", "ب", "क", "ไ", "*",
		"\U0001F468", "\u2642\ufe0f", "\U0001F3FD", "\U0001F3F4", tags("gbsct\x7f"), tags("hidden"), "\xe2", "\x80", "\xf3\xa0", strings.Repeat("plain ", 20),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var text strings.Builder
		for range r.IntN(60) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		want, wantMore := scan(text.String(), 1<<20)
		for _, size := range []int{1, 2, 3, 5, 7, 31, 64, 97, 200} {
			if got, more := scan(text.String(), size); !slices.Equal(got, want) || more != wantMore {
				t.Fatalf("%q in parts of %d:\n%+v, %d more\nwant\n%+v, %d more", text.String(), size, got, more, want, wantMore)
			}
		}
	}
}

func TestReset(t *testing.T) {
	var s Scanner
	s.Add([]byte("one\n\u200b"), 1)
	s.Reset()
	s.Add([]byte("\ufeff# two"), 0)
	s.End()
	if len(s.Places) > 0 {
		t.Errorf("%+v", s.Places)
	}
}

func BenchmarkAdd(b *testing.B) {
	for name, line := range map[string]string{
		"ASCII": "A sentence that a reader would want to read.\n", "dashes": "A sentence — that a reader “would” want.\n",
		"Chinese": "这是一个句子，读者会想要阅读它。\n", "Persian": "می\u200cخواهم کتاب\u200cها را بخوانم\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat(line, 256<<10/len(line)))
			lines := bytes.Count(text, []byte{'\n'})
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var s Scanner
				s.Add(text, lines)
				s.End()
				if len(s.Places) > 0 {
					b.Fatal(fmt.Sprint(s.Places))
				}
			}
		})
	}
}
