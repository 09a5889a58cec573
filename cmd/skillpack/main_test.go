package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skillpack": main, "faulty": serveFaults, "point": pointServers, "ask": askServer})
}

// TestScripts runs the manual: every script under testdata/script is what a
// user types and what comes back.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("GOPACKAGE", "")
			env.Setenv("OUTSIDE", outside())
			return nil
		},
		Condition: func(c string) (bool, error) {
			if c != "outside" {
				return false, fmt.Errorf("no condition %s", c)
			}
			return outside() != "", nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":   cmdStatus,
			"hex":      cmdHex,
			"await":    cmdAwait,
			"freeport": cmdFreeport,
			"retry":    cmdRetry,
		},
	})
}
