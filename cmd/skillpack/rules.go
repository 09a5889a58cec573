package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
)

func rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list the rules, or explain one",
		ArgsUsage: "[ID]",
		UsageText: "skillpack rules [--format text|json|markdown] [ID]\n\nEXAMPLES:\n   skillpack rules\n   skillpack rules ambiguous-scalar",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print as `FORMAT`: text, json or markdown", Value: "text", Validator: oneOf("--format", "text", "json", "markdown")},
		},
		Action: rules,
	}
}

func rules(_ context.Context, cmd *cli.Command) error {
	w, format := cmd.Root().Writer, cmd.String("format")
	switch cmd.Args().Len() {
	case 0:
		return report.WriteRules(w, format, lint.Rules())
	case 1:
		rule, err := lint.RuleNamed(cmd.Args().First())
		if err != nil {
			return usageError("%w", err)
		}
		if format == "text" {
			return report.WriteRule(w, rule)
		}
		return report.WriteRules(w, format, []lint.Rule{rule})
	default:
		return usageError("one rule is explained at a time, not %d: write skillpack rules ID", cmd.Args().Len())
	}
}
