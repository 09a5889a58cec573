package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// A thousand clients at once, each with a connection of its own, while the
// skills are replaced: every answer is whole, and none leaves memory behind.
func TestThousandClients(t *testing.T) {
	clients := 1000
	if !testfiles.Everything() {
		clients = 100
	}
	s := prepared(t, awkward)
	changed := maps.Clone(awkward)
	changed["acme/billing/refunds/assets/logo.png"] += "\xfe"
	other := prepared(t, changed)
	first := prepared(t, awkward)
	url := endpoint(t, newServer(t, s, nil))
	round := func() {
		var wrong atomic.Pointer[string]
		var done sync.WaitGroup
		for i := range clients {
			done.Go(func() {
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				client := &http.Client{Transport: transport}
				for _, body := range []string{
					`{"jsonrpc":"2.0","id":1,"method":"skills/list","params":{}}`,
					`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"skill://pdf-processing/SKILL.md"}}`,
				} {
					if fault := post(client, url, body); fault != "" {
						wrong.Store(&fault)
					}
				}
				if i%100 == 0 {
					s.Replace(other)
				} else if i%100 == 50 {
					s.Replace(first)
				}
			})
		}
		done.Wait()
		if fault := wrong.Load(); fault != nil {
			t.Fatal(*fault)
		}
	}
	heap := func() uint64 {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	round()
	before := heap()
	round()
	if after := heap(); after > before+8<<20 {
		t.Errorf("%d clients left %d KiB behind", clients, (after-before)>>10)
	}
}

// post sends a request and says what is wrong with the answer.
func post(client *http.Client, url, body string) string {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := client.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	var answer struct {
		Result *struct {
			Skills   []json.RawMessage
			Contents []json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Result == nil || len(answer.Result.Skills)+len(answer.Result.Contents) == 0 {
		return fmt.Sprintf("HTTP %d: %.300s", resp.StatusCode, text)
	}
	return ""
}

// A client that goes away in the middle of its request, or before its answer,
// disturbs nobody.
func TestClientGoesAway(t *testing.T) {
	url := endpoint(t, newServer(t, prepared(t, awkward), nil))
	const body = `{"jsonrpc":"2.0","id":1,"method":"skills/list","params":{}}`
	for i := range 40 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		sent := body[:len(body)*(i%2+1)/2]
		_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), sent)
		if err != nil {
			t.Error(err)
		}
		conn.Close()
	}
	if list := good[listResult](t, url, newer, "skills/list", "{}"); len(list.Skills) != 4 {
		t.Errorf("%d skills", len(list.Skills))
	}
}

// benchmarkCall measures requests through the SDK over loopback HTTP.
func benchmarkCall(b *testing.B, body string) {
	files := map[string]string{}
	for i := range 400 {
		name := fmt.Sprintf("skill-%03d", i)
		files[name+"/SKILL.md"] = skillText(name) + strings.Repeat("Some more text.\n", 200)
		files[name+"/references/a.md"] = "# A\n"
		files[name+"/scripts/run.sh"] = "echo\n"
	}
	url := endpoint(b, newServer(b, prepared(b, files), &mcp.ServerOptions{}))
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	client := &http.Client{Transport: transport}
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if fault := post(client, url, body); fault != "" {
				b.Error(fault)
				return
			}
		}
	})
	transport.CloseIdleConnections()
}

func BenchmarkList(b *testing.B) {
	benchmarkCall(b, `{"jsonrpc":"2.0","id":1,"method":"skills/list","params":{}}`)
}

func BenchmarkRead(b *testing.B) {
	benchmarkCall(b, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://skill-007/SKILL.md"}}`)
}
