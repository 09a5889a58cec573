package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
)

// The structs below are the part of SARIF 2.1.0 that a report fills, in the
// order of the standard. A library was weighed and left: the usual one for Go
// brings a second JSON Schema validator into the program for what is a dozen
// structs here.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool         `json:"tool"`
	AutomationDetails sarifAutomation   `json:"automationDetails"`
	Invocations       []sarifInvocation `json:"invocations"`
	Results           []sarifResult     `json:"results"`
	ColumnKind        string            `json:"columnKind"`
	Properties        *sarifProperties  `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string             `json:"id"`
	ShortDescription sarifText          `json:"shortDescription"`
	FullDescription  sarifText          `json:"fullDescription"`
	HelpURI          string             `json:"helpUri,omitempty"`
	Help             sarifText          `json:"help"`
	Default          sarifConfiguration `json:"defaultConfiguration"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

// sarifNotification says why the run is not complete.
type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifProperties struct {
	Server *lint.ServerInfo `json:"server"`
}

const (
	sarifSchema     = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	informationURI  = "https://github.com/skillpack/skillpack"
	defaultManifest = "skills.manifest.json"
)

// writeSARIF writes the report as a SARIF 2.1.0 log of one run, with the rules
// that its findings name and no others.
func writeSARIF(w io.Writer, r *Report, _ Style) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "skillpack", InformationURI: informationURI, Rules: []sarifRule{}}},
		// Code scanning takes what stands before the last slash for the category:
		// the log of one command does not replace that of another.
		AutomationDetails: sarifAutomation{"skillpack/" + r.Command + "/"},
		Invocations:       []sarifInvocation{{ExecutionSuccessful: r.Complete}},
		Results:           make([]sarifResult, len(r.Findings)),
		ColumnKind:        "unicodeCodePoints",
	}
	if r.Reason != "" {
		run.Invocations[0].Notifications = []sarifNotification{{"error", sarifText{Text: sarifMessage(r.Reason)}}}
	}
	if r.Server != nil {
		run.Properties = &sarifProperties{r.Server}
	}
	indexes, seen := map[string]int{}, map[string]int{}
	for i, f := range r.Findings {
		at, ok := indexes[f.Rule]
		if !ok {
			at = len(indexes)
			indexes[f.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f.Rule))
		}
		id := fingerprint(f)
		seen[id]++
		id = fmt.Sprintf("%s:%d", id, seen[id])
		run.Results[i] = sarifResult{
			RuleID: f.Rule, RuleIndex: at, Level: f.Severity.String(),
			Message:   sarifText{Text: sarifMessage(f.Message)},
			Locations: []sarifLocation{r.sarifLocation(f)},
			// The second is the only one that code scanning compares. It would
			// compute it from the line of the file, which is one and the same for
			// everything shown at the manifest.
			Fingerprints: map[string]string{"skillpack/v1": id, "primaryLocationLineHash": id},
		}
	}
	return writeIndented(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// fingerprint identifies a finding by what stays when lines move and messages
// are reworded. Findings that have it in common are numbered in their order.
func fingerprint(f lint.Finding) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, f.URI, f.Skill}, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

func sarifRuleOf(id string) sarifRule {
	r, ok := lint.Lookup(id)
	if !ok {
		text := sarifText{Text: id}
		return sarifRule{ID: id, ShortDescription: text, FullDescription: text, Help: text, Default: sarifConfiguration{true, lint.Warning.String()}}
	}
	level := r.Severity
	if level == lint.Off {
		level = lint.Warning
	}
	return sarifRule{
		ID:               r.ID,
		ShortDescription: sarifText{title(strings.ReplaceAll(r.Breaks, "`", "")) + ".", title(r.Breaks) + "."},
		FullDescription:  sarifText{Text: r.Why},
		HelpURI:          r.Spec,
		Help: sarifText{r.Fix, fmt.Sprintf("%s\n\nBad:\n\n```text\n%s\n```\n\nGood:\n\n```text\n%s\n```\n\n[The rule rests on this](%s).\n",
			r.Fix, r.Bad, r.Good, r.Spec)},
		Default: sarifConfiguration{r.Severity != lint.Off, level.String()},
	}
}

// sarifLocation places a finding. Code scanning refuses a whole log for one
// result without a file, and for a URI that is no file's. So a served thing is
// shown at the file it was built from or at the manifest, whichever of the
// repository says what it should be, and its own URI is the logical location.
func (r *Report) sarifLocation(f lint.Finding) sarifLocation {
	path := cmp.Or(f.Path, r.source(f), r.Manifest, defaultManifest)
	// A region is required as well; the first line stands for the whole file.
	l := sarifLocation{Physical: sarifPhysical{sarifArtifact{artifactURI(path)}, sarifRegion{StartLine: 1}}}
	if f.Path != "" && f.Line > 0 {
		l.Physical.Region = sarifRegion{f.Line, f.Column}
	}
	if f.URI != "" {
		l.Logical = []sarifLogical{{f.URI, "resource"}}
	}
	return l
}

// artifactURI writes a path as a URI reference: relative, or of the scheme file
// when the path is absolute.
func artifactURI(path string) string {
	drive := len(path) > 2 && path[1] == ':' && path[2] == '/'
	if drive || strings.HasPrefix(path, "/") {
		return "file:///" + escapePath(strings.TrimPrefix(path, "/"))
	}
	// A colon in the first segment would make it a scheme.
	return strings.ReplaceAll(escapePath(path), ":", "%3A")
}

func escapePath(path string) string {
	segments := slices.Collect(strings.SplitSeq(path, "/"))
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// sarifMessage makes a plain text message of a text: in SARIF, braces stand
// around the number of an argument (3.11.5), and brackets before parentheses
// are a link (3.11.6).
func sarifMessage(s string) string {
	return strings.NewReplacer("{", "{{", "}", "}}", "](", "] (").Replace(message.Plain(s))
}
