//go:build unix

package main_test

import (
	"bytes"
	"context"
	"net/http"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
	"github.com/skillpack/skillpack/lint/remote"
)

// TestHostileServersLeaveNothing runs the client in this process against every
// server, and holds that no goroutine outlives its session: a program that uses
// the package lints many. Goroutines inherit the label of those that start them,
// so the servers' own, and those of other cases, are told apart. Large servers
// are left out: they cost this process what they cost skillpack, whose memory
// TestHostileServers measures.
func TestHostileServersLeaveNothing(t *testing.T) {
	testfiles.Slow(t, "waits for servers that never answer")
	t.Parallel()
	each(t, func(t *testing.T, h hostile) {
		if h.rss > 0 || h.kill != 0 || h.env != nil || h.max > 10*time.Second || strings.HasPrefix(h.stdio, "daemon") || h.stdio == "kills-parent" || h.stdio == "grandchild-bare" {
			t.Skip("for TestHostileServers")
		}
		target := remote.Target{Command: h.command}
		dir := t.TempDir()
		switch {
		case h.stdio != "":
			target.Command = child(t, h.stdio, dir)
		case h.command == nil:
			target = remote.Target{URL: secret(h.at(t)), Header: http.Header{"X-Canary": {canaryHeader}}}
		}
		const label = "hostile"
		name := t.Name()
		pprof.Do(t.Context(), pprof.Labels(label, name), func(ctx context.Context) {
			limit := 30 * time.Second
			if slices.Contains(h.exits, 4) {
				limit = 1500 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			session, err := remote.Connect(ctx, target, remote.Options{})
			if err != nil {
				noSecrets(t, "the error", err.Error())
				return
			}
			defer session.Close()
			if r := session.Check(ctx, remote.Check{Verify: true, Conformance: true}); r.Err != nil {
				noSecrets(t, "the error", r.Err.Error())
			}
		})
		left := ""
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if left = labelled(label, name); left == "" {
				return
			}
		}
		t.Errorf("goroutines outlive the session:\n%s", left)
	})
}

// labelled returns the stacks of the goroutines with a label, but for the one
// that asks.
func labelled(key, value string) string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return err.Error()
	}
	var found []string
	for record := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(record, `"`+key+`":"`+value+`"`) {
			found = append(found, record)
		}
	}
	return strings.Join(found, "\n\n")
}
