package main

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// TestLinks follows every link of every Markdown file: a relative one leads to a
// file and a heading that are there, another one is a whole URL.
func TestLinks(t *testing.T) {
	docs := documents(t)
	headings := map[string]map[string]bool{}
	for _, d := range docs {
		headings[d.path] = d.anchors()
	}
	followed := 0
	for _, d := range docs {
		_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			var to string
			switch n := n.(type) {
			case *ast.Link:
				to = string(n.Destination)
			case *ast.Image:
				to = string(n.Destination)
			case *ast.AutoLink:
				if n.AutoLinkType != ast.AutoLinkEmail {
					to = string(n.URL(d.source))
				}
			}
			if !entering || to == "" {
				return ast.WalkContinue, nil
			}
			followed++
			if fault := follow(d.path, to, headings); fault != "" {
				t.Errorf("%s: link to %s: %s", d.path, to, fault)
			}
			return ast.WalkContinue, nil
		})
	}
	if followed < 100 {
		t.Errorf("%d links: they are not found", followed)
	}
}

// follow says what is wrong with a link of a document, or "".
func follow(from, to string, headings map[string]map[string]bool) string {
	u, err := url.Parse(to)
	switch {
	case err != nil:
		return err.Error()
	case u.Scheme == "https" || u.Scheme == "http":
		if !strings.Contains(u.Hostname(), ".") || u.User != nil || strings.ContainsAny(to, " \t{}") {
			return "no well-formed URL of a site"
		}
		return ""
	case u.Scheme != "":
		return "the scheme is neither https nor http"
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
		if _, err := os.Stat(filepath.Join(repository, target)); err != nil {
			return "there is no such file"
		}
	}
	if u.Fragment != "" && !headings[target][u.Fragment] {
		return "there is no such heading"
	}
	return ""
}

// anchors are the names that GitHub gives a document's headings.
func (d doc) anchors() map[string]bool {
	all := map[string]bool{}
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		slug := anchor(plain(h, d.source))
		name := slug
		for i := 1; all[name]; i++ {
			name = fmt.Sprintf("%s-%d", slug, i)
		}
		all[name] = true
		return ast.WalkSkipChildren, nil
	})
	return all
}

func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestFollow(t *testing.T) {
	headings := map[string]map[string]bool{"README.md": {"set-up": true}, "docs/rules/contents.md": {"crlf": true}}
	for _, test := range []struct{ from, to, want string }{
		{"README.md", "docs/rules/contents.md#crlf", ""},
		{"docs/rules/contents.md", "../../README.md#set-up", ""},
		{"README.md", "#set-up", ""},
		{"README.md", "https://example.com/a?b#c", ""},
		{"README.md", "docs/rule.md", "there is no such file"},
		{"README.md", "docs/rules/contents.md#lf", "there is no such heading"},
		{"README.md", "#tear-down", "there is no such heading"},
		{"README.md", "https://example/a", "no well-formed URL of a site"},
		{"README.md", "https:///a", "no well-formed URL of a site"},
		{"README.md", "ftp://example.com", "the scheme is neither https nor http"},
	} {
		if got := follow(test.from, test.to, headings); got != test.want {
			t.Errorf("follow(%s, %s) = %q, want %q", test.from, test.to, got, test.want)
		}
	}
	for heading, want := range map[string]string{"What `go:embed` cannot carry": "what-goembed-cannot-carry", "A tour": "a-tour", "C#": "c"} {
		if got := anchor(strings.ReplaceAll(heading, "`", "")); got != want {
			t.Errorf("anchor(%q) = %q, want %q", heading, got, want)
		}
	}
}
