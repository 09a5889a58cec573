//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// TestBuildsAtOnce: of runs in one folder at the same time every one succeeds,
// and the outputs are those of one of them, never the manifest of one and the
// Go file of another.
func TestBuildsAtOnce(t *testing.T) {
	for _, c := range []struct{ runs, inputs, rounds int }{{2, 1, 4}, {20, 1, 2}, {2, 2, 8}, {20, 2, 3}, {20, 20, 2}} {
		t.Run(fmt.Sprintf("%d runs of %d trees", c.runs, c.inputs), func(t *testing.T) {
			if !testfiles.Everything() {
				if c.inputs != 2 {
					t.Skip("runs many processes, as the others do")
				}
				c.rounds = 1
			}
			dir := newTree(t)
			if err := os.Mkdir(filepath.Join(dir, "out"), 0o755); err != nil {
				t.Fatal(err)
			}
			build := func(input int) []string { return append(buildOut(), fmt.Sprintf("tree%d", input)) }
			want := map[[2]string]bool{}
			outputs := func() [2]string {
				return [2]string{contentOf(t, filepath.Join(dir, "out/m.json")), contentOf(t, filepath.Join(dir, "out/g.go"))}
			}
			for input := range c.inputs {
				put(t, dir, fmt.Sprintf("tree%d/a/SKILL.md", input), skillOf("a"), fmt.Sprintf("tree%d/a/x", input), fmt.Sprint("text ", input))
				if o := skillpack(t, dir, build(input)...); o.status != 0 {
					t.Fatal(o)
				}
				want[outputs()] = true
			}
			for range c.rounds {
				put(t, dir, "out/m.json", "", "out/g.go", "") // no output is as it should be
				var runs sync.WaitGroup
				for run := range c.runs {
					cmd := command(t, dir, "skillpack", build(run%c.inputs)...)
					runs.Go(func() {
						if o := finish(t, cmd); o.status != 0 {
							t.Error(o)
						}
					})
				}
				runs.Wait()
				if !want[outputs()] {
					t.Fatal("the outputs are those of no one run")
				}
				if left := leftovers(t, dir); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
			}
		})
	}
}

// TestBuildsWhileServed: builds, and changes of the skills, under a server that
// follows them. In the end it serves what was built last, and it has said nothing
// but what changed.
func TestBuildsWhileServed(t *testing.T) {
	dir := newTree(t, "skills/b/SKILL.md", "", "skills/a/x", "0")
	server := command(t, dir, "skillpack", "serve", "--http", "127.0.0.1:0", "--watch", "skills")
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	url := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			said = append(said, lines.Text())
			if _, at, ok := strings.Cut(lines.Text(), " at "); ok && len(said) == 1 {
				url <- at
			}
		}
	})
	var at string
	select {
	case at = <-url:
	case <-time.After(patience):
		t.Fatal("the server does not say where it serves")
	}
	// The outputs lie in the skills, too: no skill may have them.
	for round := range 6 {
		put(t, dir, "skills/a/x", fmt.Sprint(round))
		var runs sync.WaitGroup
		for range 3 {
			cmd := command(t, dir, "skillpack", "build", "--no-go", "--manifest", "skills/skills.manifest.json")
			runs.Go(func() {
				if o := finish(t, cmd); o.status != 0 {
					t.Error(o)
				}
			})
		}
		runs.Wait()
		time.Sleep(200 * time.Millisecond)
	}
	var o ending
	for start := time.Now(); time.Since(start) < patience/2; time.Sleep(100 * time.Millisecond) {
		if o = skillpack(t, dir, "lint", "--verify", "-m", "skills/skills.manifest.json", at); o.status == 0 {
			break
		}
	}
	if o.status != 0 {
		t.Error(o)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	reading.Wait()
	_ = server.Wait() // how it ends is another test's subject
	for _, line := range said {
		if strings.Contains(line, "not served") || strings.Contains(line, "DATA RACE") || strings.Contains(line, "panic") {
			t.Errorf("the server says %q", line)
		}
	}
}

// TestManyServers: twenty servers side by side, of which every fifth serves
// other skills, each with a report of its own.
func TestManyServers(t *testing.T) {
	dir := newTree(t, "other/a/SKILL.md", skillOf("a")+"More.\n")
	var config strings.Builder
	config.WriteString("servers:\n")
	const servers = 20
	for i := range servers {
		tree := "skills"
		if i%5 == 4 {
			tree = "other"
		}
		fmt.Fprintf(&config, "  s%d: {command: [skillpack, serve, %s], verify: true}\n", i, tree)
	}
	put(t, dir, "skillpack.yaml", config.String())
	if o := skillpack(t, dir, "build", "--no-go"); o.status != 0 {
		t.Fatal(o)
	}
	o := skillpack(t, dir, "lint", "--all-servers", "--output", "json:r.json")
	if o.status != 1 {
		t.Errorf("%v\nwant status 1", o)
	}
	for i := range servers {
		var r struct {
			OK, Complete bool
			Drift        []struct{ Skill, Status string }
			Verification []struct{ Status string }
		}
		if err := json.Unmarshal([]byte(contentOf(t, filepath.Join(dir, fmt.Sprintf("r.s%d.json", i)))), &r); err != nil {
			t.Errorf("the report of server %d: %v", i, err)
			continue
		}
		drift := 0
		if i%5 == 4 {
			drift = 1
		}
		if r.OK != (drift == 0) || !r.Complete || len(r.Drift) != drift || len(r.Verification) != 1 || r.Verification[0].Status != "verified" {
			t.Errorf("server %d: %+v", i, r)
		}
	}
}
