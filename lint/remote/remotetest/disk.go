package remotetest

import "strings"

// diskTemplates are the templates of a server that reads its disk, by fault.
var diskTemplates = map[string]string{
	"excluded-file-served.template":  "skill://{+path}",
	"excluded-file-served.elsewhere": "docs://skills/{path*}",
}

// templates is what resources/templates/list has.
func (s *Server) templates() []object {
	all := []object{}
	for fault, template := range diskTemplates {
		if s.faults[fault] {
			all = append(all, object{"uriTemplate": "db://tables/{table}", "name": "tables"}, object{"uriTemplate": template, "name": "files"})
		}
	}
	return all
}

// onDisk is a file that the server has and that is no skill's: .env beside the
// first skill's SKILL.md.
func (s *Server) onDisk(uri string) ([]byte, bool) {
	own := s.faults["excluded-file-served"] || s.faults["excluded-file-served.template"]
	file := s.beside(".env")
	switch {
	case own && uri == file:
	case s.faults["excluded-file-served.elsewhere"] && uri == "docs://skills/"+strings.TrimPrefix(file, "skill://"):
	default:
		return nil, false
	}
	return []byte("TOKEN=secret\n"), true
}
