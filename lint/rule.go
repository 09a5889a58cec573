package lint

import (
	"fmt"
	"strings"
)

// Severity says what a finding does to the exit status.
type Severity uint8

// The severities, in rising order. A finding of a rule that is Off is dropped.
const (
	Off Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"off", "warning", "error"}

// String returns "off", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// MarshalText returns the name; it never fails.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name. It returns an error that lists the names for any
// other text.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("severity %q is none of error, warning, off", text)
}

// Where names what a rule looks at.
type Where string

// The places a rule looks at.
const (
	Tree   Where = "tree"   // the files on disk
	Entry  Where = "entry"  // one manifest entry, built or served
	Output Where = "output" // the files the build writes
	Server Where = "server" // the extension as a server declares and answers it
	Drift  Where = "drift"  // built against served, or one manifest against another
	Read   Where = "read"   // bytes fetched from a server
)

// Rule is one thing skillpack holds skills or servers to.
type Rule struct {
	ID       string
	Severity Severity // the default
	Where    Where
	// Breaks says in one line what breaks the rule.
	Breaks string
	// Why says in a sentence or two what goes wrong in a host when it is broken.
	Why string
	// Spec is a link to the sentence the rule rests on, or to the document that
	// shows the fault where no specification speaks of it.
	Spec string
	// Bad and Good are short examples of the two sides.
	Bad, Good string
	// Fix says what to do, in the imperative.
	Fix string
	// Required marks a rule without which nothing correct could be built: its
	// severity cannot be lowered and its findings cannot be ignored.
	Required bool
	// Fixable marks a rule of whose faults skillpack check --fix fixes those that
	// need no guess.
	Fixable bool
	// Inspector marks a check that MCP Inspector has under the same id.
	Inspector bool
}

// Rules returns the whole table in the order of documentation: by place, then
// in the order a check meets them.
func Rules() []Rule { return table }

// Lookup returns the rule with an id.
func Lookup(id string) (Rule, bool) {
	i, ok := index[id]
	if !ok {
		return Rule{}, false
	}
	return table[i], true
}

var index = func() map[string]int {
	m := make(map[string]int, len(table))
	for i, r := range table {
		m[r.ID] = i
	}
	return m
}()

// Finding is one fault, in one place.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// Message says what was found, what was expected and what to write instead.
	Message string `json:"message"`
	// Path is the file or folder, slash-separated, as the user would name it.
	Path string `json:"path,omitempty"`
	// Line and Column count from 1, the column in code points; 0 is unknown.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// URI is the address of a served thing; it takes the path's place.
	URI string `json:"uri,omitempty"`
	// Skill is the skill path the finding belongs to.
	Skill string `json:"skill,omitempty"`
	// Help says how the rule's faults are fixed in general.
	Help string `json:"help,omitempty"`
}

// New returns a finding of a rule at its default severity, without a place.
// It panics when there is no such rule: a rule id is a constant of the program.
func New(rule, format string, args ...any) Finding {
	r, ok := Lookup(rule)
	if !ok {
		panic("lint: no rule " + rule)
	}
	return Finding{Rule: rule, Severity: r.Severity, Message: fmt.Sprintf(format, args...), Help: r.Fix}
}

// At returns the finding placed in a file.
func (f Finding) At(path string, line, column int) Finding {
	f.Path, f.Line, f.Column = path, line, column
	return f
}

// Served returns the finding placed at a URI.
func (f Finding) Served(uri string) Finding {
	f.URI = uri
	return f
}

// Of returns the finding with the skill path it belongs to.
func (f Finding) Of(skill string) Finding {
	f.Skill = skill
	return f
}

// Place returns what stands before the severity in a line of text:
// path:line:column, as far as known, or the URI.
func (f Finding) Place() string {
	if f.Path == "" {
		return f.URI
	}
	var b strings.Builder
	b.WriteString(f.Path)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
		if f.Column > 0 {
			fmt.Fprintf(&b, ":%d", f.Column)
		}
	}
	return b.String()
}
