package main

import (
	"context"

	"github.com/urfave/cli/v3"
)

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "check a skills directory, as check does",
		ArgsUsage: "DIR",
		UsageText: "skillpack lint [flags] DIR\n\nEXAMPLES:\n   skillpack lint ./skills\n   skillpack lint --format json ./skills",
		Flags:     append(treeFlags(), reportFlags()...),
		Action:    lintAction,
	}
}

func lintAction(ctx context.Context, cmd *cli.Command) error {
	s, c, err := resolve(cmd)
	if err != nil {
		return err
	}
	if err := s.directory(cmd, c); err != nil {
		return err
	}
	return checkTree(ctx, cmd.Name, s)
}
