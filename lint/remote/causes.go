package remote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// kindOfCause is a group of findings whose causes are said together.
type kindOfCause struct {
	noun  string // "changed file"
	rules []string
}

var (
	changedFiles  = kindOfCause{"changed file", []string{"file-changed"}}
	differentRead = kindOfCause{"such file", []string{"size-mismatch", "digest-mismatch"}}
)

// caused is what a cause is of: a served file, in its spelling.
type caused struct{ kind, uri string }

// causes explains files that the server lists with other bytes: what the usual
// accidents make of the built ones, where they are at hand, and the text of a
// symlink are tried against the listed digest. Nothing is read for it.
func (c *check) causes() {
	for _, d := range c.result.Drift {
		for _, f := range d.Files {
			if f.Status != lint.Changed {
				continue
			}
			var cause diagnosis
			if b := c.builtBytes(f.URI); b != nil && manifest.DigestOf(b) == f.Served.Digest {
				cause = diagnoseSize(b, f.Served.Resource(f.URI).Size)
			} else if b != nil {
				cause = accident(b, f.Served.Digest)
			}
			if cause.cause == "" {
				cause = c.listedSymlink(f.Served.Resource(f.URI))
			}
			if cause.cause != "" {
				c.addCause(changedFiles, f.URI.String(), cause)
			}
		}
	}
}

// addCause notes why a file differs. All causes are said at the end, when it
// shows whether they are one.
func (c *check) addCause(kind kindOfCause, uri string, d diagnosis) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := caused{kind.noun, uri}
	if !slices.Contains(c.because[k], d) {
		c.because[k] = append(c.because[k], d)
	}
}

// sayCauses adds the causes of one kind to the findings: one cause of them all
// once, with their number, and others each to its finding.
func (c *check) sayCauses(kind kindOfCause) {
	if len(c.because) == 0 {
		return
	}
	var found []int
	var all []diagnosis // the cause of each finding, as long as each has just one
	for i, f := range c.result.Findings {
		if slices.Contains(kind.rules, f.Rule) {
			found = append(found, i)
			if causes := c.because[caused{kind.noun, f.URI}]; len(causes) == 1 {
				all = append(all, causes[0])
			}
		}
	}
	if d, ok := common(all); ok && len(all) == len(found) {
		text := d.String()
		if d.cause != "" {
			text = fmt.Sprintf("all %s: %s", message.Counted(len(found), kind.noun), text)
		}
		c.sayOnce(text, kind.rules...)
		return
	}
	for _, i := range found {
		for _, d := range c.because[caused{kind.noun, c.result.Findings[i].URI}] {
			c.say(i, d.String())
		}
	}
}

// common returns the cause that several files share, and false for none.
func common(all []diagnosis) (diagnosis, bool) {
	if len(all) < 2 {
		return diagnosis{}, false
	}
	for _, form := range []func(diagnosis) diagnosis{func(d diagnosis) diagnosis { return d }, diagnosis.general} {
		first := form(all[0])
		if !slices.ContainsFunc(all, func(d diagnosis) bool { return form(d) != first }) {
			return first, true
		}
	}
	return diagnosis{}, false
}

// hasCause reports whether a file of a skill's drift has a cause.
func (c *check) hasCause(d lint.SkillDrift) bool {
	return slices.ContainsFunc(d.Files, func(f lint.FileDrift) bool { return len(c.because[caused{changedFiles.noun, f.URI.String()}]) > 0 })
}

// say adds a cause to a finding, and, where the finding is about drift, to the
// drift of its skill.
func (c *check) say(finding int, cause string) {
	f := &c.result.Findings[finding]
	f.Message += ": " + cause
	if !isDrift(*f) {
		return
	}
	for i, d := range c.result.Drift {
		if d.Skill == f.Skill && !strings.Contains(d.Cause, cause) {
			c.result.Drift[i].Cause = joined(d.Cause, cause)
		}
	}
}

// generals are, by their fix, the causes that hold something of one file, as they
// are said of several.
var generals = map[string]string{
	cutFix:     "the files are cut off",
	startFix:   "bytes are missing at their start",
	blobFix:    "the texts have U+FFFD, which decoders put in place of bytes that are not UTF-8",
	symlinkFix: "the server has the texts of symlinks in place of the files",
}

const (
	cutFix   = "look for a size limit or a buffer in the server or a proxy"
	startFix = "serve the file from its first byte"
)

// general is a diagnosis as it is said of several files.
func (d diagnosis) general() diagnosis {
	if text, ok := generals[d.fix]; ok && d.cause != "" {
		d.cause = text
	}
	return d
}

// joined is two sentences as one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// isDrift reports whether a finding is about drift.
func isDrift(f lint.Finding) bool {
	rule, _ := lint.Lookup(f.Rule)
	return rule.Where == lint.Drift
}
