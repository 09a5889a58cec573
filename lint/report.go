package lint

import (
	"math"

	"github.com/skillpack/skillpack/manifest"
)

// Report is everything one run has to say, in no format yet.
type Report struct {
	// Command is the command that ran: "build", "check", "lint" or "diff".
	Command string
	// Complete is false when part of the job could not be done: a listing cut
	// short, a file that could not be fetched. Such a run is never OK.
	Complete bool
	// Reason says in one line why the run is not complete; empty when it is.
	Reason string
	// Strict makes warnings count as errors; they are still shown as warnings.
	Strict   bool
	Summary  Summary
	Findings []Finding
	// Exclusions says by pattern what the summary counts as excluded.
	Exclusions []Exclusion
	// Ignored says by entry of the policy what the summary counts as ignored.
	Ignored []Ignored
	// Server, Drift and Verification are what the comparison with a server (or,
	// for Drift, of two manifests) found; nil in runs that make no such comparison.
	Server       *ServerInfo
	Drift        []SkillDrift
	Verification []Verification
	// Manifest is the path of the manifest that served things were compared with.
	// Formats that have to name a file show their findings there; empty stands
	// for skills.manifest.json.
	Manifest string
	// Source returns the path of the file that a URI was built from, "" for a
	// URI that was not built. It is nil when the comparison was with a manifest
	// alone. Formats that name files prefer it to Manifest.
	Source func(uri string) string
}

// Summary counts what a run looked at and found.
type Summary struct {
	Skills   int   `json:"skills"`
	Files    int   `json:"files"` // distinct files; one of a nested skill counts once
	Bytes    int64 `json:"bytes"`
	Excluded int   `json:"excluded"` // files and folders left out
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Ignored  int   `json:"ignored"` // findings that the policy ignores
}

// Count adds a skill to the summary. Seen holds the files counted before, so that
// a file that several skills list counts once.
func (s *Summary) Count(skill manifest.Skill, seen map[manifest.URI]bool) {
	s.Skills++
	for _, r := range skill.Resources {
		if !seen[r.URI] {
			seen[r.URI] = true
			s.Files++
			if s.Bytes += r.Size; s.Bytes < 0 {
				s.Bytes = math.MaxInt64 // no listing can hide a total
			}
		}
	}
}

// Exclusion is how many files and folders one pattern left out.
type Exclusion struct {
	Pattern string `json:"pattern"`
	Count   int    `json:"count"`
}

// ServerInfo is the server a run looked at.
type ServerInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Protocol string `json:"protocol"` // the protocol revision agreed on
	Target   string `json:"target"`   // the URL or command, without credentials
}

// SkillDrift is how one skill differs between its two sides. In the report of
// diff, "built" is OLD and "served" is NEW; in that of build --check, "built" is
// the manifest on disk and "served" the tree.
type SkillDrift struct {
	Skill       string       `json:"skill"`  // the skill path
	Status      DriftStatus  `json:"status"` // missing, extra, changed or unlisted
	Files       []FileDrift  `json:"files,omitempty"`
	Frontmatter []FieldDrift `json:"frontmatter,omitempty"`
	// Cause says why, where it can be told.
	Cause string `json:"cause,omitempty"`
}

// DriftStatus says on which side a skill or file is, or that it differs.
type DriftStatus string

// The statuses of drift.
const (
	Missing  DriftStatus = "missing"  // built, not served
	Extra    DriftStatus = "extra"    // served, not built
	Changed  DriftStatus = "changed"  // on both sides, different
	Unlisted DriftStatus = "unlisted" // built, absent from the listing, but served when asked for
)

// FileDrift is how one file differs; a side that lacks it is nil.
type FileDrift struct {
	URI    manifest.URI `json:"uri"`
	Status DriftStatus  `json:"status"`
	Built  *FileFacts   `json:"built,omitempty"`
	Served *FileFacts   `json:"served,omitempty"`
}

// FileFacts are what an entry says of a file's content.
type FileFacts struct {
	Digest manifest.Digest `json:"digest"`
	Size   int64           `json:"size"` // bytes
}

// FieldDrift is how one frontmatter field differs; a side that lacks it is nil.
type FieldDrift struct {
	Field  string          `json:"field"`
	Built  *manifest.Value `json:"built,omitempty"`
	Served *manifest.Value `json:"served,omitempty"`
}

// Verification is what became of one listed file whose bytes were asked for.
type Verification struct {
	URI    string  `json:"uri"`
	Status Verdict `json:"status"`
	// Expected and Actual are the two values that differ, as text: a size, a
	// digest, a field.
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	Cause    string `json:"cause,omitempty"`
}

// Verdict is the outcome of a verification. The five are different: only the
// first says that the bytes are right, only the second that they are wrong.
type Verdict string

// The verdicts.
const (
	Verified     Verdict = "verified"     // size and digest (and frontmatter) agree
	Mismatch     Verdict = "mismatch"     // they do not
	Unverifiable Verdict = "unverifiable" // the entry declares nothing to compare with
	Failed       Verdict = "error"        // the file could not be read
	Skipped      Verdict = "skipped"      // not asked for
)

// NewReport returns the report of a complete run: the findings as the policy
// leaves them, sorted, and counted in the summary.
func NewReport(command string, s Summary, findings []Finding, p Policy) *Report {
	r := &Report{Command: command, Complete: true, Strict: p.Strict, Summary: s}
	r.Findings, r.Ignored = p.apply(findings)
	r.Summary.Errors, r.Summary.Warnings, r.Summary.Ignored = 0, 0, 0
	for _, i := range r.Ignored {
		r.Summary.Ignored += i.Count
	}
	for _, f := range r.Findings {
		if f.Severity == Error {
			r.Summary.Errors++
		} else {
			r.Summary.Warnings++
		}
	}
	return r
}

// ignored is what the entries of the policy dropped. An entry that dropped
// nothing is in it when this run looks for the rule's faults: its pattern is wrong
// then, or no longer needed.
func (r *Report) ignored() []Ignored {
	var list []Ignored
	for _, i := range r.Ignored {
		if rule, _ := Lookup(i.Rule); i.Count > 0 || r.looksAt(rule.Where) {
			list = append(list, i)
		}
	}
	return list
}

// looksAt reports whether this run could have found a fault at a place.
func (r *Report) looksAt(where Where) bool {
	switch where {
	case Tree:
		return r.Server == nil && r.Command != "diff"
	case Entry:
		return r.Command != "diff"
	case Output:
		return r.Command == "build"
	case Drift:
		return r.Drift != nil
	case Read:
		return r.Verification != nil
	default:
		return r.Server != nil
	}
}

// source is the file that the served thing of a finding was built from, "" when
// that is not known.
func (r *Report) source(f Finding) string {
	if f.URI == "" || r.Source == nil {
		return ""
	}
	return r.Source(f.URI)
}

// OK reports whether the run is complete and found nothing that counts as an
// error: whether the exit status is 0.
func (r *Report) OK() bool { return r.Complete && !r.Broken() }

// Broken reports whether a finding counts as an error: the exit status is then 1,
// unless the run could not be completed for a reason with a status of its own.
func (r *Report) Broken() bool {
	return r.Summary.Errors > 0 || r.Strict && r.Summary.Warnings > 0
}
