// Mutate finds what no test checks. It makes one small change at a time in the
// code of a package, runs the tests, and prints each change that they let pass:
//
//	go run ./internal/mutate [-n 60] [-seed 1] [-match REGEXP] [-v] ./manifest ./lint
//
// A change negates a condition, swaps an operator, adds one to a constant, drops
// a statement, turns true into false or returns nil in place of an error. Files
// stay as they are: the changed text goes to the compiler by -overlay. The same
// seed takes the same n changes of each package: one of every file, then a second
// of every file, and so on. A change that the tests of its package let pass must
// also get past the wider tests, or is caught; -wider "" leaves them out, so that
// only the package's own tests count.
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
//
// RESULTS.md has the last run over the packages that decide what is right. The
// whole run takes hours, so a test repeats twelve changes of it, in the packages
// whose tests are quick, where SKILLPACK_TEST=all is set as in .ci/run:
//
//	SKILLPACK_TEST=all go test ./internal/mutate
package main
