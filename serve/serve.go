package serve

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/manifest"
)

// ExtensionID identifies the Skills extension (SEP-2640).
const ExtensionID = "io.modelcontextprotocol/skills"

// The methods that the extension adds.
const (
	methodList      = "skills/list"
	methodGet       = "skills/get"
	methodDirectory = "resources/directory/read"
)

// Skills are verified skills, ready to be served. They are safe for concurrent
// use.
type Skills struct {
	now atomic.Pointer[catalog]
}

// New prepares the skills of a manifest. Read returns the bytes of a listed
// resource by its URI, as the ReadFile of a generated package does; it is called
// once for each file, one after the other, and never after New returns.
//
// The error is a [*VerifyError] when a file is not what the manifest says;
// otherwise it says which option is wrong.
func New(m manifest.Manifest, read func(uri string) ([]byte, error), opts ...Option) (*Skills, error) {
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	c, err := newCatalog(m, read, o)
	if err != nil {
		return nil, err
	}
	s := new(Skills)
	s.now.Store(c)
	return s, nil
}

// Register puts the skills of a generated package on a server: its Manifest and
// its ReadFile. The errors are those of [New] and [Skills.Register], and that of
// [manifest.Parse] for a text that is no manifest.
func Register(server *mcp.Server, manifestJSON string, read func(uri string) ([]byte, error), opts ...Option) error {
	m, err := manifest.Parse([]byte(manifestJSON))
	if err != nil {
		return fmt.Errorf("the manifest cannot be read: %w", err)
	}
	s, err := New(m, read, opts...)
	if err != nil {
		return err
	}
	return s.Register(server)
}

// carrying are the servers that have skills.
var carrying sync.Map // of weak.Pointer[mcp.Server]

// Register puts the skills on a server, before clients connect; add resources
// and tools of your own before or after. A server carries one set of skills: it
// returns an error for a second one, and when the SDK refuses a method.
func (s *Skills) Register(server *mcp.Server) error {
	key := weak.Make(server)
	if _, twice := carrying.LoadOrStore(key, true); twice {
		return errors.New("the server has skills already: put the skills of both manifests into one, and register that")
	}
	runtime.AddCleanup(server, func(key weak.Pointer[mcp.Server]) { carrying.Delete(key) }, key)
	if err := mcp.AddReceivingCustomMethod(server, methodList, s.list); err != nil {
		return err
	}
	if err := mcp.AddReceivingCustomMethod(server, methodGet, s.get); err != nil {
		return err
	}
	if err := mcp.AddReceivingCustomMethod(server, methodDirectory, s.directory); err != nil {
		return err
	}
	server.AddReceivingMiddleware(s.receive)
	return nil
}

// Replace makes s serve what other serves, from the next request on. Requests
// under way finish with what they started with; a cursor from before is refused
// when the skills differ, so no listing mixes two sets.
func (s *Skills) Replace(other *Skills) { s.now.Store(other.now.Load()) }

// Fingerprint identifies what is served: it is that of the manifest.
func (s *Skills) Fingerprint() manifest.Digest { return s.now.Load().fingerprint }

// Instructions returns a text for a server's instructions that names the listed
// skills and how to read them; "" when there are none.
func (s *Skills) Instructions() string { return s.now.Load().instructions }
