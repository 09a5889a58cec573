package remote

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// killMarked ends every process whose environment holds a mark: what a server
// started stays findable by it when it leaves the process group.
func killMarked(mark string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, []byte(mark)) {
			continue // ended meanwhile, or not ours
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && pid != os.Getpid() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// prSetChildSubreaper is the option of prctl(2) that makes the orphans among a
// process's descendants its children.
const prSetChildSubreaper = 36

// adopted counts the servers that run, for the orphans to be ended with the last.
var adopted struct {
	mu      sync.Mutex
	orphans bool // they come to this process
	servers int
}

// AdoptOrphans makes the end of the last server the end of everything that any
// server started, also of daemons that left their process group and cleared their
// environment. It is for a program that starts no other processes: those would
// end as well. Elsewhere than on Linux it does nothing.
func AdoptOrphans() {
	adopted.mu.Lock()
	defer adopted.mu.Unlock()
	_, _, errno := syscall.Syscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0)
	adopted.orphans = errno == 0
}

// serverBegins counts a server that was started.
func serverBegins() {
	adopted.mu.Lock()
	defer adopted.mu.Unlock()
	adopted.servers++
}

// serverEnds ends the orphans behind the last server.
func serverEnds() {
	adopted.mu.Lock()
	defer adopted.mu.Unlock()
	if adopted.servers--; adopted.servers > 0 || !adopted.orphans {
		return
	}
	// The end of one hands on its own children.
	for deadline := time.Now().Add(time.Second); ; time.Sleep(5 * time.Millisecond) {
		left := children()
		if len(left) == 0 || time.Now().After(deadline) {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// children returns the processes whose parent is this one, ended ones included.
func children() (pids []int) {
	parent := []byte(strconv.Itoa(os.Getpid()))
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		stat, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		// "PID (NAME) STATE PARENT …", and a name may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && len(fields) > 1 && bytes.Equal(fields[1], parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}
