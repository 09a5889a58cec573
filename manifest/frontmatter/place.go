package frontmatter

import (
	"fmt"

	"github.com/skillpack/skillpack/manifest"
)

// valuePlace is where a value is: the field that it belongs to, and how far below.
type valuePlace struct {
	field string // the key at the top level
	key   string // the last key on the way; that of the list, for an item
	depth int    // how many keys and items lead there
}

func (p valuePlace) member(key string) valuePlace {
	if p.depth == 0 {
		p.field = key
	}
	return valuePlace{p.field, key, p.depth + 1}
}

func (p valuePlace) item() valuePlace { return valuePlace{p.field, p.key, p.depth + 1} }

// boolFields are fields that hosts read as booleans: of a yes in them, it is
// not the word that is meant.
var boolFields = map[string]bool{"disable-model-invocation": true, "user-invocable": true}

// stringFields are fields that are text, or a list of it, by the format or to the
// known clients that read them.
var stringFields = map[string]bool{
	"name": true, "description": true, "license": true, "compatibility": true, "allowed-tools": true,
	"when_to_use": true, "argument-hint": true, "arguments": true, "disallowed-tools": true,
	"model": true, "effort": true, "context": true, "agent": true, "paths": true, "shell": true,
}

// internal reports whether the value is the one that decides whether npx skills
// shows the skill.
func (p valuePlace) internal() bool {
	return p.field == "metadata" && p.key == "internal" && p.depth == 2
}

// text reports whether a string is all that the value can be meant as.
func (p valuePlace) text() bool {
	return stringFields[p.field] || p.field == "metadata" && p.depth == 2 && !p.internal()
}

// quotable reports whether a plain scalar can be put in quotes without a change
// in what a known reader does. Below hooks, and deep in metadata, clients read
// booleans and numbers of their own.
func (p valuePlace) quotable(source string) bool {
	switch {
	case p.text():
		return true
	case p.field == "hooks", p.field == "metadata", boolFields[p.field]:
		return false
	}
	return read11(source).kind != manifest.Bool && read12(source).kind != manifest.Bool
}

// unambiguous says how to write a plain scalar that readers take for different
// things, with all that it can be meant as.
func (p valuePlace) unambiguous(source string) string {
	old := read11(source)
	switch {
	case p.text() || old.kind != manifest.Bool:
		return quote(source)
	case p.internal() && old.text == "true":
		return fmt.Sprintf("%s, the string that the format wants, or true, for which npx skills hides the skill", quote(source))
	case boolFields[p.field]:
		return old.text
	}
	return fmt.Sprintf("%s, or %s where a boolean is meant", quote(source), old.text)
}
