package remote

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
)

// pattern is what all missing files or skills have in common and no served one
// has: the likely cause, said once in place of a riddle in every line.
type pattern struct {
	// cause is a format for the number of what is missing.
	cause, fix string
	// holds reports whether a path is of the kind that the server leaves out.
	holds func(path string) bool
}

// filePatterns are tried on paths below a skill's root. Of those in one group the
// first that fits is said: the next ones are wider.
var filePatterns = [][]pattern{
	{
		{"the server skips names starting with a dot: all %d missing files", "list them too (go:embed needs all: before the pattern), or exclude them from the build", leading(".")},
		{"the server skips names starting with . or _: all %d missing files", "write go:embed's pattern with all:, or exclude them from the build", leading("._")},
	},
	{{"the server lists .md files alone: all %d missing files have another ending", "let it list files of every type", func(p string) bool { return !strings.EqualFold(path.Ext(p), ".md") }}},
	{{"the server lists no subfolders: all %d missing files lie in one", "let it walk a skill's folder at every depth", nested}},
}

// skillPatterns are tried on skill paths.
var skillPatterns = [][]pattern{
	{{"the server looks one folder deep: all %d missing skills lie deeper", "let it search at every depth", nested}},
}

// leading returns what reports whether a name in a path starts with one of some
// characters.
func leading(characters string) func(string) bool {
	return func(p string) bool {
		return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool { return name != "" && strings.ContainsRune(characters, rune(name[0])) })
	}
}

func nested(p string) bool { return strings.Contains(p, "/") }

// likely returns the patterns that hold for all missing paths and for no served
// one. One missing path is no pattern, and without a served one nothing is told
// apart.
func likely(groups [][]pattern, missing, served []string) string {
	if len(missing) < 2 || len(served) == 0 {
		return ""
	}
	var fit []string
	for _, group := range groups {
		for _, p := range group {
			other := func(path string) bool { return !p.holds(path) }
			if !slices.ContainsFunc(missing, other) && !slices.ContainsFunc(served, p.holds) {
				fit = append(fit, diagnosis{fmt.Sprintf(p.cause, len(missing)), p.fix}.String())
				break
			}
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return "likely cause: " + strings.Join(fit, "; or ")
}

// patterns says once what all missing files, and all missing skills, have in
// common, and returns the skills whose drift that explains.
func (c *check) patterns() (explained map[string]bool) {
	explained = map[string]bool{}
	var files, skills []string
	missing := map[string]bool{} // skills that lack files
	for _, d := range c.result.Drift {
		if d.Status == lint.Missing {
			skills = append(skills, d.Skill)
		}
		for _, f := range d.Files {
			if f.Status == lint.Missing {
				files = append(files, below(d.Skill, f.URI.Path()))
				missing[d.Skill] = true
			}
		}
	}
	if len(files) < 2 && len(skills) < 2 {
		return explained
	}
	var servedFiles, servedSkills []string
	for _, e := range c.entries {
		servedSkills = append(servedSkills, e.Path())
		for _, r := range e.Resources {
			servedFiles = append(servedFiles, below(e.Path(), r.URI.Path()))
		}
	}
	if cause := likely(filePatterns, files, servedFiles); cause != "" {
		c.sayOnce(cause, "file-missing")
		for skill := range missing {
			explained[skill] = true
		}
	}
	if cause := likely(skillPatterns, skills, servedSkills); cause != "" && c.listedWell {
		c.sayOnce(cause, "skill-missing")
		for _, skill := range skills {
			explained[skill] = true
		}
	}
	return explained
}

// below returns a file's path in its skill.
func below(skill, file string) string { return strings.TrimPrefix(file, skill+"/") }

// sayOnce adds a cause to the finding of some rules that the report shows first,
// and to the drift of its skill.
func (c *check) sayOnce(cause string, rules ...string) {
	first := -1
	for i, f := range c.result.Findings {
		if slices.Contains(rules, f.Rule) && (first < 0 || f.URI < c.result.Findings[first].URI) {
			first = i
		}
	}
	if first >= 0 {
		c.say(first, cause)
	}
}
