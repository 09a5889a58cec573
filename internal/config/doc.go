// Package config reads skillpack.yaml, with the line and column of every fault.
//
// It must not open files, read the environment, or show a value of a server: it
// may be a secret.
package config
