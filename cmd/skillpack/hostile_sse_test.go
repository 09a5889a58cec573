//go:build unix

package main_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// stream answers skills/list with a stream of events, in which ANSWER is the
// honest message on one line. Each part is sent by itself.
func stream(parts ...string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		sse(w)
		for _, p := range parts {
			p = strings.ReplaceAll(strings.ReplaceAll(p, "ANSWER", answered), "REQUEST", string(q.ID))
			io.WriteString(w, p)
			http.NewResponseController(w).Flush()
			if len(parts) > 1 {
				time.Sleep(20 * time.Millisecond)
			}
		}
	})
}

func eventServers() []hostile {
	aaa := strings.Repeat("a", 1<<16)
	accented := strings.Replace(answered, "Use it", "Use é it", 1)
	half := strings.Index(accented, "é") + 1
	const silent = "list-failed"
	return []hostile{
		{name: "one event", http: stream("event: message\ndata: ANSWER\n\n"), exits: clean},
		{name: "data without a space", http: stream("data:ANSWER\n\n"), exits: clean},
		{name: "data over several lines", http: stream("data: " + strings.ReplaceAll(answered, ",", ",\ndata: ") + "\n\n"), exits: clean},
		{name: "lines that end in CRLF", http: stream("event: message\r\ndata: ANSWER\r\n\r\n"), exits: clean},
		{name: "lines that end in CR alone", http: stream("event: message\rdata: ANSWER\r\r"), exits: clean},
		{name: "byte order mark", http: stream("\ufeffdata: ANSWER\n\n"), exits: clean},
		{name: "UTF-8 split between two packets", http: stream("data: "+accented[:half], accented[half:]+"\n\n"), exits: faulty, says: "frontmatter-mismatch"},
		{name: "every byte in a packet of its own", http: stream(strings.Split("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n", "")...), exits: cut, says: silent},
		{name: "field without a colon", http: stream("nonsense\ndata\ndata: ANSWER\n\n"), exits: clean},
		{name: "unknown fields", http: stream("x-y: z\n: c\nid\nretry\nevent: message\ndata: ANSWER\n\n"), exits: clean},
		{name: "event of another name", http: stream("event: error\ndata: ANSWER\n\n"), exits: cut, says: silent},
		{name: "event of another name before", http: stream("event: ping\ndata: {}\n\ndata: ANSWER\n\n"), exits: clean},
		{name: "absurd retry", http: stream("retry: 99999999999999999999\nretry: -1\nretry: \x1b[2J\ndata: ANSWER\n\n"), exits: clean},
		{name: "id with a NUL and a huge one", http: stream("id: a\x00b\nid: " + aaa + "\ndata: ANSWER\n\n"), exits: clean},
		{name: "no event at all", http: stream(""), exits: cut, says: silent},
		{name: "events without data", http: stream("event: message\n\nevent: message\nid: 1\n\n"), exits: cut, says: silent},
		{name: "last event without its blank line", http: stream("data: ANSWER"), exits: clean},
		{name: "answer cut in the middle", http: stream("data: " + answered[:60]), exits: cut, says: silent},
		{name: "data that is no JSON", http: stream("data: hello\n\ndata: ANSWER\n\n"), exits: cut, says: silent},
		{name: "every answer thrice", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, code := honest(q)
			sse(w)
			for range 3 {
				event(w, message(q.ID, result, code))
			}
		}), exits: clean},
		{name: "without end after the answer", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, code := honest(q)
			sse(w)
			event(w, message(q.ID, result, code))
			forever(w, r, ": still here\n\n", 50*time.Millisecond)
		}), exits: clean},
		{name: "comments without end", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			sse(w)
			forever(w, r, ": still here\n\n", 50*time.Millisecond)
		}), exits: unreached, says: "took longer than --timeout allows"},
		{name: "comment flood", http: drain("text/event-stream", "", strings.Repeat(": c\n", 1<<12)), exits: failed, says: "skillpack: ", rss: 300},
		{name: "comment that never ends", http: drain("text/event-stream", ":", aaa), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "event without end", http: drain("text/event-stream", "data: ", aaa), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "event of lines without end", http: drain("text/event-stream", "", strings.Repeat("data: aaaaaaa\n", 1<<12)), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "event of empty lines without end", http: drain("text/event-stream", "", strings.Repeat("data\n", 1<<12)), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 700},
		{name: "listening stream floods", http: legacy(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if r.Method != http.MethodGet {
				return false
			}
			sse(w)
			forever(w, r, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}\n\n", time.Millisecond)
			return true
		}), exits: clean},
		{name: "breaks off to be resumed", URL: func(t *testing.T) string {
			var asked atomic.Int64
			t.Cleanup(func() {
				if n := asked.Load(); n > 2000 {
					t.Errorf("asked %d times in 3 s", n)
				}
			})
			return listen(t, serve(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
				if r.Method != http.MethodGet && q.Method != "skills/list" {
					return false
				}
				sse(w)
				fmt.Fprintf(w, "id: %d\nretry: 0\ndata:\n\n", asked.Add(1))
				return true
			}))
		}, exits: unreached, says: "took longer than --timeout allows"},
		{name: "wants to be resumed in a year", http: stream("id: 1\nretry: 31536000000\ndata:\n\n"), exits: unreached, says: "took longer than --timeout allows"},
	}
}
