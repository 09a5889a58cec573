package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/schema"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema: " + strings.Join(schema.Names(), ", "),
		ArgsUsage: "NAME",
		UsageText: "skillpack schema NAME\n\nEXAMPLES:\n   skillpack schema config > skillpack.schema.json\n   skillpack schema report",
		Action:    printSchema,
	}
}

func printSchema(_ context.Context, cmd *cli.Command) error {
	names := schema.Names()
	if cmd.Args().Len() != 1 {
		return usageError("one schema is printed at a time: write skillpack schema %s", strings.Join(names, "|"))
	}
	name := cmd.Args().First()
	text, err := schema.Read(name)
	if err != nil {
		if near, ok := lint.Closest(name, names); ok {
			return usageError("there is no schema %q: did you mean %q?", name, near)
		}
		return usageError("there is no schema %q: the schemas are %s", name, strings.Join(names, ", "))
	}
	_, err = cmd.Root().Writer.Write(text)
	return err
}
