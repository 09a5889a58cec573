package config

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillpack/skillpack/lint"
)

// File is read from the working directory when --config names no other.
const File = "skillpack.yaml"

// EmbedModes are the values of --embed.
var EmbedModes = []string{"auto", "files", "inline"}

// Config is skillpack.yaml. A nil or zero field was not given.
type Config struct {
	Path     string // of the file it came from, "" when there is none
	Skills   string
	Manifest string
	GoFile   string
	NoGo     bool
	Package  string
	Embed    string
	Prefix   string
	Exclude  []string
	Policy   lint.Policy
	Servers  []Server
}

// Server is one entry of "servers:". Either url or command is given.
type Server struct {
	Name    string
	URL     string
	Headers []Pair
	Command []string
	Env     []Pair
	Verify  bool
}

// Pair is a header or an environment variable, in the order of the file.
type Pair struct{ Name, Value string }

// Parse reads the text of a configuration file.
func Parse(path string, text []byte) (c Config, err error) {
	r := configReader{path: path}
	c.Path = path
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return c, nil // an empty file asks for nothing
	case err != nil:
		line, reason := yamlReason(err)
		return c, fmt.Errorf("%s:%d:1: not valid YAML: %s", path, line, reason)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("%s: more than one YAML document: keep the first", path)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return c, nil
	}
	r.mapping(root, "the file", map[string]func(*yaml.Node){
		"skills":   r.text(&c.Skills),
		"manifest": r.text(&c.Manifest),
		"go":       func(n *yaml.Node) { r.goOutput(n, &c) },
		"prefix":   r.prefix(&c),
		"exclude":  r.texts(&c.Exclude),
		"rules":    func(n *yaml.Node) { r.rules(n, &c) },
		"ignore":   func(n *yaml.Node) { r.ignores(n, &c) },
		"servers":  func(n *yaml.Node) { r.servers(n, &c) },
	})
	return c, r.err
}

// yamlReason takes the line out of the library's words; it knows no column.
func yamlReason(err error) (line int, reason string) {
	reason = strings.TrimPrefix(err.Error(), "yaml: ")
	if _, scanErr := fmt.Sscanf(reason, "line %d:", &line); scanErr == nil {
		_, reason, _ = strings.Cut(reason, ": ")
	}
	if strings.HasPrefix(reason, "unknown anchor") {
		reason = "an alias of no anchor: put a value that starts with * in quotes" // it may be a secret
	}
	return max(line, 1), reason
}

// configReader walks the nodes of the file and keeps the first error.
type configReader struct {
	path    string
	err     error
	private bool // what is read may hold a secret: no message shows a value
}

func (r *configReader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d:%d: %s", r.path, n.Line, n.Column, fmt.Sprintf(format, args...))
	}
}

// mapping hands each value of a mapping to the function of its key.
func (r *configReader) mapping(n *yaml.Node, what string, keys map[string]func(*yaml.Node)) {
	r.pairs(n, what, func(key, value *yaml.Node) {
		if read, ok := keys[key.Value]; ok {
			read(value)
			return
		}
		known := make([]string, 0, len(keys))
		for k := range keys {
			known = append(known, k)
		}
		slices.Sort(known)
		if near, ok := lint.Closest(key.Value, known); ok {
			r.fail(key, "unknown key %q: did you mean %q?", key.Value, near)
			return
		}
		r.fail(key, "unknown key %q in %s: it may hold %s", key.Value, what, strings.Join(known, ", "))
	})
}

// pairs visits the keys of a mapping, each once.
func (r *configReader) pairs(n *yaml.Node, what string, visit func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s is a mapping of keys to values, not %s", what, r.kindOf(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			r.fail(key, "a key of %s is plain text, not %s", what, r.kindOf(key))
			return
		}
		if seen[key.Value] {
			r.fail(key, "key %q is given twice in %s", key.Value, what)
			return
		}
		seen[key.Value] = true
		visit(key, n.Content[i+1])
	}
}

func (r *configReader) text(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
			r.fail(n, "a text is expected, not %s", r.kindOf(n))
			return
		}
		*into = n.Value
	}
}

// Prefix is a text that may be empty, which is none.
func (r *configReader) prefix(c *Config) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Tag == "!!str" && n.Value == "" {
			return
		}
		r.text(&c.Prefix)(n)
	}
}

func (r *configReader) texts(into *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.fail(n, `a list of texts is expected, as in ["a", "b"], not %s`, r.kindOf(n))
			return
		}
		for _, item := range n.Content {
			var s string
			r.text(&s)(item)
			*into = append(*into, s)
		}
	}
}

func (r *configReader) flag(into *bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Tag != "!!bool" || n.Decode(into) != nil {
			r.fail(n, "true or false is expected, not %s", r.kindOf(n))
		}
	}
}

func (r *configReader) goOutput(n *yaml.Node, c *Config) {
	if n.Kind == yaml.ScalarNode {
		var on bool
		if n.Tag != "!!bool" || n.Decode(&on) != nil || on {
			r.fail(n, "go is false, or a mapping with file, package and embed, not %s", r.kindOf(n))
		}
		c.NoGo = true
		return
	}
	r.mapping(n, "go", map[string]func(*yaml.Node){
		"file":    r.text(&c.GoFile),
		"package": r.text(&c.Package),
		"embed": func(n *yaml.Node) {
			r.text(&c.Embed)(n)
			if r.err == nil && !slices.Contains(EmbedModes, c.Embed) {
				r.fail(n, "embed is one of %s, not %q", strings.Join(EmbedModes, ", "), c.Embed)
			}
		},
	})
}

func (r *configReader) rules(n *yaml.Node, c *Config) {
	r.pairs(n, "rules", func(key, value *yaml.Node) {
		var severity lint.Severity
		// YAML 1.1 readers take a bare off for false; the word is what counts here.
		if value.Kind != yaml.ScalarNode || severity.UnmarshalText([]byte(value.Value)) != nil {
			r.fail(value, "a severity is one of error, warning, off, not %s", r.kindOf(value))
			return
		}
		if err := c.Policy.Set(key.Value, severity); err != nil {
			r.fail(key, "%v", err)
		}
	})
}

func (r *configReader) ignores(n *yaml.Node, c *Config) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, `ignore is a list, as in [{rule: broken-link, path: "legacy/**"}], not %s`, r.kindOf(n))
		return
	}
	for _, item := range n.Content {
		var rule, path string
		r.mapping(item, "an entry of ignore", map[string]func(*yaml.Node){
			"rule": r.text(&rule),
			"path": r.text(&path),
		})
		if r.err != nil {
			return
		}
		if err := c.Policy.AddIgnore(rule, path); err != nil {
			r.fail(item, "%v", err)
		}
	}
}

func (r *configReader) servers(n *yaml.Node, c *Config) {
	r.private = true
	defer func() { r.private = false }()
	r.pairs(n, "servers", func(key, value *yaml.Node) {
		s := Server{Name: key.Value}
		if strings.Trim(strings.ToLower(s.Name), "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" || strings.Trim(s.Name, ".") == "" {
			// The name becomes part of a report's file name.
			r.fail(key, "server name %q: write letters, digits, and . _ - between them", s.Name)
			return
		}
		r.mapping(value, "a server", map[string]func(*yaml.Node){
			"url":     r.text(&s.URL),
			"headers": r.textPairs("headers", &s.Headers),
			"command": r.texts(&s.Command),
			"env":     r.textPairs("env", &s.Env),
			"verify":  r.flag(&s.Verify),
		})
		if r.err == nil && (s.URL == "") == (len(s.Command) == 0) {
			r.fail(value, "server %q needs either url or command", s.Name)
		}
		c.Servers = append(c.Servers, s)
	})
}

func (r *configReader) textPairs(what string, into *[]Pair) func(*yaml.Node) {
	return func(n *yaml.Node) {
		r.pairs(n, what, func(key, value *yaml.Node) {
			if value.Kind != yaml.ScalarNode {
				r.fail(value, "a text is expected, not %s", r.kindOf(value))
				return
			}
			*into = append(*into, Pair{key.Value, value.Value})
		})
	}
}

// kindOf names a node for a message.
func (r *configReader) kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if n.Tag == "!!null" || n.Value == "" {
		return "nothing"
	}
	if r.private {
		return "a plain value"
	}
	return fmt.Sprintf("%q", n.Value)
}
