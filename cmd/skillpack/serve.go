package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/bundle"
	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/lint/report"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/serve"
)

// mcpPath is where the server answers over HTTP; so does the root.
const mcpPath = "/mcp"

// goodbye is how long requests under way may take when the server is told to stop.
const goodbye = 5 * time.Second

// errStopped ends a server that was told to stop, and did.
var errStopped = &exitError{status: exitOK}

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "serve the skills to an MCP client, over stdio or HTTP",
		ArgsUsage: "[DIR | MANIFEST]",
		UsageText: "skillpack serve [flags] [DIR]\nskillpack serve [flags] MANIFEST   (serves what was built; refuses when DIR is no longer that)\n\n" +
			"EXAMPLES:\n   skillpack serve ./skills\n   skillpack serve --http :8080 --watch ./skills",
		Flags: append(append(treeFlags(),
			&cli.StringFlag{Name: "http", Usage: "serve streamable HTTP on `ADDR` instead of stdio; :8080 is 127.0.0.1:8080"},
			&cli.BoolFlag{Name: "watch", Usage: "serve what changes in DIR as soon as it is valid"},
			&cli.BoolFlag{Name: "v", Usage: "print a line on stderr for each request"},
		), reportFlags()...),
		Action: serveAction,
	}
}

func serveAction(ctx context.Context, cmd *cli.Command) error {
	s, c, err := resolve(cmd)
	if err != nil {
		return err
	}
	address := cmd.String("http")
	if cmd.IsSet("http") && address == "" {
		return usageError("--http has an empty value: write an address such as :8080, or leave it out to serve over stdio")
	}
	if address == "" {
		s.report.reports = s.report.notes // stdout is the client's
	}
	committed, err := serveSource(cmd, &s, c)
	if err != nil {
		return err
	}
	if committed != nil && cmd.Bool("watch") {
		return usageError("--watch serves what the skills directory becomes, and a manifest is fixed: name the directory")
	}
	var options []serve.Option
	if cmd.Bool("watch") {
		options = append(options, serve.WithTTL(0)) // what is served may change at any time
	}
	set, err := readServed(ctx, s, committed, options)
	if err != nil {
		return err
	}
	// Port and address are checked before a client is told anything.
	var listener net.Listener
	if address != "" {
		if listener, err = listen(address); err != nil {
			return err
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "skillpack", Version: version()}, nil)
	if err := set.skills.Register(server); err != nil {
		return err
	}
	if cmd.Bool("v") {
		server.AddReceivingMiddleware(logRequests(s.report)) // the last is the outermost: it sees all
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if cmd.Bool("watch") {
		go watch(ctx, s, set, options)
	}
	if listener != nil {
		say := s.report.note
		if _, port, _ := net.SplitHostPort(address); port == "0" {
			say = s.report.say // nothing else tells which port it became
		}
		say("serving %s at http://%s%s", set, listener.Addr(), mcpPath)
		if at, ok := listener.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
			s.report.note("whoever can reach this address can read these skills")
		}
		return serveHTTP(ctx, listener, server)
	}
	s.report.note("serving %s over stdio", set)
	err = server.Run(ctx, &stdio{})
	if ctx.Err() != nil {
		return errStopped
	}
	return err
}

// serveSource finds the skills directory, and reads the manifest where the
// argument names one. Its files lie in the directory that was built: skills of
// the configuration, else the folder skills beside the manifest, else ./skills.
func serveSource(cmd *cli.Command, s *settings, c config.Config) (*manifest.Manifest, error) {
	path := cmd.Args().First()
	if info, err := os.Stat(path); cmd.Args().Len() != 1 || err != nil || info.IsDir() {
		return nil, s.directory(cmd, c)
	}
	m, err := readManifestFile(path, true)
	if err != nil {
		return nil, err
	}
	s.manifest = path
	s.dir = cmp.Or(c.Skills, defaultSkills)
	beside := filepath.Join(filepath.Dir(path), defaultSkills)
	if info, err := os.Stat(beside); c.Skills == "" && err == nil && info.IsDir() {
		s.dir = beside
	}
	s.read.Dir = filepath.Clean(s.dir)
	s.policy.Dir = filepath.ToSlash(s.read.Dir)
	s.read.Own = append(s.read.Own, path)
	if _, err := os.Stat(s.dir); err != nil {
		return nil, usageError("the manifest %s has no files, and the skills directory cannot be read: %v; name it by skills: in %s", path, reason(err), config.File)
	}
	return &m, nil
}

// served is what is served now.
type served struct {
	skills   *serve.Skills
	manifest manifest.Manifest
	summary  lint.Summary
}

// String counts what is served.
func (s *served) String() string {
	return fmt.Sprintf("%s (%s)", message.Counted(s.summary.Skills, "skill"), message.Counted(s.summary.Files, "file"))
}

// readServed reads the directory and prepares what is served. Findings of error
// severity are printed, and the error is [errFindings]. With a manifest, the
// directory must build to just that.
func readServed(ctx context.Context, s settings, committed *manifest.Manifest, options []serve.Option) (*served, error) {
	b, err := bundle.Read(ctx, s.read)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	findings := b.Findings
	r := newTreeReport("serve", b, s.policy, findings)
	if committed != nil {
		stale, drift := lint.Drifts(manifest.Diff(*committed, b.Manifest), lint.SidesOfCheck)
		r = newTreeReport("serve", b, s.policy, append(findings, stale...))
		r.Drift = drift
	}
	if len(r.Findings) > 0 {
		err := s.report.print(r)
		if len(r.Drift) > 0 {
			s.report.note("%s now builds to something else than %s: run skillpack build, or serve with the --prefix, --exclude and --follow-symlinks it was built with", s.dir, s.manifest)
		}
		if err != nil {
			return nil, err
		}
	}
	skills, err := serve.New(b.Manifest, readerOf(b), options...)
	if changed := (*serve.VerifyError)(nil); errors.As(err, &changed) {
		if err := s.report.print(report.New("serve", b.Summary, changed.Findings, s.policy)); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return &served{skills, b.Manifest, b.Summary}, nil
}

// readerOf returns the ReadFile of a directory.
func readerOf(b *bundle.Bundle) func(string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		u, err := manifest.ParseURI(uri)
		if err != nil {
			return nil, err
		}
		f, err := b.Open(u)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(f)
	}
}

// listen opens the address of --http; one without a host is on the loopback.
func listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usageError("--http %q: an address such as :8080 or 127.0.0.1:8080 is expected", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	network := "tcp"
	if ip := net.ParseIP(host); ip != nil && ip.To4() != nil {
		network = "tcp4" // 0.0.0.0 means no more than it says
	}
	l, err := net.Listen(network, net.JoinHostPort(host, port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, usageError("port %s of %s is in use: name another, or :0 for any free one", port, host)
	case err != nil:
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, usageError("cannot listen on %s: %v", address, err)
	}
	return l, nil
}

// serveHTTP answers streamable HTTP until ctx ends, then lets requests under way
// finish.
func serveHTTP(ctx context.Context, l net.Listener, server *mcp.Server) error {
	handler := http.NewCrossOriginProtection().Handler(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		// Both protocol revisions are served without sessions.
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, PropagateRequestCancellation: true}))
	handler = ownOrigin(handler)
	mux := http.NewServeMux()
	mux.Handle(mcpPath, handler)
	mux.Handle("/{$}", handler)
	hs := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- hs.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	if err := hs.Shutdown(limit); err != nil {
		hs.Close() // a client that keeps a request open ends with the process
	}
	return errStopped
}
