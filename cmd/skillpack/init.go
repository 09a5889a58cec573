package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a new, valid skill to start from",
		ArgsUsage: "NAME",
		UsageText: "skillpack init [flags] NAME\n\nEXAMPLES:\n   skillpack init release-notes\n   skillpack init --description 'Processes refunds. Use when a customer wants money back.' acme/billing/refunds",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "description", Usage: "what the skill does and when to use it, as `TEXT` (default: asked for on a terminal)"},
			&cli.StringFlag{Name: "dir", Usage: "write below the skills directory `DIR` (default: skills of skillpack.yaml, or " + defaultSkills + ")"},
			&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of skillpack.yaml"},
		},
		Action: initAction,
	}
}

func initAction(ctx context.Context, cmd *cli.Command) error {
	for _, name := range []string{"description", "dir", "config"} {
		if cmd.IsSet(name) && cmd.String(name) == "" {
			return usageError("--%s has an empty value: give it one, or leave it out", name)
		}
	}
	if cmd.Args().Len() > 1 {
		return usageError("one skill is written at a time, not %d (%s): write its description in quotes, behind --description", cmd.Args().Len(), strings.Join(cmd.Args().Slice(), " "))
	}
	c, err := readConfig(cmd.String("config"))
	if err != nil {
		return err
	}
	ask := asker(ctx, cmd.Root().ErrWriter)
	name := cmd.Args().First()
	if name == "" && ask != nil {
		if name, err = ask("name (such as release-notes): "); err != nil {
			return err
		}
	}
	if name, err = skillPath(name); err != nil {
		return err
	}
	dir := cmp.Or(cmd.String("dir"), c.Skills, defaultSkills)
	target := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Lstat(target); err == nil {
		return taken(target)
	}
	description := cmd.String("description")
	if description == "" && ask != nil {
		if description, err = ask("what does it do, and when is it used? "); err != nil {
			return err
		}
	}
	text, err := skillText(path.Base(name), description)
	if err != nil {
		return err
	}
	if err := tryOut(ctx, name, text); err != nil {
		return err
	}
	if err := writeSkill(dir, name, text); errors.Is(err, fs.ErrExist) {
		return taken(target)
	} else if err != nil {
		return fmt.Errorf("cannot write %s: %w", filepath.ToSlash(target), reason(err))
	}
	fmt.Fprintf(cmd.Root().ErrWriter, "wrote %s\n", message.Plain(filepath.ToSlash(filepath.Join(target, manifest.SkillFile))))
	return nil
}

func taken(target string) error {
	return usageError("%s exists and is left as it is: choose another name, or edit its %s", filepath.ToSlash(target), manifest.SkillFile)
}

// skillPath checks a name, which may have folders before it.
func skillPath(name string) (string, error) {
	if name == "" {
		return "", usageError("the skill needs a name: write skillpack init NAME, as in skillpack init release-notes")
	}
	given := name
	name = strings.TrimSuffix(name, "/")
	if !fs.ValidPath(name) || name == "." {
		return "", usageError("%q is no path below the skills directory: write a name such as release-notes or acme/billing/refunds", given)
	}
	folder, last := path.Split(name)
	fault, nearest := lint.JudgeName(last)
	switch {
	case fault == "":
		return name, nil
	case nearest == "":
		return "", usageError("name %q %s: write one such as release-notes", last, fault)
	}
	return "", usageError("name %q %s: write skillpack init %s", last, fault, folder+nearest)
}

// asker returns a function that asks a question on a terminal, or nil when
// nobody is there to answer. An answer is one line, without the spaces around it.
func asker(ctx context.Context, w io.Writer) func(question string) (string, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	in := bufio.NewReader(os.Stdin)
	return func(question string) (string, error) {
		fmt.Fprint(w, question)
		type answer struct {
			line string
			err  error
		}
		answers := make(chan answer, 1)
		// A read of a terminal does not end with the context.
		go func() {
			line, err := in.ReadString('\n')
			answers <- answer{line, err}
		}()
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case a := <-answers:
			if a.err != nil && a.err != io.EOF {
				return "", fmt.Errorf("cannot read the answer: %w", a.err)
			}
			return strings.TrimSpace(a.line), nil
		}
	}
}

// skillText is the SKILL.md of a new skill.
func skillText(name, description string) (string, error) {
	if description == "" {
		description = "Says in a sentence what this skill does. Use when a request is about " + strings.ReplaceAll(name, "-", " ") + "; put here the words that users write."
	}
	if strings.ContainsFunc(description, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", usageError("the description %.80q is not one line of plain text: write it without line breaks and tabs", description)
	}
	title := strings.ReplaceAll(name, "-", " ")
	return fmt.Sprintf(`---
name: %s
description: %s
---

# %s

Write here what an agent must know to do this well, as you would tell a new colleague. It is read
when a request fits the description above, so say there when that is.

## Steps

1. Look at what there is: name the files to read and the commands to run.
2. Do the work: say what must hold for each step, and what to do when it does not.
3. Check the result: name the command that shows it is right.

## Limits

Say what this skill is not for, and when to ask instead of going on.
`, yamlText("name", name), yamlText("description", description), strings.ToUpper(title[:1])+title[1:]), nil
}

// yamlText writes a text as a YAML value on one line: plain where every reader
// takes it for that text, else in quotes.
func yamlText(key, text string) string {
	forms := []string{text, `"` + text + `"`, "'" + strings.ReplaceAll(text, "'", "''") + "'"}
	for _, form := range forms {
		d := frontmatter.Parse([]byte("---\n" + key + ": " + form + "\n---\n"))
		if m, ok := d.Frontmatter.Get(key); ok && len(d.Problems) == 0 && m.Value.Kind == manifest.String && m.Value.Text == text {
			return form
		}
	}
	return forms[len(forms)-1]
}

// tryOut holds a new skill to every rule before it is written where it belongs.
func tryOut(ctx context.Context, name, text string) error {
	dir, err := os.MkdirTemp("", "skillpack-init-")
	if err != nil {
		return fmt.Errorf("cannot try the skill out: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := writeSkill(dir, name, text); err != nil {
		return fmt.Errorf("no skill can be called %s: %w", name, reason(err))
	}
	b, err := bundle.Read(ctx, bundle.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer b.Close()
	if len(b.Excluded) > 0 {
		return usageError("a skill at %q is never read: %s is excluded; choose another place", name, b.Excluded[0].Pattern)
	}
	for _, f := range b.Findings {
		if f.Severity != lint.Off {
			return usageError("the skill would break a rule: %s [%s]", f.Message, f.Rule)
		}
	}
	return nil
}

// writeSkill makes the skill's folder below dir, and its SKILL.md. It follows
// no link out of dir and returns fs.ErrExist for a folder that is there already.
func writeSkill(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		// Not wrapped: that a file is there already says nothing about the skill.
		return fmt.Errorf("the folder %s cannot be made: %v", path.Dir(name), reason(err))
	}
	if err := root.Mkdir(name, 0o777); err != nil {
		return err
	}
	f, err := root.OpenFile(path.Join(name, manifest.SkillFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
