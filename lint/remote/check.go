package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// DefaultConcurrency is how many requests are under way at once when [Check]
// says nothing else.
const DefaultConcurrency = 4

// Check is what to hold a server against.
type Check struct {
	// Built is what the server should list; nil compares with nothing.
	Built *manifest.Manifest
	// Committed is the manifest file beside the directory that Built was made
	// from: it tells a server that was not deployed from a build that was not run.
	// Nil when there is none.
	Committed *manifest.Manifest
	// Bytes returns the built bytes of a file, to explain a mismatch with; nil
	// when they are not at hand.
	Bytes func(manifest.URI) ([]byte, error)
	// Excluded are the addresses that files would have which the build left out. A
	// server that gives one of them is reported; at most [MaxProbes] reads are made,
	// and only with Verify or Conformance.
	Excluded []manifest.URI
	// Scope is the start of the URIs that are looked at; empty is all.
	Scope string
	// AllowExtra accepts skills that were not built.
	AllowExtra bool
	// Verify reads every listed file and holds it against its entry.
	Verify bool
	// KeepGoing reads the rest of a skill whose SKILL.md failed.
	KeepGoing bool
	// Conformance calls every method for every skill.
	Conformance bool
	// Concurrency is how many requests are under way at once; 0 is
	// [DefaultConcurrency].
	Concurrency int
	// Progress is told how many of the files to read are done; nil is silence.
	Progress func(done, total int)
}

// Result is what a check found.
type Result struct {
	Summary  lint.Summary
	Findings []lint.Finding
	// Drift is nil when nothing was compared, and empty when nothing differs.
	Drift        []lint.SkillDrift
	Verification []lint.Verification
	// Incomplete says why part of the check could not be done, or "".
	Incomplete string
	// Err is the [*Failure] that ended the check early, or nil.
	Err error
}

// check is one run.
type check struct {
	Check
	ctx     context.Context // of the run
	session *Session
	mu      sync.Mutex
	result  Result
	said    map[lint.Finding]bool
	links   atomic.Int64                       // between two files, tried so far
	entries []Entry                            // in scope, listed or got
	listed  int                                // of entries, those that were listed, which are first
	changed map[manifest.URI]manifest.Resource // built, and listed with other bytes
	expect  map[manifest.URI]manifest.Resource // built, and listed without a digest
	sizes   map[manifest.URI]int64             // in bytes, of files listed without a size, as far as known
	unread  []readChange                       // what reading showed of files listed without a digest
	lacking map[string]bool                    // rules that all entries break, reported once
	because map[caused][]diagnosis             // why files differ
	caps    Capabilities
	known   *known        // what the entries list; set by conformance
	hidden  hidden        // skills that show only as resources
	kinds   kinds         // MIME types
	reads   reads         // what SKILL.md files were read as
	some    map[alike]int // findings that are reported up to a number
	// declaredWell is true when nothing is wrong with what the server declares;
	// listedWell when its listing was followed to the end.
	declaredWell, listedWell bool
}

// Check runs the whole check of a server: what it declares, its listing, each
// entry, drift from what was built, and, when asked, conformance and the bytes
// of every file. It returns all it found also when it could not finish.
func (s *Session) Check(ctx context.Context, what Check) *Result {
	if what.Concurrency <= 0 {
		what.Concurrency = DefaultConcurrency
	}
	if what.Progress == nil {
		what.Progress = func(int, int) {}
	}
	c := &check{ctx: ctx, Check: what, session: s, said: map[lint.Finding]bool{}, some: map[alike]int{},
		expect: map[manifest.URI]manifest.Resource{}, sizes: map[manifest.URI]int64{}, lacking: map[string]bool{}, because: map[caused][]diagnosis{}}
	c.run(ctx)
	c.sayCauses(changedFiles)
	c.sayCauses(differentRead)
	c.reportRest()
	c.noise()
	if err := ctx.Err(); err != nil {
		c.incomplete("the run ended before the check did", err)
	}
	c.result.masked(s.mask)
	return &c.result
}

// noise reports what a child printed among its messages.
func (c *check) noise() {
	p := c.session.process
	if p == nil {
		return
	}
	if line := p.noise.line(c.session.maskOwn()); line != "" {
		c.report(lint.New("stdout-noise", "the server prints a line on stdout that is no message: %q: print on stderr", shorten(line)))
	}
}

func (c *check) run(ctx context.Context) {
	caps, findings := judgeCapabilities(c.session.capabilities)
	c.caps, c.declaredWell = caps, len(findings) == 0
	c.report(findings...)
	for _, f := range findings {
		if f.Rule == "extension-undeclared" {
			return // a host asks no further, and neither does this
		}
	}
	listing := c.session.walk(ctx, methodList, "skills", params{})
	c.judgePages(methodList, listing.Pages)
	if c.lost(methodList, listing.Err) {
		return
	}
	if listing.Problem != nil {
		c.report(*listing.Problem)
		c.incomplete("the listing is incomplete", listing.Err)
		if c.over() {
			return
		}
	}
	c.listedWell = listing.Complete
	seen := map[manifest.URI]bool{}
	var listed []lint.Listed
	var all []Entry
	values := 0
	for i, raw := range listing.Entries {
		listing.Entries[i] = nil
		if ctx.Err() != nil {
			return
		}
		e := parseEntry(raw)
		if !c.inScope(e.Served) {
			continue
		}
		if values += countValues(e.Frontmatter.Value()); values > maxValues {
			c.report(lint.New("listing-too-long", "the frontmatter of the listing holds over %d values: the rest is not looked at", maxValues))
			c.incomplete("the listing is incomplete", nil)
			c.listedWell = false
			break
		}
		if !c.Conformance {
			e.value = manifest.Value{} // only skills/get is held against it
		}
		for j := range e.Findings {
			if e.Findings[j].URI == "" {
				e.Findings[j].URI = fmt.Sprintf("skills[%d]", i) // it has no address of its own
			}
		}
		twice := !e.URI.IsZero() && seen[e.URI]
		if twice && !c.listedWell {
			continue // the pages repeat themselves, which is reported
		}
		listed = append(listed, e.listed())
		all = append(all, e)
		if twice {
			continue // reported as duplicate-skill; compared once
		}
		seen[e.URI] = true
		c.entries = append(c.entries, e)
	}
	c.listed = len(c.entries)
	c.judgeEntries(all)
	c.report(lint.CheckListing(listed)...)
	defer c.count() // the bytes of files without a size are known when they are read
	if c.Built != nil {
		c.drift(ctx)
	}
	if c.Conformance && c.result.Err == nil {
		c.conformance(ctx)
	}
	if c.Verify && c.result.Err == nil {
		c.verify(ctx)
		c.driftOfRead()
	}
	if (c.Conformance || c.Verify) && c.result.Err == nil {
		c.excluded(ctx)
	}
}

// maxValues bounds the frontmatter values of a listing that are kept: some
// hundred thousand skills have fewer.
const maxValues = 2_000_000

func countValues(v manifest.Value) int {
	n := 1
	for _, item := range v.Items {
		n += countValues(item)
	}
	for _, m := range v.Members {
		n += countValues(m.Value)
	}
	return n
}

// report adds findings; it may be called from any goroutine.
func (c *check) report(findings ...lint.Finding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range findings {
		if rule, _ := lint.Lookup(f.Rule); c.ctx.Err() != nil && (rule.Where == lint.Server || rule.Where == lint.Read) {
			continue // no answer came because the run is over, which is not the server's fault
		}
		if f.URI == "" && f.Path == "" {
			f = f.Served(c.session.info.Target)
		}
		if c.lacking[f.Rule] && f.Skill != "" {
			continue // said once for the whole server
		}
		f = c.eased(f)
		if c.said[f] {
			continue // one cause that shows for every skill
		}
		c.said[f] = true
		c.result.Findings = append(c.result.Findings, f)
	}
}

// incomplete notes that part of the check could not be done. A failure of the
// connection also ends the run.
func (c *check) incomplete(why string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result.Incomplete == "" {
		c.result.Incomplete = why
	}
	var f *Failure
	if c.result.Err == nil && (errors.As(err, &f) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		c.result.Err = err
	}
}

func (c *check) inScope(uri string) bool {
	if c.Scope == "" {
		return true
	}
	if u, err := manifest.ParseURI(uri); err == nil {
		uri = u.String()
	}
	return strings.HasPrefix(uri, c.Scope)
}

func (c *check) count() {
	seen := map[manifest.URI]bool{}
	for _, e := range c.entries {
		skill := e.Skill
		skill.Resources = slices.Clone(skill.Resources)
		for i, r := range skill.Resources {
			if size, known := c.sizes[r.URI]; known && r.Size == manifest.NoSize {
				skill.Resources[i].Size = size
			}
		}
		c.result.Summary.Count(skill, seen)
	}
}

// judgePages holds the results of a method against what every result carries
// from protocol 2026-07-28 on.
func (c *check) judgePages(method string, pages []page) {
	for _, p := range pages {
		if c.judgeResult(method, p.Result) {
			return // one finding a method: the pages share their cause
		}
	}
}

// judgeResult checks the fields of one result and reports whether it found any
// wrong. The extension requires the caching fields on its own two methods; where
// only the base protocol or a client does, their absence is a warning.
func (c *check) judgeResult(method string, result map[string]json.RawMessage) bool {
	if c.session.info.Protocol < Protocol2026 {
		return false
	}
	var findings []lint.Finding
	rule := "cache-attributes"
	if method != methodList && method != methodGet {
		rule = "cache-hints"
	}
	if kind, ok := result["resultType"]; !ok || string(kind) != `"complete"` {
		findings = append(findings, lint.New("result-type", "%s answers with %s: from protocol %s on \"complete\" is required", method, field(result, "resultType"), Protocol2026))
	}
	ttl, err := manifest.ParseValue(result["ttlMs"])
	_, whole := ttl.Size()
	scope := string(result["cacheScope"])
	switch {
	case err != nil || !whole:
		findings = append(findings, lint.New(rule, "%s answers with %s: a whole number of milliseconds from 0 on is required from protocol %s on", method, field(result, "ttlMs"), Protocol2026))
	case scope != `"public"` && scope != `"private"`:
		findings = append(findings, lint.New(rule, "%s answers with %s: \"public\" or \"private\" is required from protocol %s on", method, field(result, "cacheScope"), Protocol2026))
	}
	c.report(findings...)
	return len(findings) > 0
}

// field names a field of a result and its value.
func field(result map[string]json.RawMessage, name string) string {
	if raw, ok := result[name]; ok {
		return name + " " + brief(raw)
	}
	return "no " + name
}

// each runs f for every index below n, as many at once as the check allows, and
// stops early when the run is over.
func (c *check) each(ctx context.Context, n int, f func(i int)) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, c.Concurrency) {
		workers.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil || c.over() {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
}

// over reports whether the connection is lost or the run cancelled.
func (c *check) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.result.Err != nil
}
