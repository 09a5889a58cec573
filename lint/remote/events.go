package remote

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// events passes a stream of server-sent events on, event by event, so that the
// one with the response can be taken. What it passes on is the plainest form of
// the stream (HTML Living Standard, section 9.2.6): each line ended by a line
// feed, no byte order mark, no comment, and a colon in every line. The SDK reads
// no other.
type events struct {
	from    *bufio.Reader
	closer  io.Closer
	capture *capture
	afterCR bool   // a line feed now ends no other line
	begun   bool   // the first line was read
	out     []byte // what is left to hand on
	err     error  // after out
}

// newEvents reads a body; c may be nil.
func newEvents(body io.ReadCloser, c *capture) *events {
	return &events{from: bufio.NewReaderSize(body, 32<<10), closer: body, capture: c}
}

func (e *events) Close() error { return e.closer.Close() }

func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.out, e.err = e.next()
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

// next reads one event, up to the blank line that ends it.
func (e *events) next() (event []byte, err error) {
	var data, other []byte // other is the event without its data
	var name string
	lines := 0
	for {
		line, err := e.line(e.capture.limit() - int64(len(event)))
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err // half an event is none
		}
		if !e.begun {
			line = bytes.TrimPrefix(line, bom)
		}
		e.begun = true
		ends := err != nil || len(line) == 0
		field, value, _ := bytes.Cut(line, []byte(":"))
		if len(field) > 0 { // a comment has none
			from := len(event)
			event = append(append(append(append(event, field...), ':'), value...), '\n')
			switch string(field) {
			case "data":
				if lines > 0 {
					data = append(data, '\n')
				}
				data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
				lines++
			case "event":
				name = string(bytes.TrimSpace(value))
				fallthrough
			default:
				other = append(other, event[from:]...)
			}
		}
		if !ends {
			continue
		}
		// Events of another name are none of the protocol's messages.
		if lines > 0 && e.capture != nil && (name == "" || name == "message") {
			if seen := e.capture.take(data); len(seen) < len(data) {
				event = append(append(append(other, "data: "...), seen...), '\n')
			}
		}
		if err == nil && len(event) > 0 {
			event = append(event, '\n')
		}
		return event, err
	}
}

// line reads a line without its end, of at most so many bytes. It waits for no
// byte behind the end, which a server may not send for long.
func (e *events) line(most int64) (line []byte, err error) {
	for {
		if _, err := e.from.Peek(1); err != nil {
			return line, err
		}
		part, _ := e.from.Peek(e.from.Buffered()) // as much as is there
		if e.afterCR && part[0] == '\n' {
			e.afterCR = false
			e.discard(1)
			continue
		}
		end := bytes.IndexAny(part, "\r\n")
		e.afterCR = end >= 0 && part[end] == '\r'
		if end < 0 {
			line = append(line, part...)
			e.discard(len(part))
		} else {
			line = append(line, part[:end]...)
			e.discard(end + 1)
		}
		if int64(len(line)) > most {
			return nil, errTooLarge
		}
		if end >= 0 {
			return line, nil
		}
	}
}

// discard drops bytes that were peeked at, which cannot fail.
func (e *events) discard(n int) { _, _ = e.from.Discard(n) }

// readLine reads a line with its end, of at most so many bytes.
func readLine(r *bufio.Reader, most int64) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > most {
			return nil, errTooLarge
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
