package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/lint/remote/remotetest"
	"github.com/skillpack/skillpack/manifest"
)

// cmdStatus is "status N COMMAND ARG…": it runs a command and holds its exit
// status against N. The streams are then there for stdout, stderr and cmp.
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cmdHex is "hex FILE DIGITS": it writes bytes that an archive cannot hold.
func cmdHex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hex file digits")
	}
	b, err := hex.DecodeString(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

// cmdAwait is "await FILE": it waits until a server in the background has
// written its address there.
func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await file")
	}
	for range 500 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("no %s after ten seconds", args[0])
}

// cmdFreeport is "freeport NAME": it sets a variable to a port of the loopback
// that nobody listens on.
func cmdFreeport(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: freeport name")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// cmdRetry is "retry COMMAND ARG…": it runs a command until it succeeds, for ten
// seconds at most.
func cmdRetry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: retry command [args...]")
	}
	var err error
	for range 50 {
		if err = ts.Exec(args[0], args[1:]...); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	ts.Fatalf("%s: %v after ten seconds", args[0], err)
}

// serveFaults is "faulty [-http FILE] DIR [FAULT…]": a server of the skills in
// DIR with faults, over stdio, or over HTTP with its address in an editor's
// configuration file.
func serveFaults() {
	if err := faulty(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "faulty:", err)
		os.Exit(1)
	}
}

func faulty(args []string) error {
	config := ""
	if args[0] == "-http" {
		config, args = args[1], args[2:]
	}
	b, err := bundle.Read(context.Background(), bundle.Options{Dir: args[0]})
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := remotetest.New(b.Manifest, func(uri string) ([]byte, error) {
		u, err := manifest.ParseURI(uri)
		if err != nil {
			return nil, err
		}
		f, err := b.Open(u)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(f)
	}, args[1:]...)
	if err != nil {
		return err
	}
	if config == "" {
		return s.ServeStdio(os.Stdin, os.Stdout)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"it": map[string]any{"url": "http://" + l.Addr().String(), "headers": map[string]string{"Authorization": "Bearer ${TOKEN}"}}}})
	if err != nil {
		return err
	}
	// A server that wants a token refuses others.
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); got != "right" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		s.ServeHTTP(w, r)
	})
	if err := os.WriteFile(config+".tmp", text, 0o644); err != nil {
		return err
	}
	if err := os.Rename(config+".tmp", config); err != nil {
		return err
	}
	return http.Serve(l, handler)
}
