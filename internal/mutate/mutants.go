package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// mutant is a file with one change.
type mutant struct {
	path, file string // absolute, and from the root of the module
	line       int
	name       string // the file, the function and the change: the same wherever the lines move
	text       []byte // the whole changed file
	covered    bool   // false: no test of the package runs it
}

// swapped are the operators, and what each becomes.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutants returns all changes to a package.
func (o options) mutants(pkg, profile string) ([]mutant, error) {
	var listed struct {
		Dir, ImportPath string
		GoFiles         []string
		Module          struct{ Dir string }
	}
	b, err := o.command("list", "-json=Dir,ImportPath,GoFiles,Module", pkg)
	if err == nil {
		err = json.Unmarshal(b, &listed)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, b)
	}
	blocks, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range listed.GoFiles {
		if o.skip != nil && o.skip.MatchString(name) {
			continue
		}
		f := file{set: token.NewFileSet(), path: filepath.Join(listed.Dir, name), seen: map[string]int{}}
		if f.rel, err = filepath.Rel(listed.Module.Dir, f.path); err != nil {
			return nil, err
		}
		if f.source, err = os.ReadFile(f.path); err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(f.set, f.path, f.source, 0)
		if err != nil {
			return nil, err
		}
		f.cover(string(blocks), listed.ImportPath+"/"+name+":")
		ast.Inspect(tree, f.visit)
		all = append(all, f.mutants...)
	}
	return all, nil
}

// file collects the changes to one file.
type file struct {
	set       *token.FileSet
	path, rel string
	source    []byte
	blocks    []block
	seen      map[string]int // changes of one name
	stack     []ast.Node
	mutants   []mutant
}

// block is a line of a coverage profile: places are lines and columns.
type block struct {
	from, to [2]int
	count    int
}

func (f *file) cover(profile, prefix string) {
	for line := range strings.Lines(profile) {
		var b block
		var statements int
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from[0], &b.from[1], &b.to[0], &b.to[1], &statements, &b.count)
			f.blocks = append(f.blocks, b)
		}
	}
}

// covered reports whether a test runs a place. What is in no block, such as a
// declaration or the condition of a case, counts as run.
func (f *file) covered(p token.Position) bool {
	covered, at := true, [2]int{p.Line, p.Column}
	for _, b := range f.blocks {
		if !less(at, b.from) && less(at, b.to) {
			if b.count > 0 {
				return true
			}
			covered = false
		}
	}
	return covered
}

func less(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

func (f *file) offset(p token.Pos) int { return f.set.Position(p).Offset }

// change adds a mutant that has text in place of the source between two places
// of a node. Its name shows the node, or the line of a node that is one word.
func (f *file) change(n ast.Node, from, to token.Pos, text string) {
	lo, hi := f.offset(n.Pos()), f.offset(n.End())
	switch n.(type) {
	case *ast.Ident, *ast.BasicLit:
		lo = bytes.LastIndexByte(f.source[:lo], '\n') + 1
		hi += bytes.IndexByte(f.source[hi:], '\n')
	}
	before := string(f.source[lo:hi])
	after := string(f.source[lo:f.offset(from)]) + text + string(f.source[f.offset(to):hi])
	position, within := f.set.Position(from), "declaration"
	for _, outer := range f.stack {
		if d, ok := outer.(*ast.FuncDecl); ok {
			within = d.Name.Name
		}
	}
	name := fmt.Sprintf("%s %s: %s => %s", filepath.ToSlash(f.rel), within, strings.Join(strings.Fields(before), " "), strings.Join(strings.Fields(after), " "))
	if f.seen[name]++; f.seen[name] > 1 {
		name += fmt.Sprintf(" (%d)", f.seen[name])
	}
	whole := bytes.Join([][]byte{f.source[:f.offset(from)], []byte(text), f.source[f.offset(to):]}, nil)
	f.mutants = append(f.mutants, mutant{f.path, f.rel, position.Line, name, whole, f.covered(position)})
}

func (f *file) wrap(n ast.Node, before, after string) {
	f.change(n, n.Pos(), n.End(), before+string(f.source[f.offset(n.Pos()):f.offset(n.End())])+after)
}

// visit adds the changes to one node.
func (f *file) visit(n ast.Node) bool {
	if n == nil {
		f.stack = f.stack[:len(f.stack)-1]
		return true
	}
	if _, ok := n.(*ast.ImportSpec); ok {
		return false
	}
	f.stack = append(f.stack, n)
	switch n := n.(type) {
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if n.Tag == nil {
					f.negate(e)
				}
			}
		}
	case *ast.BinaryExpr:
		if to, ok := swapped[n.Op]; ok {
			f.change(n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
		}
	case *ast.BasicLit:
		if n.Kind == token.INT || n.Kind == token.CHAR {
			f.wrap(n, "(", "+1)")
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.change(n, n.Pos(), n.End(), map[string]string{"true": "false", "false": "true"}[n.Name])
		}
	case *ast.ReturnStmt:
		f.drop(n)
		if last := len(n.Results) - 1; last >= 0 && f.returnsError() {
			if id, ok := n.Results[last].(*ast.Ident); !ok || id.Name != "nil" {
				f.change(n, n.Results[last].Pos(), n.End(), "nil")
			}
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.drop(n)
		}
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
		f.drop(n)
	}
	return true
}

// negate turns a condition into its opposite, unless a swapped operator does.
func (f *file) negate(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); cond != nil && (!ok || b.Op != token.EQL && b.Op != token.NEQ) {
		f.wrap(cond, "!(", ")")
	}
}

// drop keeps a statement from running, and what it uses used.
func (f *file) drop(n ast.Node) {
	switch f.stack[len(f.stack)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		f.wrap(n, "if false { ", " }")
	}
}

// returnsError reports whether the last result of the innermost function is an
// error.
func (f *file) returnsError() bool {
	var results *ast.FieldList
	for _, n := range f.stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			results = n.Type.Results
		case *ast.FuncLit:
			results = n.Type.Results
		}
	}
	if results == nil || len(results.List) == 0 {
		return false
	}
	id, ok := results.List[len(results.List)-1].Type.(*ast.Ident)
	return ok && id.Name == "error"
}
