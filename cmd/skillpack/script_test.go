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

// outside returns an address of this machine that is no loopback, or "".
func outside() string {
	addresses, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return ""
}

// askServer is "ask ADDRESS STATUS HOST [HEADER=VALUE…]": it sends a server a
// ping by any name, and prints what it answers.
func askServer() {
	if err := ask(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func ask(args []string) error {
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`)
	req, err := http.NewRequest(http.MethodPost, "http://"+args[0]+"/mcp", body)
	if err != nil {
		return err
	}
	req.Host = args[2]
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range args[3:] {
		name, value, _ := strings.Cut(h, "=")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
	if got := strconv.Itoa(resp.StatusCode); got != args[1] {
		return fmt.Errorf("status %s, want %s", got, args[1])
	}
	return nil
}

// pointServers is "point FILE CONFIG": it writes a configuration whose servers are
// the one of an editor's file, with no header and with a wrong one.
func pointServers() {
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		var editor struct {
			Servers map[string]struct{ URL string } `json:"mcpServers"`
		}
		if err = json.Unmarshal(text, &editor); err == nil {
			url := editor.Servers["it"].URL
			err = os.WriteFile(os.Args[2], fmt.Appendf(nil, "servers:\n  bare: {url: %q}\n  wrong: {url: %q, headers: {Authorization: \"Bearer s3cret-wrong\"}}\n", url, url), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "point:", err)
		os.Exit(1)
	}
}

// serveFaults is "faulty [-http FILE | -env FILE] DIR [FAULT…]": a server of the
// skills in DIR with faults, over stdio, or over HTTP with its address in an
// editor's configuration file. With -env it writes its environment to a file.
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
	if args[0] == "-env" {
		if err := os.WriteFile(args[1], []byte(strings.Join(os.Environ(), "\n")), 0o644); err != nil {
			return err
		}
		args = args[2:]
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
