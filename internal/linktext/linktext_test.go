package linktext

import (
	"strings"
	"testing"
)

func TestTarget(t *testing.T) {
	for _, c := range []struct {
		content string
		target  string // "" for none
		likely  bool
	}{
		{"../../real/SKILL.md", "../../real/SKILL.md", true},
		{"../../real/SKILL.md\n", "../../real/SKILL.md", true},
		{"../../real/SKILL.md\r\n", "../../real/SKILL.md", true},
		{"../a\n../b\n", "", false},
		{"../my notes/a.md", "../my notes/a.md", false},
		{"AGENTS.md", "AGENTS.md", false},
		{"AGENTS.md\n", "", false},
		{"./übersicht.md", "./übersicht.md", false},
		{"", "", false},
		{"..", "", false},
		{"../..", "", false},
		{"/usr/share/doc", "", false},
		{" ../a", "", false},
		{"https://example.com/a", "", false},
		{"../a\x00b", "", false},
		{"../\xff", "", false},
		{"../" + strings.Repeat("a", 1021), "../" + strings.Repeat("a", 1021), true},
		{"../" + strings.Repeat("a", 1022), "", false},
	} {
		target, ok := Target([]byte(c.content))
		if target = map[bool]string{true: target}[ok]; target != c.target {
			t.Errorf("Target(%.30q) = %.30q, want %.30q", c.content, target, c.target)
		}
		if _, likely := Likely([]byte(c.content)); likely != c.likely {
			t.Errorf("Likely(%.30q) = %v", c.content, likely)
		}
	}
}
