package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// params are those of the extension's methods. The fields are kept as they came:
// one that is no string must be told from one that is absent.
type params struct {
	mcp.ParamsBase
	URI    json.RawMessage `json:"uri,omitempty"`
	Cursor json.RawMessage `json:"cursor,omitempty"`
}

// invalidParams is the one error of all requests for what is not there (spec:
// Error Handling).
func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// uri returns the address that a request asks for.
func (p *params) uri(method string) (string, manifest.URI, error) {
	if p == nil || p.URI == nil {
		return "", manifest.URI{}, invalidParams("%s needs a uri", method)
	}
	var text *string
	if err := json.Unmarshal(p.URI, &text); err != nil || text == nil {
		return "", manifest.URI{}, invalidParams("the uri of %s is no string: %s", method, message.Cut(string(p.URI), message.Longest))
	}
	u, err := manifest.ParseURI(*text)
	if err != nil {
		return "", manifest.URI{}, invalidParams("nothing is served there: %v", err)
	}
	return *text, u, nil
}

// page returns the page of a listing that a request asks for.
func (p *params) page(of *pages) (*page, error) {
	if p == nil || p.Cursor == nil {
		return of.first, nil
	}
	var cursor *string
	if err := json.Unmarshal(p.Cursor, &cursor); err != nil || cursor == nil {
		return nil, invalidParams("the cursor is no string: %s", message.Cut(string(p.Cursor), message.Longest))
	}
	found := of.at(*cursor)
	if found == nil {
		return nil, invalidParams("this server gave no cursor %s, or its skills have changed since: list from the start", message.Quote(*cursor))
	}
	return found, nil
}

// modern is the protocol of the request.
func (p *params) modern() bool { return p != nil && modern(p.Meta) }

// list answers skills/list.
func (s *Skills) list(_ context.Context, _ *mcp.ServerSession, p *params) (*result, error) {
	c := s.now.Load()
	page, err := p.page(c.list)
	if err != nil {
		return nil, err
	}
	return &result{modern: p.modern(), cache: &c.cache, parts: page.parts}, nil
}

// get answers skills/get.
func (s *Skills) get(_ context.Context, _ *mcp.ServerSession, p *params) (*result, error) {
	c := s.now.Load()
	text, uri, err := p.uri(methodGet)
	if err != nil {
		return nil, err
	}
	entry, ok := c.entries[uri]
	if !ok {
		if c.files[uri] != nil || c.folders[uri] != nil {
			return nil, invalidParams("%s is not the SKILL.md of a skill: name that", message.Quote(text))
		}
		return nil, invalidParams("no skill is served at %s", message.Quote(text))
	}
	return &result{modern: p.modern(), cache: &c.cache, parts: [][]byte{[]byte(`"skill":`), entry}}, nil
}

// directory answers resources/directory/read.
func (s *Skills) directory(_ context.Context, _ *mcp.ServerSession, p *params) (*result, error) {
	c := s.now.Load()
	text, uri, err := p.uri(methodDirectory)
	if err != nil {
		return nil, err
	}
	folder, ok := c.folders[uri]
	if !ok {
		if c.files[uri] != nil {
			return nil, invalidParams("%s is a file, not a directory: read it with resources/read", message.Quote(text))
		}
		return nil, invalidParams("no directory is served at %s", message.Quote(text))
	}
	page, err := p.page(folder)
	if err != nil {
		return nil, err
	}
	return &result{modern: p.modern(), cache: &c.cache, parts: page.parts}, nil
}

// receive stands before the server's own methods: it adds the skills to what the
// server declares, lists and reads.
func (s *Skills) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "initialize", "server/discover":
			answer, err := next(ctx, method, req)
			if err == nil {
				s.declare(answer)
			}
			return answer, err
		case "resources/list":
			if r, ok := req.(*mcp.ListResourcesRequest); ok {
				return s.listResources(ctx, method, r, next)
			}
		case "resources/read":
			if r, ok := req.(*mcp.ReadResourceRequest); ok {
				return s.readResource(ctx, method, r, next)
			}
		}
		return next(ctx, method, req)
	}
}

// declare adds the extension and the resources capability to what the server
// says of itself (spec: Capability Negotiation).
func (s *Skills) declare(answer mcp.Result) {
	var capabilities **mcp.ServerCapabilities
	var instructions *string
	switch r := answer.(type) {
	case *mcp.InitializeResult:
		capabilities, instructions = &r.Capabilities, &r.Instructions
	case *mcp.DiscoverResult:
		capabilities, instructions = &r.Capabilities, &r.Instructions
	default:
		return
	}
	if *capabilities == nil {
		*capabilities = new(mcp.ServerCapabilities)
	}
	(*capabilities).AddExtension(ExtensionID, map[string]any{"directoryRead": true})
	if (*capabilities).Resources == nil {
		(*capabilities).Resources = new(mcp.ResourceCapabilities)
	}
	if c := s.now.Load(); c.declared && c.instructions != "" {
		if *instructions != "" {
			*instructions += "\n\n"
		}
		*instructions += c.instructions
	}
}

// readResource answers resources/read for a file of a skill. Other addresses
// are the server's own.
func (s *Skills) readResource(ctx context.Context, method string, req *mcp.ReadResourceRequest, next mcp.MethodHandler) (mcp.Result, error) {
	c := s.now.Load()
	uri, err := manifest.ParseURI(req.Params.URI)
	f := c.files[uri]
	if err != nil || f == nil {
		answer, err := next(ctx, method, req)
		if e := (*jsonrpc.Error)(nil); errors.As(err, &e) && e.Code == jsonrpc.CodeInvalidParams {
			text := "no resource is served at " + message.Quote(req.Params.URI)
			if c.folders[uri] != nil {
				text = message.Quote(req.Params.URI) + " is a directory: read it with " + methodDirectory
			}
			data, _ := marshal(map[string]string{"uri": req.Params.URI}) // clients look for the URI there
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text, Data: data}
		}
		return answer, err
	}
	requested, err := marshal(req.Params.URI)
	if err != nil {
		return nil, err
	}
	return &result{modern: modern(req.Params.Meta), cache: &c.cache, parts: [][]byte{
		[]byte(`"contents":[{"uri":`), requested, f.content, closeBracket,
	}}, nil
}

// listResources answers resources/list: the pages of the skills' files, then the
// server's own resources, behind cursors of the SDK.
func (s *Skills) listResources(ctx context.Context, method string, req *mcp.ListResourcesRequest, next mcp.MethodHandler) (mcp.Result, error) {
	c := s.now.Load()
	cursor, meta := "", map[string]any(nil)
	if req.Params != nil {
		cursor, meta = req.Params.Cursor, req.Params.Meta
	}
	page := c.resources.at(cursor)
	if page == nil {
		return next(ctx, method, req)
	}
	answer := &result{modern: modern(meta), cache: &c.cache, parts: page.parts}
	if !page.last {
		return answer, nil
	}
	own := *req
	own.Params = &mcp.ListResourcesParams{Meta: meta}
	rest, err := next(ctx, method, &own)
	if err != nil {
		return nil, err
	}
	theirs, ok := rest.(*mcp.ListResourcesResult)
	if !ok {
		return nil, fmt.Errorf("the server's own resources/list returns %T, not *mcp.ListResourcesResult", rest)
	}
	return answer, answer.appendResources(page, theirs)
}

// appendResources puts the server's own resources behind those of a last page.
// The more careful of the two caching hints holds for both.
func (r *result) appendResources(p *page, own *mcp.ListResourcesResult) error {
	if len(own.Resources) == 0 && own.NextCursor == "" {
		return nil
	}
	r.parts = slices.Clone(p.parts[:len(p.parts)-1]) // without the end of the list
	for i, resource := range own.Resources {
		text, err := marshal(resource)
		if err != nil {
			return err
		}
		if p.items+i > 0 {
			r.parts = append(r.parts, comma)
		}
		r.parts = append(r.parts, text)
	}
	r.parts = append(r.parts, closeBracket)
	if own.NextCursor != "" {
		cursor, err := marshal(own.NextCursor)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, []byte(`,"nextCursor":`), cursor)
	}
	hints := *r.cache
	hints.ttl = min(hints.ttl, int64(own.TTLMs))
	if own.CacheScope == "private" {
		hints.scope = "private"
	}
	r.cache = &hints
	return nil
}
