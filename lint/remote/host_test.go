package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillpack/skillpack/lint/remote"
	"github.com/skillpack/skillpack/manifest"
)

// A host lists a server's skills, and reads a file only when it needs it: the
// reader refuses what the entry does not list and whatever does not verify.
func ExampleSession_List() {
	s, err := newServer(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(s)
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	session, err := remote.Connect(ctx, remote.Target{URL: server.URL}, remote.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	catalog, err := session.List(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, skill := range catalog.Skills {
		fmt.Println(skill.Name(), len(skill.Resources))
	}
	reader := session.Reader(catalog.Skills[0])
	text, err := reader.Read(ctx, catalog.Skills[0].URI)
	fmt.Println(len(text), err)
	_, err = reader.Read(ctx, manifest.NewURI("alpha/secret.md"))
	fmt.Println(err)
	// Output:
	// alpha 2
	// beta 3
	// 162 <nil>
	// skill://alpha/secret.md: resource_not_listed: expected a file that the skill lists, got one that it does not
}

func TestReader(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		fault string
		uri   string
		want  remote.Code
	}{
		{"size-mismatch", "alpha/guides/use.md", remote.SizeMismatch},
		{"digest-mismatch", "alpha/guides/use.md", remote.DigestMismatch},
		{"frontmatter-mismatch", "alpha/SKILL.md", remote.FrontmatterMismatch},
		{"read-wrong-content", "alpha/SKILL.md", remote.NoContent},
		{"read-failed.base64", "alpha/guides/use.md", remote.NoContent},
		{"frontmatter-drift", "alpha/nothing.md", remote.NotListed},
		{"entry.capitals", "alpha/guides/use.md", remote.MalformedDigest},
	} {
		t.Run(test.fault, func(t *testing.T) {
			s := connect(t, transports["http"](t, test.fault), remote.Options{})
			e, err := s.Get(ctx, "skill://alpha/SKILL.md")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Reader(e).Read(ctx, manifest.NewURI(test.uri))
			var v *remote.VerifyError
			if !errors.As(err, &v) || v.Code != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// TestDynamicBudget holds that of a skill without digests no more is read than
// a skill may have.
func TestDynamicBudget(t *testing.T) {
	ctx := context.Background()
	s := connect(t, transports["http"](t, "skill-dynamic"), remote.Options{})
	e, err := s.Get(ctx, "skill://alpha/SKILL.md")
	if err != nil || !e.Dynamic {
		t.Fatalf("entry %+v, error %v; want a dynamic one", e, err)
	}
	reader := s.Reader(e)
	uri := manifest.NewURI("alpha/guides/use.md")
	b, err := reader.Read(ctx, uri)
	if err != nil {
		t.Fatal(err)
	}
	remote.SetRead(reader, manifest.MaxBytes-int64(len(b)))
	if _, err := reader.Read(ctx, uri); err != nil {
		t.Errorf("reading up to the limit: %v", err)
	}
	var v *remote.VerifyError
	if _, err := reader.Read(ctx, uri); !errors.As(err, &v) || v.Code != remote.BudgetExceeded {
		t.Errorf("reading over the limit: %v, want %s", err, remote.BudgetExceeded)
	}
}

// TestListingCache holds that a listing is kept on the server's terms only.
func TestListingCache(t *testing.T) {
	for _, test := range []struct {
		name   string
		words  []string
		change func(result map[string]any)
		lists  int64
	}{
		{"five minutes, public", nil, nil, 1},
		{"no time", nil, func(r map[string]any) { delete(r, "ttlMs") }, 2},
		{"no time left", nil, func(r map[string]any) { r["ttlMs"] = 0 }, 2},
		{"an unknown scope", nil, func(r map[string]any) { r["cacheScope"] = "shared" }, 2},
		{"cut short", []string{"list-failed.shape"}, nil, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			inner, err := newServer(test.words)
			if err != nil {
				t.Fatal(err)
			}
			var lists atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rec := httptest.NewRecorder()
				isList := r.Header.Get("Mcp-Method") == "skills/list"
				inner.ServeHTTP(rec, r)
				body := rec.Body.Bytes()
				if isList {
					lists.Add(1)
					if test.change != nil {
						var m map[string]any
						if err := json.Unmarshal(body, &m); err != nil {
							t.Error(err)
						}
						test.change(m["result"].(map[string]any))
						body, _ = json.Marshal(m)
					}
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(rec.Code)
				w.Write(body)
			}))
			defer server.Close()
			s := connect(t, remote.Target{URL: server.URL}, remote.Options{})
			for range 2 {
				if _, err := s.List(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if got := lists.Load(); got != test.lists {
				t.Errorf("the server was asked %d times, want %d", got, test.lists)
			}
		})
	}
}

func TestReadDirectory(t *testing.T) {
	ctx := context.Background()
	s := connect(t, transports["http"](t), remote.Options{})
	children, err := s.ReadDirectory(ctx, "skill://alpha")
	if err != nil || len(children) != 2 || children[1].MIMEType != remote.Directory {
		t.Errorf("children %+v, error %v; want SKILL.md and a folder", children, err)
	}
	s = connect(t, transports["http"](t, "directory-undeclared"), remote.Options{})
	if _, err := s.ReadDirectory(ctx, "skill://alpha"); !errors.Is(err, remote.ErrNotDeclared) {
		t.Errorf("undeclared: error %v, want ErrNotDeclared", err)
	}
	s = connect(t, transports["http"](t, "extension-undeclared"), remote.Options{})
	if _, err := s.List(ctx); !errors.Is(err, remote.ErrNotDeclared) {
		t.Errorf("undeclared: error %v, want ErrNotDeclared", err)
	}
}

// TestRejected holds that a bad entry is set aside with its reason and the rest kept.
func TestRejected(t *testing.T) {
	s := connect(t, transports["http"](t, "entry.capitals"), remote.Options{})
	c, err := s.List(context.Background())
	if err != nil || len(c.Skills) != 1 || len(c.Rejected) != 1 || c.Rejected[0].Reason() == "" {
		t.Errorf("catalog %+v, error %v; want one skill kept and one rejected with a reason", c, err)
	}
}
