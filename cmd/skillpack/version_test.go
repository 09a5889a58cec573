package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	stamped := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123abcd"}
	tests := []struct {
		name            string
		info            *debug.BuildInfo
		version, commit string
	}{
		{"nothing is known", &debug.BuildInfo{}, "devel", "unknown"},
		{"a build from a checkout", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "devel", "unknown"},
		{"a module's release", stamped(), "v1.2.3", "unknown"},
		{"a commit", stamped(revision), "v1.2.3", "0123abcd"},
		{"a commit and its time", stamped(revision, debug.BuildSetting{Key: "vcs.time", Value: "2026-11-30T10:00:00Z"}, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "v1.2.3", "0123abcd of 2026-11-30T10:00:00Z"},
		{"a changed tree", stamped(revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "v1.2.3", "0123abcd, modified"},
	}
	for _, tt := range tests {
		var b strings.Builder
		if err := writeVersion(&b, tt.info); err != nil {
			t.Fatal(err)
		}
		want := "skillpack      " + tt.version + "\ncommit         " + tt.commit + "\ngo             " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n" +
			"protocol       2026-07-28, 2025-11-25\nspecification  SEP-2640, Final 2026-09-13\n"
		if b.String() != want {
			t.Errorf("%s: %q, want %q", tt.name, b.String(), want)
		}
	}
}
