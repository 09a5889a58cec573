package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
)

// FuzzCompletion holds that any words typed so far are completed without an
// error, and that each word that is offered continues the last one, or stands
// behind it, and needs no quotes.
func FuzzCompletion(f *testing.F) {
	for _, line := range []string{"", "rules --format", "rules amb", "check --rule=crl", "check --rule crlf=off --format", "lint -- go run", "lint --server ", "--vers", "build --embed=f", "check --output json:x --output", "completion f", "schema \x00", "check -", "check --", "help", "lint -m=x --config /", "init \xff", "--generate-shell-completion x", "diff a b c", "build --config= --embed"} {
		f.Add(line)
	}
	f.Chdir(f.TempDir())
	f.Fuzz(func(t *testing.T, line string) {
		if slices.Contains(strings.Fields(line), "--") {
			return // behind it stand a server's own words
		}
		var out, errs strings.Builder
		words := strings.Split(line, " ")
		status := run(append(append([]string{"skillpack"}, words...), completionFlag), &out, &errs)
		if status != exitOK || errs.Len() > 0 {
			t.Fatalf("%q: status %d, stderr %q", line, status, errs.String())
		}
		for offered := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSuffix(offered, "\n"), ":")
			if word == "" || strings.ContainsAny(word, " \t\"'`$;&|<>*?\\") {
				t.Errorf("%q: offers %q", line, word)
			}
			if last := words[len(words)-1]; strings.HasPrefix(last, "-") && strings.HasPrefix(word, "-") && !strings.HasPrefix(word, last) {
				t.Errorf("%q: offers %q", line, word)
			}
		}
	})
}

// FuzzReportFlags holds that --rule and --output take what they say they take,
// and nothing else, and name it in the error.
func FuzzReportFlags(f *testing.F) {
	for _, text := range []string{"crlf=off", "crlf=Error", "crlf", "=", "crlf=", "frontmatter-unparsable=off", "frontmatter-unparsable=error", "clrf=off", "crlf=off=", "json:x", "json:", ":x", "json:-", "jsn:x", "json:a:b", "text", "\x1b[2J=off\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, name, _ := strings.Cut(text, "=")
		rule, known := lint.Lookup(id)
		good := known && slices.Contains([]string{"off", "warning", "error"}, name)
		got, severity, err := lint.ParseRuleFlag(text)
		if good != (err == nil) || good && (got != id || severity.String() != name) {
			t.Errorf("--rule %q is read as %s=%s, %v", text, got, severity, err)
		}
		if err == nil {
			err = new(lint.Policy).Set(got, severity)
			if (err != nil) != (rule.Required && severity < rule.Severity) {
				t.Errorf("--rule %q: %v", text, err)
			}
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n\r") {
			t.Errorf("--rule %q: the error is %q", text, err)
		}
		format, path, ok := strings.Cut(text, ":")
		_, err = report.FormatNamed(format)
		good = ok && path != "" && err == nil
		outputs, err := reportFiles([]string{text})
		if good != (err == nil) || good && (outputs[0].path != path || outputs[0].format.Name != format) {
			t.Errorf("--output %q is read as %v, %v", text, outputs, err)
		}
	})
}
