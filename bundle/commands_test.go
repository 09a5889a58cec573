package bundle

import (
	"fmt"
	"strings"
	"testing"
)

func TestFindCommands(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "Plain.\n", ""},
		{"named", "See `scripts/a.sh`.", ""},
		{"told", "First,\n\nthen **run** `scripts/a.sh`.", "3:15 scripts/a.sh"},
		{"told in another sentence", "Run it. `scripts/a.sh` helps.", ""},
		{"told twice", "Run `scripts/a.sh` or run `scripts/a.sh`.", "1:6 scripts/a.sh"},
		{"from here", "It is `./scripts/a.sh`", "1:8 scripts/a.sh"},
		{"with arguments", "`scripts/a.sh --all`, `scripts/b.sh <name>`", "1:2 scripts/a.sh, 1:24 scripts/b.sh"},
		{"with a comment", "`scripts/a.sh # sums up`, `scripts/a.sh - sums up`", ""},
		{"behind letters of two bytes", "Für Größe: run `scripts/a.sh`", "1:17 scripts/a.sh"},
		{"an interpreter", "Run `sh scripts/a.sh`.", ""},
		{"shell", "```bash\nscripts/a.sh\n```\nscripts/b.sh\n", "2:1 scripts/a.sh"},
		{"shell with CRLF", "```bash\r\nscripts/a.sh\r\n```\r\n", "2:1 scripts/a.sh"},
		{"shell in a list", "- x\n\n  ~~~sh\n  X=1 sudo scripts/a.sh\n  ~~~\n", "4:12 scripts/a.sh"},
		{"goes on", "```sh\ncat \\\n  scripts/a.sh\nscripts/b.sh\n```", "4:1 scripts/b.sh"},
		{"a backslash before the fence", "```sh\ncat \\\n```\nscripts/a.sh -x", ""},
		{"no language", "```\nscripts/a.sh\nscripts/b.sh -x\n$ scripts/c.sh\n```", "3:1 scripts/b.sh, 4:3 scripts/c.sh"},
		{"another language", "```python\nscripts/a.sh -x\n```", ""},
		{"a span of three backticks", "```scripts/a.sh -x``` and run `scripts/b.sh`", "1:4 scripts/a.sh, 1:32 scripts/b.sh"},
		{"variables", "```sh\n\"$DIR/scripts/a.sh\" x\n{baseDir}/scripts/b.sh\n<dir>/scripts/c.sh\n```", "2:1 scripts/a.sh, 3:1 scripts/b.sh, 4:1 scripts/c.sh"},
		{"elsewhere", "```sh\n/usr/scripts/a.sh\n../scripts/a.sh\nscripts/*.sh\n~/scripts/a.sh\n```", "5:1 ~/scripts/a.sh"},
		{"more than are kept", "```sh\n" + strings.Repeat("scripts/a.sh\n", 3) + "```", "2:1 scripts/a.sh"},
	} {
		var got []string
		for _, found := range findCommands([]byte(c.body), 1, [][]byte{[]byte("scripts/")}) {
			got = append(got, fmt.Sprintf("%d:%d %s", found.at.Line, found.at.Column, found.path))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
	var many strings.Builder
	for i := range mostCommands + 5 {
		fmt.Fprintf(&many, "Run `scripts/%d.sh`.\n", i)
	}
	if n := len(findCommands([]byte(many.String()), 1, [][]byte{{'/'}})); n != mostCommands {
		t.Errorf("%d commands, want %d", n, mostCommands)
	}
}

func TestInterpreter(t *testing.T) {
	for head, want := range map[string]string{
		"#!/bin/sh\necho":                     "sh",
		"#! /bin/bash -eu\r\n":                "bash -eu",
		"#!/usr/bin/env python3":              "python3",
		"#!/usr/bin/env -S uv run --script\n": "uv run --script",
		"#!\n":                                "",
		"#!/usr/bin/env\n":                    "",
		"echo #!/bin/sh":                      "",
		"#!/bin/\x1b[31m\n":                   `\x1b[31m`,
		"#!/bin/" + strings.Repeat("x", 300):  strings.Repeat("x", 251),
	} {
		if got := interpreter(shebang([]byte(head))); got != want {
			t.Errorf("%.30q: got %q, want %q", head, got, want)
		}
	}
}
