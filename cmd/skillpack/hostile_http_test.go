//go:build unix

package main_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// byHand answers every request with that text, as it is, and closes. REQUEST in
// it stands for the id of the JSON-RPC request, LENGTH for the hexadecimal length
// of the honest answer.
func byHand(answer string) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		c, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		defer c.Close()
		length := fmt.Sprintf("%x", len(strings.ReplaceAll(answered, "REQUEST", string(q.ID))))
		buf.WriteString(strings.NewReplacer("REQUEST", string(q.ID), "LENGTH", length).Replace(answer))
		buf.Flush()
		return true
	}
}

// listedByHand does that with the answer to skills/list alone.
func listedByHand(answer string) hook {
	h := byHand(answer)
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) { h(w, r, q) })
}

// answered is the honest body of a listing.
var answered = `{"jsonrpc":"2.0","id":REQUEST,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[` + text(alpha()) + `]}}`

// head is the start of an HTTP answer, with further header lines.
func head(lines ...string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n" + strings.Join(append(lines, ""), "\r\n") + "\r\n"
}

// only is an answer of one status to one method.
func only(method string, code int, headers ...string) hook {
	h := status(code, headers...)
	return on(method, func(w http.ResponseWriter, r *http.Request, q rpc) { h(w, r, q) })
}

// verdicts are the rules about a server that no request which got no answer may
// break.
var verdicts = []string{"list-failed", "get-failed", "read-failed", "get-unknown-uri", "missing-uri-param", "bad-cursor", "read-unknown-uri", "directory-failed", "not-verified"}

// once answers the first read with a status that asks for a second, and the rest
// honestly.
func once(code int) hook {
	var seen atomic.Bool
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		return q.Method == "resources/read" && !seen.Swap(true) && status(code, "Retry-After", "1")(w, r, q)
	}
}

// withFolders declares directoryRead, and answers it with a status.
func withFolders(code int) hook {
	refuse := status(code)
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		switch q.Method {
		case "server/discover":
			result, _ := honest(q)
			result["capabilities"] = capabilities(true)
			say(w, q, result, 0)
			return true
		case "resources/directory/read":
			return refuse(w, r, q)
		}
		return false
	}
}

// unlistedRefused lists nothing and refuses to be asked for a skill.
func unlistedRefused(w http.ResponseWriter, r *http.Request, q rpc) bool {
	switch q.Method {
	case "skills/list":
		say(w, q, complete(object{"skills": []object{}}), 0)
		return true
	case "skills/get":
		return status(401)(w, r, q)
	}
	return false
}

func httpServers() []hostile {
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	huge := strings.Repeat("a", 1<<16)
	return []hostile{
		{name: "400", http: status(400), exits: cut, says: "is no MCP endpoint: HTTP 400 Bad Request"},
		{name: "401", http: status(401, "WWW-Authenticate", `Bearer resource_metadata="http://127.0.0.1:1/x"`), exits: refused, says: "refuses the credentials: HTTP 401 Unauthorized"},
		{name: "401 that says why", http: status(401, "WWW-Authenticate", `Bearer realm="x", error="invalid_token", error_description="The token expired at noon"`), exits: refused, says: `HTTP 401 Unauthorized, "The token expired at noon"`},
		{name: "401 whose reason is hostile", http: status(401, "WWW-Authenticate", "Bearer error_description=\"\u009b::error::"+canaryHeader+strings.Repeat("a", 1<<12)+"\""), exits: refused, says: "HTTP 401 Unauthorized", never: []string{strings.Repeat("a", 300)}},
		{name: "401 for a skill", http: only("skills/get", 401), exits: refused, says: "refuses the credentials: HTTP 401", never: verdicts},
		{name: "401 for the list of resources", http: only("resources/list", 401), exits: refused, says: "refuses the credentials: HTTP 401", never: verdicts},
		{name: "401 for the folders", http: withFolders(401), exits: refused, says: "refuses the credentials: HTTP 401", never: verdicts},
		{name: "401 for built skills that are not listed", http: unlistedRefused, built: true, exits: refused, says: "refuses the credentials: HTTP 401", never: append(verdicts, "skill-missing")},
		{name: "401 for the listing", http: only("skills/list", 401), exits: refused, says: "refuses the credentials: HTTP 401", never: verdicts},
		{name: "403", http: status(403), exits: refused, says: "refuses the credentials: HTTP 403 Forbidden"},
		{name: "403 for the files", http: only("resources/read", 403), exits: refused, says: "refuses the credentials: HTTP 403", never: verdicts},
		{name: "404", http: status(404), exits: cut, says: "is no MCP endpoint: HTTP 404 Not Found; check the URL's path"},
		{name: "405", http: status(405, "Allow", "GET"), exits: cut, says: "is no MCP endpoint: HTTP 405"},
		{name: "407", http: status(407, "Proxy-Authenticate", "Basic"), exits: cut, says: "wants credentials of its own: HTTP 407"},
		{name: "407 of a proxy before TLS", URL: func(*testing.T) string { return "https://hostile.invalid" }, env: proxied(strict), exits: cut, says: "wants credentials of its own: HTTP 407"},
		{name: "407 of a proxy", URL: func(*testing.T) string { return "http://hostile.invalid" }, env: proxied(strict), exits: cut, says: "wants credentials of its own: HTTP 407"},
		{name: "proxy that cannot be reached", URL: func(*testing.T) string { return "http://hostile.invalid" }, env: proxied(func(*testing.T) string { return "http://u:" + canaryEnv + "@127.0.0.1:1" }), exits: unreached, says: "connection refused"},
		{name: "proxy whose address is none", URL: func(*testing.T) string { return "http://hostile.invalid" }, env: proxied(func(*testing.T) string { return "http://u:" + canaryEnv + "@%zz" }), exits: unreached, says: "cannot reach http://hostile.invalid/mcp: "},
		{name: "410", http: status(410), exits: cut, says: "HTTP 410 Gone"},
		{name: "418", http: status(418), exits: cut, says: "HTTP 418"},
		{name: "429", http: status(429), exits: unreached, says: "does not serve now: HTTP 429 Too Many Requests"},
		{name: "429 with Retry-After in seconds", http: status(429, "Retry-After", "3600"), exits: unreached, says: "HTTP 429 Too Many Requests; it says Retry-After: 3600"},
		{name: "429 with Retry-After as a date", http: status(429, "Retry-After", date), exits: unreached, says: "it says Retry-After: "},
		{name: "429 with an absurd Retry-After", http: status(429, "Retry-After", "-1e999"), exits: unreached, says: "HTTP 429 Too Many Requests"},
		{name: "429 with a huge Retry-After", http: status(429, "Retry-After", strings.Repeat("9", 1<<12)), exits: unreached, says: "HTTP 429 Too Many Requests", never: []string{"99999999"}},
		{name: "429 with Retry-After while waiting for it", http: status(429, "Retry-After", "3600"), args: []string{"--wait", "1s"}, exits: unreached, says: "HTTP 429"},
		{name: "429 for the files", http: only("resources/read", 429, "Retry-After", "3600"), exits: unreached, says: "it says Retry-After: 3600; --concurrency 1 asks for less at once", never: verdicts},
		{name: "429 for the files, with --verify alone", http: only("resources/read", 429), bare: true, args: []string{"--verify"}, exits: unreached, says: "2 of 2 files were not read", never: verdicts},
		{name: "429 once, with Retry-After in a moment", http: once(429), exits: clean},
		{name: "502 for the files", http: only("resources/read", 502), exits: unreached, says: "does not serve now: HTTP 502 Bad Gateway", never: verdicts},
		{name: "503 once, with Retry-After in a moment", http: once(503), exits: clean},
		{name: "504 for a skill", http: only("skills/get", 504), exits: unreached, says: "does not serve now: HTTP 504 Gateway Timeout", never: verdicts},
		{name: "connection that ends at the files", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) { panic(http.ErrAbortHandler) }), exits: unreached, says: "cannot reach http://127.0.0.1", never: verdicts},
		{name: "connection that ends at a skill", http: on("skills/get", func(w http.ResponseWriter, r *http.Request, q rpc) { panic(http.ErrAbortHandler) }), exits: unreached, says: "cannot reach http://127.0.0.1", never: verdicts},
		{name: "500", http: status(500), exits: unreached, says: "does not serve now: HTTP 500 Internal Server Error"},
		{name: "502", http: status(502), exits: unreached, says: "HTTP 502 Bad Gateway"},
		{name: "503", http: status(503), exits: unreached, says: "HTTP 503 Service Unavailable"},
		{name: "503 with Retry-After in seconds", http: status(503, "Retry-After", "3600"), exits: unreached, says: "it says Retry-After: 3600"},
		{name: "504", http: status(504), exits: unreached, says: "HTTP 504 Gateway Timeout"},
		{name: "503 for the listing", http: only("skills/list", 503), exits: unreached, says: "does not serve now: HTTP 503 Service Unavailable", never: verdicts},
		{name: "599 without a name", http: status(599), exits: unreached, says: "does not serve now: HTTP 599"},
		{name: "status 999", http: byHand("HTTP/1.1 999 \r\nContent-Length: 0\r\n\r\n"), exits: unreached, says: "HTTP 999"},
		{name: "status of letters", http: byHand("HTTP/1.1 abc OK\r\n\r\n"), exits: cut, says: "does not answer as an MCP server: malformed HTTP status code"},
		{name: "204 for the listing", http: only("skills/list", 204), exits: cut, says: "list-failed"},
		{name: "202 for the listing", http: only("skills/list", 202), exits: cut, says: "list-failed"},
		{name: "103 for ever", http: flooded("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"), exits: cut, says: "headers exceeded", rss: 200},
		{name: "100 for ever", http: flooded("HTTP/1.1 100 Continue\r\n\r\n"), exits: cut, says: "headers exceeded", rss: 200},
		{name: "101 unasked", http: byHand("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), exits: cut, says: "HTTP 101"},
		{name: "headers without end", http: flooded("X-A: " + huge[:4000] + "\r\n"), exits: cut, says: "headers exceeded", rss: 200},
		{name: "headers drop by drop", URL: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				io.WriteString(c, "HTTP/1.1 200 OK\r\n")
				for {
					if _, err := io.WriteString(c, "X: y\r\n"); err != nil {
						return
					}
					time.Sleep(50 * time.Millisecond)
				}
			})
		}, exits: unreached, says: "took longer than --timeout allows"},
		{name: "one header of 1 MiB", http: byHand(head("X: " + strings.Repeat(huge, 16))), exits: cut, says: "headers exceeded"},
		{name: "header without a colon", http: listedByHand(head("nonsense") + answered), exits: cut, says: "malformed"},
		{name: "header split over lines", http: listedByHand(head("X: a\r\n b\r\n\tc") + answered), exits: clean},
		{name: "header with a bare line feed", http: listedByHand(head("X: a\nX-Injected: b") + answered), exits: clean},
		{name: "header with a NUL", http: listedByHand(head("X: a\x00b") + answered), exits: cut, says: "malformed MIME header"},
		{name: "Content-Length too large", http: listedByHand(head("Content-Length: 99999") + answered), exits: cut, says: "is no JSON-RPC response"},
		{name: "Content-Length too small", http: listedByHand(head("Content-Length: 40") + answered), exits: cut, says: "is no JSON-RPC response"},
		{name: "Content-Length below zero", http: listedByHand(head("Content-Length: -1") + answered), exits: cut, says: "list-failed"},
		{name: "Content-Length beyond any number", http: listedByHand(head("Content-Length: 99999999999999999999") + answered), exits: cut, says: "list-failed"},
		{name: "two Content-Lengths", http: listedByHand(head("Content-Length: 5", "Content-Length: 6") + answered), exits: cut, says: "list-failed"},
		{name: "Content-Length and chunks", http: listedByHand(head("Content-Length: 5", "Transfer-Encoding: chunked") + "LENGTH\r\n" + answered + "\r\n0\r\n\r\n"), exits: clean},
		{name: "wrong content type", http: body("text/html", "<html>Sign in</html>"), exits: cut, says: "text/html"},
		{name: "200 with a login page", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html>Sign in</html>")
			return true
		}, exits: cut, says: "answers text/html, not JSON or an event stream: a login page or a proxy?"},
		{name: "no content type", http: listedByHand("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + answered), exits: cut, says: "content type"},
		{name: "content type that cannot be read", http: listedByHand("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: ;;=\r\n\r\n" + answered), exits: cut, says: "content type"},
		{name: "content type with parameters", http: body("Application/JSON; charset=utf-8; x=\"y\"", strings.ReplaceAll(answered, "REQUEST", "ID")), exits: clean},
		{name: "two answers to one request", http: listedByHand(head("Transfer-Encoding: chunked") + "LENGTH\r\n" + answered + "\r\n0\r\n\r\n" + head() + "{}"), exits: clean},
		{name: "HTTP 1.0", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			byHand("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"+answered)(w, r, q)
		}), exits: clean},
		{name: "HTTP 3.7", http: byHand("HTTP/3.7 200 OK\r\nContent-Type: application/json\r\n\r\n{}"), exits: cut, says: "skillpack: "},
		{name: "no status line", http: byHand(`{"jsonrpc":"2.0"}` + "\r\n\r\n"), exits: cut, says: "malformed HTTP response"},
		{name: "closes every connection", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Connection", "close")
			return false
		}, exits: clean},
		{name: "closes connections that it keeps alive", URL: func(t *testing.T) string {
			return tcp(t, func(c net.Conn) {
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				w := httptest.NewRecorder()
				serve(nothing).ServeHTTP(w, r)
				answer := w.Result()
				answer.ContentLength = int64(w.Body.Len())
				answer.Write(c)
			})
		}, exits: clean},
		{name: "Connection with odd names", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Connection", "keep-alive, Content-Type, close, \x80")
			w.Header().Set("Keep-Alive", "timeout=-1, max=0")
			w.Header().Set("Upgrade", "h2c")
			return false
		}, exits: clean},
		{name: "cookies", URL: func(t *testing.T) string {
			var returned atomic.Bool
			t.Cleanup(func() {
				if returned.Load() {
					t.Error("a cookie came back")
				}
			})
			return listen(t, serve(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
				if r.Header.Get("Cookie") != "" {
					returned.Store(true)
				}
				for i := range 100 {
					http.SetCookie(w, &http.Cookie{Name: "c" + strconv.Itoa(i), Value: "v"})
				}
				return false
			}))
		}, exits: clean},
	}
}

// flooded answers skills/list with lines for ever, before any body.
func flooded(lines string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		if strings.HasPrefix(lines, "X") {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		}
		flow(c, lines)
	})
}
