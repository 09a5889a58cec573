package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/schema"
)

// colours are the only escape sequences that the text format writes.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzText holds that each finding is one line that ends in its rule, whatever
// it repeats, and that colours change nothing but the colours.
func FuzzText(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, text string) {
		r := hostileReport(text)
		got := write(t, "text", r, Style{})
		assertPlain(t, got)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != len(r.Findings) {
			t.Fatalf("%d lines for %d findings:\n%s", len(lines), len(r.Findings), got)
		}
		for i, line := range lines {
			if end := ": " + message.Plain(r.Findings[i].Message) + " [" + r.Findings[i].Rule + "]"; !strings.HasSuffix(line, end) {
				t.Errorf("%q does not end in %q", line, end)
			}
		}
		if colored := write(t, "text", r, Style{Color: true}); colours.ReplaceAllString(colored, "") != got {
			t.Errorf("without its colours, %q is not %q", colored, got)
		}
		if closing := r.Closing(); strings.Contains(closing, "\n") {
			t.Errorf("the closing line is %q", closing)
		} else {
			assertPlain(t, closing)
		}
	})
}

// FuzzJSON holds that the JSON report is what its schema says, safe to print, and
// reads back as what was reported.
func FuzzJSON(f *testing.F) {
	text, err := schema.Read("report")
	if err != nil {
		f.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		f.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report", doc); err != nil {
		f.Fatal(err)
	}
	s, err := c.Compile("report")
	if err != nil {
		f.Fatal(err)
	}
	fuzzHostile(f, func(t *testing.T, text string) {
		if text == "" {
			return // no finding is without a message
		}
		r := hostileReport(text)
		got := write(t, "json", r, Style{})
		assertPlain(t, got)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(got))
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%v\n%s", err, got)
		}
		var back jsonReport
		if err := json.Unmarshal([]byte(got), &back); err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		if !utf8.ValidString(text) {
			return // which JSON cannot carry
		}
		if len(back.Findings) != len(r.Findings) || back.Server.Name != text || back.Drift[0].Frontmatter[0].Built.Text != text || back.Verification[0].Cause != text {
			t.Errorf("%q reads back as %s", text, got)
		}
		for i, f := range back.Findings {
			if f.Message != text || f.Rule != r.Findings[i].Rule || f.Path != r.Findings[i].Path || f.URI != r.Findings[i].URI {
				t.Errorf("finding %d of %q reads back as %+v", i, text, f)
			}
		}
	})
}
