//go:build unix

package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	skillText = "---\nname: alpha\ndescription: Does what alpha does. Use it for alpha.\n---\n\n# Alpha\n\nRead [the notes](notes.md).\n"
	notesText = "# Notes\n\nNothing.\n"
	skillURI  = "skill://alpha/SKILL.md"
	notesURI  = "skill://alpha/notes.md"
)

type object = map[string]any

// rpc is a request as the servers here see it.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		URI    string `json:"uri"`
		Cursor string `json:"cursor"`
	} `json:"params"`
}

func resource(uri, text string) object {
	return object{"uri": uri, "digest": fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))), "size": len(text)}
}

func alpha() object {
	return object{
		"uri":         skillURI,
		"frontmatter": object{"name": "alpha", "description": "Does what alpha does. Use it for alpha."},
		"resources":   []object{resource(skillURI, skillText), resource(notesURI, notesText)},
	}
}

func capabilities(directoryRead bool) object {
	return object{"resources": object{}, "extensions": object{"io.modelcontextprotocol/skills": object{"directoryRead": directoryRead}}}
}

func complete(r object) object {
	r["resultType"], r["ttlMs"], r["cacheScope"] = "complete", 1000, "public"
	return r
}

// honest answers as a faultless server of one skill does; every hostile server
// is this one with one thing gone bad.
func honest(q rpc) (result object, code int) {
	info := object{"name": "hostile", "version": "1"}
	switch {
	case q.Params.Cursor != "":
		return nil, -32602
	case q.Method == "server/discover":
		return complete(object{"supportedVersions": []string{"2026-07-28"}, "capabilities": capabilities(false),
			"serverInfo": info, "_meta": object{"io.modelcontextprotocol/serverInfo": info}}), 0
	case q.Method == "initialize":
		return object{"protocolVersion": "2025-11-25", "capabilities": capabilities(false), "serverInfo": info}, 0
	case q.Method == "skills/list":
		return complete(object{"skills": []object{alpha()}}), 0
	case q.Method == "skills/get" && q.Params.URI == skillURI:
		return complete(object{"skill": alpha()}), 0
	case q.Method == "resources/list":
		return complete(object{"resources": []object{
			{"uri": skillURI, "mimeType": "text/markdown", "name": "alpha", "description": "Does what alpha does. Use it for alpha."},
			{"uri": notesURI, "mimeType": "text/markdown", "name": "notes"}}}), 0
	case q.Method == "resources/read" && q.Params.URI == skillURI:
		return contents(skillURI, skillText), 0
	case q.Method == "resources/read" && q.Params.URI == notesURI:
		return contents(notesURI, notesText), 0
	case q.Method == "skills/get", q.Method == "resources/read":
		return nil, -32602
	}
	return nil, -32601
}

func contents(uri, text string) object {
	return complete(object{"contents": []object{{"uri": uri, "mimeType": "text/markdown", "text": text}}})
}

func message(id json.RawMessage, result object, code int) object {
	if code != 0 {
		return object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": "no"}}
	}
	return object{"jsonrpc": "2.0", "id": id, "result": result}
}

// hook takes a request over, or returns false to have it answered honestly.
// A GET or DELETE has the empty method.
type hook func(w http.ResponseWriter, r *http.Request, q rpc) bool

func serve(h hook) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q rpc
		if r.Method == http.MethodPost {
			if json.NewDecoder(r.Body).Decode(&q) != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
		}
		// What is left unread of the body would keep a gone client unnoticed.
		io.Copy(io.Discard, r.Body)
		switch {
		case h(w, r, q):
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case len(q.ID) == 0:
			w.WriteHeader(http.StatusAccepted)
		default:
			result, code := honest(q)
			say(w, q, result, code)
		}
	})
}

func say(w http.ResponseWriter, q rpc, result object, code int) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(message(q.ID, result, code))
}

// on takes over the requests of one method.
func on(method string, h func(w http.ResponseWriter, r *http.Request, q rpc)) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if q.Method != method {
			return false
		}
		h(w, r, q)
		return true
	}
}

// legacy turns the 2025-11-25 handshake on: server/discover is unknown.
func legacy(h hook) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		if q.Method == "server/discover" {
			say(w, q, nil, -32601)
			return true
		}
		return h(w, r, q)
	}
}

// raw writes a JSON answer around a result of which only the text is given.
func raw(w http.ResponseWriter, q rpc, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

// forever writes b until the client has gone, waiting between two writes.
func forever(w http.ResponseWriter, r *http.Request, b string, wait time.Duration) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, b); err != nil {
			return
		}
		if wait > 0 {
			http.NewResponseController(w).Flush()
			time.Sleep(wait)
		}
	}
}

func status(code int, headers ...string) hook {
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		return true
	}
}

func sse(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }

func event(w http.ResponseWriter, v any) {
	b, _ := json.Marshal(v)
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", b)
	http.NewResponseController(w).Flush()
}

func nothing(http.ResponseWriter, *http.Request, rpc) bool { return false }

func hang(w http.ResponseWriter, r *http.Request, q rpc) { <-r.Context().Done() }

// listing answers skills/list with that text for the skills.
func listing(skills string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		raw(w, q, `{"resultType":"complete","ttlMs":1,"cacheScope":"public","skills":[`+skills+`]}`)
	})
}

// body answers skills/list with that text and type, whatever they are.
func body(contentType, text string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, strings.ReplaceAll(text, "ID", string(q.ID)))
	})
}

// drain answers skills/list with text for ever.
func drain(contentType, prefix, text string) hook {
	return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, strings.ReplaceAll(prefix, "ID", string(q.ID)))
		forever(w, r, text, 0)
	})
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
