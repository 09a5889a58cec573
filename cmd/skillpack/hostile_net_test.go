//go:build unix

package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func listen(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// tcp is a server below HTTP: f has one connection.
func tcp(t *testing.T, f func(c net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); f(c) }()
		}
	}()
	return "http://" + l.Addr().String()
}

// refusing is the URL of a port that nobody listens on.
func refusing(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// secret puts the canaries that a URL can carry into one.
func secret(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + canaryUser + ":" + canaryPass + "@" + rest + "/mcp?token=" + canaryQuery
}

// reset ends a connection so that the peer sees a reset.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// resetAfter writes that much by hand and resets the connection.
func resetAfter(head string) func(w http.ResponseWriter, r *http.Request, q rpc) {
	return func(w http.ResponseWriter, r *http.Request, q rpc) {
		c, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		buf.WriteString(head)
		buf.Flush()
		reset(c)
	}
}

func tcpServers() []hostile {
	raw := func(f func(c net.Conn)) func(t *testing.T) string {
		return func(t *testing.T) string { return tcp(t, f) }
	}
	return []hostile{
		{name: "nobody listens", URL: refusing, exits: unreached, says: "connection refused"},
		{name: "no such host", URL: func(*testing.T) string { return "http://hostile.invalid" }, exits: unreached, says: "cannot reach http://hostile.invalid/mcp: "},
		{name: "accepts and is silent", URL: raw(func(c net.Conn) { io.Copy(io.Discard, c) }), exits: unreached, says: "took longer than --timeout allows"},
		{name: "accepts and reads nothing", URL: raw(func(c net.Conn) { time.Sleep(10 * time.Second) }), exits: unreached, says: "took longer than --timeout allows"},
		{name: "resets every connection", URL: raw(reset), exits: unreached, says: "cannot reach "},
		{name: "resets after the request", URL: raw(func(c net.Conn) { c.Read(make([]byte, 1)); reset(c) }), exits: unreached, says: "connection reset by peer"},
		{name: "closes its half at once", URL: raw(func(c net.Conn) { c.(*net.TCPConn).CloseWrite(); io.Copy(io.Discard, c) }), exits: unreached, says: "cannot reach "},
		{name: "closes its half after the request", URL: raw(func(c net.Conn) {
			c.Read(make([]byte, 1))
			c.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, c)
		}), exits: unreached, says: "EOF"},
		{name: "speaks SSH", URL: raw(func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\x1b[2J\r\n"); io.Copy(io.Discard, c) }), exits: cut, says: "malformed HTTP response"},
		{name: "sends zeros for ever", URL: raw(func(c net.Conn) { flow(c, string(make([]byte, 1<<16))) }), exits: cut, says: "does not answer as an MCP server: ", rss: 200},
		{name: "resets in a body", http: on("skills/list", resetAfter("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"jsonrpc\":")), exits: cut, says: "is no JSON-RPC response"},
		{name: "resets for every file", http: on("resources/read", resetAfter("")), exits: unreached, says: "connection reset by peer"},
	}
}

// flow writes until the peer has gone.
func flow(c net.Conn, s string) {
	for {
		if _, err := io.WriteString(c, s); err != nil {
			return
		}
	}
}

// authority signs the certificates of the TLS servers. Skillpack trusts it by
// SSL_CERT_FILE, so that each of them has one thing wrong.
var authority = sync.OnceValues(func() (tls.Certificate, error) {
	return certificate(&x509.Certificate{Subject: pkix.Name{CommonName: "hostile"}, IsCA: true, KeyUsage: x509.KeyUsageCertSign}, nil)
})

// certificate makes one; without an issuer it signs itself.
func certificate(c *x509.Certificate, issuer *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	c.SerialNumber, c.BasicConstraintsValid = big.NewInt(time.Now().UnixNano()), true
	if c.NotAfter.IsZero() {
		c.NotBefore, c.NotAfter = time.Now().Add(-48*time.Hour), time.Now().Add(time.Hour)
	}
	parent, signer := c, any(key)
	if issuer != nil {
		parent, signer = issuer.Leaf, issuer.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// trusting makes skillpack trust the authority.
func trusting(t *testing.T) []string {
	ca, err := authority()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"SSL_CERT_FILE=" + path}
}

// proxied makes skillpack use a proxy.
func proxied(address func(t *testing.T) string) func(t *testing.T) []string {
	return func(t *testing.T) []string {
		a := address(t)
		return []string{"HTTP_PROXY=" + a, "HTTPS_PROXY=" + a}
	}
}

// strict is a proxy that wants credentials of its own.
func strict(t *testing.T) string {
	return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Proxy-Authenticate", "Basic")
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
}

func tlsServers() []hostile {
	if runtime.GOOS != "linux" {
		return nil // elsewhere the system's own store decides whom to trust
	}
	ca, err := authority()
	if err != nil {
		panic(err)
	}
	// with is an honest server with a certificate and a configuration.
	with := func(c x509.Certificate, issuer *tls.Certificate, config *tls.Config) func(t *testing.T) string {
		return func(t *testing.T) string {
			cert, err := certificate(&c, issuer)
			if err != nil {
				t.Fatal(err)
			}
			s := httptest.NewUnstartedServer(serve(nothing))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.EnableHTTP2 = true
			s.TLS = config.Clone()
			s.TLS.Certificates = []tls.Certificate{cert}
			s.StartTLS()
			t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
			return s.URL
		}
	}
	here := x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	expired := here
	expired.NotBefore, expired.NotAfter = time.Now().Add(-48*time.Hour), time.Now().Add(-24*time.Hour)
	early := here
	early.NotBefore, early.NotAfter = time.Now().Add(24*time.Hour), time.Now().Add(48*time.Hour)
	https := func(f func(t *testing.T) string) func(t *testing.T) string {
		return func(t *testing.T) string { return strings.Replace(f(t), "http:", "https:", 1) }
	}
	return []hostile{
		{name: "honest over HTTP 2", URL: with(here, &ca, &tls.Config{}), env: trusting, exits: clean},
		{name: "signed by itself", URL: with(here, nil, &tls.Config{}), env: trusting, exits: unreached, says: "certificate signed by unknown authority"},
		{name: "expired", URL: with(expired, &ca, &tls.Config{}), env: trusting, exits: unreached, says: "certificate has expired"},
		{name: "not valid yet", URL: with(early, &ca, &tls.Config{}), env: trusting, exits: unreached, says: "not yet valid"},
		{name: "for another host", URL: with(x509.Certificate{DNSNames: []string{"other.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 2)}}, &ca, &tls.Config{}), env: trusting, exits: unreached, says: "certificate is valid for 127.0.0.2, not 127.0.0.1"},
		{name: "TLS 1.1", URL: with(here, &ca, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}), env: trusting, exits: unreached, says: "protocol version"},
		{name: "wants a client certificate", URL: with(here, &ca, &tls.Config{ClientAuth: tls.RequireAnyClientCert}), env: trusting, exits: unreached, says: "cannot reach https://127.0.0.1"}, // its alert may be lost with the connection
		{name: "speaks HTTP for https", URL: https(func(t *testing.T) string { return listen(t, serve(nothing)) }), exits: unreached, says: "server gave HTTP response to HTTPS client"},
		{name: "speaks HTTPS for http", URL: func(t *testing.T) string {
			return strings.Replace(with(here, &ca, &tls.Config{})(t), "https:", "http:", 1)
		}, exits: cut, says: "HTTP 400"},
		{name: "says nothing in the handshake", URL: https(func(t *testing.T) string { return tcp(t, func(c net.Conn) { io.Copy(io.Discard, c) }) }), exits: unreached, says: "took longer than --timeout allows"},
		{name: "speaks nonsense in the handshake", URL: https(func(t *testing.T) string {
			return tcp(t, func(c net.Conn) { flow(c, strings.Repeat("\x16\x03\x03\xff\xff", 1<<12)) })
		}), exits: unreached, says: "tls: "},
		{name: "closes in the handshake", URL: https(func(t *testing.T) string { return tcp(t, func(c net.Conn) { c.Read(make([]byte, 1)) }) }), exits: unreached, says: "cannot reach "},
	}
}

// tlsRedirect is a server with a good certificate that sends everybody elsewhere.
func tlsRedirect(t *testing.T, where func(host string) string) string {
	ca, err := authority()
	if err != nil {
		t.Fatal(err)
	}
	cert, err := certificate(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}, &ca)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", where(r.Host))
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}
