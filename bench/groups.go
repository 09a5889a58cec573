//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// groups are the comparisons, in the order of the table.
var groups = []struct {
	name string
	run  func(*bench) ([]row, error)
}{
	{"large", large}, {"small", small}, {"scale", scale}, {"full", full}, {"check", check}, {"start", start},
	{"lint", lint}, {"listing", listing},
}

// pick returns the first number for a whole run, the second for a short one.
func pick[T any](b *bench, whole, short T) T {
	if b.short {
		return short
	}
	return whole
}

// build returns the command that builds a tree's manifest, each time again.
func (b *bench) build(dir string) command {
	out := dir + ".json"
	c := cmd(b.skillpack, "build", "--quiet", "--no-go", "--manifest", out, dir)
	c.remove = out
	return c
}

// large compares the hashing of much with openssl.
func large(b *bench) ([]row, error) {
	n := pick(b, 64, 4)
	dir, err := b.tree("large", n, "")
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d skills of 16 MiB: `build --no-go`", n)
	openssl := row{what: what + " / `find -type f -print0 \\| xargs -0 -P2 -n16 openssl dgst -sha256`", bound: pick(b, 0.9, 2)}
	commands := []command{b.build(dir), cmd(b.self, "floor", dir)}
	if _, err := exec.LookPath("openssl"); err == nil {
		commands = append(commands, cmd("sh", "-c", `find "$1" -type f -print0 | xargs -0 -P2 -n16 openssl dgst -sha256 >/dev/null`, "sh", dir))
	} else {
		openssl.reason = "not measured: there is no openssl"
	}
	u, err := b.compare(commands...)
	if err != nil {
		return nil, err
	}
	if openssl.reason == "" {
		openssl.value = b.ratio(u[0], u[2])
	}
	return []row{
		openssl,
		{what: what + " / floor", value: b.ratio(u[0], u[1]), bound: pick(b, 0.0, 2)},
		{what: what + ", memory / 64 MiB", value: memory(u[0]) / 64, bound: 1},
	}, nil
}

// small compares the reading of many small files with the floor and with Node.
func small(b *bench) ([]row, error) {
	n := pick(b, 10_000, 1000)
	dir, err := b.tree("small", n, "")
	if err != nil {
		return nil, err
	}
	current := filepath.Join(b.dir, "current.json")
	commands := []command{b.build(dir), cmd(b.self, "floor", dir), cmd(b.skillpack, "build", "--quiet", "--no-go", "--manifest", current, "--check", dir)}
	if b.node != "" {
		commands = append(commands, cmd(b.node, b.script("discover.mjs"), dir))
	}
	if _, err := b.once(cmd(b.skillpack, "build", "--quiet", "--no-go", "--manifest", current, dir)); err != nil {
		return nil, err
	}
	u, err := b.compare(commands...)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d skills of three files: ", n)
	node := row{what: what + "Node, `discoverSkills` and `buildSkillEntry` / `build --no-go`", bound: pick(b, 8.0, 2), least: true, reason: withoutNode}
	if b.by == "cpu" && !b.short {
		node.bound = 0 // that of time: Node uses one core, the build all
	}
	if b.node != "" {
		node.value, node.reason = b.ratio(u[3], u[0]), ""
	}
	return []row{
		{what: what + "`build --no-go` / floor", value: b.ratio(u[0], u[1]), bound: pick(b, 1.6, 4)},
		node,
		{what: what + "`build --no-go --check` / `build --no-go`, nothing changed", value: b.ratio(u[2], u[0]), bound: pick(b, 1.2, 2)},
	}, nil
}

// scale compares the cost of a file in trees of several sizes. Nothing is written:
// how long a disk takes to keep one file says nothing of many.
func scale(b *bench) ([]row, error) {
	one, err := b.tree("single", 1, "")
	if err != nil {
		return nil, err
	}
	check := func(dir string) command { return cmd(b.skillpack, "check", "--quiet", dir) }
	sizes := pick(b, []int{1000, 10_000, 100_000}, []int{1000, 10_000})
	// A short run is disturbed by much that a long one does not feel: it counts ten
	// times.
	var commands []command
	again := func(c command, times int) {
		for range times {
			commands = append(commands, c)
		}
	}
	again(check(one), 10)
	for _, n := range sizes {
		dir, err := b.tree("files", n, "")
		if err != nil {
			return nil, err
		}
		again(check(dir), max(1, 10_000/n))
	}
	most := sizes[len(sizes)-1]
	again(b.build(filepath.Join(b.dir, fmt.Sprintf("files-%d", most))), 1)
	u, err := b.compare(commands...)
	if err != nil {
		return nil, err
	}
	// Less what any run costs, which has a row of its own.
	any := b.typical(slices.Concat(u[:10]...))
	var perFile []float64
	for at, i := 10, 0; i < len(sizes); i++ {
		end := at + max(1, 10_000/sizes[i])
		perFile = append(perFile, (b.typical(slices.Concat(u[at:end]...))-any)/float64(sizes[i]))
		at = end
	}
	return []row{
		{what: fmt.Sprintf("`check`: time per file, the most / the least, of trees of %v files", sizes), value: slices.Max(perFile) / slices.Min(perFile), bound: pick(b, 1.2, 2.5)},
		{what: fmt.Sprintf("%d files: `build --no-go`, memory / 200 MiB", most), value: memory(u[len(u)-1]) / 200, bound: 1},
	}, nil
}

// full builds one skill that is as large as a skill may be.
func full(b *bench) ([]row, error) {
	dir, err := b.tree("full", 1, "")
	if err != nil {
		return nil, err
	}
	u, err := b.compare(b.build(dir), cmd(b.self, "floor", dir))
	if err != nil {
		return nil, err
	}
	return []row{
		{what: "one skill of 512 files and 16 MiB: `build --no-go` / floor", value: b.ratio(u[0], u[1]), bound: pick(b, 0.0, 5)},
	}, nil
}

// check is what runs on every commit: nothing has changed.
func check(b *bench) ([]row, error) {
	dir, err := b.tree("small", 400, "/skills")
	if err != nil {
		return nil, err
	}
	args := []string{b.skillpack, "build", "--quiet", "--package", "skills"}
	if _, err := b.once(cmd(append(args, "./skills")...).in(dir)); err != nil {
		return nil, err
	}
	u, err := b.compare(cmd(append(args, "--check", "./skills")...).in(dir))
	if err != nil {
		return nil, err
	}
	return []row{
		{what: "400 skills: `build --check`, nothing changed / 100 ms", value: b.typical(u[0]) / 0.1, bound: pick(b, 1.0, 6)},
	}, nil
}

// start compares what every run costs, whatever it does, with what a Go program
// costs that does nothing. One run takes milliseconds, so that there are many.
func start(b *bench) ([]row, error) {
	dir, err := b.tree("single", 1, "")
	if err != nil {
		return nil, err
	}
	source, empty := filepath.Join(b.dir, "empty.go"), filepath.Join(b.dir, "empty")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		return nil, err
	}
	if err := b.compile(empty, source); err != nil {
		return nil, err
	}
	often := *b
	often.turns = b.turns * 10
	u, err := often.compare(cmd(b.skillpack, "version"), cmd(empty), b.build(dir), cmd(b.self, "floor", dir))
	if err != nil {
		return nil, err
	}
	bound := pick(b, 2.5, 4)
	return []row{
		{what: "`version` / an empty Go program", value: b.ratio(u[0], u[1]), bound: bound},
		{what: "one skill of one file: `build --no-go` / floor", value: b.ratio(u[2], u[3]), bound: bound},
	}, nil
}

// lint compares the verification of a server with that of MCP Inspector.
func lint(b *bench) ([]row, error) {
	n := pick(b, 400, 40)
	dir, err := b.tree("small", n, "/skills")
	if err != nil {
		return nil, err
	}
	if b.node == "" {
		return []row{{what: "MCP Inspector `--verify` / `lint --verify`", reason: withoutNode}}, nil
	}
	if _, err := b.once(cmd(b.skillpack, "build", "--quiet", "--no-go", "./skills").in(dir)); err != nil {
		return nil, err
	}
	type server struct {
		name  string
		run   command
		bound float64
	}
	servers := []server{{"`skillpack serve --http`", cmd(b.skillpack, "serve", "--http", "127.0.0.1:0", "./skills").in(dir), pick(b, 5.0, 2)}}
	if !b.short {
		servers = append(servers, server{"a Node server", cmd(b.node, b.script("server.mjs"), "./skills", "--http").in(dir), 2})
	}
	var rows []row
	for _, s := range servers {
		url, stop, err := b.serve(s.run)
		if err != nil {
			return nil, err
		}
		u, err := b.compare(cmd(b.skillpack, "lint", "--verify", url).in(dir), b.inspector(url))
		stop()
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("%d skills of three files on %s: ", n, s.name)
		rows = append(rows,
			row{what: what + "MCP Inspector `--verify` / `lint --verify`", value: b.ratio(u[1], u[0]), bound: s.bound, least: true},
			row{what: what + "memory of `lint --verify` / MCP Inspector's", value: memory(u[0]) / memory(u[1]), bound: 0.33})
	}
	return rows, nil
}

// listing compares a very long listing with a long one.
func listing(b *bench) ([]row, error) {
	sizes := pick(b, []int{2000, 20_000}, []int{200, 2000})
	var perSkill []float64
	var most float64
	for _, n := range sizes {
		dir, err := b.tree("single", n, "/skills")
		if err != nil {
			return nil, err
		}
		if _, err := b.once(cmd(b.skillpack, "build", "--quiet", "--no-go", "./skills").in(dir)); err != nil {
			return nil, err
		}
		url, stop, err := b.serve(cmd(b.skillpack, "serve", "--http", "127.0.0.1:0", "./skills").in(dir))
		if err != nil {
			return nil, err
		}
		u, err := b.compare(cmd(b.skillpack, "lint", url).in(dir), cmd(b.skillpack, "version"))
		stop()
		if err != nil {
			return nil, err
		}
		perSkill = append(perSkill, (b.typical(u[0])-b.typical(u[1]))/float64(n))
		most = memory(u[0])
	}
	return []row{
		{what: fmt.Sprintf("`lint` of one listing: time per skill, %d skills / %d", sizes[1], sizes[0]), value: perSkill[1] / perSkill[0], bound: pick(b, 1.5, 3)},
		{what: fmt.Sprintf("`lint` of one listing of %d skills: memory / 200 MiB", sizes[1]), value: most / 200, bound: 1},
	}, nil
}
