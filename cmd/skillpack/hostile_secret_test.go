//go:build unix

package main_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// encodings are the forms of a secret that a server may tell it in and that are
// masked: what docs/reliability-servers.md promises.
func encodings(s string) []string {
	var every strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&every, "%%%02X", c)
	}
	segments := strings.Split(s, "/")
	for i := range segments {
		segments[i] = url.QueryEscape(segments[i])
	}
	forms := []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Join(segments, "/"), every.String(), hex.EncodeToString([]byte(s)),
		strings.ReplaceAll(s, "/", `\/`), strings.ReplaceAll(s, "+", `\u002b`)}
	for _, before := range []string{"", "x", "xy"} { // the three ways in which base64 can fall on it
		e := base64.RawStdEncoding.EncodeToString([]byte(before + s))
		forms = append(forms, e[(len(before)*8+5)/6:(len(before)+len(s))*8/6])
	}
	return forms
}

// tellers give back what they were told in confidence.
func tellers() []hostile {
	told := func(r *http.Request) string {
		return fmt.Sprint(r.URL.RawQuery, " ", r.Header.Get("X-Canary"), " ", r.Header.Get("Authorization"))
	}
	inErrors := func(f func(r *http.Request) string) hook {
		return func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			if len(q.ID) == 0 || q.Method == "server/discover" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, text(object{"jsonrpc": "2.0", "id": q.ID, "error": object{"code": -32000, "message": f(r)}}))
			return true
		}
	}
	inListing := func(f func(a object, secret string)) hook {
		return on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			a := alpha()
			f(a, r.Header.Get("X-Canary"))
			say(w, q, complete(object{"skills": []object{a}}), 0)
		})
	}
	long := strings.Repeat("x", 70)
	return []hostile{
		{name: "in errors", http: inErrors(told), exits: cut, says: "list-failed"},
		{name: "in every encoding", http: inErrors(func(r *http.Request) string { return strings.Join(encodings(r.Header.Get("X-Canary")), " ") }), exits: cut, says: "list-failed"},
		{name: "in capitals", http: inErrors(func(r *http.Request) string { return strings.ToUpper(told(r)) }), exits: cut, says: "list-failed"},
		{name: "cut short by a message's length", http: inListing(func(a object, secret string) {
			a["frontmatter"].(object)["license"] = []string{strings.Repeat("x", 62) + secret}
			a["frontmatter"].(object)["name"] = strings.Repeat("x", 62) + secret
		}), exits: faulty, says: "malformed-name", never: []string{canaryHeader[:8]}},
		{name: "cut short in an unknown answer", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			raw(w, q, `"`+long+r.Header.Get("X-Canary")+`"`)
		}), exits: faulty, says: "read-failed", never: []string{canaryHeader[:8]}},
		{name: "in an error page", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			http.Error(w, told(r), 500)
			return true
		}, exits: unreached, says: "HTTP 500"},
		{name: "in a refusal", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("WWW-Authenticate", `Bearer error="`+told(r)+`"`)
			http.Error(w, told(r), http.StatusUnauthorized)
			return true
		}, exits: refused, says: "HTTP 401"},
		{name: "in Retry-After", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			w.Header().Set("Retry-After", r.Header.Get("X-Canary"))
			w.WriteHeader(503)
			return true
		}, exits: unreached, says: "HTTP 503"},
		{name: "in a redirect", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			http.Redirect(w, r, "http://"+canaryUser+":"+canaryPass+"@localhost:1/?token="+canaryQuery+"&h="+canaryHeader, http.StatusTemporaryRedirect)
			return true
		}, exits: cut, says: "redirects to another origin"},
		{name: "in a redirect's host", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			http.Redirect(w, r, "http://"+canaryQuery+".example/", http.StatusTemporaryRedirect)
			return true
		}, exits: cut, says: "redirects to another origin"},
		{name: "in URIs", http: inListing(func(a object, secret string) { a["uri"] = "skill://" + secret + "/SKILL.md" }), exits: faulty, says: "name-path-mismatch"},
		{name: "in frontmatter", http: inListing(func(a object, secret string) { a["frontmatter"].(object)["description"] = secret }), exits: faulty, says: "frontmatter-mismatch"},
		{name: "in field names", http: inListing(func(a object, secret string) { a["frontmatter"].(object)[secret] = 1 }), exits: faulty, says: "unknown-field"},
		{name: "in drift", http: inListing(func(a object, secret string) {
			a["frontmatter"].(object)["license"], a["frontmatter"].(object)[secret] = secret, object{secret: []string{secret}}
			a["resources"] = append(a["resources"].([]object), resource("skill://alpha/"+secret, secret))
		}), exits: faulty, says: "frontmatter-drift", built: true},
		{name: "in files", http: on("resources/read", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, contents(q.Params.URI, "---\nname: alpha\ndescription: "+told(r)+"\n---\n"), 0)
		}), exits: faulty, says: "size-mismatch"},
		{name: "in the content type", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "text/"+r.Header.Get("X-Canary"))
			io.WriteString(w, "x")
		}), exits: cut, says: "list-failed"},
		{name: "in the content coding", http: on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", r.Header.Get("X-Canary"))
			io.WriteString(w, "x")
		}), exits: cut, says: "list-failed"},
		{name: "in the name", http: on("server/discover", func(w http.ResponseWriter, r *http.Request, q rpc) {
			result, _ := honest(q)
			info := object{"name": told(r), "version": told(r)}
			result["serverInfo"], result["_meta"] = info, object{"io.modelcontextprotocol/serverInfo": info}
			say(w, q, result, 0)
		}), exits: clean},
		{name: "in the protocol version", http: legacy(on("initialize", func(w http.ResponseWriter, r *http.Request, q rpc) {
			say(w, q, object{"protocolVersion": r.Header.Get("X-Canary"), "capabilities": object{}, "serverInfo": object{"name": "h", "version": "1"}}, 0)
		})), exits: cut, says: "skillpack: "},
		{name: "in no HTTP at all", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			return byHand("HTTP/1.1 2x0 "+told(r)+"\r\n\r\n")(w, r, q)
		}, exits: cut, says: "skillpack: "},
		{name: "in a header line", http: func(w http.ResponseWriter, r *http.Request, q rpc) bool {
			return byHand("HTTP/1.1 200 OK\r\n"+told(r)+"\r\n\r\n")(w, r, q)
		}, exits: cut, says: "skillpack: "},
	}
}
