//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func childServers() []hostile {
	const timeout, silent = "took longer than --timeout allows", "does not answer as an MCP server"
	return append([]hostile{
		{name: "honest", stdio: "honest", exits: clean},
		{name: "lines that end in CRLF", stdio: "crlf", exits: clean},
		{name: "spaces before the JSON", stdio: "indented", exits: clean},
		{name: "JSON over several lines", stdio: "pretty", exits: unreached, says: timeout},
		{name: "byte order mark before the JSON", stdio: "bom", exits: unreached, says: timeout},
		{name: "text on the line of the JSON", stdio: "labelled", exits: unreached, says: timeout},
		{name: "NUL bytes between the messages", stdio: "nul", exits: clean, says: "stdout-noise"},
		{name: "junk before the JSON", stdio: "garbage", exits: clean, says: "is no message: \"Starting the server", must: []string{"stdout-noise"}},
		{name: "tells its environment on stdout", stdio: "stdout-env", exits: clean, says: "stdout-noise"},
		{name: "blank lines between the messages", stdio: "spaces", exits: clean, never: []string{"stdout-noise"}},
		{name: "logs on stderr", stdio: "stderr-logs", exits: clean, never: []string{"stdout-noise"}},
		{name: "ignores SIGTERM and the end of stdin", stdio: "stubborn", exits: clean, max: 10 * time.Second},
		{name: "stops itself", stdio: "stops", exits: unreached, says: timeout, max: 12 * time.Second},
		{name: "never answers", stdio: "silent", exits: unreached, says: timeout},
		{name: "never reads", stdio: "deaf", exits: unreached, says: timeout},
		{name: "floods stderr", stdio: "stderr-flood", exits: clean, rss: 200},
		{name: "floods stderr and dies", stdio: "stderr-flood-dies", args: wait(20), exits: unreached, says: "its stderr ends:", max: 23 * time.Second, rss: 200},
		{name: "has hostile text on stderr", stdio: "stderr-evil", exits: unreached, says: "its stderr ends:"},
		{name: "prints an endless line", stdio: "endless-line", exits: unreached, says: timeout, rss: 200},
		{name: "prints an endless line of JSON", stdio: "endless-json", args: wait(20), exits: failed, says: "skillpack: ", max: 20 * time.Second, rss: 500},
		{name: "prints NUL bytes for ever", stdio: "zeros", exits: unreached, says: timeout, rss: 200},
		{name: "prints blank lines for ever", stdio: "blank-lines", exits: unreached, says: timeout, rss: 200},
		{name: "floods notifications", stdio: "notifications", exits: unreached, says: timeout, rss: 300},
		{name: "floods requests and reads nothing", stdio: "requests", exits: unreached, says: timeout, rss: 300},
		{name: "asks back", stdio: "asks", exits: clean},
		{name: "answers with ids of nobody", stdio: "ids", exits: unreached, says: timeout},
		{name: "has a child", stdio: "grandchild", exits: clean},
		{name: "has a child and dies", stdio: "grandchild-dies", exits: unreached, says: "exit status 1"},
		{name: "has a child in a session of its own", stdio: "grandchild-setsid", exits: clean},
		{name: "has a child with an empty environment in a session of its own", stdio: "grandchild-bare", exits: clean},
		{name: "starts a daemon", stdio: "daemon", exits: clean},
		{name: "starts a daemon with an empty environment", stdio: "daemon-bare", exits: clean},
		{name: "kills its own process group", stdio: "kills-group", exits: unreached, says: "signal: killed"},
		{name: "closes stdin", stdio: "closes-stdin", exits: unreached, says: "skillpack: "},
		{name: "closes stdout", stdio: "mute", exits: unreached, says: silent},
		{name: "closes stderr", stdio: "closes-stderr", exits: clean},
		{name: "exits at once", stdio: "exits", exits: unreached, says: "the command ended by itself with exit status 7\n  its stderr ends:\n  | hostile: no licence file\n"},
		{name: "exits with success", stdio: "exits-0", exits: unreached, says: "the command ended by itself with exit status 0, and printed nothing"},
		{name: "dies in a message", stdio: "half", exits: unreached, says: "skillpack: "},
		{name: "is slow", stdio: "slow", exits: clean},
		{name: "no such command", command: []string{"/nonexistent/server"}, exits: unreached, says: "no such file or directory"},
		{name: "no such command, in quotes", command: []string{"no-such-server --stdio"}, exits: unreached, says: "leave out the quotes around a command and its arguments"},
		{name: "answers the older protocol alone, and nothing to the newer", stdio: "old", exits: clean, says: "did not answer protocol 2026-07-28 within 10s; checked with 2025-11-25: name one by --protocol", max: 20 * time.Second},
		{name: "tells its environment on stderr", stdio: "env", exits: unreached, says: "its stderr ends:"},
		{name: "tells its environment in its name and errors", stdio: "env-told", exits: cut, says: "list-failed"},
	}, exiting()...)
}

// exiting are children that exit with 3 in place of their nth answer.
func exiting() (all []hostile) {
	for n := 1; n <= 5; n++ {
		all = append(all, hostile{name: fmt.Sprintf("exits in place of answer %d", n), stdio: fmt.Sprintf("exits-at-%d", n), exits: unreached, says: "exit status 3"})
	}
	return all
}

func signalled() []hostile {
	silent := on("skills/list", func(w http.ResponseWriter, r *http.Request, q rpc) { <-r.Context().Done() })
	const words = "skillpack: interrupted"
	return []hostile{
		{name: "SIGINT", stdio: "stubborn-silent", args: wait(20), kill: syscall.SIGINT, exits: cut, says: words, max: 10 * time.Second},
		{name: "SIGTERM", stdio: "stubborn-silent", args: wait(20), kill: syscall.SIGTERM, exits: cut, says: words, max: 10 * time.Second},
		{name: "SIGHUP", stdio: "silent", args: wait(20), kill: syscall.SIGHUP, exits: cut, says: words, max: 10 * time.Second},
		{name: "SIGINT with a grandchild", stdio: "grandchild-silent", args: wait(20), kill: syscall.SIGINT, exits: cut, says: words, max: 10 * time.Second},
		{name: "SIGINT over HTTP", http: silent, args: wait(20), kill: syscall.SIGINT, exits: cut, says: words, max: 5 * time.Second},
		{name: "SIGTERM from the child", stdio: "kills-parent", args: wait(20), exits: cut, says: words, max: 10 * time.Second},
	}
}

// init makes this test binary the child of its own tests.
func init() {
	if len(os.Args) == 4 && os.Args[1] == "hostile-child" {
		childMain(os.Args[2], os.Args[3])
		os.Exit(0)
	}
}

// held is never closed: the lock on it ends with this process.
var held *os.File

func hold(dir, name string) {
	f, err := os.Create(filepath.Join(dir, "lock-"+name))
	if err != nil {
		panic(err)
	}
	fmt.Fprint(f, os.Getpid())
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		panic(err)
	}
	held = f
}

// sleep ends by itself, so that a failed test leaves nothing behind for long.
func sleep() {
	time.Sleep(60 * time.Second)
	os.Exit(9)
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
}

func flood(f *os.File, s string, total int) {
	for n := 0; n < total; n += len(s) {
		if _, err := f.WriteString(s); err != nil {
			return
		}
	}
}

// grandchild starts a process that ignores every signal it can.
func grandchild(dir string, attr *syscall.SysProcAttr, env ...string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(self, "hostile-child", "sleeper", dir)
	c.Stdout, c.Stderr, c.SysProcAttr, c.Env = os.Stdout, os.Stderr, attr, env
	if err := c.Start(); err != nil {
		panic(err)
	}
	for {
		if b, err := os.ReadFile(filepath.Join(dir, "lock-sleeper")); err == nil && len(b) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
}

func childMain(mode, dir string) {
	hold(dir, mode)
	const lots = 1 << 40
	switch mode {
	case "sleeper", "stubborn-silent":
		stubborn()
		sleep()
	case "stubborn":
		stubborn()
	case "stops":
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "silent":
		io.Copy(io.Discard, os.Stdin)
		sleep()
	case "deaf":
		sleep()
	case "stderr-flood":
		flood(os.Stderr, strings.Repeat("e", 1<<16), 100<<20)
		go flood(os.Stderr, strings.Repeat("line\n", 1<<12), lots)
	case "stderr-flood-dies":
		flood(os.Stderr, strings.Repeat("e", 1<<16), 100<<20)
		os.Exit(1)
	case "stderr-evil":
		os.Stderr.WriteString(evil + "\n" + evil + "\xff\xfe")
		os.Exit(1)
	case "garbage":
		os.Stdout.WriteString("Starting the server\x1b[2J\n{\"level\":\"info\"}\n[]\n")
	case "stdout-env":
		os.Stdout.WriteString("token " + os.Getenv("HOSTILE_TOKEN") + "\n")
	case "stderr-logs":
		os.Stderr.WriteString("Starting the server\n{\"level\":\"info\"}\n")
	case "endless-line":
		flood(os.Stdout, strings.Repeat("a", 1<<16), lots)
	case "blank-lines":
		flood(os.Stdout, strings.Repeat("\n", 1<<16), lots)
	case "notifications":
		flood(os.Stdout, strings.Repeat("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}\n", 100), lots)
	case "requests":
		flood(os.Stdout, strings.Repeat("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}\n", 100), lots)
	case "grandchild":
		grandchild(dir, nil)
	case "grandchild-setsid":
		grandchild(dir, &syscall.SysProcAttr{Setsid: true})
	case "grandchild-bare":
		grandchild(dir, &syscall.SysProcAttr{Setsid: true}, "A=b")
	case "daemon", "daemon-bare":
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		c := exec.Command(self, "hostile-child", mode+"-parent", dir)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := c.Run(); err != nil {
			panic(err)
		}
	case "daemon-parent":
		grandchild(dir, &syscall.SysProcAttr{Setsid: true})
		os.Exit(0)
	case "daemon-bare-parent":
		grandchild(dir, &syscall.SysProcAttr{Setsid: true}, "A=b")
		os.Exit(0)
	case "grandchild-dies":
		grandchild(dir, nil)
		os.Exit(1)
	case "grandchild-silent":
		grandchild(dir, nil)
		sleep()
	case "endless-json":
		flood(os.Stdout, "{\"a\":\""+strings.Repeat("a", 1<<16), lots)
	case "zeros":
		flood(os.Stdout, string(make([]byte, 1<<16)), lots)
	case "kills-group":
		syscall.Kill(0, syscall.SIGKILL)
	case "kills-parent":
		// A group of its own keeps skillpack from this; its own group is another.
		if group, err := syscall.Getpgid(os.Getppid()); err == nil {
			syscall.Kill(-group, syscall.SIGTERM)
		}
		sleep()
	case "closes-stdin":
		os.Stdin.Close()
		sleep()
	case "closes-stderr":
		os.Stderr.Close()
	case "mute":
		os.Stdout.Close()
		sleep()
	case "exits":
		os.Stderr.WriteString("hostile: no licence file\n")
		os.Exit(7)
	case "exits-0":
		os.Exit(0)
	case "env":
		os.Stderr.WriteString(strings.Join(os.Environ(), "\n"))
		os.Exit(1)
	}
	converse(mode)
	if mode == "stubborn" {
		sleep()
	}
}

// converse answers honestly until stdin ends, but for the mode's one fault.
func converse(mode string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	last := 1 << 30
	fmt.Sscanf(mode, "exits-at-%d", &last)
	for n := 1; in.Scan(); {
		var q rpc
		if json.Unmarshal(in.Bytes(), &q) != nil || len(q.ID) == 0 || q.Method == "" {
			continue
		}
		if mode == "old" && q.Method == "server/discover" {
			continue
		}
		if n == last {
			os.Exit(3)
		}
		result, code := honest(q)
		before, after := "", "\n"
		switch mode {
		case "slow":
			time.Sleep(time.Second)
		case "half":
			if n > 1 {
				os.Stdout.WriteString(`{"jsonrpc":"2.0","id":2,"result":{"skills":[`)
				os.Exit(0)
			}
		case "ids":
			q.ID = json.RawMessage(`"nobody"`)
		case "asks":
			if q.Method != "server/discover" {
				for i, m := range []string{"sampling/createMessage", "roots/list", "elicitation/create"} {
					before += text(object{"jsonrpc": "2.0", "id": 900 + i, "method": m, "params": object{}}) + "\n"
				}
			}
		case "crlf":
			after = "\r\n"
		case "indented":
			before = " \t "
		case "bom":
			before = "\ufeff"
		case "labelled":
			before = "answer: "
		case "spaces":
			before = "\n\r\n"
		case "nul":
			before = "\x00\x00\n"
		case "pretty":
			before, after = "{\n", "\n}\n"
		case "env-told":
			result, code = tellEnvironment(q, result, code)
		}
		answer := text(message(q.ID, result, code))
		if mode == "pretty" {
			answer = strings.Trim(answer, "{}")
		}
		if mode == "env-told" && q.Method == "skills/list" {
			answer = text(object{"jsonrpc": "2.0", "id": q.ID, "error": object{"code": -32000, "message": "no token " + os.Getenv("HOSTILE_TOKEN")}})
		}
		os.Stdout.WriteString(before + answer + after)
		n++
	}
}

// tellEnvironment puts a variable into the server's name.
func tellEnvironment(q rpc, result object, code int) (object, int) {
	if q.Method == "server/discover" {
		info := object{"name": os.Getenv("HOSTILE_TOKEN"), "version": "1"}
		result["serverInfo"], result["_meta"] = info, object{"io.modelcontextprotocol/serverInfo": info}
	}
	return result, code
}
