package remote_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/skillpack/skillpack/lint/remote"
)

// BenchmarkCheck connects, lists, compares and reads every file of a small server
// over loopback HTTP.
func BenchmarkCheck(b *testing.B) {
	s, err := newServer(nil)
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	m := build()
	for b.Loop() {
		session, err := remote.Connect(context.Background(), remote.Target{URL: server.URL}, remote.Options{})
		if err != nil {
			b.Fatal(err)
		}
		r := session.Check(context.Background(), remote.Check{Built: &m, Bytes: readBuilt, Verify: true})
		session.Close()
		if len(r.Findings) > 0 || len(r.Verification) != len(files) {
			b.Fatal(r.Findings)
		}
	}
}
