package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillpack/skillpack/internal/config"
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

// misnamed is what others call such a file. To pass over it without a word would
// drop what it says.
const misnamed = "skillpack.yml"

// configAbove returns the nearest configuration in a folder above the working
// directory, "" when there is none.
func configAbove() string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	for above := ".."; ; above = filepath.Join(above, "..") {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		if info, err := os.Stat(filepath.Join(parent, config.File)); err == nil && info.Mode().IsRegular() {
			return filepath.ToSlash(filepath.Join(above, config.File))
		}
		dir = parent
	}
}

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 1 << 20

// readConfig reads path, or skillpack.yaml when path is empty; that one may be
// absent. It returns an error that names file, line and column of the first
// key it does not know or value of the wrong type.
func readConfig(path string) (config.Config, error) {
	named := path != ""
	if !named {
		path = config.File
	}
	if _, err := os.Lstat(path); !named && errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(misnamed); err == nil {
			return config.Config{}, usageError("%s is not read: call it %s, or name it with --config", misnamed, config.File)
		}
		return config.Config{}, nil
	}
	text, err := readInput(path, maxConfig, named)
	if err != nil {
		return config.Config{}, usageError("cannot read the configuration: %s: %w", path, err)
	}
	c, err := config.Parse(path, text)
	if err != nil {
		return config.Config{}, &exitError{exitFailed, err}
	}
	return c, nil
}
