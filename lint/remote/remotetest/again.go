package remotetest

import (
	"maps"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/manifest"
)

// again counts how often something was asked for, from 1.
func (s *Server) again(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[what]++
	return s.asked[what]
}

// listed is what skills/list lists on the page of a cursor and around it, nil
// when it fails.
func (s *Server) listed(cursor string) []object {
	listed := s.entries
	if s.faults["skill-unlisted"] {
		listed = listed[1:]
	}
	if s.again("list "+cursor) == 1 {
		return listed
	}
	switch {
	case s.faults["list-unstable"]:
		listed = slices.Clone(listed)
		listed[0] = maps.Clone(listed[0])
		front := maps.Clone(listed[0]["frontmatter"].(object))
		front["description"] = "Made today. Use for nothing."
		listed[0]["frontmatter"] = front
	case s.faults["list-unstable.more"]:
		listed = append(slices.Clone(listed), extraEntry())
	case s.faults["list-unstable.less"]:
		listed = listed[1:]
	case s.faults["list-unstable.other"]:
		listed = append([]object{extraEntry()}, listed[1:]...)
	case s.faults["list-unstable.end"]:
		return nil
	}
	if s.faults["list-order"] {
		listed = slices.Clone(listed)
		slices.Reverse(listed)
	}
	return listed
}

// near is the URI of the skill that is served for a URI that is none.
func (s *Server) near(uri string) string {
	for _, e := range s.entries {
		self, _ := e["uri"].(string)
		root := strings.TrimSuffix(self, "/"+manifest.SkillFile)
		if s.faults["get-unknown-uri.folder"] && uri == root || s.faults["get-unknown-uri.file"] && uri != self && strings.HasPrefix(uri, root+"/") {
			return self
		}
	}
	return uri
}
