package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/skillpack/skillpack/manifest"
)

// FuzzParseEntry holds that whatever a server sends as an entry is an entry
// with findings, or one whose every part is what encoding/json sees in it.
func FuzzParseEntry(f *testing.F) {
	digest := "sha256:" + strings.Repeat("0", 64)
	for _, seed := range []string{
		"null", "7", `{}`, `[]`, `{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"A."},"resources":[{"uri":"skill://a/SKILL.md","digest":"` + digest + `","size":1}]}`,
		`{"uri":"skill://a/SKILL.md","frontmatter":null,"resources":"dynamic"}`, `{"a":1,"a":2}`, `{"uri":"\ud800"}`,
		`{"URI":"skill://a/SKILL.md","Frontmatter":{},"resources":[]}`,
		`{"uri":"skill://a%20b/SKILL.md","frontmatter":{"name":"x","metadata":{"v":1.10}},"resources":[{"uri":"skill://a b/SKILL.md","digest":"` + strings.ToUpper(digest) + `","size":-1},{"uri":"skill://a%20b/x/../y","size":1.5e0},null]}`,
		`{"uri":"skill://a/SKILL.md","frontmatter":{"name":"a","description":"A."},"resources":[{"uri":"skill://a/SKILL.md","digest":"` + digest + `","size":1},{"uri":"skill://a/b/c.md","digest":"` + digest + `","size":1e3}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // what is no JSON never gets this far
		}
		e := parseEntry(raw)
		var plain map[string]any
		if json.Unmarshal(raw, &plain) == nil && plain != nil && e.whole {
			if uri, _ := plain["uri"].(string); uri != e.Served && len(uri) < 1000 {
				t.Errorf("the URI of %s is %q", raw, e.Served)
			}
			if front, ok := plain["frontmatter"].(map[string]any); !ok || len(front) != len(e.Frontmatter) {
				t.Errorf("the frontmatter of %s is %s", raw, e.Frontmatter.Value())
			}
			if list, ok := plain["resources"].([]any); ok == e.Dynamic || len(list) < len(e.Resources) {
				t.Errorf("the resources of %s are %v", raw, e.Resources)
			}
		}
		if len(e.Findings) == 0 {
			again, err := json.Marshal(e.Skill)
			if err != nil {
				t.Fatal(err)
			}
			b := parseEntry(again)
			if e.URI.IsZero() || e.Name() == "" || len(b.Findings) > 0 || b.Fingerprint() != e.Fingerprint() || !b.Frontmatter.Value().Equal(e.Frontmatter.Value()) {
				t.Errorf("an entry without faults is written %s: %s", again, raw)
			}
		}
		root := e.URI.Parent()
		all, deep := folders(e, root)
		for uri, folder := range all {
			if _, below := uri.Below(root); !below && uri != root {
				t.Errorf("%s has the folder %s", raw, uri)
			}
			for child := range folder.children {
				if child.Parent() != uri {
					t.Errorf("%s is no child of %s: %s", child, uri, raw)
				}
			}
		}
		for _, r := range e.Resources {
			if _, below := r.URI.Below(root); below && deep == 0 {
				if _, ok := all[r.URI.Parent()].children[r.URI]; !ok {
					t.Errorf("%s is in no folder: %s", r.URI, raw)
				}
			}
		}
	})
}

// inPieces hands out a text in pieces whose sizes repeat a pattern.
type inPieces struct {
	text  []byte
	sizes []byte
	n     int
}

func (r *inPieces) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(r.sizes) > 0 {
		size += int(r.sizes[r.n%len(r.sizes)])
		r.n++
	}
	n := copy(p, r.text[:min(size, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}

// event is one server-sent event.
type event struct{ name, id, retry, data string }

// plainStream is a stream of events as it is passed on: lines ended by a line
// feed, no byte order mark, no comments, a colon in each line, and no blank lines
// but those that end an event.
func plainStream(stream string) string {
	stream = lineEnds.Replace(stream)
	var out strings.Builder
	inEvent := false
	for i, line := range strings.Split(stream, "\n") {
		last := i == strings.Count(stream, "\n")
		switch plain := plainLine(line, i == 0); {
		case plain != "":
			out.WriteString(plain)
			inEvent = true
		case line == "" && inEvent && !last:
			out.WriteString("\n")
			inEvent = false
		}
	}
	return out.String()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// plainLine is a line of a stream as it is passed on, "" for one that is not.
func plainLine(line string, first bool) string {
	if first {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	switch {
	case line == "" || line[0] == ':':
		return ""
	case !strings.Contains(line, ":"):
		line += ":"
	}
	return line + "\n"
}

// eventsOf takes a plain stream apart as clients of the protocol do.
func eventsOf(stream string) []event {
	var all []event
	var e event
	var data []string
	for _, line := range append(strings.Split(stream, "\n"), "") {
		if line == "" {
			if e.data = strings.Join(data, "\n"); e != (event{}) {
				all = append(all, e)
			}
			e, data = event{}, nil
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		switch key {
		case "event":
			e.name = strings.TrimSpace(value)
		case "id":
			e.id = strings.TrimSpace(value)
		case "retry":
			e.retry = strings.TrimSpace(value)
		case "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return all
}

// answerIn returns the result of the response to a request that a message is, by
// the letter of JSON-RPC, or "" for any other message.
func answerIn(message string, id any) string {
	v, err := manifest.ParseValue([]byte(message))
	if err != nil {
		if json.Valid([]byte(message)) {
			return "?" // a key given twice, or no UTF-8
		}
		return ""
	}
	version, _ := v.Get("jsonrpc")
	given, _ := v.Get("id")
	_, isRequest := v.Get("method")
	_, isError := v.Get("error")
	result, ok := v.Get("result")
	var same any
	if json.Unmarshal(given.AppendJSON(nil), &same) != nil || same != id {
		return ""
	}
	if !ok || isRequest || isError || version.Kind != manifest.String || version.Text != "2.0" {
		return ""
	}
	return result.String()
}

const answer = `{"jsonrpc":"2.0","id":1,"result":{"a":["` + "long enough to be replaced" + `"]}}`

// FuzzEvents holds that a stream of events passes as its plain form, but for the
// result that is taken, in whatever pieces it arrives, and within its limit.
func FuzzEvents(f *testing.F) {
	for _, stream := range []string{
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n\n",
		"data: a\r\ndata: b\r\n\r\n: comment\n\nid: 1\n\n", "data:", "data", "retry: 5\nid: 7\ndata: " + answer + "\nevent: message\n\n",
		"event: other\ndata: " + answer + "\n\ndata:" + answer + "\n\n", "data: " + strings.Replace(answer, ",", ",\ndata: ", 1),
		"data: " + strings.Replace(answer, "1", "2", 1) + "\n\ndata: " + answer + "\n\n", "data: " + strings.Replace(answer, "result", "Result", 1) + "\n\n",
		"data: " + strings.Replace(answer, ":1", ":1.0", 1) + "\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1}\n\n", "\r\r\n\ndata: x\n",
		"\ufeffdata: a\rdata\r\r: c\r\rid: 1\r\n\n", "\ufeffdata:" + answer + "\r\r", "data: " + answer + "\nretry: 5",
	} {
		f.Add([]byte(stream), []byte{0}, int64(0))
		f.Add([]byte(stream), []byte{3, 40, 0}, int64(30))
	}
	f.Fuzz(func(t *testing.T, stream, sizes []byte, most int64) {
		read := func(r io.Reader, most int64) (string, string, error) {
			c := &capture{swaps: true, most: most}
			c.setRequest([]byte(`{"id":1,"method":"skills/list"}`))
			out, err := io.ReadAll(newEvents(io.NopCloser(r), c))
			return string(out), string(c.raw()), err
		}
		out, raw, err := read(bytes.NewReader(stream), 0)
		if err != nil {
			t.Fatalf("reading: %v", err)
		}
		if again, rawAgain, err := read(&inPieces{text: stream, sizes: sizes}, 0); again != out || rawAgain != raw || err != nil {
			t.Errorf("%q is %q with the result %s, and in pieces %q with %s, %v", stream, out, raw, again, rawAgain, err)
		}
		plain := plainStream(string(stream))
		if raw == "" && out != plain {
			t.Errorf("nothing was taken, and %q became %q, want %q", stream, out, plain)
		}
		before, after := eventsOf(plain), eventsOf(out)
		if len(before) != len(after) {
			t.Fatalf("%q became %q", stream, out)
		}
		want := ""
		for i, e := range before {
			taken := "" // what may be taken from it: the first answer, in an event of no other name
			if (e.name == "" || e.name == "message") && (want == "" || want == "?") {
				taken = answerIn(e.data, 1.0)
			}
			if want == "" {
				want = taken
			}
			if after[i].name != e.name || after[i].id != e.id || after[i].retry != e.retry || after[i].data != e.data && (taken == "" || answerIn(after[i].data, 1.0) != "{}") {
				t.Errorf("event %q became %q", e, after[i])
			}
		}
		if v, err := manifest.ParseValue([]byte(raw)); want != "?" && (raw != "") != (want != "") || want != "?" && want != "" && (err != nil || v.String() != want) {
			t.Errorf("of %q, %s was taken, want %s", stream, raw, want)
		}
		if most > 0 {
			// Whatever is over the limit ends the stream; what came before it passes.
			limited, _, err := read(bytes.NewReader(stream), most)
			if over := tooLong(string(stream), most); over != (err != nil) || err != nil && !errors.Is(err, errTooLarge) || !strings.HasPrefix(out, limited) {
				t.Errorf("%q, at most %d bytes an event, is %q, %v", stream, most, limited, err)
			}
		}
	})
}

// tooLong reports whether a line or an event of a stream, as it is passed on, has
// more than so many bytes.
func tooLong(stream string, most int64) bool {
	lines := strings.Split(lineEnds.Replace(stream), "\n")
	left := most
	for i, line := range lines {
		if i == len(lines)-1 && line == "" {
			return false // the end
		}
		if int64(len(line)) > left {
			return true
		}
		if line == "" {
			left = most
		}
		left -= int64(len(plainLine(line, i == 0)))
	}
	return false
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

// ended is a body that says how it was closed.
type ended struct {
	io.Reader
	err error
}

func (e ended) Close() error { return e.err }

// TestEventsClose holds that the body is closed, and that its error is handed on.
func TestEventsClose(t *testing.T) {
	want := errors.New("reset by peer")
	if err := newEvents(ended{strings.NewReader("data: a\n\n"), want}, nil).Close(); err != want {
		t.Errorf("closed with %v, want %v", err, want)
	}
}

// FuzzJSONLines holds that of a server's stdout the lines that may be messages
// pass, without the spaces before them, and only they, in whatever pieces they arrive, and that the results that
// calls wait for are taken from them.
func FuzzJSONLines(f *testing.F) {
	for _, output := range []string{
		answer + "\n", "starting\n" + answer + "\n[1]\n", "{\n\n}\n", `{"jsonrpc":"2.0","method":"ping","id":1}` + "\n" + answer + "\n" + answer, "x", "\r\n {}", " \t" + answer + "\n  ", `{"level":"info"}` + "\n" + answer,
		strings.Replace(answer, ":1", ":1e0", 1) + "\n", strings.Replace(answer, "id", "ID", 1) + "\n", `{"id":[1]}` + "\n" + `{"id":null}` + "\n",
	} {
		f.Add([]byte(output), []byte{0})
		f.Add([]byte(output), []byte{5, 0, 90})
	}
	f.Fuzz(func(t *testing.T, output, sizes []byte) {
		read := func(r io.Reader) (string, string, string) {
			c := &capture{swaps: true}
			calls := &calls{byID: map[any]*capture{}}
			calls.add(1.0, c)
			l := &jsonLines{from: bufio.NewReaderSize(r, 16), closer: io.NopCloser(r), other: new(tail), calls: calls}
			out, err := io.ReadAll(l)
			if err != nil {
				t.Fatal(err)
			}
			return string(out), string(c.raw()), l.other.(*tail).last(func(s string) string { return s })
		}
		out, raw, other := read(bytes.NewReader(output))
		if again, rawAgain, otherAgain := read(&inPieces{text: output, sizes: sizes}); again != out || rawAgain != raw || otherAgain != other {
			t.Errorf("%q is read as %q, and in pieces as %q", output, out, again)
		}
		var want []string
		result, dropped := "", ""
		pending, unknown := true, false
		for line := range strings.Lines(string(output)) {
			line = strings.TrimLeft(line, " \t")
			if !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[") || !strings.Contains(line, `"jsonrpc"`) {
				dropped += line
				continue
			}
			line = strings.TrimSuffix(line, "\n") + "\n"
			v, err := manifest.ParseValue([]byte(line))
			unknown = unknown || pending && err != nil && json.Valid([]byte(line)) // a key given twice, or no UTF-8
			if id, _ := v.Get("id"); pending && id.Kind == manifest.Number && id.Equal(manifest.Value{Kind: manifest.Number, Text: "1"}) {
				if _, isRequest := v.Get("method"); !isRequest {
					result, pending = answerIn(line, 1.0), false
				}
			}
			want = append(want, line)
		}
		got := strings.SplitAfter(out, "\n")
		got = got[:len(got)-1]
		if len(got) != len(want) {
			t.Fatalf("%q is read as %q", output, out)
		}
		taken := 0
		for i, line := range got {
			if line == want[i] {
				continue
			}
			if taken++; answerIn(line, 1.0) != "{}" || taken > 1 {
				t.Errorf("line %q became %q", want[i], line)
			}
		}
		if v, err := manifest.ParseValue([]byte(raw)); !unknown && (result != "") != (raw != "") || result != "" && !unknown && (err != nil || v.String() != result) {
			t.Errorf("of %q, %s was taken, want %s", output, raw, result)
		}
		if words := strings.ToValidUTF8(dropped, "\uFFFD"); len(words) <= tailBytes && other != strings.TrimSpace(words) {
			t.Errorf("of %q, the last words are %q", output, other)
		}
	})
}

func TestCaptureTake(t *testing.T) {
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}`:            `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1.0,"result":{"a":[1,2]}}`:          `{"jsonrpc":"2.0","id":1.0,"result":{}}`,
		`{"jsonrpc":"2.0","id":"x","result":null}`:                 "", // of another request
		`{"jsonrpc":"2.0","id":2,"result":{"a":[1,2]}}`:            "",
		`{"jsonrpc":"2.0","id":null,"result":{"a":[1,2]}}`:         "",
		`{"jsonrpc":"2.0","id":[1],"result":{"a":[1,2]}}`:          "",
		`{"jsonrpc":"2.0","ID":1,"result":{"a":[1,2]}}`:            "",
		`{"jsonrpc":"2.0","id":1,"Result":{"a":[1,2]}}`:            "",
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`: "",
		`{"jsonrpc":"2.0","method":"ping","id":1}`:                 "",
		`{"jsonrpc":"1.0","id":1,"result":{}}`:                     "",
		`not JSON`:                                                 "",
	} {
		c := &capture{swaps: true}
		c.setRequest([]byte(`{"jsonrpc":"2.0","id":1,"method":"skills/list"}`))
		if want == "" {
			want = message
		}
		if got := string(c.take([]byte(message))); got != want {
			t.Errorf("take(%s) = %s, want %s", message, got, want)
		}
		if (c.raw() != nil) != (want != message) {
			t.Errorf("of %s, %s was kept", message, c.raw())
		}
	}
}

// A session that is opened asks several things with one capture: the answer to
// the last one counts, and a message that is no request changes nothing.
func TestCaptureOfSeveralRequests(t *testing.T) {
	c := &capture{}
	for id, method := range []string{"server/discover", "initialize"} {
		c.setRequest(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method))
		c.take(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%q}`, id, method))
	}
	c.setRequest([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	c.setRequest([]byte(`{"jsonrpc":"2.0","id":7,"result":{}}`))
	if got := string(c.raw()); got != `"initialize"` {
		t.Errorf("the result is %s", got)
	}
}

// A request of the server's own that has the id of a call does not answer it.
func TestServerRequestIsNoAnswer(t *testing.T) {
	c := &capture{}
	calls := &calls{byID: map[any]*capture{1.0: c}}
	calls.take([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	calls.take([]byte(answer))
	if c.raw() == nil {
		t.Error("the answer behind a request of the same id is lost")
	}
}
