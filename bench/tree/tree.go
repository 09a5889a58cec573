// Package tree makes the skills directories that skillpack is measured on. The
// same call makes the same bytes everywhere.
package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kinds are the trees by name. What the number counts is said at each.
var Kinds = map[string]func(dir string, n int) error{
	"small": Small, "single": Single, "files": Files, "large": Large,
	"full": func(dir string, _ int) error { return Full(dir) },
}

// text returns a SKILL.md of about 1.3 KiB.
func text(name, links string) string {
	return "---\nname: " + name + "\n" +
		"description: Does one step of the work named " + name + ". Use when that step is to be done, or was done badly.\n" +
		"license: Apache-2.0\nmetadata:\n  version: \"1.10\"\n  team: billing\n---\n\n" +
		"# " + name + "\n\n" + links + "\n\n" +
		strings.Repeat("1. Do the next step with **care**, and check it.\n", 20)
}

// guide is the reference of every skill of [Small].
var guide = strings.Repeat("A sentence that a reader of the reference would want to read.\n", 50)

// Small makes skills of three files: a SKILL.md, a reference of 3 KiB and a
// short script, each of the two in a folder of its own.
func Small(dir string, skills int) error {
	for i := range skills {
		name := fmt.Sprintf("skill-%05d", i)
		if err := writeAll(filepath.Join(dir, name),
			"SKILL.md", text(name, "Run `sh scripts/run.sh`, and read [the reference](references/guide.md) first."),
			"references/guide.md", guide,
			"scripts/run.sh", "#!/bin/sh\necho "+name+"\n",
		); err != nil {
			return err
		}
	}
	return nil
}

// Single makes skills of one file: their SKILL.md.
func Single(dir string, skills int) error {
	for i := range skills {
		name := fmt.Sprintf("skill-%05d", i)
		text := "---\nname: " + name + "\ndescription: Does the step " + name + ". Use when it is to be done.\n---\n\nDo it.\n"
		if err := writeAll(filepath.Join(dir, name), "SKILL.md", text); err != nil {
			return err
		}
	}
	return nil
}

// Files makes files in skills of a hundred: a SKILL.md and 99 references. The
// number must be a multiple of a hundred.
func Files(dir string, files int) error {
	for i := range files / 100 {
		name := fmt.Sprintf("skill-%05d", i)
		content := []string{"SKILL.md", text(name, "Read [the first part](references/part-00.md) first.")}
		for j := range 99 {
			content = append(content, fmt.Sprintf("references/part-%02d.md", j), fmt.Sprintf("Part %d of %s.\n", j, name)+guide[:1+(j*31)%len(guide)])
		}
		if err := writeAll(filepath.Join(dir, name), content...); err != nil {
			return err
		}
	}
	return nil
}

// Large makes skills of exactly the 16 MiB that a skill may have: a SKILL.md and
// one file of bytes that no compression makes smaller.
func Large(dir string, skills int) error {
	for i := range skills {
		name := fmt.Sprintf("skill-%02d", i)
		if err := full(filepath.Join(dir, name), name, 2); err != nil {
			return err
		}
	}
	return nil
}

// Full makes one skill with all that a skill may have: 512 files, 16 MiB.
func Full(dir string) error { return full(filepath.Join(dir, "full"), "full", 512) }

// mostBytes is what a skill may have in all.
const mostBytes = 16 << 20

func full(dir, name string, files int) error {
	text := "---\nname: " + name + "\ndescription: Holds all that a skill may hold. Use when the limits are to be tried.\n---\n\nDo it.\n"
	if err := writeAll(dir, "SKILL.md", text); err != nil {
		return err
	}
	left := mostBytes - len(text)
	noise := noise(name)
	for i := range files - 1 {
		size := left / (files - 1 - i)
		left -= size
		data := make([]byte, size)
		noise(data)
		if err := writeAll(dir, fmt.Sprintf("data/part-%03d.bin", i), string(data)); err != nil {
			return err
		}
	}
	return nil
}

// noise returns a source of bytes that look random and depend on a seed only.
func noise(seed string) func([]byte) {
	state := uint64(len(seed)) + 0x9E3779B97F4A7C15
	for _, c := range []byte(seed) {
		state = (state ^ uint64(c)) * 0x100000001B3
	}
	return func(p []byte) {
		for i := range p {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			p[i] = byte(state >> 24)
		}
	}
}

func writeAll(dir string, pathsAndTexts ...string) error {
	for i := 0; i < len(pathsAndTexts); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(pathsAndTexts[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(pathsAndTexts[i+1]), 0o666); err != nil {
			return err
		}
	}
	return nil
}
