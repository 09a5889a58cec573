package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed equivalent.txt
var equivalent string

// options are what one run does.
type options struct {
	dir         string // where the go command runs
	n           int    // changes a package, at most
	seed        uint64
	skip, match *regexp.Regexp // files that stay as they are, and changes to make
	wider       []string       // the arguments of go test for what a package's own tests let pass
	equivalents string         // as in equivalent.txt
	verbose     io.Writer      // what became of each change; nil for no such lines
}

func main() {
	o := options{equivalents: equivalent}
	flag.IntVar(&o.n, "n", 60, "`changes` to each package, at most")
	flag.Uint64Var(&o.seed, "seed", 1, "`number` that selects the changes")
	match := flag.String("match", "", "`pattern` of the changes to make, as they are printed")
	skip := flag.String("skip", "process_|descendants_", "`pattern` of files to leave out: by default those that kill processes")
	wider := flag.String("wider", "-run=TestScript ./cmd/skillpack", "`arguments` of go test for the wider tests")
	verbose := flag.Bool("v", false, "print what became of each change on standard error")
	flag.Parse()
	if *verbose {
		o.verbose = os.Stderr
	}
	o.skip, o.match, o.wider = regexp.MustCompile(*skip), regexp.MustCompile(*match), strings.Fields(*wider)
	survived := 0
	for _, pkg := range flag.Args() {
		n, err := o.run(os.Stdout, pkg)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(2)
		}
		survived += n
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// run changes one package, prints the survivors and returns their number.
func (o options) run(out io.Writer, pkg string) (survived int, err error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	profile, start := filepath.Join(temp, "profile"), time.Now()
	if b, err := o.command("test", "-short", "-count=1", "-coverprofile="+profile, pkg); err != nil {
		return 0, fmt.Errorf("the tests of %s fail without a change: %w\n%s", pkg, err, b)
	}
	timeout := "-timeout=" + (10*time.Second + 3*time.Since(start)).Round(time.Second).String()
	all, err := o.mutants(pkg, profile)
	if err != nil {
		return 0, err
	}
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	spread(all)
	valid, caught, known := 0, 0, 0
	for _, m := range all {
		if valid == o.n {
			break
		}
		if o.match != nil && !o.match.MatchString(m.name) {
			continue
		}
		if strings.Contains("\n"+o.equivalents, "\n"+m.name+"\n\t") {
			valid, known = valid+1, known+1
			o.progress("changes nothing", m)
			continue
		}
		overlay, err := m.overlay(temp)
		if err != nil {
			return survived, err
		}
		test := []string{"test", "-short", "-failfast", "-vet=off", overlay, timeout}
		b, err := o.command(append(test, pkg)...)
		if bytes.Contains(b, []byte("[build failed]")) || bytes.Contains(b, []byte("[setup failed]")) {
			continue
		}
		valid++
		if err == nil && len(o.wider) > 0 {
			test[len(test)-1] = "-timeout=2m"
			b, err = o.command(append(test, o.wider...)...)
		}
		if err != nil {
			caught++
			o.progress("caught by "+catcher(b), m)
			continue
		}
		survived++
		o.progress("survived", m)
		where := "survived"
		if !m.covered {
			where = "survived, not run by the package's tests"
		}
		fmt.Fprintf(out, "%s:%d: %s\n%s\n", m.file, m.line, where, m.name)
	}
	fmt.Fprintf(out, "%s: %d of %d changes: %d caught, %d known to change nothing, %d survived\n", pkg, valid, len(all), caught, known, survived)
	return survived, nil
}

// progress says what became of a change, where that is asked for.
func (o options) progress(what string, m mutant) {
	if o.verbose != nil {
		fmt.Fprintf(o.verbose, "%s %s:%d: %s\n", what, m.file, m.line, m.name)
	}
}

// failed matches what go test prints of a test that failed.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (test timed out)`)

// catcher returns the name of the first test that failed. A change that makes a
// test wait without end, or ends the process, has no such name.
func catcher(output []byte) string {
	if m := failed.FindSubmatch(output); m != nil {
		return string(m[1]) + string(m[2])
	}
	return "the end of the process"
}

// spread orders changes so that the first of every file come first, then the
// second of every file, and so on: a few changes reach many files.
func spread(all []mutant) {
	seen := map[string]int{}
	turn := make(map[string]int, len(all))
	for _, m := range all {
		turn[m.name] = seen[m.file]
		seen[m.file]++
	}
	slices.SortStableFunc(all, func(a, b mutant) int { return turn[a.name] - turn[b.name] })
}

// command runs the go command and returns what it printed.
func (o options) command(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.WaitDelay = o.dir, 10*time.Second
	return cmd.CombinedOutput()
}

// overlay writes the changed file and returns the flag that makes the go command
// read it.
func (m mutant) overlay(temp string) (string, error) {
	changed, list := filepath.Join(temp, "changed.go"), filepath.Join(temp, "overlay.json")
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: changed}})
	if err == nil {
		err = os.WriteFile(changed, m.text, 0o666)
	}
	if err == nil {
		err = os.WriteFile(list, b, 0o666)
	}
	return "-overlay=" + list, err
}
