package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
)

// leftOut are the addresses of files that the build left out.
func leftOut() []manifest.URI {
	return []manifest.URI{manifest.NewURI("alpha/.env"), manifest.NewURI("alpha/.git/config"), manifest.NewURI(".skillpackignore")}
}

// TestExcludedPlaces wants the address that the file was read by, the template
// that gives it, and nothing of what is in it.
func TestExcludedPlaces(t *testing.T) {
	for fault, want := range map[string][2]string{
		"excluded-file-served":           {"skill://alpha/.env", "which the build leaves out: "},
		"excluded-file-served.template":  {"skill://alpha/.env", "through the template skill://{+path}: "},
		"excluded-file-served.elsewhere": {"docs://skills/alpha/.env", "through the template docs://skills/{path*}: "},
	} {
		for name, check := range map[string]remote.Check{"verify": {Verify: true, Excluded: leftOut()}, "conformance": {Conformance: true, Excluded: leftOut()}} {
			t.Run(fault+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := connect(t, transports["stdio"](t, fault), remote.Options{}).Check(context.Background(), check)
				if len(r.Findings) != 1 || r.Findings[0].Rule != "excluded-file-served" || r.Findings[0].URI != want[0] || !strings.Contains(r.Findings[0].Message, want[1]) || strings.Contains(fmt.Sprint(r), "TOKEN") {
					dump(t, r)
					t.Errorf("want excluded-file-served at %s with %q", want[0], want[1])
				}
			})
		}
	}
}

// TestExcludedProbes counts what a server is asked for beside its own files:
// nothing without the build's exclusions or without a flag that reads, at most
// twenty of them, and none that it lists.
func TestExcludedProbes(t *testing.T) {
	m := build()
	many := []manifest.URI{m.Skills[0].URI}
	for i := range 50 {
		many = append(many, manifest.NewURI(fmt.Sprintf("alpha/%02d.log", i)))
	}
	asked := func(t *testing.T, check remote.Check, faults ...string) (probes []string, r *remote.Result) {
		s, err := remotetest.New(m, read, faults...)
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]bool{}
		for path := range files {
			listed[manifest.NewURI(path).String()] = true
		}
		var mu sync.Mutex
		url := intercept(t, s, func(_ http.ResponseWriter, method, uri string, _ json.RawMessage) bool {
			if method == "resources/read" && !listed[uri] {
				mu.Lock()
				probes = append(probes, uri)
				mu.Unlock()
			}
			return false
		})
		r = connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), check)
		slices.Sort(probes)
		return probes, r
	}
	for name, test := range map[string]struct {
		check remote.Check
		fault []string
		want  int
	}{
		"nothing was left out":       {remote.Check{Verify: true}, nil, 0},
		"nothing is read":            {remote.Check{Excluded: many}, nil, 0},
		"at most twenty":             {remote.Check{Verify: true, Excluded: many}, nil, 20},
		"at most twenty, a template": {remote.Check{Verify: true, Excluded: many}, []string{"excluded-file-served.elsewhere"}, 20},
		"out of scope":               {remote.Check{Verify: true, Excluded: many, Scope: "skill://team/"}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, r := asked(t, test.check, test.fault...)
			if len(got) != test.want || len(r.Findings) > 0 {
				dump(t, r)
				t.Errorf("%d probes, want %d and no findings: %q", len(got), test.want, got)
			}
		})
	}
}

// TestManyTemplates holds that of a server's templates for paths the first three are
// tried.
func TestManyTemplates(t *testing.T) {
	s, err := newServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]bool{}
	url := intercept(t, s, func(w http.ResponseWriter, method, uri string, id json.RawMessage) bool {
		if method == "resources/templates/list" {
			var all []string
			for _, scheme := range []string{"one", "two", "three", "four", "five"} {
				all = append(all, `{"uriTemplate":"`+scheme+`://{id}","name":"x"}`, `{"uriTemplate":"`+scheme+`://{+path}","name":"x"}`)
			}
			return respond(w, id, `"resourceTemplates":[`+strings.Join(all, ",")+`]`)
		}
		if scheme, _, _ := strings.Cut(uri, ":"); method == "resources/read" && scheme != "skill" {
			mu.Lock()
			asked[scheme] = true
			mu.Unlock()
		}
		return false
	})
	r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Verify: true, Excluded: leftOut()})
	if len(r.Findings) > 0 {
		dump(t, r)
		t.Error("findings")
	}
	if len(asked) != 3 || !asked["one"] || !asked["two"] || !asked["three"] {
		t.Errorf("templates tried: %v, want one, two and three", asked)
	}
}

// TestAnswersAnything holds that a server which answers for every address is not
// said to serve what the build left out.
func TestAnswersAnything(t *testing.T) {
	s, err := remotetest.New(build(), read)
	if err != nil {
		t.Fatal(err)
	}
	url := intercept(t, s, func(w http.ResponseWriter, method, uri string, id json.RawMessage) bool {
		if _, err := read(uri); method != "resources/read" || err == nil {
			return false
		}
		return respond(w, id, fmt.Sprintf(`"contents":[{"uri":%q,"text":"<!doctype html>"}]`, uri))
	})
	r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Verify: true, Excluded: leftOut()})
	if len(r.Findings) > 0 {
		dump(t, r)
		t.Error("findings, want none: the server has no such files")
	}
}
