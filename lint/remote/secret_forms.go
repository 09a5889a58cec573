package remote

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// forms are the spellings of a secret that are masked: those in which servers
// and libraries hand texts on. One that is split, reversed, hashed or encrypted
// is not recognised.
func forms(s string) []string {
	quoted := strconv.Quote(s)
	var percent, unicode strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&percent, "%%%02x", c)
		if strings.IndexByte(`+<>&'"`+"`", c) >= 0 { // as .NET writes JSON
			fmt.Fprintf(&unicode, `\u%04x`, c)
		} else {
			unicode.WriteByte(c)
		}
	}
	segments := strings.Split(s, "/")
	for i, segment := range segments { // as a path of a skill URI
		segments[i] = strings.ReplaceAll(url.QueryEscape(segment), "+", "%20")
	}
	all := []string{s, quoted[1 : len(quoted)-1], url.QueryEscape(s), url.PathEscape(s), strings.Join(segments, "/"), percent.String(), unicode.String(),
		strings.ReplaceAll(s, "/", `\/`), hex.EncodeToString([]byte(s))}
	if text, err := json.Marshal(s); err == nil {
		all = append(all, string(text[1:len(text)-1]))
	}
	// Base64 falls on it in three ways, by what stands before; the characters at
	// its ends also depend on what stands beside it.
	for before := range 3 {
		e := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), s...))
		core := e[(before*8+5)/6 : (before+len(s))*8/6]
		all = append(all, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
	}
	return all
}
