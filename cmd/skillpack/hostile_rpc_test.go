//go:build unix

package main_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// everything takes over each request but the first.
func everything(f func(w http.ResponseWriter, q rpc)) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if len(q.ID) == 0 || q.Method == "server/discover" {
			return false
		}
		f(w, q)
		return true
	}
}

// identified answers with the id that f makes of the request's.
func identified(f func(id string) string) hook {
	return everything(func(w http.ResponseWriter, q rpc) {
		result, code := honest(q)
		q.ID = []byte(f(string(q.ID)))
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(strings.Replace(text(message([]byte("0"), result, code)), `"id":0`, `"id":`+string(q.ID), 1)))
	})
}

func rpcServers() []hostile {
	const json, empty = "application/json", `"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[]`
	deep := func(open, close string, n int) string {
		return `{"uri":"skill://alpha/SKILL.md","frontmatter":{"name":"alpha","description":"d","x":` +
			strings.Repeat(open, n) + "1" + strings.Repeat(close, n) + `},"resources":"dynamic"}`
	}
	good := text(alpha())
	const noAnswer = "list-failed"
	return []hostile{
		{name: "empty body", http: body(json, ""), exits: cut, says: noAnswer},
		{name: "spaces", http: body(json, " \n\t "), exits: cut, says: noAnswer},
		{name: "truncated JSON", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"skills":[{"uri":"sk`), exits: cut, says: noAnswer},
		{name: "text behind the JSON", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{`+empty+`}} trailing`), exits: cut, says: noAnswer},
		{name: "two messages", http: body(json, strings.Repeat(`{"jsonrpc":"2.0","id":ID,"result":{`+empty+`}}`, 2)), exits: cut, says: noAnswer},
		{name: "byte order mark before the JSON", http: body(json, "\ufeff"+`{"jsonrpc":"2.0","id":ID,"result":{`+empty+`}}`), exits: cut, says: noAnswer},
		{name: "UTF-16", http: body(json, "\xff\xfe{\x00\"\x00j\x00"), exits: cut, says: noAnswer},
		{name: "NaN", http: listing(`NaN`), exits: cut, says: noAnswer},
		{name: "JavaScript", http: body(json, `{jsonrpc:'2.0',id:ID,result:{}}`), exits: cut, says: noAnswer},
		{name: "batch", http: body(json, `[{"jsonrpc":"2.0","id":ID,"result":{"skills":[]}}]`), exits: cut, says: noAnswer},
		{name: "empty batch", http: body(json, `[]`), exits: cut, says: noAnswer},
		{name: "bare null", http: body(json, `null`), exits: cut, says: noAnswer},
		{name: "JSON-RPC 1.0", http: body(json, `{"jsonrpc":"1.0","id":ID,"result":{`+empty+`}}`), exits: cut, says: noAnswer},
		{name: "no version", http: body(json, `{"id":ID,"result":{`+empty+`}}`), exits: cut, says: noAnswer},
		{name: "result and error", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{`+empty+`},"error":{"code":1,"message":"m"}}`), exits: cut, says: noAnswer},
		{name: "neither result nor error", http: body(json, `{"jsonrpc":"2.0","id":ID}`), exits: cut, says: noAnswer},
		{name: "error that is null", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":null}`), exits: cut, says: noAnswer},
		{name: "error that is text", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":"no"}`), exits: cut, says: noAnswer},
		{name: "error with odd fields", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":"x","message":[]}}`), exits: cut, says: noAnswer},
		{name: "error without a message", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603}}`), exits: cut, says: noAnswer},
		{name: "error code beyond range", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":1e400,"message":"m"}}`), exits: cut, says: noAnswer},
		{name: "error message of 1 MiB", http: body(json, `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"`+strings.Repeat("m", 1<<20)+`"}}`), exits: cut, says: noAnswer, never: []string{strings.Repeat("m", 2000)}},
		{name: "a request for an answer", http: body(json, `{"jsonrpc":"2.0","id":ID,"method":"ping","result":{`+empty+`}}`), exits: unreached, says: "took longer than --timeout allows"},
		{name: "members in capitals", http: body(json, `{"JSONRPC":"2.0","ID":ID,"RESULT":{`+empty+`}}`), exits: cut, says: noAnswer},
		{name: "a member twice", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{`+empty+`},"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[`+good+`]}}`), exits: clean}, // the last counts, as with every common reader

		{name: "ids of nobody", http: identified(func(string) string { return "987654" }), exits: unreached, says: "skillpack: "},
		{name: "ids that became strings", http: identified(strconv.Quote), exits: unreached, says: "took longer than --timeout allows"},
		{name: "ids that became fractions", http: identified(func(id string) string { return id + ".0" }), exits: clean},
		{name: "ids that are null", http: identified(func(string) string { return "null" }), exits: cut, says: "list-failed"},
		{name: "ids that are true", http: identified(func(string) string { return "true" }), exits: cut, says: "list-failed"},
		{name: "ids that are objects", http: identified(func(string) string { return `{"a":[]}` }), exits: cut, says: "list-failed"},
		{name: "ids beyond any number", http: identified(func(id string) string { return id + strings.Repeat("0", 400) }), exits: cut, says: "list-failed"},
		{name: "null for every result", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) > 0 {
				raw(w, q, "null")
			}
			return len(q.ID) > 0
		}, exits: cut, says: "does not answer as an MCP server"},
		{name: "input required for ever", http: everything(func(w http.ResponseWriter, q rpc) {
			raw(w, q, `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"password?","requestedSchema":{"type":"object"}}}}}`)
		}), exits: cut, says: "list-failed"},
		{name: "no such method", http: everything(func(w http.ResponseWriter, q rpc) { say(w, q, nil, -32601) }), exits: cut, says: "list-failed"},

		{name: "10,001 deep", http: listing(deep("[", "]", 10_001)), exits: cut, says: noAnswer},
		{name: "5,000,000 deep", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":`+strings.Repeat("[", 5_000_000)), exits: cut, says: noAnswer, rss: 300},
		{name: "9,000 deep beside a good entry", http: listing(good + "," + deep(`{"a":`, "}", 9_000)), exits: faulty, says: "malformed-entry"},
		{name: "a key twice in the result", http: listing(`],"skills":[` + good), exits: cut, says: "the key \"skills\" twice"},
		{name: "a key twice in the frontmatter", http: listing(strings.Replace(good, `"name":`, `"name":"beta","name":`, 1)), exits: faulty, says: "malformed-entry"},
		{name: "a key in capitals", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","Skills":[`+good+`]}}`), exits: cut, says: noAnswer},
		{name: "not UTF-8", http: listing("{\"uri\":\"skill://a\xff\xfe/SKILL.md\",\"frontmatter\":{\"name\":\"\xff\",\"description\":\"\xc0\x80\",\"\xff\":1},\"resources\":\"\xff\"}"), exits: faulty, says: "malformed-entry"},
		{name: "lone surrogates", http: listing(`{"uri":"skill://a\ud800/SKILL.md","frontmatter":{"name":"\udfff","description":"d"},"resources":[]}`), exits: faulty, says: "malformed-entry"},
		{name: "huge numbers", http: body(json, `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":1e999999999,"cacheScope":"public","skills":[`+strings.Replace(good, `"size":`, `"size":1`+strings.Repeat("0", 100_000), 1)+`]}}`), exits: faulty, says: "malformed-size"},
	}
}

func mcpServers() []hostile {
	asking := func(methods ...string) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "initialize" || q.Method == "server/discover" || q.Method == "" {
				return false
			}
			sse(w)
			for i, m := range methods {
				event(w, object{"jsonrpc": "2.0", "id": 900 + i, "method": m, "params": object{"message": "password?", "messages": []any{}, "maxTokens": 1, "requestedSchema": object{"type": "object"}}})
			}
			result, code := honest(q)
			event(w, message(q.ID, result, code))
			return true
		}
	}
	session := func(id string, h hook) hook {
		return legacy(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Mcp-Session-Id", id)
			return h(w, r, q)
		})
	}
	handshake := func(result object, code int) hook {
		return legacy(on("initialize", func(w http.ResponseWriter, r *http.Request, q rpc) { say(w, q, result, code) }))
	}
	version := func(v any) hook {
		return handshake(object{"protocolVersion": v, "capabilities": capabilities(false), "serverInfo": object{"name": "h", "version": "1"}}, 0)
	}
	floods := func(method string) string {
		return strings.Repeat(`data: {"jsonrpc":"2.0","method":"`+method+`","params":{"level":"info","data":"x","progressToken":1,"progress":1}}`+"\n\n", 100)
	}
	asks := func(method string) string {
		return strings.Repeat(`data: {"jsonrpc":"2.0","id":5,"method":"`+method+`"}`+"\n\n", 100)
	}
	return []hostile{
		{name: "honest", http: nothing, exits: clean},
		{name: "honest 2025-11-25", http: legacy(nothing), exits: clean},
		{name: "never answers", http: on("server/discover", hang), exits: unreached, says: "took longer than --timeout allows"},
		{name: "never ends the handshake", http: legacy(on("initialize", hang)), exits: unreached, says: "took longer than --timeout allows"},
		{name: "odd discovery", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			raw(w, q, `{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":[],"serverInfo":[]}`)
		}), exits: clean}, // the handshake of the older protocol is taken instead
		{name: "discovery of no version", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, _ := honest(q)
			result["supportedVersions"] = []string{}
			say(w, q, result, 0)
		}), exits: clean},
		{name: "discovery of a version that is not asked for", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, _ := honest(q)
			result["supportedVersions"] = []string{"2099-01-01"}
			say(w, q, result, 0)
		}), exits: clean},
		{name: "initialize fails", http: handshake(nil, -32603), exits: cut, says: "does not answer as an MCP server"},
		{name: "initialize of nothing", http: handshake(object{}, 0), exits: cut, says: "skillpack: "},
		{name: "protocol version of the future", http: version("2099-01-01"), exits: cut, says: "does not answer as an MCP server"},
		{name: "protocol version of the past", http: version("2024-11-05"), exits: clean},
		{name: "protocol version that is a number", http: version(20251125), exits: cut, says: "does not answer as an MCP server"},
		{name: "no capabilities", http: handshake(object{"protocolVersion": "2025-11-25", "serverInfo": object{"name": "h", "version": "1"}}, 0), exits: faulty, says: "extension-undeclared"},
		{name: "capabilities that are a list", http: handshake(object{"protocolVersion": "2025-11-25", "capabilities": []int{}, "serverInfo": object{"name": "h", "version": "1"}}, 0), exits: cut, says: "does not answer as an MCP server"},
		{name: "capabilities that are null", http: handshake(object{"protocolVersion": "2025-11-25", "capabilities": nil, "serverInfo": nil}, 0), exits: faulty, says: "extension-undeclared"},
		{name: "no server info", http: handshake(object{"protocolVersion": "2025-11-25", "capabilities": capabilities(false)}, 0), exits: clean},

		{name: "requests to the client", http: legacy(asking("sampling/createMessage", "roots/list", "elicitation/create", "ping", "no/such")), exits: clean},
		{name: "requests to the client 2026-07-28", http: asking("sampling/createMessage", "roots/list", "elicitation/create"), exits: clean},
		{name: "log flood", http: drain("text/event-stream", "", floods("notifications/message")), exits: failed, says: "skillpack: ", rss: 300},
		{name: "progress flood", http: legacy(drain("text/event-stream", "", floods("notifications/progress"))), exits: failed, says: "skillpack: ", rss: 300},
		{name: "list_changed flood", http: drain("text/event-stream", "", floods("notifications/resources/list_changed")), exits: failed, says: "skillpack: ", rss: 300},
		{name: "cancellation flood", http: drain("text/event-stream", "", floods("notifications/cancelled")), exits: failed, says: "skillpack: ", rss: 300},
		{name: "ping flood", http: legacy(drain("text/event-stream", "", asks("ping"))), exits: failed, says: "skillpack: ", rss: 300},
		{name: "request flood", http: legacy(drain("text/event-stream", "", asks("roots/list"))), exits: failed, says: "skillpack: ", rss: 300},
		{name: "list_changed before every answer", http: legacy(func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "initialize" {
				return false
			}
			sse(w)
			event(w, object{"jsonrpc": "2.0", "method": "notifications/resources/list_changed"})
			result, code := honest(q)
			event(w, message(q.ID, result, code))
			return true
		}), exits: clean},

		{name: "session lost", URL: func(t *testing.T) string {
			var n atomic.Int64
			return listen(t, serve(session("s", func(w http.ResponseWriter, r *http.Request, q rpc) bool {
				if len(q.ID) == 0 || n.Add(1) <= 5 {
					return false
				}
				w.WriteHeader(404)
				return true
			})))
		}, exits: cut, says: "HTTP 404"},
		{name: "session lost once", URL: func(t *testing.T) string {
			var n atomic.Int64
			return listen(t, serve(session("s", func(w http.ResponseWriter, r *http.Request, q rpc) bool {
				if len(q.ID) == 0 || n.Add(1) != 5 {
					return false
				}
				w.WriteHeader(404)
				return true
			})))
		}, exits: clean},
		{name: "session lost at once", http: session("s", only("skills/list", 404)), exits: cut, says: "HTTP 404"},
		{name: "session of another id every time", URL: func(t *testing.T) string {
			var n atomic.Int64
			return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				serve(session(strconv.FormatInt(n.Add(1), 10), nothing)).ServeHTTP(w, r)
			}))
		}, exits: cut, says: "mismatching session IDs"},
		{name: "session id of odd bytes", http: session("\u202e\x80 ,;=", nothing), exits: clean},
		{name: "session id of 64 KiB", http: session(strings.Repeat("s", 1<<16), nothing), exits: clean},
		{name: "session that never ends", http: session("s", func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if r.Method == http.MethodDelete {
				hang(w, r, q)
			}
			return false
		}), exits: clean},
	}
}
