package remote

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzParseEntry holds that whatever a server sends as an entry is an entry
// with findings, or one that can be used.
func FuzzParseEntry(f *testing.F) {
	for _, seed := range []string{
		"null", "7", `{}`, `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"A."},"resources":[{"uri":"skill://a/SKILL.md","digest":"sha256:` + strings.Repeat("0", 64) + `","size":1}]}`,
		`{"uri":"skill://a/SKILL.md","frontmatter":null,"resources":"dynamic"}`, `{"a":1,"a":2}`, `{"uri":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // what is no JSON never gets this far
		}
		e := parseEntry(raw)
		if len(e.Findings) == 0 && (e.URI.IsZero() || e.Name() == "") {
			t.Errorf("an entry without faults has no URI or name: %s", raw)
		}
		folders(e, e.URI.Parent())
	})
}

// plainStream is a stream of events as it is passed on: lines ended by a line
// feed, no byte order mark, no comments, a colon in each line, and no blank lines
// but those that end an event.
func plainStream(stream string) string {
	stream = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(stream)
	var out strings.Builder
	inEvent := false
	for i, line := range strings.Split(stream, "\n") {
		last := i == strings.Count(stream, "\n")
		if i == 0 && !last {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		switch {
		case line == "" && inEvent && !last:
			out.WriteString("\n")
			inEvent = false
		case line != "" && line[0] != ':':
			if !strings.Contains(line, ":") {
				line += ":"
			}
			out.WriteString(line + "\n")
			inEvent = true
		}
	}
	return out.String()
}

// FuzzEvents holds that a stream of events passes as its plain form, but for the
// result that is taken, and that whatever is cut ends.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n\n"))
	f.Add([]byte("data: a\r\ndata: b\r\n\r\n: comment\n\nid: 1\n\n"))
	f.Add([]byte("\ufeffdata: a\rdata\r\r: c\r\rid: 1\r\n\n"))
	f.Add([]byte("data:"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		c := &capture{swaps: true}
		out, err := io.ReadAll(newEvents(io.NopCloser(iotest.OneByteReader(bytes.NewReader(stream))), c))
		if err != nil {
			t.Errorf("reading: %v", err)
		}
		if want := plainStream(string(stream)); c.raw() == nil && string(out) != want {
			t.Errorf("nothing was taken, and %q became %q, want %q", stream, out, want)
		}
	})
}

// TestEventsWaitForNothing holds that an event is handed on when it is complete,
// though the byte behind its last carriage return has not come.
func TestEventsWaitForNothing(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "data: a\r\r")
	got := make([]byte, 64)
	n, err := newEvents(r, nil).Read(got)
	if string(got[:n]) != "data: a\n\n" || err != nil {
		t.Errorf("read %q, %v", got[:n], err)
	}
}

func TestCaptureTake(t *testing.T) {
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}`:            `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"x","result":null}`:                 `{"jsonrpc":"2.0","id":"x","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`: "",
		`{"jsonrpc":"2.0","method":"ping","id":1}`:                 "",
		`{"jsonrpc":"1.0","id":1,"result":{}}`:                     "",
		`not JSON`:                                                 "",
	} {
		c := &capture{swaps: true}
		if want == "" {
			want = message
		}
		if got := string(c.take([]byte(message))); got != want {
			t.Errorf("take(%s) = %s, want %s", message, got, want)
		}
	}
}
