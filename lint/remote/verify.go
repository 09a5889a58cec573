package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/manifest/frontmatter"
)

// verify reads the files that the entries list and holds each against its
// entry, a skill's SKILL.md before the rest.
func (c *check) verify(ctx context.Context) {
	total := 0
	entries := make([]Entry, len(c.entries))
	for i, e := range c.entries {
		// What is listed twice is reported, and read once.
		e.Resources = unique(e.Resources)
		entries[i] = e
		total += max(1, len(e.Resources))
	}
	v := &verification{check: c, total: total}
	results := make([][]lint.Verification, len(entries))
	// First every SKILL.md, then all other files: both as wide as the check
	// allows, whatever the shape of the skills.
	type file struct{ skill, resource int }
	var rest []file
	passed := make([]bool, len(entries))
	for i, e := range entries {
		results[i] = make([]lint.Verification, max(1, len(e.Resources)))
		for j := range results[i] {
			results[i][j] = lint.Verification{URI: e.Served, Status: lint.Skipped, Cause: "the run ended before"}
			if j < len(e.Resources) {
				results[i][j].URI = e.spelling(e.Resources[j].URI)
			}
		}
	}
	c.each(ctx, len(entries), func(i int) {
		e := entries[i]
		at, out := skillFile(e)
		results[i][at], passed[i] = v.skillFile(ctx, e, out)
		v.step()
	})
	for i, e := range entries {
		self, _ := skillFile(e)
		if e.Dynamic {
			c.report(lint.New("not-verified", "the files of skill %s are not verified: it is served as \"dynamic\", without digests", shorten(e.Path())).Served(e.Served).Of(e.Path()))
			continue
		}
		if c.over() {
			continue // what is not read says so
		}
		if !passed[i] && !c.KeepGoing {
			if others := len(e.Resources) - 1; others > 0 {
				c.report(lint.New("not-verified", "the other files of the skill, %d, are not read: its SKILL.md failed, and a host reads no further; --keep-going does", others).Served(e.Served).Of(e.Path()))
			}
			for j := range results[i] {
				if j != self {
					results[i][j].Cause = "SKILL.md failed"
					v.step()
				}
			}
			continue
		}
		for j := range e.Resources {
			if j != self {
				rest = append(rest, file{i, j})
			}
		}
	}
	c.each(ctx, len(rest), func(k int) {
		f := rest[k]
		e := entries[f.skill]
		results[f.skill][f.resource], _ = v.file(ctx, e, e.Resources[f.resource])
		v.step()
	})
	for _, r := range results {
		c.result.Verification = append(c.result.Verification, r...)
	}
}

// unique returns the resources without those that are listed before, with the
// same digest and size.
func unique(all []manifest.Resource) []manifest.Resource {
	seen := make(map[manifest.Resource]bool, len(all))
	once := make([]manifest.Resource, 0, len(all))
	for _, r := range all {
		if !seen[r] {
			seen[r] = true
			once = append(once, r)
		}
	}
	return once
}

// skillFile returns the index of an entry's own SKILL.md among its results, and
// what the entry declares of it, nil when it declares nothing.
func skillFile(e Entry) (int, *manifest.Resource) {
	for i := range e.Resources {
		if e.Resources[i].URI == e.URI {
			return i, &e.Resources[i]
		}
	}
	return 0, nil
}

// verification is the reading of one run.
type verification struct {
	*check
	total, done int
}

func (v *verification) step() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done++
	v.Progress(v.done, v.total)
}

// skillFile verifies a skill's SKILL.md, its frontmatter included, and reports
// whether a host would go on.
func (v *verification) skillFile(ctx context.Context, e Entry, declared *manifest.Resource) (lint.Verification, bool) {
	uri := e.spelling(e.URI)
	out := lint.Verification{URI: uri, Status: lint.Unverifiable}
	if e.URI.IsZero() {
		out.Cause = "the entry has no valid URI"
		return out, false
	}
	size := int64(manifest.MaxBytes)
	if declared != nil {
		size = readLimit(*declared)
	}
	b, failed := v.fetch(ctx, e, uri, size, true, &out)
	if failed {
		return out, false
	}
	if declared == nil {
		out.Status, out.Cause = lint.Unverifiable, "the entry declares no digest and size for it"
		if e.Dynamic {
			out.Cause = "dynamic: the entry declares no digests"
			if len(b) > manifest.MaxBytes {
				out.Status, out.Expected, out.Actual = lint.Failed, fmt.Sprintf("at most %d bytes", manifest.MaxBytes), fmt.Sprint(len(b))
				v.report(lint.New("size-limit-exceeded", "the dynamic skill's SKILL.md alone has %d bytes: a host stops at %d", len(b), manifest.MaxBytes).Served(uri).Of(e.Path()))
			}
		}
	} else if !v.compare(e, *declared, uri, b, &out) {
		return out, false
	}
	return out, v.frontmatter(e, uri, b, &out)
}

// file verifies any other file.
func (v *verification) file(ctx context.Context, e Entry, declared manifest.Resource) (lint.Verification, bool) {
	uri := e.spelling(declared.URI)
	out := lint.Verification{URI: uri}
	b, failed := v.fetch(ctx, e, uri, readLimit(declared), false, &out)
	if failed {
		return out, false
	}
	return out, v.compare(e, declared, uri, b, &out)
}

// fetch reads one resource and reports what is wrong with the answer's form.
func (v *verification) fetch(ctx context.Context, e Entry, uri string, size int64, skillFile bool, out *lint.Verification) (b []byte, failed bool) {
	fail := func(rule, format string, args ...any) ([]byte, bool) {
		f := lint.New(rule, format, args...)
		out.Status, out.Cause = lint.Failed, f.Message
		v.report(f.Served(uri).Of(e.Path()))
		return nil, true
	}
	contents, err := v.session.readContents(ctx, uri, size)
	var failure *Failure
	switch {
	case ctx.Err() != nil:
		out.Status, out.Cause = lint.Skipped, "the run ended before"
		return nil, true
	case errors.As(err, &failure):
		v.incomplete("some files could not be read", err)
		if failure.Kind == Unusable {
			return fail("read-failed", "the file cannot be read: %v", err)
		}
		out.Status, out.Cause = lint.Failed, "no answer: "+failure.Reason
		return nil, true
	case errors.Is(err, errTooLarge):
		return fail("read-failed", "the answer is far longer than the %d bytes that the listing declares: it is not read to its end", size)
	case err != nil:
		return fail("read-failed", "the file is listed but cannot be read: %v%s", err, spellingHint(uri))
	case len(contents) == 0:
		return fail("read-failed", "the file is listed, and reading it gives no content: serve exactly one item with a text or a blob")
	}
	u, _ := manifest.ParseURI(uri)
	c, ok := find(contents, uri)
	if !ok {
		return fail("read-wrong-content", "reading %s gives content of %s: serve one item with the requested URI", shorten(uri), shorten(contents[0].URI))
	}
	v.judgeKind(e, u, uri, c.MIMEType)
	if b, err = c.bytes(); err != nil {
		return fail("read-failed", "the file cannot be read: %v", err)
	}
	if f := judgeContents(contents, uri, b); f != nil {
		if f.Severity == lint.Error {
			return fail(f.Rule, "%s", f.Message)
		}
		v.report(f.Served(uri).Of(e.Path()))
	}
	if skillFile {
		v.judgeAgain(e, b)
	}
	if skillFile && c.Text == nil && utf8.Valid(b) {
		v.report(lint.New("read-not-text", "SKILL.md is served as a blob though it is valid UTF-8: hosts expect a text").Served(uri).Of(e.Path()))
	}
	return b, false
}

// spellingHint explains a failure that a server has only with some spellings.
func spellingHint(uri string) string {
	u, err := manifest.ParseURI(uri)
	if err == nil && (u.String() != uri || strings.Contains(uri, "%")) {
		return "; the name holds characters that servers spell differently: rename the file to A-Z a-z 0-9 . _ ~ -"
	}
	return ""
}

// readLimit returns how many bytes a file may have.
func readLimit(declared manifest.Resource) int64 {
	if declared.Size == manifest.NoSize {
		return manifest.MaxBytes
	}
	return declared.Size
}

// compare holds bytes against size, then digest, and explains a difference.
func (v *verification) compare(e Entry, declared manifest.Resource, uri string, b []byte, out *lint.Verification) bool {
	rule := ""
	digest := manifest.DigestOf(b)
	if declared.Size == manifest.NoSize {
		v.mu.Lock()
		v.sizes[declared.URI] = int64(len(b))
		v.mu.Unlock()
	}
	undigested := declared.Digest.IsZero() && e.undigested[declared.URI]
	switch {
	case declared.Size != manifest.NoSize && int64(len(b)) != declared.Size:
		rule = "size-mismatch"
		out.Expected, out.Actual = fmt.Sprintf("%d bytes", declared.Size), fmt.Sprintf("%d bytes", len(b))
	case undigested:
		v.judgeReplaced(e, uri, b)
		v.undigested(e, declared, b, out)
		return true
	case digest != declared.Digest:
		rule = "digest-mismatch"
		out.Expected, out.Actual = declared.Digest.String(), digest.String()
	default:
		out.Status = lint.Verified
		v.judgeReplaced(e, uri, b)
		v.explainChange(declared, b)
		return true
	}
	d := v.listedSymlink(declared)
	if d.cause == "" {
		d = diagnose(b, declared, v.builtBytes(declared.URI))
	}
	out.Status, out.Cause = lint.Mismatch, d.String()
	v.addCause(differentRead, uri, d)
	v.report(lint.New(rule, "the served bytes are not the listed ones: listed %s, served %s", out.Expected, out.Actual).Served(uri).Of(e.Path()))
	return false
}

// explainChange says why a file that is served as it is listed is another than
// the built one.
func (v *verification) explainChange(declared manifest.Resource, b []byte) {
	built, ok := v.changed[declared.URI]
	if !ok {
		return
	}
	if d := servedSymlink(b); d.cause != "" {
		v.addCause(changedFiles, declared.URI.String(), d)
		return
	}
	if v.Bytes != nil {
		return // explained from the built bytes
	}
	if d := diagnose(b, built, nil); d.cause != "" {
		v.addCause(changedFiles, declared.URI.String(), d)
	}
}

// builtBytes returns the bytes that were built, or nil.
func (c *check) builtBytes(u manifest.URI) []byte {
	if c.Bytes == nil {
		return nil
	}
	b, err := c.Bytes(u)
	if err != nil {
		return nil
	}
	return b
}

// frontmatter compares a served SKILL.md with its entry, field by field and
// both ways (spec: Frontmatter Verification).
func (v *verification) frontmatter(e Entry, uri string, b []byte, out *lint.Verification) bool {
	doc := frontmatter.Parse(b)
	ok := true
	fail := func(f lint.Finding) {
		ok = false
		out.Status, out.Cause = lint.Mismatch, f.Message
		v.report(f.Served(uri).Of(e.Path()))
	}
	for _, p := range doc.Problems {
		if rule, _ := lint.Lookup(p.Rule); rule.Severity == lint.Error {
			text := p.Message
			if d := servedSymlink(b); d.cause != "" {
				text = d.String()
			}
			fail(lint.New(p.Rule, "line %d, column %d: %s", p.Pos.Line, p.Pos.Column, text))
		}
	}
	if !ok || !e.whole && len(e.Frontmatter) == 0 {
		return ok
	}
	for _, c := range manifest.DiffFields(e.Frontmatter, doc.Frontmatter) {
		out.Expected, out.Actual = fieldText(c.Path, c.Old), fieldText(c.Path, c.New)
		fail(lint.New("frontmatter-mismatch", "the listing has %s, the served SKILL.md has %s%s", out.Expected, out.Actual, readerHint(c)))
	}
	return ok
}

// readerHint explains a difference that comes from another YAML reader.
func readerHint(c manifest.FieldChange) string {
	if c.Old == nil || c.New == nil {
		return ""
	}
	if cause := frontmatter.ExplainReaders(*c.Old, *c.New); cause != "" {
		return ": " + cause
	}
	return ""
}

// fieldText is one side of a field's difference.
func fieldText(path string, v *manifest.Value) string {
	if v == nil {
		return "no field " + shorten(path)
	}
	return shorten(path) + ": " + shorten(v.String())
}
