package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Cases []*junitCase `xml:"testcase"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Class     string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitOutcome `xml:"failure"`
	Error     *junitOutcome `xml:"error"`
	Skipped   *junitOutcome `xml:"skipped"`
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes the report as JUnit XML: a suite a skill (or a path or URI
// that belongs to none), a test a place and rule in it, and a test a file that
// was verified. A test fails when its finding counts as an error, so the XML is
// red exactly when the exit status is not 0; a warning is the output of a test
// that passes.
func writeJUnit(w io.Writer, r *Report, _ Style) error {
	whole := "skillpack " + r.Command
	all := &junitSuites{Name: whole}
	suites := map[string]*junitSuite{}
	add := func(suite string, c *junitCase) {
		suite = message.Plain(suite)
		s, ok := suites[suite]
		if !ok {
			s = &junitSuite{Name: suite}
			suites[suite] = s
			all.Suites = append(all.Suites, s)
		}
		c.Class = suite
		s.Cases = append(s.Cases, c)
	}
	for _, g := range groupFindings(r.Findings) {
		f := g[0]
		add(cmp.Or(f.Skill, f.Path, f.URI, whole), r.junitFinding(g))
	}
	for _, v := range r.Verification {
		add("verification", r.junitVerification(v))
	}
	if !r.Complete {
		add(whole, &junitCase{Name: "complete", Error: &junitOutcome{Message: cmp.Or(message.Plain(r.Reason), "the run could not be completed: there may be more to find")}})
	} else if len(r.Findings) == 0 {
		add(whole, &junitCase{Name: "no findings", SystemOut: r.Closing()})
	}
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			s.count(c)
			all.count(c)
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

func (n *junitCounts) count(c *junitCase) {
	n.Tests++
	switch {
	case c.Failure != nil:
		n.Failures++
	case c.Error != nil:
		n.Errors++
	case c.Skipped != nil:
		n.Skipped++
	}
}

// groupFindings brings together the findings that are one test: readers of
// JUnit take two tests of one name for two runs of it, and show one failure a
// test. Within a report all findings of a rule have one severity.
func groupFindings(findings []lint.Finding) [][]lint.Finding {
	type key struct{ rule, skill, path, uri string }
	at := map[key]int{}
	var groups [][]lint.Finding
	for _, f := range findings {
		k := key{f.Rule, f.Skill, f.Path, f.URI}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// junitFinding is the test of findings of one rule at one place.
func (r *Report) junitFinding(group []lint.Finding) *junitCase {
	f := group[0]
	c := &junitCase{Name: f.Rule, File: message.Plain(f.Path), Line: f.Line}
	if place := cmp.Or(f.Path, f.URI); place != "" {
		c.Name = message.Plain(place) + ": " + f.Rule
	}
	var lines []string
	for _, f := range group {
		line := fmt.Sprintf("%s: %s [%s]", f.Severity, message.Plain(f.Message), f.Rule)
		if place := f.Place(); place != "" {
			line = message.Plain(place) + ": " + line
		}
		lines = append(lines, line)
	}
	if f.Help != "" {
		lines = append(lines, message.Plain(f.Help))
	}
	text := strings.Join(lines, "\n")
	if f.Severity < lint.Error && !r.Strict {
		c.SystemOut = text
		return c
	}
	first := message.Plain(f.Message)
	if more := len(group) - 1; more > 0 {
		first += fmt.Sprintf(" (and %s more)", message.Number(more))
	}
	c.Failure = &junitOutcome{Message: first, Type: f.Rule, Text: text}
	return c
}

// junitVerification is the test of one verified file. Its rules decide whether
// wrong bytes fail the run, so they fail no test of a run that is OK.
func (r *Report) junitVerification(v lint.Verification) *junitCase {
	c := &junitCase{Name: message.Plain(v.URI)}
	text := message.Plain(detailOf(v))
	outcome := &junitOutcome{Message: text, Type: string(v.Status)}
	switch {
	case v.Status == lint.Verified:
	case v.Status == lint.Skipped || v.Status == lint.Unverifiable:
		outcome.Message, outcome.Type = strings.TrimSuffix(string(v.Status)+": "+text, ": "), ""
		c.Skipped = outcome
	case r.OK():
		c.SystemOut = string(v.Status) + ": " + text
	case v.Status == lint.Failed:
		c.Error = outcome
	default:
		c.Failure = outcome
	}
	return c
}

// detailOf says what differs, or why there is nothing to say.
func detailOf(v lint.Verification) string {
	var parts []string
	if v.Expected != "" || v.Actual != "" {
		parts = append(parts, fmt.Sprintf("expected %s, got %s", v.Expected, v.Actual))
	}
	if v.Cause != "" {
		parts = append(parts, v.Cause)
	}
	return strings.Join(parts, ": ")
}
