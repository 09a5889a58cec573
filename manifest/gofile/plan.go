package gofile

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/casefold"
)

// PlanEmbed decides whether go:embed can carry files. goFile is the Go file to
// be written, dir the directory the files are in, and files their paths below
// dir, slash-separated; linked reports whether a file was reached through a
// symlink.
//
// It returns the path of dir as seen from the folder of the Go file,
// slash-separated: path.Join(prefix, file) is what go:embed takes. The error
// names the first file that cannot be embedded and says why; then the bytes
// must be written as literals. Reasons are a directory that is not below the
// Go file's folder, a symlink on the way, a folder that holds a go.mod, a name
// that go:embed refuses (see [EmbedProblem]), and two names that are
// equal but for their case.
func PlanEmbed(goFile, dir string, files []string, linked func(file string) bool) (prefix string, reason error) {
	goDir := filepath.Dir(goFile)
	prefix, err := relative(goDir, dir)
	if err != nil {
		return "", err
	}
	p := embedPlan{goDir: goDir, checked: map[string]error{}, folded: make(map[string]string, len(files))}
	for _, file := range files {
		full := path.Join(prefix, file)
		if err := p.problem(full, file, prefix, linked); err != nil {
			return "", err
		}
	}
	return prefix, nil
}

// relative returns the slash-separated path from the Go file's folder to the
// directory of the files, and an error when it leads out of that folder.
func relative(goDir, dir string) (string, error) {
	lexical, err := relativeAbs(goDir, dir)
	if err == nil && !leadsOut(lexical) {
		return lexical, nil
	}
	// The same folders may be named through different symlinks.
	realGo, errGo := filepath.EvalSymlinks(goDir)
	realDir, errDir := filepath.EvalSymlinks(dir)
	if errGo == nil && errDir == nil {
		if real, err := relativeAbs(realGo, realDir); err == nil && !leadsOut(real) {
			return real, nil
		}
	}
	return "", fmt.Errorf("%s is not below %s, the folder of the Go file: go:embed reads nothing outside of it", dir, goDir)
}

func relativeAbs(base, target string) (string, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return "", err
	}
	target, err = filepath.Abs(target)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(base, target)
	return filepath.ToSlash(rel), err
}

func leadsOut(rel string) bool { return rel == ".." || strings.HasPrefix(rel, "../") }

// embedPlan remembers the folders and names it has seen.
type embedPlan struct {
	goDir   string
	checked map[string]error  // by folder, relative to goDir
	folded  map[string]string // paths by their spelling without case
}

// problem returns why go:embed cannot carry the file at full.
func (p *embedPlan) problem(full, file, prefix string, linked func(string) bool) error {
	if err := EmbedProblem(full); err != nil {
		return fmt.Errorf("go:embed cannot carry a file: %w", err)
	}
	if err := p.folder(path.Dir(full), prefix); err != nil {
		return err
	}
	if linked(file) {
		return fmt.Errorf("%q is reached through a symlink, which go:embed does not follow", full)
	}
	key := strings.Map(casefold.Rune, full) // as the go command folds, without normalisation
	if other, ok := p.folded[key]; ok && other != full {
		return fmt.Errorf("%q and %q differ in case only, which the go command refuses in a package", other, full)
	}
	p.folded[key] = full
	return nil
}

// folder returns why nothing in a folder can be embedded. Of the files'
// directory and the folders above it nobody else has looked for symlinks.
func (p *embedPlan) folder(folder, prefix string) error {
	if folder == "." {
		return nil // the Go file's own: a go.mod there is its own module's
	}
	if err, ok := p.checked[folder]; ok {
		return err
	}
	err := p.folder(path.Dir(folder), prefix)
	if err == nil {
		err = p.look(folder, prefix == folder || strings.HasPrefix(prefix, folder+"/"))
	}
	p.checked[folder] = err
	return err
}

func (p *embedPlan) look(folder string, atOrAbove bool) error {
	disk := filepath.Join(p.goDir, filepath.FromSlash(folder))
	if atOrAbove {
		info, err := os.Lstat(disk)
		if err != nil {
			return fmt.Errorf("%q cannot be read: %w", folder, atomicfile.Cause(err))
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%q is a symlink, which go:embed does not follow", folder)
		}
	}
	if _, err := os.Stat(filepath.Join(disk, "go.mod")); err == nil {
		return fmt.Errorf("%q holds a go.mod, so that its files belong to another Go module, which go:embed leaves out", folder)
	}
	return nil
}
