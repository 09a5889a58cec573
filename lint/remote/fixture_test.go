package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// The test binary is also the server that tests start over stdio: the variable
// names its faults.
const serverVariable = "SKILLPACK_TEST_FAULTS"

func TestMain(m *testing.M) {
	if faults, ok := os.LookupEnv(serverVariable); ok {
		s, err := newServer(strings.Fields(faults))
		if err == nil {
			err = s.ServeStdio(os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// files are the skills that the tests build and serve. The last file of the
// first skill has text outside ASCII and bytes that are not UTF-8 are in the
// second skill.
var files = map[string]string{
	"alpha/SKILL.md":            "---\nname: alpha\ndescription: The first skill. Use when testing.\nmetadata:\n  version: \"1.0\"\n  released: \"2024-01-15\"\n---\n\n# Alpha\n\nSee [the guide](guides/use.md).\n",
	"alpha/guides/use.md":       "# Use\n\nCafé & naïve, 日本語.\n",
	"team/beta/SKILL.md":        "---\nname: beta\ndescription: The second skill. Use when testing more.\n---\n\n# Beta\n",
	"team/beta/assets/logo.bin": "\x00\x01\xfe\xff binary \xc3",
	"team/beta/a b+c.md":        "odd name\n",
}

// build makes the manifest of the files above.
func build() manifest.Manifest {
	var m manifest.Manifest
	for _, skill := range []string{"alpha", "team/beta"} {
		s := manifest.Skill{URI: manifest.NewURI(skill + "/SKILL.md")}
		s.Frontmatter = frontmatter.Parse([]byte(files[skill+"/SKILL.md"])).Frontmatter
		for path, text := range files {
			if strings.HasPrefix(path, skill+"/") {
				s.Resources = append(s.Resources, manifest.Resource{URI: manifest.NewURI(path), Digest: manifest.DigestOf([]byte(text)), Size: int64(len(text))})
			}
		}
		m.Skills = append(m.Skills, s)
	}
	m.Sort()
	return m
}

func read(uri string) ([]byte, error) {
	u, err := manifest.ParseURI(uri)
	if err != nil {
		return nil, err
	}
	return readBuilt(u)
}

func readBuilt(u manifest.URI) ([]byte, error) {
	text, ok := files[u.Path()]
	if !ok {
		return nil, os.ErrNotExist
	}
	return []byte(text), nil
}

// newServer makes a server with faults; "old" and "page" are no faults.
func newServer(words []string) (*remotetest.Server, error) {
	var faults []string
	old, page := false, 0
	for _, w := range words {
		switch w {
		case "old":
			old = true
		case "page":
			page = 1
		default:
			faults = append(faults, w)
		}
	}
	s, err := remotetest.New(build(), read, faults...)
	if err != nil {
		return nil, err
	}
	s.Old, s.PageSize = old, page
	return s, nil
}

// transports start a server each in their own way.
var transports = map[string]func(t *testing.T, words ...string) remote.Target{
	"stdio": func(t *testing.T, words ...string) remote.Target {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		return remote.Target{Command: []string{exe}, Env: []string{serverVariable + "=" + strings.Join(words, " ")}}
	},
	"http": func(t *testing.T, words ...string) remote.Target {
		s, err := newServer(words)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		return remote.Target{URL: server.URL}
	},
	"sse": func(t *testing.T, words ...string) remote.Target {
		target := transportsHTTP(t, words...)
		target.URL += "?sse"
		return target
	},
}

func transportsHTTP(t *testing.T, words ...string) remote.Target {
	s, err := newServer(words)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return remote.Target{URL: server.URL}
}

// intercept serves over HTTP what a server answers, except for the requests that
// answer has answered by itself, and returns its URL. A request's URI is "" where
// it has none.
func intercept(t *testing.T, s http.Handler, answer func(w http.ResponseWriter, method, uri string, id json.RawMessage) bool) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ URI string }
		}
		if err == nil && json.Unmarshal(body, &request) == nil && answer(w, request.Method, request.Params.URI, request.ID) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// respond answers a request with a result, given as JSON without its braces.
func respond(w http.ResponseWriter, id json.RawMessage, result string) bool {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public",%s}}`, id, result)
	return true
}

// connect opens a session that ends with the test.
func connect(t *testing.T, target remote.Target, o remote.Options) *remote.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	s, err := remote.Connect(ctx, target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
