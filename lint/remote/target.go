package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// Target is a server to connect to: an endpoint or a command.
type Target struct {
	// URL is the endpoint of a server that speaks streamable HTTP.
	URL string
	// Header is sent with every request to the endpoint's own origin, and to no
	// other. Its values are secrets: nothing prints them.
	Header http.Header
	// Command starts a server that speaks over its standard streams.
	Command []string
	// Env is added to the command's environment, as KEY=value. Its values are
	// secrets: nothing prints them.
	Env []string
	// Secrets are further values that nothing prints: what [Expand] put into the
	// URL or the command.
	Secrets []string
	// Dir is the command's working directory; empty is this process's own.
	Dir string
}

// String names the target without credentials: no user, no query, no header and
// no environment. The rest of the URL and the words of a command are shown, but
// for the target's Secrets.
func (t Target) String() string {
	if t.URL == "" {
		return t.masker()(strings.Join(t.Command, " "))
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return "the server's URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return t.masker()(u.String())
}

// validate says what keeps a target from being connected to.
func (t Target) validate() error {
	if t.URL == "" {
		if len(t.Command) == 0 || t.Command[0] == "" {
			return errors.New("no server is named: give a URL, or -- and a command")
		}
		return nil
	}
	u, err := url.Parse(t.URL)
	switch {
	case err != nil:
		return fmt.Errorf("the server's URL cannot be read: write https://HOST/PATH")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%q is no http or https URL", t.String())
	case u.Host == "":
		return fmt.Errorf("%q names no host", t.String())
	}
	for name, values := range t.Header {
		for _, value := range values {
			if err := checkHeader(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Expand replaces each ${VAR} by the environment's value, and returns those
// values too: nothing may print them. It returns an error that names the
// variables that are not set; an empty one is as good as unset, since a header
// with an empty token is never what was meant.
func Expand(s string) (expanded string, secrets []string, err error) {
	var missing []string
	expanded = variable.ReplaceAllStringFunc(s, func(v string) string {
		name := v[2 : len(v)-1]
		value := os.Getenv(name)
		if value == "" {
			missing = append(missing, name)
		} else {
			secrets = append(secrets, value)
		}
		return value
	})
	if missing != nil {
		return "", nil, fmt.Errorf("the environment variable %s is not set", strings.Join(missing, ", "))
	}
	return expanded, secrets, nil
}

// ParseHeader reads a "Name: value" pair and expands ${VAR} in the value. Its
// error never shows the value.
func ParseHeader(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !validHeaderName(name) {
		return "", "", errors.New(`a header is written 'Name: value', as in 'Authorization: Bearer ${TOKEN}'`)
	}
	if value, _, err = Expand(value); err != nil {
		return "", "", fmt.Errorf("header %s: %w", name, err)
	}
	return name, value, checkHeader(name, value)
}

// checkHeader returns an error, which does not show the value, for a header that
// cannot be sent.
func checkHeader(name, value string) error {
	if !validHeaderName(name) {
		return fmt.Errorf("header %q: a name holds letters, digits and hyphens", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }) {
		return fmt.Errorf("header %s: its value holds a line break or another control character", name)
	}
	return nil
}

func validHeaderName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
