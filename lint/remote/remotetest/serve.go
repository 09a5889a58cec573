package remotetest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
)

// maxRequest bounds a request, in bytes.
const maxRequest = 4 << 20

// noise is what the faults of stdout print, before the first answer or, late, after
// the handshake.
var noise = map[string]string{
	"stdout-noise":      "Server listening on stdio",
	"stdout-noise.json": `{"level":"info","msg":"listening"}`,
	"stdout-noise.late": "serving skills",
}

// ServeStdio answers newline-delimited JSON-RPC until in ends.
func (s *Server) ServeStdio(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRequest)
	for n := 0; lines.Scan(); n++ {
		for fault, line := range noise {
			if late := fault == "stdout-noise.late"; s.faults[fault] && (n == 0 && !late || n == 2 && late) {
				fmt.Fprintln(out, line)
			}
		}
		if answer := s.Handle(lines.Bytes()); answer != nil {
			if _, err := fmt.Fprintf(out, "%s\n", answer); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// ServeHTTP answers streamable HTTP without sessions: JSON, or a stream of one
// event with the query "sse".
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := s.Handle(body)
	switch {
	case answer == nil:
		w.WriteHeader(http.StatusAccepted)
	case r.URL.Query().Has("sse"):
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	}
}
