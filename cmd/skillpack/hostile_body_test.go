//go:build unix

package main_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// wait sets how long the run may take, in seconds.
func wait(seconds int) []string { return []string{"--timeout", fmt.Sprint(seconds, "s")} }

// chunked is an answer whose chunks are written by hand.
func chunked(chunks string) hook { return listedByHand(head("Transfer-Encoding: chunked") + chunks) }

// encoded answers skills/list with a body in a content coding.
func encoded(coding string, encode func(plain string) string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", coding)
		io.WriteString(w, encode(strings.ReplaceAll(answered, "REQUEST", string(q.ID))))
	})
}

func gzipped(plain string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, plain)
	z.Close()
	return b.String()
}

func deflated(plain string) string {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		panic(err)
	}
	io.WriteString(z, plain)
	z.Close()
	return b.String()
}

// bombs is an answer that decompresses to zeros for ever.
func bombs(method, contentType string) hook {
	member := gzipped(string(make([]byte, 1<<20)))
	return on(method, func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Encoding", "gzip")
		forever(w, r, member, 0)
	})
}

func bodyServers() []hostile {
	aaa := strings.Repeat("a", 1<<16)
	const long = "is longer than the 64 MiB"
	return []hostile{
		{name: "drop by drop", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			forever(w, r, " ", 50*time.Millisecond)
		}), exits: unreached, says: "took longer than --timeout allows"},
		{name: "without end", http: drain("application/json", `{"jsonrpc":"2.0","id":ID,"result":{"skills":[],"x":"`, aaa), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "spaces without end", http: drain("application/json", "", strings.Repeat(" ", 1<<16)), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "error page without end", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.WriteHeader(500)
			forever(w, r, aaa, 0)
		}), exits: cut, says: "HTTP 500", rss: 200},
		{name: "error page drop by drop", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.WriteHeader(500)
			forever(w, r, "a", 50*time.Millisecond)
			return true
		}, exits: unreached, says: "skillpack: "},
		{name: "message of 65 MiB", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[%s],"x":"`, q.ID, text(alpha()))
			for range 65 << 4 {
				io.WriteString(w, aaa)
			}
			io.WriteString(w, `"}}`)
		}), exits: cut, rss: 500, says: long},
		{name: "chunk size that is no number", http: chunked("zz\r\n" + answered + "\r\n0\r\n\r\n"), exits: cut, says: "is no JSON-RPC response"},
		{name: "chunk size beyond any number", http: chunked("ffffffffffffffffff\r\n" + answered), exits: cut, says: "is no JSON-RPC response"},
		{name: "chunk that is longer than it says", http: chunked("5\r\n" + answered + "\r\n0\r\n\r\n"), exits: cut, says: "is no JSON-RPC response"},
		{name: "chunks without the last", http: chunked("5\r\n" + answered[:5] + "\r\n"), exits: cut, says: "is no JSON-RPC response"},
		{name: "chunk extension without end", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			c, buf, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			buf.WriteString(head("Transfer-Encoding: chunked") + "5;x=")
			buf.Flush()
			flow(c, aaa)
		}), exits: cut, says: "is no JSON-RPC response", rss: 200},
		{name: "chunks of one byte with long extensions", http: chunked(strings.Repeat("1;"+strings.Repeat("x", 2000)+"\r\n \r\n", 500)), exits: cut, says: "is no JSON-RPC response"},
		{name: "trailers after the chunks", http: chunked("1\r\n \r\n0\r\nX-T: " + aaa + "\r\n\r\n"), exits: cut, says: "is no JSON-RPC response"},
		{name: "transfer coding of another kind", http: listedByHand(head("Transfer-Encoding: gzip, chunked") + answered), exits: cut, says: "list-failed"},

		{name: "gzip", http: encoded("gzip", gzipped), exits: clean},
		{name: "gzip that is cut off", http: encoded("gzip", func(s string) string { z := gzipped(s); return z[:len(z)/2] }), exits: cut, says: "is no JSON-RPC response"},
		{name: "gzip that is none", http: encoded("gzip", func(s string) string { return s }), exits: cut, says: "is no JSON-RPC response"},
		{name: "gzip with a wrong checksum", http: encoded("gzip", func(s string) string { z := []byte(gzipped(s)); z[len(z)-6] ^= 1; return string(z) }), exits: cut, says: "is no JSON-RPC response"},
		{name: "gzip twice", http: encoded("gzip, gzip", func(s string) string { return gzipped(gzipped(s)) }), exits: cut, says: "Content-Encoding gzip, gzip"},
		{name: "gzip bomb", http: bombs("skills/list", "application/json"), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "gzip bomb as events", http: bombs("skills/list", "text/event-stream"), args: wait(12), exits: failed, says: "skillpack: ", max: 12 * time.Second, rss: 500},
		{name: "gzip bomb for a file", http: bombs("resources/read", "application/json"), args: []string{"--concurrency", "1"}, exits: faulty, says: "read-failed", rss: 500},
		{name: "deflate unasked", http: encoded("deflate", deflated), exits: cut, says: "Content-Encoding deflate"},
		{name: "brotli unasked", http: encoded("br", func(string) string { return "\x8b\x02\x80\x00\x03" }), exits: cut, says: "Content-Encoding br"},
		{name: "coding of no name", http: encoded("\u202ex", func(s string) string { return s }), exits: cut, says: "Content-Encoding "},
	}
}

func redirectServers() []hostile {
	// elsewhere is a server that must not be asked.
	elsewhere := func(t *testing.T) string {
		var asked atomic.Int64
		t.Cleanup(func() {
			if asked.Load() > 0 {
				t.Error("the other origin was asked")
			}
		})
		return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1) }))
	}
	to := func(code int, where func(r *http.Request, there string) string) func(t *testing.T) string {
		return func(t *testing.T) string {
			there := elsewhere(t)
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", where(r, there))
				w.WriteHeader(code)
			}))
		}
	}
	other := func(r *http.Request, there string) string { return there + "/mcp?token=" + r.URL.Query().Get("token") }
	const refusal = "redirects to another origin, "
	return []hostile{
		{name: "301 to another origin", URL: to(301, other), exits: cut, says: refusal},
		{name: "303 to another origin", URL: to(303, other), exits: cut, says: refusal},
		{name: "307 to another origin", URL: to(307, other), exits: cut, says: refusal},
		{name: "308 to another name of the host", URL: to(308, func(r *http.Request, there string) string {
			return strings.Replace(there, "127.0.0.1", "localhost", 1)
		}), exits: cut, says: refusal},
		{name: "307 with credentials of the server's", URL: to(307, func(r *http.Request, there string) string {
			return strings.Replace(there, "http://", "http://owner:owned@", 1)
		}), exits: cut, says: refusal, never: []string{"owned"}},
		{name: "307 from https to http", URL: func(t *testing.T) string {
			s := tlsRedirect(t, func(host string) string { return "http://" + host + "/mcp" })
			return s
		}, env: trusting, exits: cut, says: refusal},
		{name: "307 of the listing", URL: func(t *testing.T) string {
			there := elsewhere(t)
			return listen(t, serve(only("skills/list", 307, "Location", there)))
		}, exits: cut, says: refusal},
		{name: "307 within the origin", URL: func(t *testing.T) string {
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/moved" {
					w.Header().Set("Location", "/moved")
					w.WriteHeader(http.StatusTemporaryRedirect)
					return
				}
				serve(nothing).ServeHTTP(w, r)
			}))
		}, exits: clean},
		{name: "303 within the origin", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if r.Method != http.MethodPost {
				return false
			}
			w.Header().Set("Location", "/moved")
			w.WriteHeader(http.StatusSeeOther)
			return true
		}, exits: cut, says: "/moved, which turns a POST into a GET: give that URL"},
		{name: "307 without a Location", http: status(307), exits: cut, says: "HTTP 307"},
		{name: "300", http: status(300), exits: cut, says: "HTTP 300"},
		{name: "304", http: status(304), exits: cut, says: "HTTP 304"},
		{name: "to a file", http: status(307, "Location", "file:///etc/passwd"), exits: cut, says: refusal, never: []string{"root:"}},
		{name: "to odd text", http: status(302, "Location", "http://%zz\x1b[2J\u009b::error::owned"), exits: cut, says: "skillpack: "},
		{name: "in a circle", URL: func(t *testing.T) string {
			var n atomic.Int64
			t.Cleanup(func() {
				if n := n.Load(); n > 100 {
					t.Errorf("followed %d redirects", n)
				}
			})
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", fmt.Sprintf("/mcp?n=%d", n.Add(1)))
				w.WriteHeader(http.StatusTemporaryRedirect)
			}))
		}, exits: cut, says: "redirects in a circle"},
	}
}
