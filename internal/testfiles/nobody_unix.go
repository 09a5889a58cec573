//go:build unix

package testfiles

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// packageDir is where go test starts the tests of a package.
var packageDir, _ = os.Getwd()

// AsNobody runs the rest of a test as a user whom permissions bind: the
// superuser's test runs itself once more, as nobody, and is done when AsNobody
// returns true.
func AsNobody(t *testing.T) (done bool) {
	t.Helper()
	if os.Geteuid() != 0 {
		return false
	}
	if runtime.GOOS != "linux" {
		t.Skip("the superuser may read everything, and only Linux has /proc/self/exe to run this as another user")
	}
	// By this name the test binary can be run even if its folder cannot be entered.
	// The folder of the package is inherited, for it may be below one that cannot.
	t.Chdir(packageDir)
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v", "-test.count=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Env = append(os.Environ(), "TMPDIR=/tmp", "GOCOVERDIR=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
	return true
}

// Pipe makes a FIFO.
func Pipe(path string) error { return syscall.Mkfifo(path, 0o666) }
