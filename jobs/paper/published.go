package paper

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

const Citation = "Baojian Zhou, Feng Chen, Yiming Ying: Dual Averaging Method for Online Graph-structured Sparsity. " +
	"KDD 2019, Anchorage. DOI 10.1145/3292500.3330915"

//go:embed published.json
var publishedJSON []byte

// A Number is a number as the paper prints it.
type Number struct {
	Value  float64
	Digits int // number of digits after the decimal point
}

// String returns the number as the paper prints it.
func (n Number) String() string { return strconv.FormatFloat(n.Value, 'f', n.Digits, 64) }

// Unit returns the value of a 1 in the last printed digit. The exact value may differ from n by half a unit.
func (n Number) Unit() float64 { return math.Pow10(-n.Digits) }

// UnmarshalJSON reads a number from the string that the paper prints.
func (n *Number) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("paper: published number: %w", err)
	}
	_, fraction, _ := strings.Cut(text, ".")
	*n = Number{Value: value, Digits: len(fraction)}
	return nil
}

// UnmarshalYAML reads a number as the paper prints it.
func (n *Number) UnmarshalYAML(node *yaml.Node) error {
	return n.UnmarshalJSON([]byte(strconv.Quote(node.Value)))
}

// A Line holds the published measures of one method. The keys are this program's column names (test_accuracy,
// mistakes, nonzero_percent, …). The key of a standard deviation has the suffix _std.
type Line struct {
	Method string            `json:"method"`
	W      map[string]Number `json:"w"`
	Wbar   map[string]Number `json:"wbar"`
}

// A Table is one of the paper's tables.
type Table struct {
	Name       string `json:"name"`
	Caption    string `json:"caption"`
	Trials     int    `json:"trials"`
	Checkpoint int    `json:"checkpoint"`
	Lines      []Line `json:"methods"` // in the order of the paper's table
}

// Line returns the given method's line, and whether the table has such a line.
func (t *Table) Line(method string) (Line, bool) {
	for _, l := range t.Lines {
		if l.Method == method {
			return l, true
		}
	}
	return Line{}, false
}

var published = sync.OnceValue(func() []Table {
	var file struct {
		Source string  `json:"source"`
		Tables []Table `json:"tables"`
	}
	if err := json.Unmarshal(publishedJSON, &file); err != nil {
		panic("paper: published.json: " + err.Error()) // cannot happen: the file is built in
	}
	return file.Tables
})

// Published returns a published table by name (graph01 … graph04). Callers must not modify the table.
func Published(name string) (*Table, bool) {
	tables := published()
	for i := range tables {
		if tables[i].Name == name {
			return &tables[i], true
		}
	}
	return nil, false
}

// PublishedNames returns the names of the published tables, in the paper's order.
func PublishedNames() []string {
	var names []string
	for _, t := range published() {
		names = append(names, t.Name)
	}
	return names
}
