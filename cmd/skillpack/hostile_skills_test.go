//go:build unix

package main_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

func listingServers() []hostile {
	pages := func(next func(cursor string) any) hook {
		return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			skills := []object{}
			if q.Params.Cursor == "" {
				skills = append(skills, alpha())
			}
			say(w, q, complete(object{"skills": skills, "nextCursor": next(q.Params.Cursor)}), 0)
		})
	}
	dup := text(resource(skillURI, skillText))
	dups := `{"uri":"skill://alpha/SKILL.md","frontmatter":{"name":"alpha","description":"d"},"resources":[` +
		strings.Repeat(dup+",", 299_999) + dup + `]}`
	long := alpha()
	long["uri"] = "skill://" + strings.Repeat("a/../%2e%2e/e\u0301/", 1<<19) + "SKILL.md"
	wide := alpha()
	wide["frontmatter"].(object)["x"] = make([]int, 2_100_000)
	return []hostile{
		{name: "never lists", http: on("skills/list", hang), exits: unreached, says: "took longer than --timeout allows"},
		{name: "lists nothing", http: listing(""), exits: cut, says: "lists no skills"},
		{name: "one cursor for ever", http: pages(func(string) any { return "again" }), exits: cut, says: "pagination-loop"},
		{name: "cursors in a ring", http: pages(func(c string) any { return map[string]string{"": "a", "a": "b", "b": "c", "c": "a"}[c] }), exits: cut, says: "pagination-loop"},
		{name: "cursors without end", http: pages(func(c string) any { n, _ := strconv.Atoi(c); return strconv.Itoa(n + 1) }),
			exits: cut, says: "listing-too-long", rss: 200},
		{name: "cursors that grow", http: pages(func(c string) any { return strings.Repeat("c", 2*len(c)+1) }), args: wait(6), exits: failed, says: "skillpack: ", max: 9 * time.Second, rss: 800},
		{name: "empty cursor", http: pages(func(string) any { return "" }), exits: clean},
		{name: "cursor that is null", http: pages(func(string) any { return nil }), exits: clean},
		{name: "cursor that is a number", http: pages(func(string) any { return 7 }), exits: cut, says: "as nextCursor, not a string"},
		{name: "cursor that is an object", http: pages(func(string) any { return object{} }), exits: cut, says: "as nextCursor, not a string"},
		{name: "page two fails", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			if q.Params.Cursor != "" {
				w.WriteHeader(500)
				return
			}
			say(w, q, complete(object{"skills": []object{alpha()}, "nextCursor": "two"}), 0)
		}), exits: cut, says: "fails on page 2: "},
		{name: "page two of another shape", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			if q.Params.Cursor != "" {
				raw(w, q, `[]`)
				return
			}
			say(w, q, complete(object{"skills": []object{alpha()}, "nextCursor": "two"}), 0)
		}), exits: cut, says: "list-failed"},
		{name: "entries of odd shapes", http: listing(`null,1,"x",[],{"uri":1,"frontmatter":null,"resources":null},` +
			`{"uri":"skill://a/SKILL.md","frontmatter":{"name":[],"description":{}},"resources":[null,1,{"uri":"skill://a/SKILL.md","digest":7,"size":1e400},` +
			`{"uri":"","digest":"","size":-9223372036854775808},{"uri":"skill://a/%zz","digest":"sha256:","size":9007199254740993},{"uri":"skill://a/../b","size":-0.0},` +
			`{"uri":"skill://a/b","size":9223372036854775807},{"uri":"skill://a/c","size":9223372036854775807}]},` + text(alpha())),
			exits: faulty, says: "malformed-entry", must: []string{"malformed-size"}},
		{name: "a million tiny entries", http: listing("{}" + strings.Repeat(",{}", 999_999)), bare: true, exits: cut, says: "100,000 skills", rss: 800, text: true},
		{name: "300,000 duplicate resources", http: listing(dups), bare: true, exits: faulty, rss: 1000, text: true, says: "duplicate-resource"},
		{name: "20,000 copies of one skill", http: listing(text(alpha()) + strings.Repeat(","+text(alpha()), 19_999)), bare: true, exits: faulty, rss: 500, text: true, says: "duplicate-skill"},
		{name: "2,100,000 values in one frontmatter", http: listing(text(wide)), bare: true, exits: cut, rss: 800, text: true, says: "listing-too-long"},
		{name: "URI of 8 MiB", http: listing(text(long)), bare: true, exits: faulty, says: "uri-unsafe", rss: 700},
		{name: "get never answers", http: on("skills/get", hang), exits: unreached, says: "took longer than --timeout allows"},
		{name: "get says something else", http: on("skills/get", func(w http.ResponseWriter, r *http.Request, q rpc) {
			other := alpha()
			other["frontmatter"] = object{"name": "alpha", "description": "Something else. Use it never."}
			say(w, q, complete(object{"skill": other}), 0)
		}), exits: faulty, says: "get-mismatch"},
		{name: "get gives the whole listing", http: on("skills/get", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"skills": []object{alpha()}}), 0)
		}), exits: faulty, says: "get-failed"},
	}
}

// read serves text as every file.
func read(text string) hook {
	return on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
		say(w, q, contents(q.Params.URI, text), 0)
	})
}

// bigFiles serves n files besides SKILL.md, each in a message just under the limit.
func bigFiles(n int) hook {
	a := alpha()
	for i := range n {
		a["resources"] = append(a["resources"].([]object), resource(fmt.Sprintf("skill://alpha/big%d", i), "x"))
	}
	return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
		switch {
		case q.Method == "skills/list" && q.Params.Cursor == "":
			say(w, q, complete(object{"skills": []object{a}}), 0)
		case q.Method == "resources/read" && strings.HasPrefix(q.Params.URI, "skill://alpha/big"):
			endless(w, q, 60<<4)
		default:
			return false
		}
		return true
	}
}

// endless answers a read with a blob of that many times 64 KiB.
func endless(w http.ResponseWriter, q rpc, n int) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","contents":[{"uri":%q,"blob":"`, q.ID, q.Params.URI)
	for range n {
		if _, err := io.WriteString(w, strings.Repeat("A", 1<<16)); err != nil {
			return
		}
	}
	io.WriteString(w, `"}]}}`)
}

// bomb is a mapping whose last value is nine to the 25th times its first.
func bomb() string {
	var b strings.Builder
	for c := 'b'; c <= 'z'; c++ {
		fmt.Fprintf(&b, "%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 8), c-1)
	}
	return b.String()
}

func fileServers() []hostile {
	folders := func(children func(uri string) object) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			switch q.Method {
			case "server/discover":
				result, _ := honest(q)
				result["capabilities"] = capabilities(true)
				say(w, q, result, 0)
			case "resources/directory/read":
				say(w, q, children(q.Params.URI), 0)
			default:
				return false
			}
			return true
		}
	}
	folder := func(uri string) []object {
		return []object{{"uri": uri, "name": "deeper", "mimeType": "inode/directory"}}
	}
	dynamic := func(h func(w http.ResponseWriter, q rpc)) hook {
		a := alpha()
		a["resources"] = "dynamic"
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			switch {
			case q.Method == "skills/list" && q.Params.Cursor == "":
				say(w, q, complete(object{"skills": []object{a}}), 0)
			case q.Method == "skills/get" && q.Params.URI == skillURI:
				say(w, q, complete(object{"skill": a}), 0)
			case q.Method == "resources/read" && q.Params.URI == skillURI:
				h(w, q)
			default:
				return false
			}
			return true
		}
	}
	swapped := func(uri string, f func(item object)) hook {
		return on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, code := honest(q)
			if q.Params.URI == uri {
				f(result["contents"].([]object)[0])
			}
			say(w, q, result, code)
		})
	}
	return []hostile{
		{name: "never reads", http: on("resources/read", hang), exits: unreached, says: "took longer than --timeout allows"},
		{name: "null for every file", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) { raw(w, q, "null") }), exits: faulty, says: "read-failed"},
		{name: "truncated JSON for a file", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"sk`, q.ID)
		}), exits: faulty, says: "read-failed"},
		{name: "another file's bytes", http: swapped(notesURI, func(item object) { item["text"] = skillText }), exits: faulty, says: "size-mismatch"},
		{name: "another file's URI", http: swapped(notesURI, func(item object) { item["uri"] = "file:///etc/passwd" }), exits: faulty, says: "read-wrong-content"},
		{name: "text and blob that differ", http: swapped(notesURI, func(item object) { item["blob"] = "AAAA" }), exits: faulty, says: "its text and its blob differ"},
		{name: "base64 that is none", http: swapped(notesURI, func(item object) { delete(item, "text"); item["blob"] = "%%%" }), exits: faulty, says: "read-failed"},
		{name: "text that is a number", http: swapped(notesURI, func(item object) { item["text"] = 7 }), exits: faulty, says: "read-failed"},
		{name: "200,000 contents", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			raw(w, q, `{"resultType":"complete","ttlMs":1,"cacheScope":"public","contents":[{}`+strings.Repeat(`,{}`, 199_999)+`]}`)
		}), exits: faulty, says: "read-", rss: 400},
		{name: "files of 60 MiB each", http: bigFiles(3), args: []string{"--keep-going"}, exits: faulty, says: "read-failed", rss: 800, text: true},
		{name: "16 MiB of combining marks", http: read(skillText + strings.Repeat("\u0327\u0301", 4<<20)), args: []string{"--keep-going"}, exits: faulty, says: "read-failed", rss: 700},
		{name: "dynamic", http: dynamic(func(w http.ResponseWriter, q rpc) { say(w, q, contents(skillURI, skillText), 0) }), exits: clean, says: "not-verified"},
		{name: "dynamic of 60 MiB", http: dynamic(func(w http.ResponseWriter, q rpc) { endless(w, q, 60<<4) }), exits: faulty, says: "size-limit-exceeded", rss: 800},
		{name: "alias bomb in the frontmatter", http: read("---\nname: alpha\ndescription: d\na: &a [x,x,x,x,x,x,x,x,x]\n" + bomb() + "---\n"), exits: faulty, says: "size-mismatch"},
		{name: "alias bomb in a dynamic skill", http: dynamic(func(w http.ResponseWriter, q rpc) {
			say(w, q, contents(skillURI, "---\nname: alpha\ndescription: d\na: &a [x,x,x,x,x,x,x,x,x]\n"+bomb()+"---\n"), 0)
		}), exits: faulty, says: "frontmatter-too-complex"},
		{name: "frontmatter 60,000 deep", http: dynamic(func(w http.ResponseWriter, q rpc) {
			say(w, q, contents(skillURI, "---\nname: alpha\ndescription: d\na: "+strings.Repeat("[", 60_000)+"\n---\n"), 0)
		}), exits: faulty, says: "frontmatter-"},
		{name: "frontmatter of 16 MiB without end", http: read("---\n" + strings.Repeat("a: &b *b\n", 16<<20/9)), exits: faulty, says: "read-failed", rss: 700},
		{name: "folders without end", http: folders(func(uri string) object { return complete(object{"resources": folder(uri + "/deeper")}) }), exits: faulty, says: "directory-failed"},
		{name: "a folder that holds itself", http: folders(func(uri string) object { return complete(object{"resources": folder(uri)}) }), exits: faulty, says: "directory-failed"},
		{name: "a folder of pages without end", http: folders(func(uri string) object {
			return complete(object{"resources": []object{}, "nextCursor": strconv.FormatInt(time.Now().UnixNano(), 10)})
		}), exits: faulty, says: "directory-failed", rss: 200},
		{name: "a folder that is null", http: folders(func(uri string) object { return nil }), exits: faulty, says: "directory-failed"},
	}
}

// liar puts control characters and commands into every string.
func textServers() []hostile {
	info := object{"name": evil, "version": evil, "title": evil}
	entries := []object{
		{"uri": evil, "frontmatter": object{"name": evil, "description": evil, evil: evil, "license": []string{evil}, "metadata": object{evil: 1}, "compatibility": evil, "allowed-tools": evil},
			"resources": []object{{"uri": evil, "digest": evil, "size": evil}, {"uri": "skill://alpha/" + evil, "digest": evil}}},
		{"uri": "skill://" + evil + "/SKILL.md", "frontmatter": object{"name": evil, "description": "d", evil: object{evil: evil}}, "resources": evil},
		alpha(), alpha()}
	page := func(answer string) func(t *testing.T) string {
		return func(t *testing.T) string { return listen(t, serve(byHand(answer))) }
	}
	return []hostile{
		{name: "in entries", http: listing(strings.Trim(text(entries), "[]")), exits: faulty, says: "malformed-uri"},
		{name: "in discovery", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"supportedVersions": []string{"2026-07-28", evil}, "instructions": evil,
				"capabilities": object{"experimental": object{evil: object{}}, "extensions": object{evil: object{evil: evil}, "io.modelcontextprotocol/skills": object{"directoryRead": evil, evil: evil}}},
				"serverInfo":   info, "_meta": object{"io.modelcontextprotocol/serverInfo": info}}), 0)
		}), exits: faulty, says: "extension-malformed"},
		{name: "in the protocol version", http: legacy(on("initialize", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, object{"protocolVersion": evil, "capabilities": object{}, "serverInfo": info}, 0)
		})), exits: cut, says: "skillpack: "},
		{name: "in errors", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "server/discover" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, text(object{"jsonrpc": "2.0", "id": q.ID, "error": object{"code": -32000, "message": evil, "data": evil}}))
			return true
		}, exits: cut, says: "list-failed"},
		{name: "in cursors", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"skills": []object{}, "nextCursor": evil}), 0)
		}), exits: cut, says: "pagination-loop"},
		{name: "in files", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, complete(object{"contents": []object{{"uri": evil, "mimeType": evil, "text": evil}, {"uri": q.Params.URI, "mimeType": evil, "blob": evil}}}), 0)
		}), exits: faulty, says: "read-failed"},
		{name: "in frontmatter", http: read("---\nname: \"\\e[2J\\n::error file=a::\"\n\"\\e[2J\\n::add-mask::\": \"\\e\\n##[x]\"\n\x1b: \u202e\n---\n"), exits: faulty, says: "size-mismatch"},
		{name: "in an error page", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.WriteHeader(500)
			io.WriteString(w, evil)
		}), exits: cut, says: "HTTP 500"},
		{name: "in the content type", URL: page("HTTP/1.1 200 \x1b[2J\u202eowned\r\nContent-Type: \u202e\u009b31m\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"), exits: cut, says: "skillpack: "},
		{name: "in the status line", URL: page("HTTP/1.1 599 \x1b[2J\u202e\u009bowned\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), exits: unreached, says: "HTTP 599"},
	}
}
