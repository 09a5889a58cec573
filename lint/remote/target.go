package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/internal/lazyregexp"
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
	// Secrets are further values that nothing prints: [Target.Expand] adds those
	// it takes from the environment.
	Secrets []string
	// Withheld are the names of variables of this process's environment that the
	// command does not get: those that headers and URLs of other servers are made
	// of. Env can hand one on.
	Withheld []string
	// HeaderSource says where Header is written, for the advice when a server
	// refuses it; empty is the --header flag.
	HeaderSource string
	// Dir is the command's working directory; empty is this process's own.
	Dir string
}

// String names the target without credentials: no user, no query, no header and
// no environment. A URL's path and a command's arguments are shown, but for the
// target's Secrets.
func (t Target) String() string {
	if t.URL == "" {
		return t.masker()(strings.Join(t.Command, " "))
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return "the server's URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	u.Opaque = "" // user:password@host, when the two slashes are forgotten
	return newMasker(t.Secrets)(u.String())
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
	return nil
}

var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Expand replaces each ${VAR} by the environment's value, and adds that value to
// t's Secrets. It returns an error that names the variables that are not set; an
// empty one is as good as unset, since a header with an empty token is never what
// was meant.
func (t *Target) Expand(s string) (string, error) {
	var missing []string
	expanded := variable().ReplaceAllStringFunc(s, func(v string) string {
		name := v[2 : len(v)-1]
		value := os.Getenv(name)
		if value == "" {
			missing = append(missing, name)
		}
		t.Secrets = append(t.Secrets, value)
		t.Secrets = append(t.Secrets, strings.Fields(value)...)
		return value
	})
	if missing != nil {
		return "", fmt.Errorf("the environment variable %s is not set", strings.Join(missing, ", "))
	}
	return expanded, nil
}

// Variables returns the names of the ${VAR} in a text.
func Variables(s string) (names []string) {
	for _, m := range variable().FindAllStringSubmatch(s, -1) {
		names = append(names, m[1])
	}
	return names
}

// AddHeaders reads lines "Name: value", with each ${VAR} of a value expanded. They
// take the place of headers of these names that t has already. An error never
// shows a value.
func (t *Target) AddHeaders(lines []string) error {
	added := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !validHeaderName(name) {
			return errors.New(`a header is written 'Name: value', as in 'Authorization: Bearer ${TOKEN}'`)
		}
		if written, instead := unexpanded(value); written != "" {
			return fmt.Errorf("the header %s holds %s as it stands: write %s", name, written, instead)
		}
		value, err := t.Expand(value)
		if err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return fmt.Errorf("header %s: its value holds a line break or another control character", name)
		}
		if scheme := strings.TrimSpace(value); strings.EqualFold(name, "Authorization") && slices.Contains(schemes, strings.ToLower(scheme)) {
			return fmt.Errorf("the header Authorization holds %s and nothing more: write 'Authorization: %s ${TOKEN}'", scheme, scheme)
		}
		added.Add(name, value)
	}
	if t.Header == nil && len(added) > 0 {
		t.Header = http.Header{}
	}
	for name, values := range added {
		t.Header[name] = values
	}
	return nil
}

// schemes are the usual ones of an Authorization header.
var schemes = []string{"basic", "bearer", "digest", "negotiate", "token", "apikey"}

var (
	braced = lazyregexp.New(`\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?:\}|:?[-=?+]))?`)
	bare   = lazyregexp.New(`(?:^|[^A-Za-z0-9$])(\$([A-Z][A-Z0-9_]+))(?:$|[^A-Za-z0-9_])`)
)

// unexpanded finds what a shell, and nothing here, would replace in a value: a
// variable without braces, or with more than its name in them. It returns "" when
// there is none, and never anything else of the value.
func unexpanded(value string) (written, instead string) {
	rest := variable().ReplaceAllString(value, "")
	if m := braced().FindStringSubmatch(rest); m != nil {
		if m[1] == "" {
			return "${…}", "${NAME}, with a variable's name"
		}
		return "${" + m[1] + "…}", "${" + m[1] + "}"
	}
	if m := bare().FindStringSubmatch(rest); m != nil {
		return m[1], "${" + m[2] + "}"
	}
	return "", ""
}

// HeaderLine writes a header as [Target.AddHeaders] reads it. It returns an error
// for a name that cannot be sent, which the line might hide.
func HeaderLine(name, value string) (string, error) {
	if !validHeaderName(name) {
		return "", fmt.Errorf("header %q: a name holds letters, digits and hyphens", name)
	}
	return name + ": " + value, nil
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
