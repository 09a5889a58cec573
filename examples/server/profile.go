package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// csvFile is what the tool is called with.
type csvFile struct {
	Text      string `json:"text" jsonschema:"the text of the file, its header line first"`
	Separator string `json:"separator,omitempty" jsonschema:"the character between fields; a comma when left out"`
}

// profile is what the tool answers.
type profile struct {
	Rows    int      `json:"rows" jsonschema:"records below the header"`
	Broken  []int    `json:"broken" jsonschema:"lines whose number of fields is not the header's"`
	Columns []column `json:"columns"`
}

type column struct {
	Name     string `json:"name"`
	Type     string `json:"type" jsonschema:"integer, number, date, text or empty"`
	Empty    int    `json:"empty" jsonschema:"cells without text"`
	Distinct int    `json:"distinct" jsonschema:"different values, empty ones left out"`
}

// profileTool is the tool profile_csv.
func profileTool(_ context.Context, _ *mcp.CallToolRequest, in csvFile) (*mcp.CallToolResult, profile, error) {
	p, err := profileCSV(in)
	return nil, p, err
}

// profileCSV looks at every cell once. It returns an error for a text without a
// header, or with a quote that never ends.
func profileCSV(in csvFile) (profile, error) {
	p := profile{Broken: []int{}, Columns: []column{}}
	r := csv.NewReader(strings.NewReader(in.Text))
	r.FieldsPerRecord = -1 // a broken line is counted, not an error
	if in.Separator != "" {
		separator, size := utf8.DecodeRuneInString(in.Separator)
		if size != len(in.Separator) {
			return p, fmt.Errorf("the separator %q is more than one character", in.Separator)
		}
		r.Comma = separator
	}
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return p, errors.New("the text is empty: a header line is expected")
	}
	if err != nil {
		return p, err
	}
	kinds := make([]kind, len(header))
	distinct := make([]map[string]bool, len(header))
	for i, name := range header {
		p.Columns = append(p.Columns, column{Name: name})
		distinct[i] = map[string]bool{}
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p, err
		}
		p.Rows++
		if len(record) != len(header) {
			line, _ := r.FieldPos(0)
			p.Broken = append(p.Broken, line)
			continue
		}
		for i, cell := range record {
			if cell == "" {
				p.Columns[i].Empty++
				continue
			}
			distinct[i][cell] = true
			kinds[i] = kinds[i].with(cell)
		}
	}
	for i := range p.Columns {
		p.Columns[i].Type = kinds[i].String()
		p.Columns[i].Distinct = len(distinct[i])
	}
	return p, nil
}

// kind is the type of a column so far.
type kind uint8

const (
	empty kind = iota
	integer
	number
	date
	text
)

// String returns the name that the tool answers with.
func (k kind) String() string { return [...]string{"empty", "integer", "number", "date", "text"}[k] }

// with returns the type that holds a further cell as well.
func (k kind) with(cell string) kind {
	own := text
	if _, err := strconv.ParseInt(cell, 10, 64); err == nil {
		own = integer
	} else if _, err := strconv.ParseFloat(cell, 64); err == nil {
		own = number
	} else if _, err := time.Parse(time.DateOnly, cell); err == nil {
		own = date
	}
	switch {
	case k == empty || k == own:
		return own
	case k <= number && own <= number:
		return number
	}
	return text
}
