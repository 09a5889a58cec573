package remote

import (
	"encoding/base64"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
)

// shortest is the length in bytes from which on a value is masked: shorter ones
// are words such as "debug", and masking those would garble everything else.
const shortest = 6

// mask is what stands where a secret was.
const mask = "***"

// masker returns what removes the target's secrets from a text: header values,
// environment values, the user and query of the URL, and what [Target.Secrets]
// names. A server, or its stderr, may repeat what it was sent.
func (t Target) masker() func(string) string {
	secrets := slices.Clone(t.Secrets)
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
		password, _ := u.User.Password()
		secrets = append(secrets, u.User.Username(), password, u.RawQuery)
		if u.User != nil { // as it goes into the Authorization header
			secrets = append(secrets, base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
		}
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	var pairs []string
	// The longest first, so that no part of one is left.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range slices.Compact(secrets) {
		if len(s) >= shortest {
			pairs = append(pairs, s, mask)
			if escaped := url.QueryEscape(s); escaped != s {
				pairs = append(pairs, escaped, mask)
			}
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

// plainVariables are variables of the environment whose values are no secrets,
// and stand in most messages.
var plainVariables = []string{"HOME", "PWD", "OLDPWD", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR", "HOSTNAME", "EDITOR", "PAGER"}

// inherited returns the values of this process's own environment that a child
// may print and nobody should read: all but paths and the usual words.
func inherited() (values []string) {
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if !slices.Contains(plainVariables, name) && !strings.HasPrefix(value, "/") && len(value) >= 8 {
			values = append(values, value)
		}
	}
	return values
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
	}
	for i := range r.Verification {
		v := &r.Verification[i]
		v.URI, v.Expected, v.Actual, v.Cause = mask(v.URI), mask(v.Expected), mask(v.Actual), mask(v.Cause)
	}
	r.Incomplete = mask(r.Incomplete)
}

func maskedInfo(i lint.ServerInfo, mask func(string) string) lint.ServerInfo {
	return lint.ServerInfo{Name: mask(i.Name), Version: mask(i.Version), Protocol: mask(i.Protocol), Target: i.Target}
}
