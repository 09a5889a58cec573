package remote

import (
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

func TestTemplates(t *testing.T) {
	file := manifest.NewURI("a b/.env")
	top := manifest.NewURI("notes.txt")
	for _, test := range []struct{ text, file, top string }{ // what the two files become, "" for nothing
		{"skill://{+path}", "skill://a%20b/.env", "skill://notes.txt"},
		{"docs://x/{path*}?raw", "docs://x/a%20b/.env?raw", "docs://x/notes.txt?raw"},
		{"docs://x{/path*}", "docs://x/a%20b/.env", "docs://x/notes.txt"},
		{"docs://{path}", "", "docs://notes.txt"},
		{"docs://{file}", "", "docs://notes.txt"},
		{"docs://{filepath}", "", "docs://notes.txt"},
		{"docs://{file_path}", "", "docs://notes.txt"},
		{"docs://{filename}", "", "docs://notes.txt"},
		{"docs://{name}", "", "docs://notes.txt"},
		{"docs://{rest}", "", "docs://notes.txt"},
		{"docs://{resource}", "", "docs://notes.txt"},
		{"docs://{id}", "", ""},
		{"docs://{+a}/{+b}", "", ""},
		{"docs://{}", "", ""},
		{"{+path}", "", ""},
		{"docs://{+path", "", ""},
		{"docs://plain", "", ""},
	} {
		parsed, ok := parseTemplate(test.text)
		for u, want := range map[manifest.URI]string{file: test.file, top: test.top} {
			got := ""
			if ok {
				got, _ = parsed.expand(u)
			}
			if got != want {
				t.Errorf("%s with %s is %q, want %q", test.text, u, got, want)
			}
			if got != "" && !parsed.matches(got) {
				t.Errorf("%s does not match %s, which it makes", test.text, got)
			}
		}
	}
	for uri, want := range map[string]bool{"skill://a/b.md": true, "skill://": false, "other://a": false, "skill://a/b.txt": false} {
		parsed, _ := parseTemplate("skill://{+path}.md")
		if got := parsed.matches(uri); got != want {
			t.Errorf("skill://{+path}.md matches %s: %v, want %v", uri, got, want)
		}
	}
}
