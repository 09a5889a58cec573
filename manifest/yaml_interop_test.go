//go:build interop

package manifest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// readWithJavaScript reads each text with the npm package yaml, version 2, and
// prints one line of JSON a text: the value, or the error.
const readWithJavaScript = `
const YAML = require('yaml');
let input = '';
process.stdin.on('data', d => input += d).on('end', () => {
  for (const text of JSON.parse(input)) {
    try {
      const doc = YAML.parseDocument(text, {logLevel: 'silent'});
      const error = doc.errors.concat(doc.warnings)[0];
      console.log(JSON.stringify(error ? {error: error.message} : {value: doc.toJS() ?? null}));
    } catch (error) { // an alias without an anchor
      console.log(JSON.stringify({error: error.message}));
    }
  }
});`

// TestValuesAreThoseOfAnotherReader holds that a block without a problem has
// the value that a YAML 1.2 reader of another house gets. It needs node, and
// the folder of a node_modules with yaml 2 in SKILLPACK_NODE_PATH.
func TestValuesAreThoseOfAnotherReader(t *testing.T) {
	modules := os.Getenv("SKILLPACK_NODE_PATH")
	if modules == "" {
		t.Fatal("SKILLPACK_NODE_PATH is not set: name a node_modules folder that holds yaml 2")
	}
	var texts []string
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		if seed%4 == 0 {
			g := &randomYAML{r: r}
			g.members("", 0)
			texts = append(texts, g.b.String()+"\n")
		} else {
			texts = append(texts, wildYAML(r))
		}
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "-e", readWithJavaScript)
	node.Env = append(os.Environ(), "NODE_PATH="+modules)
	node.Stdin = bytes.NewReader(input)
	node.Stderr = os.Stderr
	output, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("node read %d texts of %d", len(lines), len(texts))
	}
	compared := 0
	for i, text := range texts {
		d := ParseFrontmatter([]byte("---\n" + text + "---\n"))
		if hasError(d.Problems) {
			continue
		}
		compared++
		their, err := ParseValue([]byte(lines[i]))
		if err != nil {
			t.Fatal(err)
		}
		if value, ok := their.Get("value"); !ok || !value.Equal(d.Frontmatter.Value()) {
			t.Errorf("%q is read as %s here, and there %s", text, d.Frontmatter.Value(), lines[i])
		}
	}
	if compared < len(texts)/5 {
		t.Errorf("only %d of %d texts were compared", compared, len(texts))
	}
}

// hasError reports whether a problem is more than a warning about style.
func hasError(problems []Problem) bool {
	for _, p := range problems {
		if p.Rule != "block-scalar-last" && p.Rule != "comment-in-value" {
			return true
		}
	}
	return false
}
