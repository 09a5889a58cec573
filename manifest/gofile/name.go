package gofile

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/skillpack/skillpack/manifest"
)

// initialisms are the words that stand in capitals in an identifier: those that
// Go's own style checkers know, and those that names of skills are full of.
var initialisms = sync.OnceValue(func() map[string]bool {
	const words = `
		acl api ascii cpu css dns eof guid html http https id ip json lhs qps ram
		rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml
		xmpp xsrf xss
		ai aws cd cdn ci cli cms cnn cors crm crud csrf csv db ddd dkim
		docx dom dto ec2 erd erp etl faq fcm gcp gcs gdpr gif gpu grpc gui hipaa
		hr iam ide io ios jpeg jpg js jwt k8s kpi kyc llm mcp mdx ml mvc nda
		nft nfs nlp npm ocr oidc orm os pci pdf php pii png pptx pr prd qa qr rag
		rbac rest roi rss s3 saas sdk seo sla slo smb sms soc sox sre sso svg
		tdd toml ts tsv ux vba vpc vpn waf wasm wcag xlsx yaml`
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
})

// constantNames returns the identifier of each skill's URI, in the order of the
// skills: the words of the skill path, each with a capital, and "URI". It is
// empty for a URI that came before. A skill whose name another one shares gets
// eight digits of a hash of its URI, and so does that other one: whatever is
// added or removed, an identifier never comes to mean another skill.
func constantNames(skills []manifest.Skill) []string {
	names := make([]string, len(skills))
	seen := make(map[manifest.URI]bool, len(skills))
	sharing := make(map[string]int, len(skills))
	for i, s := range skills {
		if seen[s.URI] {
			continue
		}
		seen[s.URI] = true
		names[i] = goWords(s.Path())
		sharing[names[i]]++
	}
	taken := make(map[string]bool, len(skills))
	for i, name := range names {
		if name != "" && sharing[name] == 1 {
			names[i] += "URI"
			taken[names[i]] = true
		}
	}
	for i, name := range names {
		if sharing[name] < 2 || name == "" {
			continue
		}
		hash := fmt.Sprintf("%X", sha256.Sum256([]byte(skills[i].URI.String())))
		digits := 8
		for taken[name+hash[:digits]+"URI"] {
			digits++
		}
		names[i] = name + hash[:digits] + "URI"
		taken[names[i]] = true
	}
	return names
}

// goWords joins the words of a path as an exported identifier does.
func goWords(path string) string {
	var b strings.Builder
	var word []rune
	end := func() {
		b.WriteString(goWord(string(word)))
		word = word[:0]
	}
	for _, r := range path {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		case unicode.IsMark(r) || r == '\'': // part of the word, but of no identifier
		default:
			end()
		}
	}
	end()
	name := b.String()
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) {
		return name
	}
	return "Skill" + name // a digit, a script without capitals, or nothing at all
}

func goWord(word string) string {
	lower := strings.ToLower(word)
	if initialisms()[lower] {
		return strings.ToUpper(word)
	}
	if one, ok := strings.CutSuffix(lower, "s"); ok && initialisms()[one] && len(one) > 2 {
		return strings.ToUpper(one) + "s"
	}
	_, n := utf8.DecodeRuneInString(word)
	return strings.ToUpper(word[:n]) + word[n:]
}
