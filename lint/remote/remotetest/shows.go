package remotetest

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
)

// listResources is what resources/list answers.
func (s *Server) listResources() []object {
	var all []object
	for _, uri := range slices.Sorted(maps.Keys(s.files)) {
		r := s.resource(uri)
		isFile := !strings.HasSuffix(uri, "/"+manifest.SkillFile)
		for fault := range s.faults {
			switch {
			case fault == "resource-malformed" && isFile:
				delete(r, "name")
			case fault == "resource-size":
				r["size"] = len(s.files[uri]) + 1
			case fault == "resource-size.text":
				r["size"] = "12 bytes"
			case fault == "mime-type-differs" && isFile:
				r["mimeType"] = "application/x-other"
			case fault == "skill-mime-type.listed" && !isFile:
				r["mimeType"] = "text/plain"
			}
		}
		if s.hidden == nil || s.hidden["uri"] != uri || !s.faults["resource-unlisted-skill.folder"] {
			all = append(all, r)
		}
	}
	if s.faults["resource-unlisted-file"] {
		uri := s.beside("zz-notes.txt")
		all = append(all, object{"uri": uri, "name": "zz-notes.txt", "mimeType": "text/plain"})
	}
	return all
}

// beside is the URI of a file beside the first skill's SKILL.md.
func (s *Server) beside(name string) string {
	return strings.TrimSuffix(s.entries[0]["uri"].(string), manifest.SkillFile) + name
}

// showFolder is what a folder's listing has, of its children by URI.
func (s *Server) showFolder(uri string, children map[string]object) []object {
	listed := []object{}
	for _, key := range slices.Sorted(maps.Keys(children)) {
		child := children[key]
		b, isFile := s.files[key]
		switch {
		case s.faults["resource-malformed.folder"]:
			delete(child, "name")
		case s.faults["resource-size.folder"] && isFile:
			child["size"] = len(b) + 1
		case s.faults["mime-type-differs.folder"] && strings.HasSuffix(key, "use.md"):
			child["mimeType"] = "text/plain"
		case s.faults["directory-failed.kind"] && isFile:
			child["mimeType"] = "inode/directory"
		}
		if s.faults["directory-failed.listed"] && strings.HasSuffix(key, "use.md") {
			continue
		}
		listed = append(listed, child)
	}
	if uri+"/" != s.beside("") {
		return listed
	}
	switch {
	case s.faults["directory-failed.child"]:
		listed = listed[1:]
	case s.faults["directory-extra"]:
		listed = append(listed, object{"uri": uri + "/zz-notes.txt", "name": "zz-notes.txt", "mimeType": "text/plain"})
	case s.faults["directory-extra.folder"]:
		listed = append(listed, object{"uri": uri + "/zz-notes", "name": "zz-notes", "mimeType": "inode/directory"})
	case s.faults["directory-extra.deep"]:
		for key := range s.files {
			if rest, below := strings.CutPrefix(key, uri+"/"); below && strings.Contains(rest, "/") {
				listed = append(listed, s.resource(key))
			}
		}
	case s.faults["directory-extra.twice"]:
		listed = append(listed, listed[0])
	}
	return listed
}

// contents are the items that reading a file answers.
func (s *Server) contents(uri string, b []byte) []object {
	item := object{"uri": uri, "mimeType": s.resource(uri)["mimeType"]}
	if utf8.Valid(b) {
		item["text"] = string(b)
	} else {
		item["blob"] = base64.StdEncoding.EncodeToString(b)
	}
	contents := []object{item}
	isSkillFile := strings.HasSuffix(uri, "/"+manifest.SkillFile)
	if !isSkillFile {
		return s.fileContents(item)
	}
	switch {
	case s.faults["read-wrong-content"]:
		item["uri"] = uri + ".other"
	case s.faults["read-extra-content"]:
		contents = append(contents, object{"uri": uri + "#2", "text": ""})
	case s.faults["read-extra-content.same"]:
		contents = append(contents, item)
	case s.faults["read-ambiguous"]:
		contents = append(contents, object{"uri": uri, "text": "another text"})
	case s.faults["read-ambiguous.first"]:
		contents = append(contents, object{"uri": uri})
	case s.faults["read-not-text"]:
		delete(item, "text")
		item["blob"] = base64.StdEncoding.EncodeToString(b)
	case s.faults["skill-mime-type.read"]:
		item["mimeType"] = "application/octet-stream"
	case s.faults["read-unstable"] && s.again("read "+uri) == 1:
		item["text"] = string(b) + "Made today.\n"
	}
	return contents
}

// fileContents are the items of any other file, of which item is the right one.
func (s *Server) fileContents(item object) []object {
	switch {
	case s.faults["read-failed.none"]:
		delete(item, "text")
		delete(item, "blob")
	case s.faults["read-failed.base64"]:
		delete(item, "text")
		item["blob"] = "%%%"
	case s.faults["read-failed.empty"]:
		return []object{}
	case s.faults["read-wrong-content"]:
		item["uri"] = item["uri"].(string) + ".other"
	case s.faults["read-extra-content"]:
		return []object{item, {"uri": item["uri"].(string) + "#2", "text": ""}}
	}
	return []object{item}
}
