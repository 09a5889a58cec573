package report

import "github.com/skillpack/skillpack/lint"

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
	Summary  lint.Summary
	Findings []lint.Finding
	// Exclusions says by pattern what the summary counts as excluded.
	Exclusions []lint.Exclusion
	// Ignored says by entry of the policy what the summary counts as ignored.
	Ignored []lint.Ignored
	// Server, Drift and Verification are what the comparison with a server (or,
	// for Drift, of two manifests) found; nil in runs that make no such comparison.
	Server       *lint.ServerInfo
	Drift        []lint.SkillDrift
	Verification []lint.Verification
	// Manifest is the path of the manifest that served things were compared with.
	// Formats that have to name a file show their findings there; empty stands
	// for skills.manifest.json.
	Manifest string
	// Source returns the path of the file that a URI was built from, "" for a
	// URI that was not built. It is nil when the comparison was with a manifest
	// alone. Formats that name files prefer it to Manifest.
	Source func(uri string) string
}

// New returns the report of a complete run: the findings as the policy
// leaves them, sorted, and counted in the summary.
func New(command string, s lint.Summary, findings []lint.Finding, p lint.Policy) *Report {
	r := &Report{Command: command, Complete: true, Strict: p.Strict, Summary: s}
	r.Findings, r.Ignored = p.Apply(findings)
	r.Summary.Errors, r.Summary.Warnings, r.Summary.Ignored = 0, 0, 0
	for _, i := range r.Ignored {
		r.Summary.Ignored += i.Count
	}
	for _, f := range r.Findings {
		if f.Severity == lint.Error {
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
func (r *Report) ignored() []lint.Ignored {
	var list []lint.Ignored
	for _, i := range r.Ignored {
		if rule, _ := lint.Lookup(i.Rule); i.Count > 0 || r.looksAt(rule.Where) {
			list = append(list, i)
		}
	}
	return list
}

// looksAt reports whether this run could have found a fault at a place.
func (r *Report) looksAt(where lint.Where) bool {
	switch where {
	case lint.Tree:
		return r.Server == nil && r.Command != "diff"
	case lint.Entry:
		return r.Command != "diff"
	case lint.Output:
		return r.Command == "build"
	case lint.Drift:
		return r.Drift != nil
	case lint.Read:
		return r.Verification != nil
	default:
		return r.Server != nil
	}
}

// source is the file that the served thing of a finding was built from, "" when
// that is not known.
func (r *Report) source(f lint.Finding) string {
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
