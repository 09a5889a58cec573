package remotetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skillpack/skillpack/manifest"
)

const (
	extensionID = "io.modelcontextprotocol/skills"
	newest      = "2026-07-28"
	oldest      = "2025-11-25"
)

// object is a JSON object under construction.
type object = map[string]any

// Server serves one manifest.
type Server struct {
	// PageSize is how many entries a page of a listing has; 0 is all.
	PageSize int
	// Old makes the server speak protocol 2025-11-25 only.
	Old bool

	faults  map[string]bool
	entries []object
	files   map[string][]byte // by URI as served
	hidden  object            // a skill that is served and not listed, or nil

	mu    sync.Mutex
	asked map[string]int // how often, by method and URI
}

// New returns a server of a manifest with some faults. Read returns the bytes of
// a listed resource. It returns an error for a fault that does not exist.
func New(m manifest.Manifest, read func(uri string) ([]byte, error), faults ...string) (*Server, error) {
	s := &Server{faults: map[string]bool{}, entries: []object{}, files: map[string][]byte{}}
	for _, f := range faults {
		if !slices.Contains(Faults, f) {
			return nil, fmt.Errorf("no fault %q: remotetest.Faults lists them", f)
		}
		s.faults[f] = true
	}
	for _, skill := range m.Skills {
		text, err := json.Marshal(skill)
		if err != nil {
			return nil, err
		}
		var entry object
		if err := json.Unmarshal(text, &entry); err != nil {
			return nil, err
		}
		s.entries = append(s.entries, entry)
		for _, r := range skill.Resources {
			if s.files[r.URI.String()], err = read(r.URI.String()); err != nil {
				return nil, err
			}
		}
	}
	s.breakEntries()
	return s, nil
}

// rpcError is what a request is answered with instead of a result.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func invalidParams(format string, args ...any) *rpcError {
	return &rpcError{-32602, fmt.Sprintf(format, args...)}
}

// Handle answers one JSON-RPC message; nil for a notification.
func (s *Server) Handle(message []byte) []byte {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			URI             *json.RawMessage `json:"uri"`
			Cursor          *json.RawMessage `json:"cursor"`
			ProtocolVersion string           `json:"protocolVersion"`
			Meta            object           `json:"_meta"`
		} `json:"params"`
	}
	if err := json.Unmarshal(message, &request); err != nil {
		return marshal(object{"jsonrpc": "2.0", "id": nil, "error": &rpcError{-32700, "parse error"}})
	}
	if request.ID == nil {
		return nil
	}
	version, _ := request.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string)
	modern := version >= newest
	var uri string
	uriGiven := request.Params.URI != nil && json.Unmarshal(*request.Params.URI, &uri) == nil
	cursor := ""
	if request.Params.Cursor != nil && json.Unmarshal(*request.Params.Cursor, &cursor) != nil {
		cursor = "no string"
	}
	result, failure := s.answer(request.Method, uri, uriGiven, cursor)
	if failure != nil {
		return marshal(object{"jsonrpc": "2.0", "id": request.ID, "error": failure})
	}
	if modern {
		if !s.faults["result-type"] {
			result["resultType"] = "complete"
		}
		fault := "cache-hints"
		if strings.HasPrefix(request.Method, "skills/") {
			fault = "cache-attributes"
		}
		if !s.faults[fault] {
			result["ttlMs"], result["cacheScope"] = 300000, "public"
		}
		if s.faults[fault+".scope"] {
			result["cacheScope"] = "shared"
		}
		if s.faults[fault+".ttl"] {
			result["ttlMs"] = -1
		}
	}
	return marshal(object{"jsonrpc": "2.0", "id": request.ID, "result": result})
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // everything here is JSON
	}
	return b
}

func (s *Server) answer(method, uri string, uriGiven bool, cursor string) (object, *rpcError) {
	info := object{"name": "remotetest", "version": "1.0.0"}
	switch method {
	case "server/discover":
		if s.Old {
			return nil, &rpcError{-32601, "method not found"}
		}
		return object{
			"supportedVersions": []string{newest, oldest}, "capabilities": s.capabilities(),
			"_meta": object{"io.modelcontextprotocol/serverInfo": info},
		}, nil
	case "initialize":
		return object{"protocolVersion": oldest, "capabilities": s.capabilities(), "serverInfo": info}, nil
	case "ping":
		return object{}, nil
	case "skills/list":
		return s.list(cursor)
	case "skills/get":
		return s.get(uri, uriGiven)
	case "resources/list":
		return object{"resources": s.listResources()}, nil
	case "resources/templates/list":
		return object{"resourceTemplates": s.templates()}, nil
	case "resources/read":
		return s.read(uri)
	case "resources/directory/read":
		return s.directory(uri)
	}
	return nil, &rpcError{-32601, "method not found: " + method}
}

func (s *Server) capabilities() object {
	settings := any(object{"directoryRead": true})
	switch {
	case s.faults["directory-undeclared"]:
		settings = object{}
	case s.faults["extension-malformed"]:
		settings = object{"id": extensionID, "config": settings}
	case s.faults["extension-malformed.value"]:
		settings = true
	case s.faults["extension-malformed.directory"]:
		settings = object{"directoryRead": "yes"}
	}
	c := object{"resources": object{}, "extensions": object{extensionID: settings}}
	switch {
	case s.faults["extension-undeclared"]:
		delete(c, "extensions")
	case s.faults["extension-misplaced"]:
		delete(c, "extensions")
		c["experimental"] = object{extensionID: settings}
	case s.faults["extension-misplaced.top"]:
		delete(c, "extensions")
		c["skills"] = settings
	}
	if s.faults["resources-undeclared"] {
		delete(c, "resources")
	}
	return c
}

func (s *Server) list(cursor string) (object, *rpcError) {
	switch {
	case s.faults["list-failed"]:
		return nil, &rpcError{-32601, "method not found"}
	case s.faults["list-failed.shape"]:
		return object{"skills": object{}}, nil
	case s.faults["pagination-loop"]:
		return object{"skills": s.entries, "nextCursor": "again"}, nil
	case s.faults["listing-too-long"]:
		n, _ := strconv.Atoi(cursor)
		entries := s.entries
		if cursor != "" {
			entries = []object{}
		}
		return object{"skills": entries, "nextCursor": strconv.Itoa(n + 1)}, nil
	}
	listed := s.listed(cursor)
	if listed == nil {
		return nil, &rpcError{-32603, "too many at once"}
	}
	from := 0
	if cursor != "" {
		n, err := strconv.Atoi(cursor)
		if (err != nil || n <= 0 || n >= len(listed)) && !s.faults["bad-cursor"] {
			return nil, invalidParams("no such cursor")
		}
		from = min(max(n, 0), len(listed))
	}
	size := s.PageSize
	if size <= 0 {
		size = len(listed)
	}
	to := min(from+size, len(listed))
	result := object{"skills": listed[from:to]}
	if to < len(listed) {
		result["nextCursor"] = strconv.Itoa(to)
	}
	return result, nil
}

func (s *Server) get(uri string, given bool) (object, *rpcError) {
	if !given {
		if s.faults["missing-uri-param"] {
			return object{"skill": s.entries[0]}, nil
		}
		return nil, invalidParams("uri is missing")
	}
	served := s.entries
	if s.faults["skill-extra.hidden"] {
		served = append(slices.Clone(served), s.hidden)
	}
	uri = s.near(uri)
	for _, e := range served {
		if e == nil || e["uri"] != uri {
			continue
		}
		if s.faults["get-failed"] {
			return nil, &rpcError{-32603, "internal error"}
		}
		if s.faults["get-mismatch"] {
			e = maps.Clone(e)
			front := maps.Clone(e["frontmatter"].(object))
			front["description"] = "Something else. Use for nothing."
			e["frontmatter"] = front
		}
		if s.faults["get-mismatch.other"] {
			e = s.entries[0]
		}
		if s.faults["get-mismatch.field"] {
			e = maps.Clone(e)
			e["revision"] = 7
		}
		result := object{"skill": e}
		if s.faults["get-cursor"] {
			result["nextCursor"] = "more"
		}
		return result, nil
	}
	if s.faults["get-unknown-uri"] {
		return nil, &rpcError{-32002, "resource not found"}
	}
	if s.faults["get-unknown-uri.result"] {
		return object{"skill": s.entries[0]}, nil
	}
	return nil, invalidParams("no skill is served at %q", uri)
}

func (s *Server) resource(uri string) object {
	name := uri[strings.LastIndexByte(uri, '/')+1:]
	r := object{"uri": uri, "name": name, "mimeType": "text/plain"}
	if strings.HasSuffix(name, ".md") {
		r["mimeType"] = "text/markdown"
	}
	for _, e := range s.entries {
		if e["uri"] == uri {
			front := e["frontmatter"].(object)
			r["name"], r["description"] = front["name"], front["description"]
			if s.faults["skill-resource-metadata"] {
				r["name"] = "SKILL.md"
			}
			if s.faults["skill-resource-metadata.description"] {
				r["description"] = "a skill"
			}
			if s.faults["skill-resource-metadata.meta"] {
				r["_meta"] = object{"license": "MIT"}
			}
			if s.faults["skill-mime-type"] {
				r["mimeType"] = "application/octet-stream"
			}
		}
	}
	return r
}

func (s *Server) read(uri string) (object, *rpcError) {
	b, ok := s.files[uri]
	if !ok {
		b, ok = s.onDisk(uri)
	}
	if !ok {
		if s.faults["read-unknown-uri"] {
			return object{"contents": []object{}}, nil
		}
		return nil, invalidParams("no resource %q", uri)
	}
	if s.faults["read-failed"] && !strings.HasSuffix(uri, "/"+manifest.SkillFile) {
		return nil, &rpcError{-32603, "disk on fire"}
	}
	return object{"contents": s.contents(uri, b)}, nil
}

func (s *Server) directory(uri string) (object, *rpcError) {
	if s.faults["directory-failed"] {
		return nil, &rpcError{-32603, "no directories today"}
	}
	if _, file := s.files[uri]; file {
		if s.faults["directory-failed.file"] {
			return object{"resources": []object{}}, nil
		}
		return nil, invalidParams("%s is not a directory resource", uri)
	}
	children := map[string]object{}
	for file := range s.files {
		rest, below := strings.CutPrefix(file, uri+"/")
		if !below {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		child := uri + "/" + name
		if !deeper {
			children[child] = s.resource(child)
			continue
		}
		children[child] = object{"uri": child, "name": name, "mimeType": "inode/directory"}
		if s.faults["directory-failed.type"] {
			children[child]["mimeType"] = "text/plain"
		}
	}
	if len(children) == 0 {
		return nil, invalidParams("no directory %q", uri)
	}
	return object{"resources": s.showFolder(uri, children)}, nil
}
