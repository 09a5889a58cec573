package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/lint/remote"
)

// specification is the revision of the Skills extension that the rules and the
// checks of a server follow.
const specification = "SEP-2640, Final 2026-09-13"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version, the commit, and the revisions of what it implements",
		UsageText: "skillpack version\n\nEXAMPLES:\n   skillpack version\n   skillpack --version   # the version alone",
		Action: func(_ context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return usageError("version takes no argument, not %q: write skillpack version", cmd.Args().First())
			}
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			return writeVersion(cmd.Root().Writer, info)
		},
	}
}

// writeVersion prints what a bug report needs, one fact a line.
func writeVersion(w io.Writer, info *debug.BuildInfo) error {
	_, err := fmt.Fprintf(w, "skillpack      %s\ncommit         %s\ngo             %s %s/%s\nprotocol       %s\nspecification  %s\n",
		versionOf(info), commitOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		strings.Join([]string{remote.Protocol2026, remote.Protocol2025}, ", "), specification)
	return err
}

// version is this program's version: that of its module, or "devel" for a
// build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return "devel"
}

// commitOf is the commit that was built, with its time where that is known; a
// build outside of version control has none.
func commitOf(info *debug.BuildInfo) string {
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	commit := vcs["vcs.revision"]
	if commit == "" {
		return "unknown"
	}
	if at := vcs["vcs.time"]; at != "" {
		commit += " of " + at
	}
	if vcs["vcs.modified"] == "true" {
		commit += ", modified"
	}
	return commit
}
