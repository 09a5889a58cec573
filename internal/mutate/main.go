// Mutate finds what no test checks. It makes one small change at a time in the
// code of a package, runs the tests, and prints each change that they let pass:
//
//	go run ./internal/mutate [-n 60] [-seed 1] [-match REGEXP] ./manifest ./lint
//
// A change negates a condition, swaps an operator, adds one to a constant, drops
// a statement, turns true into false or returns nil in place of an error. Files
// stay as they are: the changed text goes to the compiler by -overlay. The same
// seed takes the same n changes of each package. A change that the tests of its
// package let pass must also get past the wider tests, or is caught.
//
// A survivor needs a test that catches it. If it changes nothing that a caller
// can see, write it into equivalent.txt as it is printed, without the line
// number, and the reason on the next line after a tab.
//
// A change can loop, allocate without end or signal the wrong process. On Linux,
// run it so that the rest of the machine is safe:
//
//	go build -o mutate ./internal/mutate
//	unshare -Urpf --mount-proc bash -c 'ulimit -v 8000000; ./mutate ./lint/remote'
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
}

func main() {
	o := options{equivalents: equivalent}
	flag.IntVar(&o.n, "n", 60, "`changes` to each package, at most")
	flag.Uint64Var(&o.seed, "seed", 1, "`number` that selects the changes")
	match := flag.String("match", "", "`pattern` of the changes to make, as they are printed")
	skip := flag.String("skip", "process_|descendants_", "`pattern` of files to leave out: by default those that kill processes")
	wider := flag.String("wider", "-run=TestScript ./cmd/skillpack", "`arguments` of go test for the wider tests")
	flag.Parse()
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
			_, err = o.command(append(test, o.wider...)...)
		}
		if err != nil {
			caught++
			continue
		}
		survived++
		where := "survived"
		if !m.covered {
			where = "survived, not run by the package's tests"
		}
		fmt.Fprintf(out, "%s:%d: %s\n%s\n", m.file, m.line, where, m.name)
	}
	fmt.Fprintf(out, "%s: %d of %d changes: %d caught, %d known to change nothing, %d survived\n", pkg, valid, len(all), caught, known, survived)
	return survived, nil
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
