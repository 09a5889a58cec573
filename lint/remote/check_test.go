package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skillpack/skillpack/internal/testfiles"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
)

// full is a check of everything.
func full() remote.Check {
	m := build()
	return remote.Check{Built: &m, Bytes: readBuilt, Excluded: leftOut(), Verify: true, Conformance: true}
}

func ids(findings []lint.Finding) []string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func dump(t *testing.T, r *remote.Result) {
	t.Helper()
	for _, f := range r.Findings {
		t.Logf("%s: %s: %s [%s]", f.Place(), f.Severity, f.Message, f.Rule)
	}
	t.Logf("incomplete: %q, error: %v", r.Incomplete, r.Err)
}

func TestFaithfulServer(t *testing.T) {
	for name, start := range transports {
		for _, words := range [][]string{{}, {"old"}, {"page"}, {"page", "old"}} {
			t.Run(name+"/"+strings.Join(words, "+"), func(t *testing.T) {
				t.Parallel()
				s := connect(t, start(t, words...), remote.Options{})
				r := s.Check(context.Background(), full())
				if len(r.Findings) > 0 || len(r.Drift) > 0 || r.Incomplete != "" || r.Err != nil {
					dump(t, r)
					t.Errorf("findings about a faithful server; drift %v", r.Drift)
				}
				if r.Summary.Skills != 2 || r.Summary.Files != 5 || len(r.Verification) != 5 {
					t.Errorf("summary %+v, %d verifications; want 2 skills, 5 files, 5", r.Summary, len(r.Verification))
				}
				for _, v := range r.Verification {
					if v.Status != lint.Verified {
						t.Errorf("%s is %s: %s", v.URI, v.Status, v.Cause)
					}
				}
				want := remote.Protocol2026
				if slices.Contains(words, "old") {
					want = remote.Protocol2025
				}
				if got := s.Info(); got.Protocol != want || got.Name != "remotetest" {
					t.Errorf("server %+v, want protocol %s", got, want)
				}
			})
		}
	}
}

// onlyNew are faults of what only protocol 2026-07-28 has.
var onlyNew = []string{"result-type", "cache-attributes", "cache-hints"}

// without runs a fault without a manifest: the rule is about the server alone,
// or drift would hide it.
var without = []string{"frontmatter-mismatch", "not-verified"}

// wants are the faults that raise other rules than the one they are named after.
var wants = map[string][]string{
	"not-verified":         {"dynamic-resources", "not-verified"},
	"skill-dynamic":        {"not-verified", "skill-dynamic"},
	"cause.crlf":           {"size-mismatch"},
	"cause.bom":            {"size-mismatch"},
	"cause.trim":           {"size-mismatch"},
	"cause.nfd":            {"size-mismatch"},
	"cause.utf8":           {"size-mismatch"},
	"cause.cut":            {"size-mismatch"},
	"cause.base64":         {"size-mismatch"},
	"cause.size":           {"file-changed", "size-mismatch"},
	"cause.latin1":         {"size-mismatch"},
	"cause.html":           {"size-mismatch"},
	"replaced-bytes":       {"file-changed", "replaced-bytes"},
	"cause.symlink":        {"size-mismatch"},
	"cause.symlink-listed": {"file-changed", "size-mismatch"},
	"cause.symlink-both":   {"file-changed"},
	"cause.symlink-skill":  {"file-changed", "frontmatter-absent", "not-verified"},
	"cause.strip":          {"not-verified", "size-mismatch"},
	"entry.null":           {"malformed-entry"},
	"entry.number":         {"malformed-entry"},
	"frontmatter-mismatch": {"frontmatter-mismatch", "not-verified"},
	"entry.no-resources":   {"malformed-entry"},
	"entry.huge-size":      {"malformed-size"},
	"entry.no-size":        {"missing-size"},
	"entry.capitals":       {"malformed-digest"},
	"entry.twice":          {"duplicate-skill"},
	"frontmatter-drift":    {"frontmatter-drift", "frontmatter-mismatch", "not-verified"},
	"read-wrong-content":   {"not-verified", "read-wrong-content"},
	"extension-undeclared": {"extension-undeclared"},
	"read-ambiguous":       {"not-verified", "read-ambiguous"},
	"file-missing":         {"directory-extra", "file-missing", "resource-unlisted-file"}, // it is still shown
}

// TestFaults breaks every rule of a server once over each transport and
// protocol, and wants just that rule. Over HTTP with the newer protocol the whole
// findings must be those of the golden file.
func TestFaults(t *testing.T) {
	var golden sync.Map // of the fault
	t.Cleanup(func() {
		var text strings.Builder
		for _, fault := range remotetest.Faults {
			found, ok := golden.Load(fault)
			if !ok {
				return // -run selects some of them
			}
			fmt.Fprintf(&text, "%s\n%s\n", fault, serverAddress.ReplaceAllString(found.(string), "SERVER"))
		}
		testfiles.Golden(t, filepath.Join("testdata", "faults.golden"), []byte(text.String()), "go test ./lint/remote -run '^TestFaults$' -update")
	})
	for _, fault := range remotetest.Faults {
		rule, _, _ := strings.Cut(fault, ".")
		want, special := wants[fault]
		if !special {
			if want, special = wants[rule]; !special {
				want = []string{rule}
			}
		}
		for name, start := range transports {
			for _, protocol := range []string{remote.Protocol2026, remote.Protocol2025} {
				old := protocol == remote.Protocol2025
				want := want
				if old && slices.Contains(onlyNew, rule) || name != "stdio" && rule == "stdout-noise" {
					want = nil
				}
				t.Run(fault+"/"+name+"/"+protocol, func(t *testing.T) {
					t.Parallel()
					s := connect(t, start(t, fault), remote.Options{Protocol: protocol})
					check := full()
					if slices.Contains(without, fault) {
						check.Built = nil
					}
					r := s.Check(context.Background(), check)
					if got := ids(r.Findings); !slices.Equal(got, want) {
						dump(t, r)
						t.Errorf("rules %v, want %v", got, want)
					}
					if name == "http" && !old {
						golden.Store(fault, findingsText(r))
					}
				})
			}
		}
	}
}

// serverAddress matches what differs from run to run.
var serverAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// findingsText writes a line for each finding and each skill that drifts.
func findingsText(r *remote.Result) string {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprintf("\t%s: %s: %s [%s] of %q\n", f.Place(), f.Severity, f.Message, f.Rule, f.Skill))
	}
	slices.Sort(lines)
	for _, d := range r.Drift {
		lines = append(lines, fmt.Sprintf("\tdrift of %s: %s: %s\n", d.Skill, d.Status, d.Cause))
		for _, f := range d.Files {
			facts, err := json.Marshal(f)
			if err != nil {
				facts = []byte(err.Error())
			}
			lines = append(lines, fmt.Sprintf("\t\t%s\n", facts))
		}
	}
	return strings.Join(lines, "")
}

// TestCacheHints wants a warning for each cacheable method that is not the
// extension's own, and none for a method that has the fields.
func TestCacheHints(t *testing.T) {
	s := connect(t, transports["http"](t, "cache-hints"), remote.Options{Protocol: remote.Protocol2026})
	var got []string
	for _, f := range s.Check(context.Background(), full()).Findings {
		got = append(got, fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message))
	}
	var want []string
	for _, method := range []string{"resources/directory/read", "resources/list", "resources/read", "resources/templates/list", "server/discover"} {
		want = append(want, "warning cache-hints: "+method+" answers with no ttlMs: a whole number of milliseconds from 0 on is required from protocol 2026-07-28 on")
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBlame holds that with a directory and its manifest file the drift says
// which of the three stands alone.
func TestBlame(t *testing.T) {
	tree := build()
	older := build()
	older.Skills[0].Frontmatter = slices.Clone(older.Skills[0].Frontmatter)
	older.Skills[0].Frontmatter[1].Value.Text = "Serves last month's text. Use when testing."
	other := build()
	other.Skills = other.Skills[1:]
	for _, test := range []struct {
		name      string
		committed manifest.Manifest
		want      string
	}{
		{"the build was not run", older, "run skillpack build and deploy"},
		{"the build was not deployed", tree, "deploy this one"},
		{"all differ", other, "all differ"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := connect(t, transports["http"](t, "frontmatter-drift"), remote.Options{})
			r := s.Check(context.Background(), remote.Check{Built: &tree, Committed: &test.committed})
			if len(r.Drift) != 1 || !strings.Contains(r.Drift[0].Cause, test.want) {
				dump(t, r)
				t.Fatalf("drift %+v, want one with the cause %q", r.Drift, test.want)
			}
			if len(r.Findings) != 1 || !strings.HasSuffix(r.Findings[0].Message, r.Drift[0].Cause) {
				t.Errorf("findings %v do not end in the cause", r.Findings)
			}
		})
	}
}

// TestCauses breaks the bytes in each way that a server or checkout does, and
// wants the cause in the message.
func TestCauses(t *testing.T) {
	m := build()
	for fault, want := range map[string]string{
		"cause.crlf":   ".gitattributes",
		"cause.bom":    "byte order mark was added",
		"cause.trim":   "last line break was trimmed",
		"cause.nfd":    "normal form",
		"cause.base64": "encoded twice",
		"cause.size":   "counts characters",
		"cause.cut":    "cut off after",
		"cause.strip":  "frontmatter was stripped",
		"cause.utf8":   "replaced by U+FFFD",
		"cause.latin1": "read as Latin-1",
		"cause.html":   "escaped for HTML",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			s := connect(t, transports["http"](t, fault), remote.Options{})
			r := s.Check(context.Background(), remote.Check{Verify: true, Bytes: readBuilt})
			found := false
			for _, v := range r.Verification {
				found = found || v.Status == lint.Mismatch && strings.Contains(v.Cause, want)
			}
			if !found {
				dump(t, r)
				t.Errorf("no mismatch with the cause %q in %+v", want, r.Verification)
			}
			if fault != "cause.cut" && fault != "cause.strip" {
				return
			}
			// What loses information needs the built bytes, and says so.
			r = s.Check(context.Background(), remote.Check{Built: &m, Verify: true})
			if !slices.ContainsFunc(r.Findings, func(f lint.Finding) bool { return strings.Contains(f.Message, "-m DIR") }) {
				dump(t, r)
				t.Error("without the built bytes no message says that -m DIR would explain more")
			}
		})
	}
}

// TestDriftCauses holds that a server which lists and serves a file after one of
// the usual accidents is told so: from the built bytes, or from the read ones.
func TestDriftCauses(t *testing.T) {
	m := build()
	for i, r := range m.Skills[0].Resources {
		if r.URI.Name() == "use.md" {
			made := strings.ReplaceAll(files["alpha/guides/use.md"], "\n", "\r\n")
			m.Skills[0].Resources[i].Digest, m.Skills[0].Resources[i].Size = manifest.DigestOf([]byte(made)), int64(len(made))
		}
	}
	crlf := func(u manifest.URI) ([]byte, error) {
		b, err := readBuilt(u)
		if u.Name() == "use.md" {
			b = []byte(strings.ReplaceAll(string(b), "\n", "\r\n"))
		}
		return b, err
	}
	for name, check := range map[string]remote.Check{
		"from the built bytes": {Built: &m, Bytes: crlf},
		"from the read bytes":  {Built: &m, Verify: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := connect(t, transports["http"](t), remote.Options{})
			r := s.Check(context.Background(), check)
			if len(r.Findings) != 1 || r.Findings[0].Rule != "file-changed" || !strings.Contains(r.Findings[0].Message, ".gitattributes") {
				dump(t, r)
				t.Error("want file-changed with the cause")
			}
			if len(r.Drift) != 1 || !strings.Contains(r.Drift[0].Cause, "line ends") {
				t.Errorf("drift %+v, want the cause", r.Drift)
			}
		})
	}
}

// TestBuiltBytesFail holds that bytes which come with an error explain nothing.
func TestBuiltBytesFail(t *testing.T) {
	s := connect(t, transports["http"](t, "cause.cut"), remote.Options{})
	part := func(manifest.URI) ([]byte, error) { return []byte("# Use\n"), errors.New("the disk is broken") }
	r := s.Check(context.Background(), remote.Check{Verify: true, Bytes: part})
	if len(r.Findings) != 1 || !strings.HasSuffix(r.Findings[0].Message, ": give the skills directory with -m DIR: beside the built bytes more can be explained") {
		dump(t, r)
		t.Error("want one mismatch that nothing explains")
	}
}

// TestSelfIsMissing holds that a SKILL.md which the entry does not list is one
// finding: against a build it is a missing file.
func TestSelfIsMissing(t *testing.T) {
	m, fewer := build(), build()
	fewer.Skills[0].Resources = fewer.Skills[0].Resources[1:]
	more := build()
	more.Skills[0].Resources = append(more.Skills[0].Resources[1:], manifest.Resource{URI: manifest.NewURI("alpha/other.md"), Digest: manifest.DigestOf(nil)})
	for name, test := range map[string]struct {
		check remote.Check
		want  []string
	}{
		"without a build":        {remote.Check{}, []string{"manifest-missing-self"}},
		"beside a build":         {remote.Check{Built: &m}, []string{"file-missing"}},
		"beside one without it":  {remote.Check{Built: &fewer}, []string{"manifest-missing-self"}},
		"and another is missing": {remote.Check{Built: &more}, []string{"file-missing", "manifest-missing-self"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := remotetest.New(fewer, read)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(s)
			t.Cleanup(server.Close)
			r := connect(t, remote.Target{URL: server.URL}, remote.Options{}).Check(context.Background(), test.check)
			if got := ids(r.Findings); !slices.Equal(got, test.want) {
				dump(t, r)
				t.Errorf("rules %v, want %v", got, test.want)
			}
		})
	}
}

// TestSymlinkCauses holds that the text of a symlink in place of a file is told
// for what it is: where it is served, where it is listed, and where it is both, with
// the built bytes and without.
func TestSymlinkCauses(t *testing.T) {
	m := build()
	for fault, want := range map[string]struct{ rule, cause string }{
		"cause.symlink":        {"size-mismatch", `has the text of a symlink to "../../team/beta/SKILL.md"`},
		"cause.symlink-listed": {"file-changed", `hashed the text of a symlink to "../../team/beta/SKILL.md"`},
		"cause.symlink-both":   {"file-changed", `has the text of a symlink to "../../../shared/use.md"`},
		"cause.symlink-skill":  {"frontmatter-absent", `has the text of a symlink to "../../../shared/alpha/SKILL.md"`},
	} {
		for name, bytes := range map[string]func(manifest.URI) ([]byte, error){"with the built bytes": readBuilt, "without": nil} {
			t.Run(fault+" "+name, func(t *testing.T) {
				t.Parallel()
				s := connect(t, transports["http"](t, fault), remote.Options{})
				r := s.Check(context.Background(), remote.Check{Built: &m, Bytes: bytes, Verify: true})
				if !slices.ContainsFunc(r.Findings, func(f lint.Finding) bool {
					return f.Rule == want.rule && strings.Contains(f.Message, want.cause) && strings.Contains(f.Message, "core.symlinks=true")
				}) {
					dump(t, r)
					t.Errorf("no %s with the cause %s", want.rule, want.cause)
				}
			})
		}
	}
}

// TestKeepGoing holds that a skill whose SKILL.md failed is read on only when
// asked to, and that the five verdicts are told apart.
func TestKeepGoing(t *testing.T) {
	verdicts := func(r *remote.Result) string {
		var all []string
		for _, v := range r.Verification {
			all = append(all, string(v.Status))
		}
		return strings.Join(all, " ")
	}
	for _, test := range []struct {
		name, fault string
		keepGoing   bool
		want        string
	}{
		{"stopped", "cause.strip", false, "mismatch skipped verified verified verified"},
		{"kept going", "cause.strip", true, "mismatch verified verified verified verified"},
		{"dynamic", "skill-dynamic", false, "unverifiable verified verified verified"},
		{"unreadable", "read-failed", false, "verified error verified error error"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := connect(t, transports["http"](t, test.fault), remote.Options{})
			r := s.Check(context.Background(), remote.Check{Verify: true, KeepGoing: test.keepGoing})
			if got := verdicts(r); got != test.want {
				dump(t, r)
				t.Errorf("verdicts %q, want %q", got, test.want)
			}
		})
	}
}

// TestProgress holds that every file is counted once.
func TestProgress(t *testing.T) {
	s := connect(t, transports["http"](t), remote.Options{})
	last, total := 0, 0
	s.Check(context.Background(), remote.Check{Verify: true, Progress: func(done, all int) {
		if done != last+1 {
			t.Errorf("%d files done after %d", done, last)
		}
		last, total = done, all
	}})
	if last != 5 || total != 5 {
		t.Errorf("%d of %d files done, want 5 of 5", last, total)
	}
}
