package remote_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/manifest"
)

// TestDraftServers holds that a server which lists no sizes, or no digests, is
// compared all the same: what it lacks is one finding, and a changed, missing or
// extra file is named.
func TestDraftServers(t *testing.T) {
	const changed = "skill://alpha/guides/use.md"
	other := build()
	other.Skills[0].Resources[1].Digest, other.Skills[0].Resources[1].Size = manifest.DigestOf([]byte("x\n")), 2
	fewer := build()
	fewer.Skills[0].Resources = fewer.Skills[0].Resources[:1]
	for _, test := range []struct {
		name, fault string
		built       manifest.Manifest
		verify      bool
		want        []string // rule, or rule and URI
		bytes       bool     // the size of everything is known
	}{
		{"no sizes, faithful", "missing-size", build(), true, []string{"missing-size"}, true},
		{"no sizes, faithful, unread", "missing-size", build(), false, []string{"missing-size"}, true},
		{"no sizes, changed", "missing-size", other, true, []string{"missing-size", "file-changed " + changed}, true},
		{"no sizes, changed, unread", "missing-size", other, false, []string{"missing-size", "file-changed " + changed}, false},
		{"no sizes, extra", "missing-size", fewer, true, []string{"missing-size", "file-extra " + changed}, true},
		{"no digests, faithful", "missing-digest", build(), true, []string{"missing-digest"}, true},
		{"no digests, changed", "missing-digest", other, true, []string{"missing-digest", "file-changed " + changed}, true},
		{"no digests, changed, unread", "missing-digest", other, false, []string{"missing-digest", "file-changed " + changed}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := connect(t, transports["http"](t, test.fault), remote.Options{})
			r := s.Check(context.Background(), remote.Check{Built: &test.built, Verify: test.verify})
			var got []string
			for _, f := range r.Findings {
				word := f.Rule
				if f.Rule != test.fault {
					word += " " + f.URI
				}
				got = append(got, word)
			}
			if !slices.Equal(got, test.want) {
				dump(t, r)
				t.Errorf("found %q, want %q", got, test.want)
			}
			total := int64(0)
			for _, text := range files {
				total += int64(len(text))
			}
			if r.Summary.Files != 5 || test.bytes != (r.Summary.Bytes == total) {
				t.Errorf("%d files, %d bytes; want 5 and, if known, %d", r.Summary.Files, r.Summary.Bytes, total)
			}
		})
	}
}

// TestDraftServerIsWarned holds that the lack of sizes is a warning with a count
// and with what known clients make of it.
func TestDraftServerIsWarned(t *testing.T) {
	m := build()
	s := connect(t, transports["http"](t, "missing-size"), remote.Options{})
	r := s.Check(context.Background(), remote.Check{Built: &m})
	if len(r.Findings) != 1 || r.Findings[0].Severity != lint.Warning {
		dump(t, r)
		t.Fatal("want one warning")
	}
	for _, part := range []string{"none of the 5 files", "client 2.4.0 loads 0 of 2 skills", "Inspector 2.12 loads 2 of 2 skills"} {
		if !strings.Contains(r.Findings[0].Message, part) {
			t.Errorf("the message %q lacks %q", r.Findings[0].Message, part)
		}
	}
}

// TestDraftServerWithoutCaching holds that a draft's server is not failed for the
// caching fields, which its draft did not have, and that any other server is.
func TestDraftServerWithoutCaching(t *testing.T) {
	for _, test := range []struct {
		faults []string
		want   lint.Severity
	}{
		{[]string{"cache-attributes"}, lint.Error},
		{[]string{"cache-attributes", "missing-size"}, lint.Warning},
	} {
		s := connect(t, transports["http"](t, test.faults...), remote.Options{Protocol: remote.Protocol2026})
		r := s.Check(context.Background(), remote.Check{Conformance: true})
		found := 0
		for _, f := range r.Findings {
			if f.Rule == "cache-attributes" {
				found++
				if f.Severity != test.want {
					t.Errorf("%v: %s, want %s", test.faults, f.Severity, test.want)
				}
			}
		}
		if found == 0 {
			dump(t, r)
			t.Errorf("%v: no cache-attributes", test.faults)
		}
	}
}
