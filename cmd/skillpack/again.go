package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// againCommand is the command that writes what --check found missing: the flags
// that decide what is written, and the directory.
func againCommand(cmd *cli.Command, s settings) string {
	words := []string{"skillpack", "build"}
	for _, f := range cmd.Flags {
		name := f.Names()[0]
		if !cmd.IsSet(name) || name == "check" || slices.ContainsFunc(reportFlags(), func(r cli.Flag) bool { return r.Names()[0] == name && name != "config" }) {
			continue
		}
		switch value := f.Get().(type) {
		case bool:
			words = append(words, "--"+name)
		case []string:
			for _, v := range value {
				words = append(words, "--"+name, shellWord(v))
			}
		default:
			words = append(words, "--"+name, shellWord(fmt.Sprint(value)))
		}
	}
	return strings.Join(append(words, shellWord(filepath.ToSlash(s.dir))), " ")
}

// shellWord quotes a word for a shell where it needs it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:=@%+,-", r)
	}
	switch {
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0:
		if s[0] == '-' {
			return "./" + s
		}
		return s
	default:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
}
