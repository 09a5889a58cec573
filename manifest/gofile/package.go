package gofile

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/skillpack/skillpack/internal/atomicfile"
	"github.com/skillpack/skillpack/internal/message"
)

// goFileName says why the go command would not build a file of this name as part
// of its package.
func goFileName(goFile string) error {
	const want = "name it as in skills_gen.go"
	switch base := filepath.Base(goFile); {
	case filepath.Ext(base) != ".go":
		return fmt.Errorf("the Go file %s does not end in .go: %s", goFile, want)
	case base[0] == '_' || base[0] == '.':
		return fmt.Errorf("the go command passes over files such as %s: %s", goFile, want)
	case strings.HasSuffix(base, "_test.go"):
		return fmt.Errorf("%s is a test file to the go command: %s", goFile, want)
	}
	return nil
}

// PackageName returns the name for the package clause of goFile: flag (the value
// of --package) when it is not empty, else env ($GOPACKAGE, which go generate
// sets), else the package of the Go files beside goFile, else that of goFile
// itself, else the folder's name made valid. Tests and files that a build
// constraint always leaves out have no say.
//
// The error says what to write: for a name that is no identifier, for one that
// contradicts the files beside it, and for files beside it that disagree.
func PackageName(goFile, flag, env string) (string, error) {
	if err := goFileName(goFile); err != nil {
		return "", err
	}
	beside, own, err := packagesBeside(goFile)
	if err != nil {
		return "", err
	}
	for _, given := range []struct{ name, source string }{{flag, "--package"}, {env, "$GOPACKAGE"}} {
		if given.name == "" {
			continue
		}
		if err := validPackage(given.name, given.source); err != nil {
			return "", err
		}
		if len(beside) > 0 && beside.file(given.name) == "" {
			return "", fmt.Errorf("%s is %q, but %s beside %s is of package %q: write --package %s, or another folder for the Go file",
				given.source, given.name, beside[0].file, goFile, beside[0].name, beside[0].name)
		}
		return given.name, nil
	}
	for _, other := range beside {
		if other.name != beside[0].name {
			return "", fmt.Errorf("the Go files beside %s are of package %q (%s) and of package %q (%s): say which with --package",
				goFile, beside[0].name, beside[0].file, other.name, other.file)
		}
	}
	switch {
	case len(beside) > 0:
		return beside[0].name, nil
	case own != "":
		return own, nil
	}
	dir, err := filepath.Abs(filepath.Dir(goFile))
	if err != nil {
		return "", err
	}
	return packageFromFolder(filepath.Base(dir)), nil
}

func validPackage(name, source string) error {
	switch {
	case token.IsKeyword(name):
		return fmt.Errorf("%s is %q, a keyword of Go: write another name, for instance %q", source, name, packageFromFolder(name))
	case !token.IsIdentifier(name) || name == "_":
		return fmt.Errorf("%s is %s, which is no Go identifier: write letters and digits, starting with a letter, for instance %q", source, message.Quote(name), packageFromFolder(name))
	}
	return nil
}

// goClauses are package clauses, in the order of their files' names.
type goClauses []struct{ file, name string }

// file returns the first file of a package, or "".
func (c goClauses) file(name string) string {
	for _, clause := range c {
		if clause.name == name {
			return clause.file
		}
	}
	return ""
}

// packagesBeside returns the package clauses of the Go files beside goFile that
// a build can contain, and goFile's own clause when it exists. A file whose
// clause cannot be read is passed over: the compiler has more to say about it.
func packagesBeside(goFile string) (beside goClauses, own string, err error) {
	dir := filepath.Dir(goFile)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil // writing the file says so
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be read to find the package of its Go files: %w", dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		path := filepath.Join(dir, name)
		head, err := readHead(path)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, head, parser.PackageClauseOnly|parser.ParseComments)
		switch {
		case err != nil || neverBuilt(file):
		case name == filepath.Base(goFile):
			own = file.Name.Name
		default:
			beside = append(beside, struct{ file, name string }{name, file.Name.Name})
		}
	}
	return beside, own, nil
}

// longestHead is how much of a Go file is read to find its package clause, in
// bytes.
const longestHead = 1 << 20

// readHead returns the start of a regular file.
func readHead(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.ErrUnsupported // opening a pipe waits
	}
	f, err := os.OpenFile(path, os.O_RDONLY|atomicfile.NonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, longestHead))
}

// neverBuilt reports whether a file's build constraint leaves it out on every
// platform, as //go:build ignore does.
func neverBuilt(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, line := range group.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			if err != nil {
				return false
			}
			return !satisfiable(expr)
		}
	}
	return false
}

// satisfiable reports whether a build constraint holds for any set of tags
// without "ignore". One of very many tags is taken to.
func satisfiable(expr constraint.Expr) bool {
	bits := map[string]int{"ignore": -1}
	expr.Eval(func(tag string) bool {
		if _, ok := bits[tag]; !ok {
			bits[tag] = len(bits) - 1
		}
		return false
	})
	const most = 12
	tags := len(bits) - 1
	if tags > most {
		return true
	}
	for set := range 1 << tags {
		if expr.Eval(func(tag string) bool { bit := bits[tag]; return bit >= 0 && set>>bit&1 == 1 }) {
			return true
		}
	}
	return false
}

// packageFromFolder makes a package name of a folder's name, by the custom of
// Go: lower-case letters and digits.
func packageFromFolder(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, folder)
	switch {
	case name == "" || name == "main": // main would have to be a program
		return "skills"
	case !token.IsIdentifier(name): // a keyword, or it starts with a digit
		return "skills" + name
	}
	return name
}
