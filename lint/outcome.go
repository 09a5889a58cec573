package lint

import "github.com/skillpack/skillpack/manifest"

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
			s.Bytes = manifest.Total([]manifest.Resource{{Size: s.Bytes}, r})
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

// FileFacts are what an entry says of a file's content; what it does not say is
// absent.
type FileFacts struct {
	Digest manifest.Digest `json:"digest,omitzero"`
	Size   *int64          `json:"size,omitempty"` // bytes
}

// Resource returns the file with these facts.
func (f FileFacts) Resource(u manifest.URI) manifest.Resource {
	r := manifest.Resource{URI: u, Digest: f.Digest, Size: manifest.NoSize}
	if f.Size != nil {
		r.Size = *f.Size
	}
	return r
}

// String is what tells one file from another at a glance; the report in JSON has
// the whole digest.
func (f FileFacts) String() string { return shortContent(f.Resource(manifest.URI{})) }

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
