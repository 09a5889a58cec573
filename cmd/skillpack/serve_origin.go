package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/skillpack/skillpack/internal/message"
)

// ownOrigin refuses what a web page asks for from a host that has a name: a page
// whose name was turned to this address (DNS rebinding) would read the skills in
// its visitors' browsers. An address in digits cannot be turned, and clients that
// are no browsers send no Origin; under which name they reach the server is not
// looked at, since that is its network's business. On a loopback address the SDK
// refuses foreign names by itself, whoever asks.
func ownOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && !addressed(origin) {
			http.Error(w, fmt.Sprintf("a web page of %s may not ask: open it by the server's IP address, or by localhost", message.Plain(origin)), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// addressed reports whether an origin names its host by an IP address, or is on
// this machine.
func addressed(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
