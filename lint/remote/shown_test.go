package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint/remote"
)

// shownFaults are faults of what a server shows beside its entries, each with the
// places that the findings must have.
var shownFaults = map[string][]string{
	"directory-extra":                {"skill://alpha/zz-notes.txt"},
	"directory-extra.folder":         {"skill://alpha/zz-notes"},
	"directory-extra.deep":           {"skill://alpha/guides/use.md"},
	"directory-extra.twice":          {"skill://alpha/SKILL.md"},
	"directory-failed.listed":        {"skill://alpha/guides/use.md"},
	"directory-failed.child":         {"skill://alpha/SKILL.md"},
	"directory-failed.kind":          {"skill://alpha/SKILL.md", "skill://alpha/guides/use.md", "skill://team/beta/SKILL.md", "skill://team/beta/a%20b%2Bc.md", "skill://team/beta/assets/logo.bin"},
	"resource-unlisted-file":         {"skill://alpha/zz-notes.txt"},
	"resource-unlisted-skill":        {"skill://team/zz-extra/SKILL.md"},
	"resource-unlisted-skill.folder": {"skill://team/zz-extra/SKILL.md"},
	"skill-extra.hidden":             {"skill://team/zz-extra/SKILL.md"},
	"resource-malformed":             {"skill://alpha/guides/use.md", "skill://team/beta/a%20b%2Bc.md", "skill://team/beta/assets/logo.bin"},
	"resource-size.folder":           {"skill://alpha/SKILL.md", "skill://alpha/guides/use.md", "skill://team/beta/SKILL.md", "skill://team/beta/a%20b%2Bc.md", "skill://team/beta/assets/logo.bin"},
	"mime-type-differs":              {"skill://alpha/guides/use.md", "skill://team/beta/a%20b%2Bc.md", "skill://team/beta/assets/logo.bin"},
	"mime-type-differs.folder":       {"skill://alpha/guides/use.md"},
	"skill-mime-type.read":           {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
	"skill-mime-type.listed":         {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
	"read-ambiguous":                 {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
	"read-extra-content.same":        {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
	"list-unstable":                  {"skill://alpha/SKILL.md"},
	"list-unstable.more":             {"skill://team/zz-extra/SKILL.md"},
	"list-unstable.less":             {"skill://alpha/SKILL.md"},
	"list-unstable.other":            {"skill://alpha/SKILL.md", "skill://team/zz-extra/SKILL.md"},
	"list-order":                     {"skill://alpha/SKILL.md"},
	"get-mismatch.other":             {"skill://team/beta/SKILL.md"},
	"get-mismatch.field":             {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
	"get-unknown-uri.folder":         {"skill://alpha"},
	"get-unknown-uri.file":           {"skill://alpha/guides/use.md"},
	"read-unstable":                  {"skill://alpha/SKILL.md", "skill://team/beta/SKILL.md"},
}

// TestShownPlaces wants each finding at the address of what is wrong.
func TestShownPlaces(t *testing.T) {
	for fault, want := range shownFaults {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			rule, _, _ := strings.Cut(fault, ".")
			r := connect(t, transports["http"](t, fault), remote.Options{}).Check(context.Background(), full())
			var got []string
			for _, f := range r.Findings {
				if f.Rule == rule {
					got = append(got, f.URI)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				dump(t, r)
				t.Errorf("%s at %q, want %q", rule, got, want)
			}
		})
	}
}

// TestReadKindWithoutListing holds that --verify alone judges the type that a
// SKILL.md is read with.
func TestReadKindWithoutListing(t *testing.T) {
	r := connect(t, transports["stdio"](t, "skill-mime-type.read"), remote.Options{}).Check(context.Background(), remote.Check{Verify: true})
	if got := ids(r.Findings); !slices.Equal(got, []string{"skill-mime-type"}) || len(r.Findings) != 2 {
		dump(t, r)
		t.Errorf("rules %v, want skill-mime-type twice", got)
	}
}

// TestListAgainPaged holds that pages which come in another order are seen, and
// that the listing is asked for twice under --conformance only.
func TestListAgainPaged(t *testing.T) {
	for _, test := range []struct {
		words string
		check remote.Check
		want  []string
	}{
		{"list-order page", remote.Check{Conformance: true}, []string{"list-order"}},
		{"list-order page", remote.Check{Verify: true}, nil},
		{"list-unstable page old", remote.Check{Conformance: true}, []string{"list-unstable"}},
		{"list-unstable page", remote.Check{}, nil},
		// Where skills come and go, the order of the others says nothing.
		{"skill-extra list-unstable.less list-order", remote.Check{Conformance: true}, []string{"list-unstable"}},
		{"list-unstable.more list-order", remote.Check{Conformance: true}, []string{"list-unstable"}},
		{"list-unstable list-order", remote.Check{Conformance: true}, []string{"list-unstable"}},
		{"list-unstable.less", remote.Check{Conformance: true, Scope: "skill://team/"}, nil},
	} {
		t.Run(fmt.Sprintf("%s %+v", test.words, test.check), func(t *testing.T) {
			r := connect(t, transports["http"](t, strings.Fields(test.words)...), remote.Options{}).Check(context.Background(), test.check)
			if got := ids(r.Findings); !slices.Equal(got, test.want) {
				dump(t, r)
				t.Errorf("rules %v, want %v", got, test.want)
			}
		})
	}
}

// TestFolderOfOtherThings wants a finding for each child of a folder's listing that
// is not a direct child of the folder, and none twice.
func TestFolderOfOtherThings(t *testing.T) {
	s, err := newServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	url := intercept(t, s, func(w http.ResponseWriter, method, uri string, id json.RawMessage) bool {
		if method != "resources/directory/read" || uri != "skill://alpha/guides" {
			return false
		}
		return respond(w, id, `"resources":[
			{"uri":"skill://alpha/guides/use.md","name":"use.md","mimeType":"text/markdown"},
			{"uri":"skill://alpha/guides/../use.md","name":"up","mimeType":"text/markdown"},
			{"uri":"guides/use.md","name":"relative","mimeType":"text/markdown"},
			{"uri":"skill://team/beta/SKILL.md","name":"beta","mimeType":"text/markdown"}]`)
	})
	r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Conformance: true})
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Rule+" "+f.URI+": "+f.Message)
	}
	want := []string{
		"directory-extra skill://alpha/guides/../use.md: the listing of skill://alpha/guides has it, and its URI is not valid: list direct children only",
		"directory-extra guides/use.md: the listing of skill://alpha/guides has it, and its URI is not valid: list direct children only",
		"directory-extra skill://team/beta/SKILL.md: the listing of skill://alpha/guides has it, which lies elsewhere: list direct children only",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSizeOnlyInListing holds that a size in resources/list is compared with
// nothing where the entry has none.
func TestSizeOnlyInListing(t *testing.T) {
	r := connect(t, transports["http"](t, "resource-size", "entry.no-size"), remote.Options{}).Check(context.Background(), remote.Check{Conformance: true})
	for _, f := range r.Findings {
		if f.Rule == "resource-size" && f.URI == "skill://alpha/guides/use.md" {
			t.Errorf("%s: %s", f.URI, f.Message)
		}
	}
	if got := ids(r.Findings); !slices.Equal(got, []string{"missing-size", "resource-size"}) {
		t.Errorf("rules %v, want missing-size, and resource-size of the other files", got)
	}
}

// TestHiddenSkill holds what becomes of a skill that shows only as a resource:
// without a build it is nothing to a server that answers skills/get for it, and
// --allow-extra accepts it.
func TestHiddenSkill(t *testing.T) {
	m := build()
	for name, test := range map[string]struct {
		fault string
		check remote.Check
		want  []string
	}{
		"served by skills/get, no build":    {"skill-extra.hidden", remote.Check{Conformance: true}, nil},
		"served by skills/get, allowed":     {"skill-extra.hidden", remote.Check{Conformance: true, Built: &m, AllowExtra: true}, nil},
		"served by skills/get, not built":   {"skill-extra.hidden", remote.Check{Conformance: true, Built: &m}, []string{"skill-extra"}},
		"not served by skills/get":          {"resource-unlisted-skill", remote.Check{Conformance: true}, []string{"resource-unlisted-skill"}},
		"out of scope":                      {"resource-unlisted-skill", remote.Check{Conformance: true, Scope: "skill://alpha/"}, nil},
		"in a listing that is not followed": {"resource-unlisted-skill pagination-loop", remote.Check{Conformance: true}, []string{"pagination-loop"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := connect(t, transports["http"](t, strings.Fields(test.fault)...), remote.Options{}).Check(context.Background(), test.check)
			if got := ids(r.Findings); !slices.Equal(got, test.want) {
				dump(t, r)
				t.Errorf("rules %v, want %v", got, test.want)
			}
			if drifts := len(r.Drift); test.want != nil && test.want[0] == "skill-extra" && drifts != 1 {
				t.Errorf("%d skills drift, want 1", drifts)
			}
		})
	}
}
