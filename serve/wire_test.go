package serve_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/serve"
)

// common are the fields that the revisions treat differently.
type common struct {
	ResultType *string `json:"resultType"`
	TTL        *int64  `json:"ttlMs"`
	Scope      *string `json:"cacheScope"`
	Next       *string `json:"nextCursor"`
}

type listResult struct {
	common
	Skills []json.RawMessage
}

type getResult struct {
	common
	Skill json.RawMessage
}

type readResult struct {
	common
	Contents []struct {
		URI, MIMEType string
		Text, Blob    *string
	}
}

type listedResource struct {
	URI, Name, Description, MIMEType string
	Size                             *int64
}

type resourcesResult struct {
	common
	Resources []listedResource
}

// checkCommon holds the fields of a result against its revision.
func checkCommon(t *testing.T, what, protocol string, c common) {
	t.Helper()
	got := fmt.Sprint(c.ResultType != nil && *c.ResultType == "complete", c.TTL != nil && *c.TTL == 300000, c.Scope != nil && *c.Scope == "public")
	want := "false false false"
	if protocol == newer {
		want = "true true true"
	}
	if got != want || protocol == older && (c.ResultType != nil || c.TTL != nil || c.Scope != nil) {
		t.Errorf("%s on %s: resultType complete, ttlMs 300000, cacheScope public are %s, want %s", what, protocol, got, want)
	}
}

// Every method, over both revisions, for a tree of everything that is awkward.
func TestMethods(t *testing.T) {
	m, _ := build(awkward)
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	for _, protocol := range []string{newer, older} {
		t.Run(protocol, func(t *testing.T) {
			list := good[listResult](t, url, protocol, "skills/list", "{}")
			checkCommon(t, "skills/list", protocol, list.common)
			if len(list.Skills) != len(m.Skills) || list.Next != nil {
				t.Fatalf("%d skills and next page %v, want %d and none", len(list.Skills), list.Next, len(m.Skills))
			}
			for i, s := range m.Skills {
				want, err := s.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if string(list.Skills[i]) != string(want) {
					t.Errorf("entry %d:\n got %s\nwant %s", i, list.Skills[i], want)
				}
				get := good[getResult](t, url, protocol, "skills/get", uriParams(s.URI.String()))
				checkCommon(t, "skills/get", protocol, get.common)
				if string(get.Skill) != string(want) || get.Next != nil {
					t.Errorf("skills/get %s:\n got %s\nwant %s", s.URI, get.Skill, want)
				}
			}
			for path, text := range awkward {
				read := good[readResult](t, url, protocol, "resources/read", uriParams(manifest.NewURI(path).String()))
				checkCommon(t, "resources/read", protocol, read.common)
				if len(read.Contents) != 1 {
					t.Fatalf("%s: %d content items", path, len(read.Contents))
				}
				c := read.Contents[0]
				if c.URI != manifest.NewURI(path).String() {
					t.Errorf("%s: content of %q", path, c.URI)
				}
				var got string
				switch {
				case utf8.ValidString(text) && c.Text != nil && c.Blob == nil:
					got = *c.Text
				case !utf8.ValidString(text) && c.Text == nil && c.Blob != nil:
					b, err := base64.StdEncoding.DecodeString(*c.Blob)
					if err != nil {
						t.Errorf("%s: %v", path, err)
					}
					got = string(b)
				default:
					t.Errorf("%s: text and blob are %v and %v", path, c.Text, c.Blob)
				}
				if got != text {
					t.Errorf("%s: read %q, want %q", path, got, text)
				}
			}
			all := good[resourcesResult](t, url, protocol, "resources/list", "{}")
			checkCommon(t, "resources/list", protocol, all.common)
			if len(all.Resources) != len(awkward) {
				t.Errorf("resources/list has %d resources, want %d", len(all.Resources), len(awkward))
			}
			templates := good[struct{ ResourceTemplates []any }](t, url, protocol, "resources/templates/list", "{}")
			if templates.ResourceTemplates == nil || len(templates.ResourceTemplates) != 0 {
				t.Errorf("resources/templates/list: %v, want an empty list", templates.ResourceTemplates)
			}
		})
	}
}

// Metadata of files and folders (spec: Resource Metadata, Reading Directories).
func TestDirectories(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	tests := map[string]string{
		"skill://acme":                                     "billing=inode/directory support=inode/directory",
		"skill://acme/billing":                             "refunds=inode/directory",
		"skill://acme/billing/refunds":                     ".hidden=text/plain refunds=text/markdown assets=inode/directory empty.txt=text/plain sub=inode/directory templates=inode/directory",
		"skill://acme/billing/refunds/sub":                 "partial=inode/directory",
		"skill://acme/billing/refunds/sub/partial":         "50%.md=text/markdown partial=text/markdown bin=inode/directory",
		"skill://acme/billing/refunds/sub/partial/bin":     "data=application/octet-stream",
		"skill://acme/billing/refunds/templates":           "a b+c.md=text/markdown eu=inode/directory",
		"skill://pdf-processing/references/deep/er/and/er": "f.json=application/json",
	}
	for _, protocol := range []string{newer, older} {
		for uri, want := range tests {
			result := good[resourcesResult](t, url, protocol, "resources/directory/read", uriParams(uri))
			checkCommon(t, "resources/directory/read", protocol, result.common)
			var got []string
			for _, r := range result.Resources {
				got = append(got, r.Name+"="+r.MIMEType)
				u, err := manifest.ParseURI(r.URI)
				if err != nil || u.Parent().String() != uri {
					t.Errorf("%s lists %q, which is no child of it", uri, r.URI)
				}
				if file := r.MIMEType != "inode/directory"; file != (r.Size != nil) {
					t.Errorf("%s: size %v", r.URI, r.Size)
				}
				if strings.HasSuffix(r.URI, "/SKILL.md") != (r.Description != "") {
					t.Errorf("%s: description %q", r.URI, r.Description)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s:\n got %s\nwant %s", uri, strings.Join(got, " "), want)
			}
		}
	}
}

// Another spelling of an address is the same address; the answer has the
// spelling that was asked for.
func TestSpellings(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	for _, uri := range []string{
		"skill://pdf-processing/SKILL.md", "skill://pdf%2Dprocessing/SKILL%2emd", "SKILL://pdf-processing/SKILL.md",
	} {
		read := good[readResult](t, url, newer, "resources/read", uriParams(uri))
		if len(read.Contents) != 1 || read.Contents[0].URI != uri || *read.Contents[0].Text != awkward["pdf-processing/SKILL.md"] {
			t.Errorf("resources/read %s: %+v", uri, read.Contents)
		}
		if get := good[getResult](t, url, newer, "skills/get", uriParams(uri)); len(get.Skill) == 0 {
			t.Errorf("skills/get %s: no skill", uri)
		}
	}
	for _, uri := range []string{"skill://acme/billing/refunds/templates/a b+c.md", "skill://acme/billing/refunds/templates/a%20b%2bc.md"} {
		if read := good[readResult](t, url, older, "resources/read", uriParams(uri)); *read.Contents[0].Text != "# a b\n" {
			t.Errorf("%s: %+v", uri, read.Contents)
		}
	}
}

// What is not there is error -32602, and the message says what is wrong.
func TestErrors(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	tests := []struct{ method, params, message string }{
		{"skills/get", `{}`, "skills/get needs a uri"},
		{"skills/get", `{"uri":null}`, "is no string: null"},
		{"skills/get", `{"uri":7}`, "is no string: 7"},
		{"skills/get", `{"uri":["skill://pdf-processing/SKILL.md"]}`, "is no string"},
		{"skills/get", `{"uri":"skill://nobody/SKILL.md"}`, `no skill is served at "skill://nobody/SKILL.md"`},
		{"skills/get", `{"uri":"skill://pdf-processing"}`, "is not the SKILL.md of a skill"},
		{"skills/get", `{"uri":"skill://pdf-processing/notes-latin1.md"}`, "is not the SKILL.md of a skill"},
		{"skills/get", `{"uri":"skill://pdf-processing/../pdf-processing/SKILL.md"}`, `".." segment`},
		{"skills/get", `{"uri":"SKILL.md"}`, "no scheme"},
		{"skills/get", `{"uri":""}`, "no scheme"},
		{"skills/list", `{"cursor":7}`, "the cursor is no string: 7"},
		{"skills/list", `{"cursor":null}`, "the cursor is no string: null"},
		{"skills/list", `{"cursor":"2"}`, `gave no cursor "2"`},
		{"skills/list", `{"cursor":"` + strings.Repeat("x", 5000) + `"}`, "gave no cursor"},
		{"resources/directory/read", `{}`, "needs a uri"},
		{"resources/directory/read", `{"uri":false}`, "is no string"},
		{"resources/directory/read", `{"uri":"skill://pdf-processing/SKILL.md"}`, "is a file, not a directory"},
		{"resources/directory/read", `{"uri":"skill://pdf-processing/"}`, "empty segment"},
		{"resources/directory/read", `{"uri":"skill://nobody"}`, "no directory is served"},
		{"resources/directory/read", `{"uri":"skill://"}`, "no path"},
		{"resources/directory/read", `{"uri":"skill://pdf-processing","cursor":"x"}`, "gave no cursor"},
		{"resources/directory/read", `{"uri":"skill://pdf-processing","cursor":1}`, "is no string"},
		{"resources/read", `{"uri":"skill://nobody/SKILL.md"}`, "no resource is served"},
		{"resources/read", `{"uri":"skill://pdf-processing"}`, "is a directory"},
		{"resources/read", `{"uri":"skill://pdf-processing/../acme"}`, "no resource is served"},
		{"resources/read", `{"uri":"https://example.com/"}`, "no resource is served"},
		{"resources/read", `{"uri":"skill://x/\u0001\"é"}`, "no resource is served"},
		{"resources/read", `{"uri":7}`, ""},
		{"resources/read", `{}`, ""},
		{"resources/list", `{"cursor":"x"}`, ""},
		{"resources/list", `{"cursor":7}`, ""},
	}
	for _, protocol := range []string{newer, older} {
		for _, test := range tests {
			if protocol == newer && test.method == "resources/read" && (!strings.Contains(test.params, `"uri":"`) || strings.Contains(test.params, `\u0001`)) {
				continue // the header that goes with it cannot be written
			}
			raw, failure := call(t, url, protocol, test.method, test.params)
			switch {
			case failure == nil:
				t.Errorf("%s %.80s: no error but %s", test.method, test.params, raw)
			case failure.Code != -32602 || !strings.Contains(failure.Message, test.message):
				t.Errorf("%s %.80s: error %d %q, want -32602 with %q", test.method, test.params, failure.Code, failure.Message, test.message)
			case strings.HasPrefix(test.message, "no resource") && !strings.Contains(test.params, `"`+failure.Data.URI+`"`) && failure.Data.URI != "skill://x/\x01\"é":
				t.Errorf("%s %.80s: the error's data has the URI %q", test.method, test.params, failure.Data.URI)
			case len(failure.Message) > 600:
				t.Errorf("%s: a message of %d bytes", test.method, len(failure.Message))
			}
		}
	}
}

// Params may be missing or null where none are needed.
func TestWithoutParams(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	if list := good[listResult](t, url, older, "skills/list", "null"); len(list.Skills) != 4 {
		t.Errorf("%d skills", len(list.Skills))
	}
	if _, failure := call(t, url, older, "skills/get", "null"); failure == nil || failure.Code != -32602 {
		t.Errorf("skills/get without params: %+v", failure)
	}
}

// The whole listing comes page by page, no entry twice, none split.
func TestPages(t *testing.T) {
	files := map[string]string{}
	for i := range 23 {
		name := fmt.Sprintf("skill-%02d", i)
		files["all/"+name+"/SKILL.md"] = skillText(name)
	}
	url := endpoint(t, newServer(t, prepared(t, files, serve.WithPageSize(5)), nil))
	walk := func(method, uri string, items func(raw json.RawMessage) []string) []string {
		var all []string
		cursor := ""
		for page := range 100 {
			params := map[string]string{}
			if uri != "" {
				params["uri"] = uri
			}
			if cursor != "" {
				params["cursor"] = cursor
			}
			text, err := json.Marshal(params)
			if err != nil {
				t.Fatal(err)
			}
			raw, failure := call(t, url, newer, method, string(text))
			if failure != nil {
				t.Fatalf("%s page %d: %v", method, page, failure)
			}
			var c common
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			of := items(raw)
			if len(of) > 5 {
				t.Errorf("%s page %d has %d items", method, page, len(of))
			}
			all = append(all, of...)
			if c.Next == nil {
				return all
			}
			cursor = *c.Next
		}
		t.Fatalf("%s does not end", method)
		return nil
	}
	skills := func(raw json.RawMessage) (uris []string) {
		var r struct{ Skills []struct{ URI string } }
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Skills {
			uris = append(uris, s.URI)
		}
		return uris
	}
	resources := func(raw json.RawMessage) (uris []string) {
		var r resourcesResult
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Resources {
			uris = append(uris, s.URI)
		}
		return uris
	}
	for what, got := range map[string][]string{
		"skills/list":              walk("skills/list", "", skills),
		"resources/list":           walk("resources/list", "", resources),
		"resources/directory/read": walk("resources/directory/read", "skill://all", resources),
	} {
		if len(got) != 23 {
			t.Errorf("%s: %d items, want 23", what, len(got))
		}
		for i, uri := range got {
			if !strings.HasPrefix(uri, fmt.Sprintf("skill://all/skill-%02d", i)) {
				t.Errorf("%s: item %d is %s", what, i, uri)
			}
		}
	}
	// A cursor belongs to one listing.
	first := good[listResult](t, url, newer, "skills/list", "{}")
	if _, failure := call(t, url, newer, "resources/directory/read", `{"uri":"skill://all","cursor":"`+*first.Next+`"}`); failure == nil || failure.Code != -32602 {
		t.Errorf("a cursor of another listing: %+v", failure)
	}
}

// A page ends at a mebibyte, before it has all the items it may have.
func TestPagesOfLongEntries(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		files[name+"/SKILL.md"] = strings.Replace(skillText(name), "---\n\n", "metadata:\n  note: "+strings.Repeat("x", 60_000)+"\n---\n\n", 1)
		for i := range 500 {
			files[fmt.Sprintf("%s/%0200d.md", name, i)] = "x\n"
		}
	}
	m, read := build(files)
	s, err := serve.New(m, read)
	if err != nil {
		t.Fatal(err)
	}
	url := endpoint(t, newServer(t, s, nil))
	first := good[listResult](t, url, newer, "skills/list", "{}")
	if len(first.Skills) == 0 {
		t.Fatal("no skills")
	}
	raw, _ := call(t, url, newer, "resources/list", "{}")
	if len(raw) > 1<<20+4096 {
		t.Errorf("a page of %d bytes", len(raw))
	}
}

func TestOptions(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward, serve.WithTTL(90*time.Second), serve.WithCacheScope("private"), serve.WithUnlisted("acme/billing/refunds")), nil))
	list := good[listResult](t, url, newer, "skills/list", "{}")
	if *list.TTL != 90000 || *list.Scope != "private" || len(list.Skills) != 3 {
		t.Errorf("ttlMs %d, cacheScope %s, %d skills", *list.TTL, *list.Scope, len(list.Skills))
	}
	// The unlisted skill is there for who knows it; the files of its nested one are listed.
	if get := good[getResult](t, url, newer, "skills/get", uriParams("skill://acme/billing/refunds/SKILL.md")); len(get.Skill) == 0 {
		t.Error("an unlisted skill is not served")
	}
	all := good[resourcesResult](t, url, newer, "resources/list", "{}")
	listed := map[string]bool{}
	for _, r := range all.Resources {
		listed[r.URI] = true
	}
	if listed["skill://acme/billing/refunds/SKILL.md"] || !listed["skill://acme/billing/refunds/sub/partial/SKILL.md"] {
		t.Errorf("resources/list: %v", listed)
	}
	m, read := build(awkward)
	for want, option := range map[string]serve.Option{
		"page size 0":              serve.WithPageSize(0),
		"ttl -1s":                  serve.WithTTL(-time.Second),
		`cache scope "shared"`:     serve.WithCacheScope("shared"),
		`no skill "acme" to leave`: serve.WithUnlisted("acme"),
	} {
		if _, err := serve.New(m, read, option); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
