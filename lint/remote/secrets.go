package remote

import (
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// shortest is the length in bytes from which on a value is masked: shorter ones
// are words such as "debug", and masking those would garble everything else.
const shortest = 6

// mask is what stands where a secret was.
const mask = "***"

// masker returns what removes the target's secrets from a text: header values,
// environment values, the user and query of the URL, what [Target.Secrets]
// names, and this process's own variables that are named like a secret. A
// server, or its stderr, may repeat what it was sent.
func (t Target) masker() func(string) string {
	secrets := slices.Concat(t.Secrets, namedSecrets())
	for _, values := range t.Header {
		for _, v := range values {
			secrets = append(secrets, v)
			secrets = append(secrets, strings.Fields(v)...) // the token behind Bearer
		}
	}
	for _, e := range t.Env {
		_, value, _ := strings.Cut(e, "=")
		secrets = append(secrets, value)
	}
	if u, err := url.Parse(t.URL); err == nil {
		secrets = append(secrets, userinfo(u)...)
		secrets = append(secrets, u.RawQuery)
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	return newMasker(secrets)
}

func userinfo(u *url.URL) []string {
	if u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	return []string{u.User.Username(), password, u.User.Username() + ":" + password}
}

// newMasker masks values, each in all its forms, in upper and lower case, and
// where it was cut off.
func newMasker(secrets []string) func(string) string {
	byStart := map[[2]byte][]string{}
	seen := map[string]bool{}
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		for _, form := range forms(s) {
			if form = lower(form); len(form) >= shortest && !seen[form] {
				seen[form] = true
				byStart[[2]byte{form[0], form[1]}] = append(byStart[[2]byte{form[0], form[1]}], form)
			}
		}
	}
	if len(byStart) == 0 {
		return func(s string) string { return s }
	}
	for _, all := range byStart {
		slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // so that no part of one is left
	}
	return func(text string) string {
		low := lower(text)
		var masked strings.Builder
		from := 0
		for i := 0; i+1 < len(low); i++ {
			if n := matching(byStart[[2]byte{low[i], low[i+1]}], low[i:]); n > 0 {
				masked.WriteString(text[from:i])
				masked.WriteString(mask)
				from = i + n
				i = from - 1
			}
		}
		if from == 0 {
			return text
		}
		masked.WriteString(text[from:])
		return masked.String()
	}
}

// matching returns how much of the start of a text is a secret, or the start of
// one that a message's length cut off.
func matching(forms []string, text string) int {
	for _, form := range forms {
		n := 0
		for n < len(form) && n < len(text) && form[n] == text[n] {
			n++
		}
		rest := text[n:]
		if n == len(form) || n >= shortest && (rest == "" || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "...")) {
			return n
		}
	}
	return 0
}

// lower is the text with ASCII letters in lower case, each byte in its place.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// plainVariables are variables of the environment whose values are no secrets,
// and stand in most messages.
var plainVariables = []string{"HOME", "PWD", "OLDPWD", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR", "HOSTNAME", "EDITOR", "PAGER"}

// inherited returns the values of this process's own environment that a child
// may print on stderr and nobody should read: all but paths and the usual words.
func inherited() (values []string) {
	for name, value := range environment() {
		if !slices.Contains(plainVariables, name) {
			values = append(values, value)
		}
	}
	return values
}

// secretNames are what the names of variables that hold secrets have in them.
var secretNames = []string{"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "AUTH", "COOKIE", "DSN", "PAT"}

// namedSecrets returns the values of this process's own environment that are
// secrets by their name, or by the user and password in them. Other values are
// words of everyday, which a report must be able to print.
func namedSecrets() (values []string) {
	for name, value := range environment() {
		words := "_" + strings.ToUpper(name) + "_"
		if slices.ContainsFunc(secretNames, func(n string) bool {
			if len(n) > 3 {
				return strings.Contains(words, n)
			}
			return strings.Contains(words, "_"+n+"_") // PAT is no PATH
		}) {
			values = append(values, value)
		}
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			values = append(values, userinfo(u)...)
		} else if _, rest, ok := strings.Cut(value, "://"); ok {
			if user, _, ok := strings.Cut(rest, "@"); ok {
				_, password, _ := strings.Cut(user, ":")
				values = append(values, user, password)
			}
		}
	}
	return values
}

// environment yields the variables whose value may be a secret.
func environment() func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for _, e := range os.Environ() {
			name, value, _ := strings.Cut(e, "=")
			if !strings.HasPrefix(value, "/") && len(value) >= 8 && !yield(name, value) {
				return
			}
		}
	}
}

// masked removes the secrets from everything a result says.
func (r *Result) masked(mask func(string) string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Message, f.URI, f.Skill = mask(f.Message), mask(f.URI), mask(f.Skill)
	}
	for i := range r.Drift {
		d := &r.Drift[i]
		d.Skill, d.Cause = mask(d.Skill), mask(d.Cause)
		for j := range d.Files {
			if text := d.Files[j].URI.String(); mask(text) != text {
				d.Files[j].URI, _ = manifest.ParseURI(mask(text))
			}
		}
		for j := range d.Frontmatter {
			f := &d.Frontmatter[j]
			f.Field, f.Built, f.Served = mask(f.Field), maskedValue(f.Built, mask), maskedValue(f.Served, mask)
		}
	}
	for i := range r.Verification {
		v := &r.Verification[i]
		v.URI, v.Expected, v.Actual, v.Cause = mask(v.URI), mask(v.Expected), mask(v.Actual), mask(v.Cause)
	}
	r.Incomplete = mask(r.Incomplete)
}

// maskedValue returns a copy of a value without the secrets in its texts.
func maskedValue(v *manifest.Value, mask func(string) string) *manifest.Value {
	if v == nil {
		return nil
	}
	m := *v
	if m.Text = mask(v.Text); m.Text != v.Text {
		m.Kind = manifest.String // a masked number is none
	}
	m.Items = slices.Clone(v.Items)
	for i := range m.Items {
		m.Items[i] = *maskedValue(&v.Items[i], mask)
	}
	m.Members = slices.Clone(v.Members)
	for i := range m.Members {
		m.Members[i].Key, m.Members[i].Value = mask(v.Members[i].Key), *maskedValue(&v.Members[i].Value, mask)
	}
	return &m
}

func maskedInfo(i lint.ServerInfo, mask func(string) string) lint.ServerInfo {
	return lint.ServerInfo{Name: mask(i.Name), Version: mask(i.Version), Protocol: mask(i.Protocol), Target: i.Target}
}
