package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/manifest"
)

// maxManifest bounds a manifest that is read, in bytes: some three million files.
const maxManifest = 512 << 20

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare two manifests, or skills directories",
		ArgsUsage: "OLD NEW",
		UsageText: "skillpack diff [flags] OLD NEW\n\nEXAMPLES:\n   skillpack diff skills.manifest.json ./skills\n   skillpack diff <(git show v1.2.0:skills.manifest.json) skills.manifest.json",
		Flags:     append(treeFlags(), reportFlags()...),
		Action:    diff,
	}
}

func diff(ctx context.Context, cmd *cli.Command) error {
	s, _, err := resolve(cmd)
	if err != nil {
		return err
	}
	if cmd.Args().Len() != 2 {
		return usageError("diff compares two manifests or directories, not %d: write skillpack diff OLD NEW", cmd.Args().Len())
	}
	var sides [2]manifest.Manifest
	var source func(string) string
	for i, path := range cmd.Args().Slice() {
		if sides[i], source, err = readSide(ctx, s, path); err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			s.policy.Dir = filepath.ToSlash(filepath.Clean(path))
		}
	}
	findings, drift := lint.Drifts(manifest.Diff(sides[0], sides[1]), lint.SidesOfDiff)
	summary, seen := lint.Summary{}, map[manifest.URI]bool{}
	for _, skill := range sides[1].Skills {
		summary.Count(skill, seen)
	}
	r := report.New("diff", summary, findings, s.policy)
	r.Drift, r.Manifest, r.Source = drift, cmd.Args().Get(1), source
	return s.report.print(r)
}

// readSide reads a manifest from a file, or builds it from a directory; then it
// also returns what finds the file behind a URI.
func readSide(ctx context.Context, s settings, path string) (m manifest.Manifest, source func(uri string) string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return m, nil, usageError("cannot read %s: %v", path, reason(err))
	}
	if !info.IsDir() {
		m, err = readManifestFile(path, true)
		return m, nil, err
	}
	s.read.Dir = path
	b, err := readComparable(ctx, s.read)
	if err != nil {
		return m, nil, err
	}
	defer b.Close()
	return b.Manifest, sourceOf(b), nil
}

// readComparable reads a directory whose manifest is to be compared. Faults
// that leave no right manifest are an error.
func readComparable(ctx context.Context, o bundle.Options) (*bundle.Bundle, error) {
	b, err := bundle.Read(ctx, o)
	if err != nil {
		return nil, err
	}
	required := 0
	for _, f := range b.Findings {
		if rule, _ := lint.Lookup(f.Rule); rule.Required {
			required++
		}
	}
	if required > 0 {
		b.Close()
		return nil, usageError("%s breaks rules that leave no manifest to compare (findings: %d): see skillpack check %s", o.Dir, required, o.Dir)
	}
	return b, nil
}

// readManifestFile reads a manifest. Its error names the file, and the line and
// column of what is wrong in it. Named is as for [readInput].
func readManifestFile(path string, named bool) (manifest.Manifest, error) {
	text, err := readInput(path, maxManifest, named)
	if err != nil {
		return manifest.Manifest{}, usageError("cannot read %s: %w", path, err)
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return m, &exitError{exitFailed, fmt.Errorf("%s:%w", filepath.ToSlash(path), err)}
	}
	return m, nil
}
