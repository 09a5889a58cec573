package bundle_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skillpack/skillpack/internal/testfiles"
)

// directive executes one line of the comment. Words are separated by spaces; a
// word in Go quotes may hold any byte, and {x*9} in a word stands for nine x.
//
//	also RULE...           the bad side breaks these as well
//	prefix PATH            the options of the same name
//	exclude PATTERN
//	follow-symlinks
//	symlink PATH -> TARGET
//	fifo PATH
//	folder PATH            an empty one
//	chmod MODE PATH        the superuser tries the case as nobody
//	move FROM TO
//	copies PATTERN N       N files; PATTERN holds a verb for their number
//	hex PATH BYTES...      the file's content
//	crlf PATH              CRLF line ends
//	trim PATH              no line break at the end
//	unquote PATH           escapes as in Go strings, and {x*9}, are replaced
//	grow PATH              written to while the bad side is read
//	mask REGEXP            what differs from run to run in a message
//	only SYSTEM...         of runtime.GOOS
func (a *archive) directive(line string) {
	words, err := splitWords(line)
	if err != nil {
		a.Fatalf("directive %q: %v", line, err)
	}
	name, args := words[0], words[1:]
	least := map[string]int{"also": 1, "prefix": 1, "exclude": 1, "symlink": 3, "fifo": 1, "folder": 1, "chmod": 2, "move": 2, "copies": 2, "hex": 2, "crlf": 1, "trim": 1, "unquote": 1, "grow": 1, "mask": 1, "only": 1}
	if len(args) < least[name] {
		a.Fatalf("directive %q: %d words are missing", line, least[name]-len(args))
	}
	switch name {
	case "also":
		a.also = append(a.also, args...)
	case "prefix":
		a.options.Prefix = args[0]
	case "exclude":
		a.options.Exclude = append(a.options.Exclude, args[0])
	case "follow-symlinks":
		a.options.FollowSymlinks = true
	case "symlink":
		a.folder(args[0])
		a.must(os.Symlink(args[2], args[0]))
	case "fifo":
		a.folder(args[0])
		a.must(makeFIFO(args[0]))
	case "folder":
		a.must(os.MkdirAll(args[0], 0o777))
	case "chmod":
		a.chmod(args[0], args[1])
	case "move":
		a.folder(args[1])
		a.must(os.Rename(args[0], args[1]))
	case "copies":
		n, err := strconv.Atoi(args[1])
		a.must(err)
		for i := range n {
			a.write(fmt.Sprintf(args[0], i), []byte("one of many\n"))
		}
	case "hex":
		data, err := hex.DecodeString(strings.Join(args[1:], ""))
		a.must(err)
		a.write(args[0], data)
	case "crlf":
		a.edit(args[0], func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") })
	case "trim":
		a.edit(args[0], func(text string) string { return strings.TrimSuffix(text, "\n") })
	case "unquote":
		a.edit(args[0], a.unquote)
	case "grow":
		a.during = func() func() { return keepWriting(a.T, args[0]) }
		a.readings = 50
	case "mask":
		a.mask = regexp.MustCompile(args[0])
	case "only":
		if !slices.Contains(args, runtime.GOOS) {
			a.Skipf("the case needs %s", strings.Join(args, " or "))
		}
	default:
		a.Fatalf("there is no directive %q", name)
	}
}

func (a *archive) must(err error) {
	if err != nil {
		a.Helper()
		a.Fatal(err)
	}
}

func (a *archive) has(name string) bool {
	return slices.ContainsFunc(a.content.Files, func(f txtar.File) bool { return f.Name == name })
}

func (a *archive) folder(path string) { a.must(os.MkdirAll(filepath.Dir(path), 0o777)) }

func (a *archive) write(path string, data []byte) {
	a.folder(path)
	a.must(os.WriteFile(path, data, 0o666))
}

func (a *archive) edit(path string, change func(string) string) {
	text, err := os.ReadFile(path)
	a.must(err)
	a.must(os.WriteFile(path, []byte(change(string(text))), 0o666))
}

func (a *archive) chmod(mode, path string) {
	if testfiles.AsNobody(a.T) {
		a.SkipNow() // it has run
	}
	bits, err := strconv.ParseUint(mode, 8, 9)
	a.must(err)
	a.must(os.Chmod(path, os.FileMode(bits)))
	// The path is relative to a directory that is gone from sight when it is removed.
	path, err = filepath.Abs(path)
	a.must(err)
	a.Cleanup(func() { _ = os.Chmod(path, 0o700) })
}

// unquote replaces escapes, line by line, so that line breaks need none.
func (a *archive) unquote(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		a.must(err)
		lines[i] = s
	}
	return expand(strings.Join(lines, "\n"))
}

var repeated = regexp.MustCompile(`\{([^{}*]+)\*([0-9]+)\}`)

// expand replaces {x*9} by nine x.
func expand(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2]) // digits only
		return strings.Repeat(m[1], n)
	})
}

func splitWords(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, expand(word)), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, err
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, expand(word)), line[len(quoted):]
	}
	return words, nil
}

// keepWriting appends to a file until it is told to stop. It has a thread of
// its own, so that the reader cannot keep it from writing.
func keepWriting(t *testing.T, path string) (stop func()) {
	procs := runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("first\n"); err != nil {
		t.Fatal(err)
	}
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-done:
				ended <- f.Close()
				return
			default:
			}
			if _, err := f.WriteString("more\n"); err != nil {
				ended <- errors.Join(err, f.Close())
				return
			}
		}
	}()
	return func() {
		close(done)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		runtime.GOMAXPROCS(procs)
	}
}
