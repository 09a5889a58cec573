package main

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
	"github.com/skillpack/skillpack/serve"
)

// watchInterval is how often the directory is looked at.
const watchInterval = 500 * time.Millisecond

// sidesOfWatch are what was served and what is served from now on.
var sidesOfWatch = lint.Sides{OldPlace: "what was served", NewPlace: "the skills directory", Old: "before", New: "now"}

// watch looks at the directory until ctx ends. When anything in it changed and
// has rested for one look, it is read again, and served if it is valid; until
// then the last valid set is.
func watch(ctx context.Context, s settings, now *served, options []serve.Option) {
	seed := maphash.MakeSeed()
	read := treeState(seed, s.read.Dir) // as it was served last, or found wrong
	last := read
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		state := treeState(seed, s.read.Dir)
		rested := state == last
		last = state
		if state == read || !rested {
			continue
		}
		read = state
		if next := rebuild(ctx, s, now, options); next != nil {
			now.skills.Replace(next.skills)
			next.skills = now.skills // the server carries these
			now = next
		}
	}
}

// rebuild reads the changed directory and says what changed, or why the old set
// stays.
func rebuild(ctx context.Context, s settings, now *served, options []serve.Option) *served {
	next, err := readServed(ctx, s, nil, options)
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, errFindings):
		s.report.note("the change is not served: fix the errors first; still serving %s as before", now)
		return nil
	case err != nil:
		s.report.say("skillpack: the change is not served: %v", err)
		return nil
	}
	changes, _ := lint.Drifts(manifest.Diff(now.manifest, next.manifest), sidesOfWatch)
	if len(changes) == 0 {
		return nil
	}
	for _, f := range changes {
		s.report.note("skill %s: %s", f.Skill, f.Message)
	}
	s.report.note("serving %s, fingerprint %s", next, next.manifest.Fingerprint())
	return next
}

// treeState is a hash over the names, kinds, sizes and times of everything in a
// directory. What cannot be read counts as its error: it may be gone a moment later.
func treeState(seed maphash.Seed, dir string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	// The function returns no error but the skip of a folder, so neither does the walk.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintf(&h, "%q %v\n", path, err)
			return nil
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			fmt.Fprintf(&h, "%q %v\n", path, err)
			return nil
		}
		if d.IsDir() {
			fmt.Fprintf(&h, "%q %v\n", path, info.Mode()) // the time of a folder changes with any temporary file
			return nil
		}
		fmt.Fprintf(&h, "%q %v %d %d\n", path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return h.Sum64()
}
