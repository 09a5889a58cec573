package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "check a skills directory; write nothing, but for what --fix fixes",
		ArgsUsage: "[DIR]",
		UsageText: "skillpack check [flags] [DIR]\n\nEXAMPLES:\n   skillpack check ./skills\n   skillpack check --strict --rule crlf=off ./skills\n   skillpack check --fix --diff ./skills",
		Flags:     append(append(treeFlags(), fixFlags()...), reportFlags()...),
		Action:    check,
	}
}

func check(ctx context.Context, cmd *cli.Command) error {
	s, c, err := resolve(cmd)
	if err != nil {
		return err
	}
	if err := s.directory(cmd, c); err != nil {
		return err
	}
	switch {
	case cmd.Bool("diff"):
		return showFixes(ctx, cmd, s)
	case cmd.Bool("fix"):
		if err := fix(ctx, s); err != nil {
			return err
		}
	}
	return checkTree(ctx, cmd.Name, s)
}

// checkTree reads the directory and reports what is wrong with it.
func checkTree(ctx context.Context, command string, s settings) error {
	b, err := bundle.Read(ctx, s.read)
	if err != nil {
		return err
	}
	defer b.Close()
	return s.report.print(newTreeReport(command, b, s.policy, b.Findings))
}
