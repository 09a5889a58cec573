package serve

import (
	"fmt"
	"time"
)

// The defaults of the options.
const (
	DefaultPageSize   = 1000 // items
	DefaultTTL        = 5 * time.Minute
	DefaultCacheScope = "public"
)

// maxPage bounds a page, in bytes: entries of many files are long. A page holds
// one item at least.
const maxPage = 1 << 20

// Option changes how skills are served.
type Option func(*options) error

type options struct {
	pageSize     int
	ttl          time.Duration
	cacheScope   string
	unlisted     []string
	instructions bool
}

func newOptions(opts []Option) (options, error) {
	o := options{pageSize: DefaultPageSize, ttl: DefaultTTL, cacheScope: DefaultCacheScope}
	for _, set := range opts {
		if err := set(&o); err != nil {
			return o, err
		}
	}
	return o, nil
}

// WithPageSize lets a page of a listing have at most n items. A page also ends
// at a mebibyte; an entry is never split.
func WithPageSize(n int) Option {
	return func(o *options) error {
		if n < 1 {
			return fmt.Errorf("page size %d: a number from 1 on is expected", n)
		}
		o.pageSize = n
		return nil
	}
}

// WithTTL says how long a client may treat a listing, an entry, a folder or a file
// as current (ttlMs): whole milliseconds, 0 for not at all.
func WithTTL(d time.Duration) Option {
	return func(o *options) error {
		if d < 0 {
			return fmt.Errorf("ttl %v: a duration from 0 on is expected", d)
		}
		o.ttl = d
		return nil
	}
}

// WithCacheScope says who may keep a listing, an entry, a folder or a file: "public" for
// anyone, "private" for the client that asked.
func WithCacheScope(scope string) Option {
	return func(o *options) error {
		if scope != "public" && scope != "private" {
			return fmt.Errorf("cache scope %q is neither public nor private", scope)
		}
		o.cacheScope = scope
		return nil
	}
}

// WithUnlisted leaves skills out of skills/list and resources/list, by their
// skill paths. Who knows the URI can get and read them: the server must answer
// for every skill it serves, whether or not it lists it.
func WithUnlisted(paths ...string) Option {
	return func(o *options) error {
		o.unlisted = append(o.unlisted, paths...)
		return nil
	}
}

// WithInstructions adds [Skills.Instructions] to the server's instructions.
func WithInstructions() Option {
	return func(o *options) error {
		o.instructions = true
		return nil
	}
}
