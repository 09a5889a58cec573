//go:build interop

package frontmatter

import (
	"bufio"
	"encoding/json"
	"fmt"
	"github.com/skillpack/skillpack/manifest"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// readWithJavaScript reads each text, a JSON string a line, with the npm package
// yaml, version 2, and prints a line of JSON: the value, or the error.
const readWithJavaScript = `
const YAML = require('yaml');
require('readline').createInterface({input: process.stdin}).on('line', line => {
  let answer;
  try {
    const doc = YAML.parseDocument(JSON.parse(line), {logLevel: 'silent'});
    const error = doc.errors.concat(doc.warnings)[0];
    answer = error ? {error: error.message} : {value: doc.toJS() ?? null};
  } catch (error) { // an alias without an anchor
    answer = {error: error.message};
  }
  console.log(JSON.stringify(answer));
});`

// readWithPython does the same with PyYAML's safe loader, which reads YAML 1.1.
const readWithPython = `
import json, sys, yaml
def plain(v):
    if isinstance(v, dict):
        for k in v:
            if not isinstance(k, str):
                raise ValueError('a key of type ' + type(k).__name__)
        return {k: plain(w) for k, w in v.items()}
    if isinstance(v, list):
        return [plain(w) for w in v]
    if v is None or isinstance(v, (str, bool, int, float)):
        return v
    raise ValueError('a value of type ' + type(v).__name__)
for line in sys.stdin:
    try:
        answer = {'value': plain(yaml.load(json.loads(line), yaml.SafeLoader))}
        text = json.dumps(answer, allow_nan=False)
    except Exception as e:
        text = json.dumps({'error': type(e).__name__ + ': ' + str(e)})
    print(text, flush=True)
`

// otherReader is another YAML reader, in a process that answers line by line.
type otherReader struct {
	name string
	mu   sync.Mutex
	in   io.Writer
	out  *bufio.Reader
}

func startReader(name string, cmd *exec.Cmd) (*otherReader, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	return &otherReader{name: name, in: in, out: bufio.NewReader(out)}, cmd.Start() // its stdin ends with this process
}

// read returns the value of a text, or the reader's error.
func (r *otherReader) read(text string) (manifest.Value, error) {
	line, err := json.Marshal(text)
	if err != nil {
		return manifest.Value{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		panic(err) // it is gone, and nothing can be compared
	}
	answer, err := r.out.ReadBytes('\n')
	if err != nil {
		panic(err)
	}
	v, err := manifest.ParseValue(answer)
	if err != nil {
		return manifest.Value{}, fmt.Errorf("%w in %s", err, answer)
	}
	if value, ok := v.Get("value"); ok {
		return value, nil
	}
	return manifest.Value{}, fmt.Errorf("%s", answer)
}

// otherReaders starts the readers once: JavaScript's, which needs node and the
// folder of a node_modules with yaml 2 in SKILLPACK_NODE_PATH, and Python's
// where it is installed.
var otherReaders = sync.OnceValues(func() ([]*otherReader, error) {
	modules := os.Getenv("SKILLPACK_NODE_PATH")
	if modules == "" {
		return nil, fmt.Errorf("SKILLPACK_NODE_PATH is not set: name a node_modules folder that holds yaml 2")
	}
	node := exec.Command("node", "-e", readWithJavaScript)
	node.Env = append(os.Environ(), "NODE_PATH="+modules)
	js, err := startReader("JavaScript", node)
	if err != nil {
		return nil, err
	}
	readers := []*otherReader{js}
	if exec.Command("python3", "-c", "import yaml").Run() == nil {
		py, err := startReader("Python", exec.Command("python3", "-c", readWithPython))
		if err != nil {
			return nil, err
		}
		readers = append(readers, py)
	}
	return readers, nil
})

// compareReaders holds that a block without a fault has the same value to every
// reader, and reports whether it has none.
func compareReaders(t *testing.T, block string) (sound bool) {
	t.Helper()
	d := Parse([]byte("---\n" + block + "---\n"))
	if hasFault(d.Problems) || string(d.Block) != block {
		return false
	}
	readers, err := otherReaders()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readers {
		value, err := r.read(block)
		if err != nil || !sameToFloats(value, d.Frontmatter.Value()) {
			t.Errorf("%q is read as %s here, and by %s as %s, %v", block, d.Frontmatter.Value(), r.name, value, err)
		}
	}
	return true
}

// TestValuesAreThoseOfOtherReaders holds for many random blocks what
// FuzzReaders looks for a counterexample of.
func TestValuesAreThoseOfOtherReaders(t *testing.T) {
	const blocks = 20_000
	compared := 0
	for seed := range uint64(blocks) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := wildYAML(r)
		if seed%4 == 0 {
			g := &randomYAML{r: r}
			g.members("", 0)
			text = g.b.String() + "\n"
		}
		if compareReaders(t, text) {
			compared++
		}
	}
	if compared < blocks/5 {
		t.Errorf("only %d of %d blocks were compared", compared, blocks)
	}
}

// FuzzReaders holds that a frontmatter that this package has nothing
// against has the same value to the readers of other houses.
func FuzzReaders(f *testing.F) {
	for _, block := range blockSeeds(100) {
		f.Add(block + "\n")
	}
	f.Fuzz(func(t *testing.T, data string) { compareReaders(t, spelled(data)) })
}

// scalarForm is what FuzzScalarReaders tries: texts that are plain scalars, and
// of which YAML versions may make something else.
var scalarForm = regexp.MustCompile(`^[0-9A-Za-z.+_~=<-][0-9A-Za-z.+_:~=<-]{0,40}[0-9A-Za-z.+_~=<-]?$`)

// noDigits are numbers of nothing but separators, over which Python fails.
var noDigits = regexp.MustCompile(`^[-+]?0[xb]_+$`)

// FuzzScalarReaders holds that what the messages about ambiguous scalars say is
// so: JavaScript's reader types a plain scalar as read12 says, and Python's as
// read11 says.
func FuzzScalarReaders(f *testing.F) {
	for _, text := range readersDisagree {
		f.Add(text)
	}
	for _, text := range []string{"0x_", "0b_", "1__0", "1:2:3", "1:60", "-1:59.5", "1_:3", "0:1", "+0b1", "0o", "00.5", "1.e5", "1.e+5", "._1", ".1_", "1.2.3", "0-1-2", "2024-1-1", "2024-01-15T10:00:00Z", "2024-01-15T1:00:00", "1e5", "1E+5", "-.5e-3", "TRUE", "tRUE", "nUll", "-~", "+.Inf", "+.NaN", "9_9:9"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !scalarForm.MatchString(text) || strings.HasSuffix(text, ":") || text == "-" || strings.HasPrefix(text, "---") || noDigits.MatchString(text) {
			return
		}
		readers, err := otherReaders()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range readers {
			want := read12(text)
			if r.name == "Python" {
				if want = read11(text); len(text) == 1 && strings.Contains("yYnN", text) {
					continue // which PyYAML leaves out of the type repository
				}
			}
			value, err := r.read("a: " + text + "\n")
			if want.special != "" {
				if v, _ := value.Get("a"); err == nil && v.Kind != manifest.Null { // JavaScript writes NaN as null
					t.Errorf("%s is %s, and to %s %s", text, want.special, r.name, value)
				}
				continue
			}
			got, _ := value.Get("a")
			if err != nil || !sameToFloats(got, manifest.Value{Kind: want.kind, Text: want.text}) && !nearly(got, want) {
				t.Errorf("%s is %s, and to %s %s, %v", text, want.describe(), r.name, value, err)
			}
		}
	})
}

// nearly reports whether two numbers with fractions to base 60 are the same but
// for rounding.
func nearly(v manifest.Value, r reading) bool {
	a, errA := strconv.ParseFloat(v.Text, 64)
	b, errB := strconv.ParseFloat(r.text, 64)
	return v.Kind == manifest.Number && r.kind == manifest.Number && errA == nil && errB == nil && math.Abs(a-b) <= 1e-12*math.Abs(b)
}
