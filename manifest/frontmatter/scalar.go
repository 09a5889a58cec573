package frontmatter

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/skillpack/skillpack/internal/lazyregexp"
	"github.com/skillpack/skillpack/internal/message"
	"github.com/skillpack/skillpack/manifest"
)

// reading is what one family of YAML readers takes a plain scalar for.
type reading struct {
	kind    manifest.Kind // Null, Bool, Number or String
	text    string        // as in [manifest.Value]
	special string        // words for a value that is none of JSON's: "a date"
}

func (r reading) equal(o reading) bool {
	if r.kind != o.kind || r.special != o.special {
		return false
	}
	if r.kind == manifest.Number {
		return sameNumber(r.text, o.text)
	}
	return r.text == o.text
}

// describe names the value for a message.
func (r reading) describe() string {
	switch {
	case r.special != "":
		return r.special
	case r.kind == manifest.String:
		return "the string " + message.Quote(r.text)
	case r.kind == manifest.Null:
		return "null"
	case len(r.text) > 40:
		return r.text[:39] + "…"
	default:
		return r.text
	}
}

// The YAML 1.2 core schema (YAML 1.2.2, section 10.3.2).
var (
	core12Int   = lazyregexp.New(`^[-+]?[0-9]+$`)
	core12Octal = lazyregexp.New(`^0o[0-7]+$`)
	core12Hex   = lazyregexp.New(`^0x[0-9a-fA-F]+$`)
	core12Float = lazyregexp.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// notNumber is the special reading of NaN, the infinities, and numbers that
// overflow to one.
const notNumber = "not a finite number"

// read12 types a plain scalar by the YAML 1.2 core schema.
func read12(s string) reading {
	if s == "" {
		return reading{kind: manifest.Null}
	}
	switch s {
	case "~", "null", "Null", "NULL":
		return reading{kind: manifest.Null}
	case "true", "True", "TRUE":
		return reading{kind: manifest.Bool, text: "true"}
	case "false", "False", "FALSE":
		return reading{kind: manifest.Bool, text: "false"}
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return reading{kind: manifest.String, text: s, special: notNumber}
	}
	if !startsNumber(s) {
		return reading{kind: manifest.String, text: s}
	}
	switch {
	case core12Int().MatchString(s):
		return reading{kind: manifest.Number, text: integerLiteral(s, 10)}
	case core12Octal().MatchString(s):
		return reading{kind: manifest.Number, text: integerLiteral(s[2:], 8)}
	case core12Hex().MatchString(s):
		return reading{kind: manifest.Number, text: integerLiteral(s[2:], 16)}
	case core12Float().MatchString(s):
		return floatReading(s)
	}
	return reading{kind: manifest.String, text: s}
}

// startsNumber reports whether any YAML version could read s as a number or a date.
func startsNumber(s string) bool {
	c := s[0]
	return '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'
}

// integerLiteral returns digits with an optional sign as a decimal JSON number.
func integerLiteral(s string, base int) string {
	if base == 10 {
		sign := ""
		if s[0] == '-' || s[0] == '+' {
			sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
		}
		if s = strings.TrimLeft(s, "0"); s == "" {
			return "0"
		}
		return sign + s
	}
	n, ok := new(big.Int).SetString(s, base)
	if !ok {
		return "0" // only separators, as in "0x_"
	}
	return n.String()
}

func floatReading(s string) reading {
	f, _ := strconv.ParseFloat(s, 64) // an overflow gives an infinity
	if number, ok := floatLiteral(f); ok {
		return reading{kind: manifest.Number, text: number}
	}
	return reading{kind: manifest.String, text: s, special: notNumber}
}

// floatLiteral returns f as encoding/json writes it, and whether JSON has it.
func floatLiteral(f float64) (string, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", false
	}
	if f == 0 {
		return "0", true // -0 is 0 to JavaScript's writer
	}
	b, err := json.Marshal(f)
	return string(b), err == nil
}

// The YAML 1.1 type repository, with the forms PyYAML narrowed.
var (
	repo11Binary      = lazyregexp.New(`^[-+]?0b[01_]+$`)
	repo11Octal       = lazyregexp.New(`^[-+]?0[0-7_]+$`)
	repo11Int         = lazyregexp.New(`^[-+]?(0|[1-9][0-9_]*)$`)
	repo11Hex         = lazyregexp.New(`^[-+]?0x[0-9a-fA-F_]+$`)
	repo11Base60      = lazyregexp.New(`^[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+$`)
	repo11Float       = lazyregexp.New(`^([-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?$`)
	repo11Base60Float = lazyregexp.New(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*$`)
	repo11Date        = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	repo11Time        = lazyregexp.New(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?$`)
)

// read11 types a plain scalar as YAML 1.1 readers do.
func read11(s string) reading {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return reading{kind: manifest.Null}
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE":
		return reading{kind: manifest.Bool, text: "true"}
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE":
		return reading{kind: manifest.Bool, text: "false"}
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return reading{kind: manifest.String, text: s, special: notNumber}
	case "=":
		return reading{kind: manifest.String, text: s, special: "the mark of a default value"}
	case "<<":
		return reading{kind: manifest.String, text: s, special: "a merge key"}
	}
	if !startsNumber(s) {
		return reading{kind: manifest.String, text: s}
	}
	digits := strings.ReplaceAll(s, "_", "")
	sign := ""
	if s[0] == '-' {
		sign = "-"
	}
	unsigned := strings.TrimLeft(digits, "+-")
	switch {
	case repo11Binary().MatchString(s):
		return reading{kind: manifest.Number, text: signed(sign, integerLiteral(unsigned[2:], 2))}
	case repo11Octal().MatchString(s):
		return reading{kind: manifest.Number, text: signed(sign, integerLiteral(unsigned, 8))}
	case repo11Int().MatchString(s):
		return reading{kind: manifest.Number, text: integerLiteral(digits, 10)}
	case repo11Hex().MatchString(s):
		return reading{kind: manifest.Number, text: signed(sign, integerLiteral(unsigned[2:], 16))}
	case repo11Base60().MatchString(s):
		return reading{kind: manifest.Number, text: signed(sign, base60(unsigned, ""))}
	case repo11Float().MatchString(s):
		return floatReading(digits)
	case repo11Base60Float().MatchString(s):
		whole, fraction, _ := strings.Cut(unsigned, ".")
		return reading{kind: manifest.Number, text: signed(sign, base60(whole, fraction))}
	case repo11Date().MatchString(s), repo11Time().MatchString(s):
		return reading{kind: manifest.String, text: s, special: "a date"}
	}
	return reading{kind: manifest.String, text: s}
}

func signed(sign, number string) string {
	if number == "0" {
		return number
	}
	return sign + number
}

// maxBase60 is the length in bytes of the base-60 numbers that are worked out.
const maxBase60 = 1000

// base60 returns the value of "190:20:30", with the decimals that follow, if any.
func base60(s, fraction string) string {
	n, sixty := new(big.Int), big.NewInt(60)
	s = s[max(0, len(s)-maxBase60):] // no sane number is cut, and no insane one costs time
	for part := range strings.SplitSeq(s, ":") {
		digit, _ := strconv.ParseInt(part, 10, 64)
		n.Add(n.Mul(n, sixty), big.NewInt(digit))
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return n.String() + "." + fraction
	}
	return n.String()
}

// disagreement says how YAML readers differ over a plain scalar, or "" when
// all take it for the same value.
func disagreement(s string) string {
	if s == "" {
		return ""
	}
	// No version types a text that starts in another way than these.
	if !startsNumber(s) && strings.IndexByte("yYnNoO=<", s[0]) < 0 {
		return ""
	}
	one, two := read11(s), read12(s)
	if !one.equal(two) {
		return fmt.Sprintf("is %s to YAML 1.1 readers and %s to YAML 1.2 readers", one.describe(), two.describe())
	}
	if !startsNumber(s) {
		return "" // the library knows no other words than YAML 1.2
	}
	if two.special != "" || core12Int().MatchString(s) {
		return "" // the library turns integers over 64 bits into floats; so does JavaScript
	}
	if own := goReading(s); !own.equal(two) {
		return fmt.Sprintf("is %s to Go's yaml.v3 and %s to YAML 1.2 readers", own.describe(), two.describe())
	}
	return ""
}
