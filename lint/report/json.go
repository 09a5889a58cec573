package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/skillpack/skillpack/lint"
)

// schemaVersion is that of the JSON report. Keys are only ever added, so it
// stays 1 until one has to go.
const schemaVersion = 1

// jsonReport is the report as schema/report.schema.json has it.
type jsonReport struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Command       string              `json:"command"`
	OK            bool                `json:"ok"`
	Complete      bool                `json:"complete"`
	Reason        string              `json:"reason,omitempty"`
	Summary       lint.Summary        `json:"summary"`
	Exclusions    []lint.Exclusion    `json:"exclusions,omitempty"`
	Findings      []lint.Finding      `json:"findings"`
	Ignored       []lint.Ignored      `json:"ignored,omitempty"`
	Server        *lint.ServerInfo    `json:"server,omitempty"`
	Drift         []lint.SkillDrift   `json:"drift,omitzero"`
	Verification  []lint.Verification `json:"verification,omitzero"`
}

// writeJSON writes the report as one JSON object with two-space indent and a
// final newline.
func writeJSON(w io.Writer, r *Report, _ Style) error {
	findings := r.Findings
	if findings == nil {
		findings = []lint.Finding{}
	}
	return writeIndented(w, jsonReport{
		SchemaVersion: schemaVersion, Command: r.Command, OK: r.OK(), Complete: r.Complete, Reason: r.Reason,
		Summary: r.Summary, Exclusions: r.Exclusions, Findings: findings, Ignored: r.ignored(),
		Server: r.Server, Drift: r.Drift, Verification: r.Verification,
	})
}

// writeIndented writes a value as JSON that is safe to print.
func writeIndented(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeUnprintable(b.Bytes()))
	return err
}

// escapeUnprintable writes as escapes what JSON allows raw in a string but a
// terminal acts on or does not show: DEL, the C1 controls, marks of direction.
// The values stay the same.
func escapeUnprintable(text []byte) []byte {
	bad := func(r rune) bool {
		return r == 0x7F || r >= utf8.RuneSelf && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
	}
	if bytes.IndexFunc(text, bad) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		switch {
		case !bad(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
