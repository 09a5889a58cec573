package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// get returns one skill by the URI of its SKILL.md (spec: Getting a Skill), and
// the result's own fields. The entry may have findings.
func (s *Session) get(ctx context.Context, uri string) (Entry, map[string]json.RawMessage, error) {
	raw, err := s.call(ctx, methodGet, &params{URI: uri})
	if err != nil {
		return Entry{}, nil, err
	}
	result, err := fieldsOf(raw)
	if err != nil {
		return Entry{}, nil, fmt.Errorf("skills/get answers %s, which is %w", brief(raw), err)
	}
	skill, ok := result["skill"]
	if !ok {
		return Entry{}, result, fmt.Errorf("skills/get answers without \"skill\": %s", brief(raw))
	}
	return parseEntry(skill), result, nil
}

// Child is one child of a directory resource.
type Child struct {
	URI         string
	Name        string
	Description string
	MIMEType    string
	// Meta are the keys of the resource's _meta, sorted.
	Meta []string

	size  json.RawMessage // as it was sent, nil without one
	lacks []string        // required fields that are no strings
}

// Directory is the MIME type of a directory resource (spec: Directory Resources).
const Directory = "inode/directory"

// children walks a method that lists resources.
func (s *Session) children(ctx context.Context, method string, p params) ([]Child, error) {
	l := s.walk(ctx, method, "resources", p)
	children := make([]Child, 0, len(l.Entries))
	for _, raw := range l.Entries {
		children = append(children, childOf(raw))
	}
	switch {
	case l.Err != nil:
		return children, l.Err
	case l.Problem != nil:
		return children, errors.New(l.Problem.Message)
	}
	return children, nil
}
