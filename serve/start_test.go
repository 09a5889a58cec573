package serve_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
	"github.com/skillpack/skillpack/serve"
)

// The start-up check names everything that differs, each by its rule.
func TestVerify(t *testing.T) {
	const one, two = "skill://acme/billing/refunds/", "skill://pdf-processing/"
	tests := map[string]struct {
		files    func(map[string]string)
		manifest func(*manifest.Manifest)
		want     []string // "URI rule"
		message  string
	}{
		"nothing": {},
		"a file grew": {
			files:   func(f map[string]string) { f["pdf-processing/SKILL.md"] += "More.\n" },
			want:    []string{two + "SKILL.md size-mismatch"},
			message: "the manifest says 98 bytes, the file has 104",
		},
		"a file of the same length changed": {
			files: func(f map[string]string) { f["pdf-processing/notes-latin1.md"] = "caf\xe8\n" },
			want:  []string{two + "notes-latin1.md digest-mismatch"},
		},
		"a checkout changed the line ends": {
			files: func(f map[string]string) {
				f["pdf-processing/SKILL.md"] = strings.ReplaceAll(f["pdf-processing/SKILL.md"], "\n", "\r\n")
			},
			want:    []string{two + "SKILL.md size-mismatch"},
			message: "the file has CRLF line ends where the manifest's has LF; add a line like",
		},
		"a file of two skills is missing": {
			files: func(f map[string]string) { delete(f, "acme/billing/refunds/sub/partial/50%.md") },
			want:  []string{one + "sub/partial/50%25.md read-failed"},
		},
		"a file of two skills changed": {
			files: func(f map[string]string) { f["acme/billing/refunds/sub/partial/50%.md"] = "whole\n" },
			want:  []string{one + "sub/partial/50%25.md size-mismatch", one + "sub/partial/50%25.md size-mismatch"},
		},
		"everything": {
			files: func(f map[string]string) {
				f["acme/billing/refunds/empty.txt"] = "no\n"
				delete(f, "pdf-processing/SKILL.md")
			},
			want: []string{one + "empty.txt size-mismatch", two + "SKILL.md read-failed"},
		},
		"another frontmatter": {
			manifest: func(m *manifest.Manifest) {
				m.Skills[3].Frontmatter = frontmatter.Parse([]byte(strings.Replace(skillText("pdf-processing"), "Does", "Did", 1))).Frontmatter
			},
			want:    []string{two + "SKILL.md frontmatter-mismatch"},
			message: `the manifest has description: "Did pdf-processing. Use when it is to be done.", the SKILL.md has description: "Does`,
		},
		"a field too many": {
			manifest: func(m *manifest.Manifest) {
				m.Skills[3].Frontmatter = append(slices.Clone(m.Skills[3].Frontmatter), manifest.Member{Key: "license", Value: manifest.Value{Kind: manifest.String, Text: "MIT"}})
			},
			want:    []string{two + "SKILL.md frontmatter-mismatch"},
			message: `the manifest has license: "MIT", the SKILL.md has no field license`,
		},
		"the SKILL.md is not listed": {
			manifest: func(m *manifest.Manifest) { m.Skills[3].Resources = m.Skills[3].Resources[1:] },
			want:     []string{two + "SKILL.md manifest-missing-self"},
		},
		"twice": {
			manifest: func(m *manifest.Manifest) { m.Skills = append(m.Skills, m.Skills[3]) },
			want:     []string{two + "SKILL.md duplicate-skill"},
		},
		"dynamic": {
			manifest: func(m *manifest.Manifest) { m.Skills[3].Dynamic, m.Skills[3].Resources = true, nil },
			want:     []string{two + "SKILL.md skill-dynamic"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m, _ := build(awkward)
			if test.manifest != nil {
				test.manifest(&m)
			}
			files := maps.Clone(awkward)
			if test.files != nil {
				test.files(files)
			}
			_, read := build(files)
			_, err := serve.New(m, read)
			var failure *serve.VerifyError
			if !errors.As(err, &failure) {
				if err != nil || test.want != nil {
					t.Fatalf("error %v, want %q", err, test.want)
				}
				return
			}
			var got []string
			for _, f := range failure.Findings {
				got = append(got, f.URI+" "+f.Rule)
				if !strings.Contains(err.Error(), f.URI+": "+f.Message) {
					t.Errorf("the error lacks %s: %s", f.URI, f.Message)
				}
			}
			if slices.Sort(got); !slices.Equal(got, test.want) {
				t.Errorf("findings\n got %q\nwant %q", got, test.want)
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("no %q in %v", test.message, err)
			}
		})
	}
}

// A SKILL.md that no reader takes is refused, though its bytes are the listed ones.
func TestVerifyUnreadableFrontmatter(t *testing.T) {
	files := map[string]string{"deploy/SKILL.md": "---\nname: deploy\ndescription: Use for: all\n---\n"}
	m, read := build(files)
	_, err := serve.New(m, read)
	var failure *serve.VerifyError
	if !errors.As(err, &failure) || failure.Findings[0].Rule != "frontmatter-unparsable" {
		t.Errorf("error %v, want frontmatter-unparsable", err)
	}
}

// An address cannot be a file and a folder.
func TestFileAndFolder(t *testing.T) {
	m, read := build(map[string]string{"a/SKILL.md": skillText("a"), "a/b": "file\n", "a/b/SKILL.md": skillText("b")})
	if _, err := serve.New(m, read); err == nil || !strings.Contains(err.Error(), "lists skill://a/b as a file, and files below it") {
		t.Errorf("error %v", err)
	}
}

func TestRegister(t *testing.T) {
	m, read := build(awkward)
	var text strings.Builder
	if err := m.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	if err := serve.Register(server, text.String(), read); err != nil {
		t.Fatal(err)
	}
	if list := good[listResult](t, endpoint(t, server), newer, "skills/list", "{}"); len(list.Skills) != 4 {
		t.Errorf("%d skills", len(list.Skills))
	}
	if err := serve.Register(server, text.String(), read); err == nil || !strings.Contains(err.Error(), "has skills already") {
		t.Errorf("a second set: error %v", err)
	}
	if err := serve.Register(mcp.NewServer(&mcp.Implementation{Name: "test"}, nil), "{", read); err == nil || !strings.Contains(err.Error(), "the manifest cannot be read: 1:2: ") {
		t.Errorf("no manifest: error %v", err)
	}
	var failure *serve.VerifyError
	missing := func(string) ([]byte, error) { return nil, errors.New("gone") }
	if err := serve.Register(mcp.NewServer(&mcp.Implementation{Name: "test"}, nil), text.String(), missing); !errors.As(err, &failure) || len(failure.Findings) != len(awkward) {
		t.Errorf("no files: error %v", err)
	}
}

// No skills are a listing too.
func TestEmpty(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, nil, serve.WithInstructions()), nil))
	if list := good[listResult](t, url, newer, "skills/list", "{}"); list.Skills == nil || len(list.Skills) != 0 {
		t.Errorf("skills %v, want an empty list", list.Skills)
	}
	if all := good[resourcesResult](t, url, newer, "resources/list", "{}"); all.Resources == nil || len(all.Resources) != 0 {
		t.Errorf("resources %v, want an empty list", all.Resources)
	}
}
