//go:build unix

// Command bench measures whole runs of skillpack side by side with other programs
// that do the same or less on the same tree, and prints a table of ratios. It
// ends with status 1 when a bound is missed.
//
//	go run ./bench            # everything; needs npm ci in testdata/interop, and openssl
//	go run ./bench -short     # small trees, wide bounds, for every change
//
// Each comparison runs its programs by turns, and a ratio is the median of those
// of the single turns, so that a machine that is busy now and then disturbs
// little. Ratios are of elapsed time, or with -by cpu of processor time (user and
// system), for a machine that is never idle.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skillpack/skillpack/bench/floor"
	"github.com/skillpack/skillpack/bench/tree"
)

func main() {
	// This program is also the process of the floor, and the one that makes a tree:
	// the most memory of a process counts that of the one it was forked from, which
	// therefore stays small.
	if len(os.Args) > 2 && os.Args[1] == "floor" {
		files, _, _, err := floor.Hash(os.Args[2])
		exit(files > 0, err)
	}
	if len(os.Args) > 4 && os.Args[1] == "tree" {
		n, err := strconv.Atoi(os.Args[3])
		if err == nil {
			err = tree.Kinds[os.Args[2]](os.Args[4], n)
		}
		exit(true, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx)
	stop()
	exit(ok, err)
}

func exit(ok bool, err error) {
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
	os.Exit(0)
}

func run(ctx context.Context) (ok bool, err error) {
	b := &bench{ctx: ctx}
	flag.BoolVar(&b.short, "short", false, "small trees and wide bounds")
	flag.IntVar(&b.turns, "turns", 0, "how often each program runs (default 5; with -short 3)")
	flag.StringVar(&b.by, "by", "", `what is compared: "time" or "cpu" (default time; with -short cpu)`)
	only := flag.String("only", "", "only the groups whose name holds this `text`")
	flag.StringVar(&b.dir, "dir", "", "keep the trees in this `folder` for the next time")
	flag.Parse()
	if b.by == "" {
		b.by = pick(b, "time", "cpu")
	}
	if b.turns == 0 {
		b.turns = pick(b, 5, 3)
	}
	if flag.NArg() > 0 || b.turns < 1 || b.by != "time" && b.by != "cpu" {
		flag.Usage()
		return false, fmt.Errorf("wrong usage")
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "skillpack-bench-"); err != nil {
			return false, err
		}
		defer os.RemoveAll(b.dir)
	}
	if b.dir, err = filepath.Abs(b.dir); err != nil {
		return false, err
	}
	if b.self, err = os.Executable(); err != nil {
		return false, err
	}
	b.skillpack = filepath.Join(b.dir, "skillpack")
	if err := b.compile(b.skillpack, "github.com/skillpack/skillpack/cmd/skillpack"); err != nil {
		return false, err
	}
	b.findNode()
	ok = true
	fmt.Printf("| compared, by %s | ratio | bound | |\n|---|---|---|---|\n", b.by)
	for _, g := range groups {
		if !strings.Contains(g.name, *only) {
			continue
		}
		rows, err := g.run(b)
		if err != nil {
			return false, fmt.Errorf("%s: %w", g.name, err)
		}
		for _, r := range rows {
			fmt.Println(r)
			ok = ok && !r.missed()
		}
	}
	return ok, nil
}

// row is one line of the table.
type row struct {
	what   string
	value  float64
	bound  float64 // 0: none, the row is there to be read
	least  bool    // the value must be at least the bound, not at most
	reason string  // why there is no value
}

func (r row) missed() bool {
	return r.reason == "" && r.bound > 0 && (r.value > r.bound) != r.least && r.value != r.bound
}

func (r row) String() string {
	if r.reason != "" {
		return fmt.Sprintf("| %s | – | – | %s |", r.what, r.reason)
	}
	bound, verdict := "", ""
	switch {
	case r.bound == 0:
	case r.least:
		bound, verdict = fmt.Sprintf("at least %g", r.bound), "met"
	default:
		bound, verdict = fmt.Sprintf("at most %g", r.bound), "met"
	}
	if r.missed() {
		verdict = "MISSED"
	}
	return fmt.Sprintf("| %s | %.2f | %s | %s |", r.what, r.value, bound, verdict)
}
