package remote

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

func TestMaskedForms(t *testing.T) {
	const secret = `s3cret/Va+lue "é&x`
	mask := Target{Header: http.Header{"Authorization": {"Bearer " + secret}}, Secrets: []string{secret}}.masker()
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{
		"as it is":                secret,
		"in capitals":             strings.ToUpper(secret),
		"with its scheme":         "Bearer " + secret,
		"in a query":              url.QueryEscape(secret),
		"in a path":               url.PathEscape(secret),
		"in a URI, lower case":    strings.ToLower(manifest.NewURI(secret).String()),
		"in JSON":                 string(quoted),
		"in Go":                   fmt.Sprintf("%q", secret),
		"in JSON as PHP":          strings.ReplaceAll(secret[:10], "/", `\/`),
		"in JSON as .NET":         strings.NewReplacer("+", `\u002B`, `"`, `\u0022`, "&", `\u0026`).Replace(secret),
		"hexadecimal":             hex.EncodeToString([]byte(secret)),
		"base64":                  base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 behind one byte":  base64.StdEncoding.EncodeToString([]byte("x" + secret + "yz")),
		"base64 behind two bytes": base64.URLEncoding.EncodeToString([]byte("xy" + secret + "z")),
		"cut off":                 secret[:9] + "…",
		"cut off at the end":      secret[:9],
	} {
		got := mask("<" + form)
		if !strings.Contains(got, "***") || len(strings.ReplaceAll(got, "***", "")) > len(`<"skill://""==..…`) {
			t.Errorf("%s: %q became %q", name, form, got)
		}
	}
	for _, plain := range []string{"", "s", "s3cre", "s3cret is another word", "nothing of it"} {
		if got := mask(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
}

// TestMaskedLength holds that six bytes are a secret, and five a word.
func TestMaskedLength(t *testing.T) {
	for secret, want := range map[string]string{"debug": "debug", "s3cret": "***"} {
		if got := (Target{Env: []string{"KEY=" + secret}}).masker()(secret); got != want {
			t.Errorf("%s is shown as %s, want %s", secret, got, want)
		}
	}
}

// TestMaskedResult fills every text of a result with a secret and holds that none
// is left: a field that is added later is masked as well, or this fails.
func TestMaskedResult(t *testing.T) {
	const secret = "s3cret-value"
	r := Result{Findings: []lint.Finding{{}}, Drift: []lint.SkillDrift{{}}, Verification: []lint.Verification{{}}}
	fill(reflect.ValueOf(&r).Elem(), secret)
	for i := range r.Findings {
		r.Findings[i].Path, r.Findings[i].Rule, r.Findings[i].Help = "", "", "" // ours, not a server's
	}
	r.Drift[0].Files[0].URI = manifest.NewURI("a/" + secret)
	r.masked(Target{Secrets: []string{secret}}.masker())
	r.Drift[0].Status, r.Drift[0].Files[0].Status, r.Verification[0].Status = "", "", "" // words of ours
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "***") || strings.Contains(string(text), secret) {
		t.Errorf("a secret is left in %s", text)
	}
	info := maskedInfo(lint.ServerInfo{Name: secret, Version: secret, Protocol: secret}, Target{Secrets: []string{secret}}.masker())
	if strings.Contains(fmt.Sprint(info), secret) {
		t.Errorf("a secret is left in %+v", info)
	}
}

// fill sets every text below v, with one item in each list.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[manifest.URI]() || v.Type() == reflect.TypeFor[manifest.Digest]() {
			return
		}
		if v.Type() == reflect.TypeFor[manifest.Value]() {
			inner := manifest.Value{Kind: manifest.Number, Text: text}
			v.Set(reflect.ValueOf(manifest.Value{Kind: manifest.Object, Members: []manifest.Member{{Key: text, Value: manifest.Value{Kind: manifest.Array, Items: []manifest.Value{inner}}}}}))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	}
}

func TestEnvironmentSecrets(t *testing.T) {
	for name, value := range map[string]string{
		"A_TOKEN": "canary-token", "DB_PASSWORD": "canary-password", "SERVICE_URL": "postgres://canary-user:canary-pass@host/db",
		"SKILL": "pdf-processing", "REPOSITORY": "acme/skills", "PATTERN": "canary-model", "MY_PAT": "canary-pat",
	} {
		t.Setenv(name, value)
	}
	mask := Target{}.masker()
	text := "canary-token canary-password canary-user canary-pass canary-pat pdf-processing acme/skills canary-model"
	if got, want := mask(text), "*** *** *** *** *** pdf-processing acme/skills canary-model"; got != want {
		t.Errorf("masked %q, want %q", got, want)
	}
}

// TestLastWords holds that a secret which the cut of a child's last words would
// halve is masked whole.
func TestLastWords(t *testing.T) {
	const secret = "s3cret-value-of-some-length"
	mask := newMasker([]string{secret})
	for shift := range len(secret) {
		var w tail
		w.Write([]byte(strings.Repeat("x", 3*keptBytes) + secret + strings.Repeat("y", tailBytes-shift)))
		if got := w.last(mask); strings.Contains(got, secret[len(secret)-6:]) || len(got) > tailBytes || !strings.HasSuffix(got, "yyy") {
			t.Errorf("cut %d bytes before the end of the secret: %.40q…", shift, got)
		}
	}
}
