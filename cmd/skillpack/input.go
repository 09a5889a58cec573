package main

import (
	"fmt"
	"io"
	"os"
)

// readInput reads a file whole, of at most so many bytes. What names it says
// whether the user did so in this command line: only then may it be something
// else than a regular file, such as the pipe of a process substitution. A name
// that a default or a file of the repository gives could be that of a pipe that
// nobody writes into.
func readInput(path string, most int64, named bool) ([]byte, error) {
	if info, err := os.Stat(path); !named && err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, reason(err)
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("it has over %d MiB, which no such file has", most>>20)
	}
	return text, nil
}
