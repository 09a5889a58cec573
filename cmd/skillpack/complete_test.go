package main

import (
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
)

// completed returns the words that the shells' scripts would offer.
func completed(t *testing.T, line string) []string {
	t.Helper()
	var out, errs strings.Builder
	args := append(append([]string{"skillpack"}, strings.Fields(line)...), completionFlag)
	if status := run(args, &out, &errs); status != exitOK || errs.Len() > 0 {
		t.Fatalf("%s: status %d, stderr %q", line, status, errs.String())
	}
	var words []string
	for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		word, _, _ := strings.Cut(l, ":")
		words = append(words, word)
	}
	return words
}

func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct{ line, want string }{
		{"rules --format", "text json markdown"},
		{"rules amb", "ambiguous-scalar"},
		{"rules ambiguous-scalar", ""},
		{"rules ambiguous-scalar crl", ""},
		{"schema", "config frontmatter manifest report"},
		{"check --rule crl", "crlf"},
		{"check --rule=crl", "--rule=crlf"},
		{"check --rule crlf", ""},
		{"check --rule crlf=off --format", "text json sarif github junit markdown"},
		{"check dir --output", "text json sarif github junit markdown"},
		{"check --form", "--format"},
		{"check --strict", ""},
		{"check dir", ""},
		{"build --embed", "auto files inline"},
		{"build --manifest", ""},
		{"lint --protocol", "auto 2025-11-25 2026-07-28"},
		{"lint --server", ""},
		{"lint --all", "--allow-extra --all-servers"},
		{"lint -m", ""},
		{"lint -- go run", ""},
		{"completion", "bash zsh fish pwsh"},
		{"completion zsh", ""},
		{"ini", "init"},
		{"--vers", "--version"},
	}
	for _, tt := range tests {
		if got := strings.Join(completed(t, tt.line), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
	for _, line := range []string{"rules", "check --rule", "lint --strict --rule"} {
		if got := completed(t, line); len(got) != len(lint.Rules()) {
			t.Errorf("%s: %d words, want %d rules", line, len(got), len(lint.Rules()))
		}
	}
}
