package main

import (
	"errors"
	"fmt"
)

// The exit statuses, which scripts rely on.
const (
	exitOK       = 0 // nothing to report
	exitFindings = 1 // findings of error severity, stale outputs, drift
	exitFailed   = 2 // the job could not be done, or not completely
	exitRefused  = 3 // the server refused the credentials
	exitNoServer = 4 // the server could not be reached, or timed out
)

// exitError ends the process with a status. Its message, one line, goes to
// stderr; an empty one says that a report has already said everything.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError says that the command line or the configuration is wrong, and
// what to write instead.
func usageError(format string, args ...any) error {
	return &exitError{exitFailed, fmt.Errorf(format, args...)}
}

// errFindings ends a run whose report holds errors.
var errFindings = &exitError{status: exitFindings}

// statusOf returns the exit status that an error of a command stands for.
func statusOf(err error) int {
	if err == nil {
		return exitOK
	}
	var e *exitError
	if errors.As(err, &e) {
		return e.status
	}
	return exitFailed
}
