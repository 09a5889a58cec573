package remote

import (
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// ExtensionID is the key under which a server declares the Skills extension
// (spec: Extension Identifier).
const ExtensionID = "io.modelcontextprotocol/skills"

// envelope are keys that earlier drafts and other registries wrap settings in;
// a host that looks for directoryRead does not find it inside them.
var envelope = []string{"config", "id", "specVersion", "stability"}

// Capabilities are what a server declares of the extension.
type Capabilities struct {
	// Declared is true when the extension is under capabilities.extensions.
	Declared bool
	// DirectoryRead is true only when the setting is exactly true.
	DirectoryRead bool
}

// Capabilities returns what the server declared.
func (s *Session) Capabilities() Capabilities {
	c, _ := judgeCapabilities(s.capabilities)
	return c
}

// judgeCapabilities reads the declaration and holds it against the rules.
func judgeCapabilities(declared manifest.Value) (c Capabilities, findings []lint.Finding) {
	report := func(rule, format string, args ...any) {
		findings = append(findings, lint.New(rule, format, args...))
	}
	extensions, _ := declared.Get("extensions")
	settings, ok := extensions.Get(ExtensionID)
	if !ok {
		place := misplaced(declared)
		if place == "" {
			report("extension-undeclared", "the server does not declare %s: hosts never ask it for skills; add it under capabilities.extensions", ExtensionID)
			return c, findings
		}
		report("extension-misplaced", "the server declares the extension at %s: hosts look for capabilities.extensions[%q] only", place, ExtensionID)
	} else {
		c.Declared = true
		switch {
		case settings.Kind != manifest.Object:
			report("extension-malformed", "the extension's settings are %s, not an object: declare {} or {\"directoryRead\": true}", settings.Kind)
		default:
			var wrapped []string
			for _, m := range settings.Members {
				if slices.Contains(envelope, m.Key) {
					wrapped = append(wrapped, m.Key)
				}
			}
			if wrapped != nil {
				report("extension-malformed", "the extension's settings sit in an envelope (%s): put directoryRead directly into them", strings.Join(wrapped, ", "))
			}
			if read, ok := settings.Get("directoryRead"); ok && read.Kind != manifest.Bool {
				report("extension-malformed", "directoryRead is %s, not true or false: hosts take it for false", read)
			} else {
				c.DirectoryRead = read.Kind == manifest.Bool && read.Text == "true"
			}
		}
	}
	if resources, ok := declared.Get("resources"); !ok || resources.Kind != manifest.Object {
		report("resources-undeclared", "the server does not declare the resources capability: a host cannot read a skill's files; declare \"resources\": {}")
	}
	return c, findings
}

// misplaced says where else in the capabilities the extension is declared, or "".
func misplaced(declared manifest.Value) string {
	for _, place := range []string{"experimental", ""} {
		holder, path := declared, "capabilities"
		if place != "" {
			holder, _ = declared.Get(place)
			path += "." + place
		}
		for _, key := range []string{ExtensionID, "io.modelcontextprotocol.skills", "skills"} {
			if _, ok := holder.Get(key); ok {
				return path + "[\"" + key + "\"]"
			}
		}
	}
	return ""
}
