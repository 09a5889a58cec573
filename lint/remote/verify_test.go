package remote_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
)

// TestEachFileIsReadOnce counts the reads that a server gets when it lists files
// twice: one for each different entry of a file.
func TestEachFileIsReadOnce(t *testing.T) {
	m := build()
	alpha := &m.Skills[0]
	other := alpha.Resources[1]
	other.Digest = manifest.DigestOf([]byte("other"))
	alpha.Resources = append(alpha.Resources, alpha.Resources[0], alpha.Resources[1], other)
	want := map[string]int{}
	for path := range files {
		want[manifest.NewURI(path).String()] = 1
	}
	want[other.URI.String()] = 2

	s, err := remotetest.New(m, read)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	reads := map[string]int{}
	url := intercept(t, s, func(_ http.ResponseWriter, method, uri string, _ json.RawMessage) bool {
		if method == "resources/read" {
			mu.Lock()
			reads[uri]++
			mu.Unlock()
		}
		return false
	})

	r := connect(t, remote.Target{URL: url}, remote.Options{}).Check(context.Background(), remote.Check{Verify: true})
	if !maps.Equal(reads, want) {
		t.Errorf("reads %v, want %v", reads, want)
	}
	status := map[lint.Verdict]int{}
	for _, v := range r.Verification {
		status[v.Status]++
	}
	if status[lint.Verified] != 5 || status[lint.Mismatch] != 1 || len(r.Verification) != 6 {
		dump(t, r)
		t.Errorf("verifications %v, want five verified and one mismatch", status)
	}
}
