//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// bench is one run of this program.
type bench struct {
	ctx       context.Context
	dir       string // trees and outputs
	skillpack string
	self      string
	node      string // "" when there is none
	modules   string
	short     bool
	turns     int
	by        string
}

// command is a program with its arguments.
type command struct {
	args   []string
	dir    string // where it runs
	remove string // a file that must not be there before
}

func cmd(args ...string) command { return command{args: args} }

func (c command) in(dir string) command {
	c.dir = dir
	return c
}

// compile builds a program as a release is built: without C, whose loader would
// be a large part of a short run.
func (b *bench) compile(to, pkg string) error {
	c := exec.CommandContext(b.ctx, "go", "build", "-o", to, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// usage is what one run cost.
type usage struct {
	time, cpu time.Duration
	memory    float64 // MiB, the most at one time
}

// once runs a command, which must succeed.
func (b *bench) once(c command) (usage, error) {
	if c.remove != "" {
		if err := os.RemoveAll(c.remove); err != nil {
			return usage{}, err
		}
	}
	p := exec.CommandContext(b.ctx, c.args[0], c.args[1:]...)
	p.Dir = c.dir
	var said bytes.Buffer
	p.Stderr = &said
	start := time.Now()
	err := p.Run()
	u := usage{time: time.Since(start)}
	if err != nil {
		return u, fmt.Errorf("%v: %w\n%s", c.args, err, said.Bytes())
	}
	u.cpu = p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	u.memory = float64(p.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return u, nil
}

// compare runs commands by turns and returns what each run cost, by command. The
// first turn does not count: it fills the system's caches.
func (b *bench) compare(commands ...command) ([][]usage, error) {
	all := make([][]usage, len(commands))
	for turn := range b.turns + 1 {
		for i, c := range commands {
			u, err := b.once(c)
			if err != nil {
				return nil, err
			}
			if turn > 0 {
				all[i] = append(all[i], u)
			}
		}
	}
	return all, nil
}

// cost is what is compared of a run, in seconds.
func (b *bench) cost(u usage) float64 {
	if b.by == "cpu" {
		return u.cpu.Seconds()
	}
	return u.time.Seconds()
}

// ratio returns the median over the turns of one command's cost by another's.
func (b *bench) ratio(these, those []usage) float64 {
	var all []float64
	for i := range these {
		all = append(all, b.cost(these[i])/b.cost(those[i]))
	}
	return median(all)
}

// typical returns the median cost, in seconds.
func (b *bench) typical(all []usage) float64 { return median(each(all, b.cost)) }

// memory returns the median of the most memory, in MiB.
func memory(all []usage) float64 { return median(each(all, func(u usage) float64 { return u.memory })) }

func each(all []usage, f func(usage) float64) []float64 {
	out := make([]float64, len(all))
	for i, u := range all {
		out[i] = f(u)
	}
	return out
}

func median(all []float64) float64 {
	slices.Sort(all)
	n := len(all)
	return (all[n/2] + all[(n-1)/2]) / 2
}

// tree makes a tree of a kind and a size, unless a run before has made it, and
// returns its folder. Below is the path of the skills in that folder.
func (b *bench) tree(kind string, n int, below string) (string, error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("%s-%d", kind, n)+below)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	unfinished := dir + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return "", err
	}
	if _, err := b.once(cmd(b.self, "tree", kind, fmt.Sprint(n), filepath.Join(unfinished, below))); err != nil {
		return "", err
	}
	return dir, os.Rename(unfinished, dir)
}
