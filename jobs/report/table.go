package report

import (
	"fmt"
	"io"
	"strings"
)

// A Table is a finished table: strings in their places.
type Table struct {
	Name     string // of its files
	Title    string
	Subtitle string
	Columns  []Column
	Rows     [][]Value // each as long as Columns
	Notes    []string
	Warnings []string // those of the notes that a reader must know before all numbers
}

// A Column heads the values at its place in every row.
type Column struct {
	Key      string // the CSV heading
	Group    string // the heading shared with neighbouring columns, if any
	Head     string
	Left     bool // words are set left, numbers right
	DataOnly bool // for CSV, not printed
}

// heading is the column's heading in one line.
func (c *Column) heading() string { return strings.TrimSpace(c.Group + " " + c.Head) }

// A Value is one entry of a table.
type Value struct {
	Text string // as printed
	Data string // as in CSV
	Best bool   // of its column
	Off  bool   // deviates from the published number
}

// The marks of values in text.
const (
	bestMark = "*"
	offMark  = "!"
)

func (v *Value) mark() string {
	switch {
	case v.Off:
		return offMark
	case v.Best:
		return bestMark
	}
	return ""
}

// word is a value that reads the same everywhere.
func word(s string) Value { return Value{Text: s, Data: s} }

// Formats are the names Write knows.
func Formats() []string { return []string{"text", "markdown", "latex", "csv"} }

// Write prints the table in one of the Formats.
func (t *Table) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return t.Text(w)
	case "markdown":
		return t.Markdown(w)
	case "latex":
		return t.LaTeX(w)
	case "csv":
		return t.CSV(w)
	}
	return fmt.Errorf("report: no format %q; known: %s", format, strings.Join(Formats(), ", "))
}

// groupEnd returns the end of the run of columns that share the heading of the k-th; a
// column without one stands alone.
func (t *Table) groupEnd(at []int, k int) int {
	group, end := t.Columns[at[k]].Group, k+1
	for group != "" && end < len(at) && t.Columns[at[end]].Group == group {
		end++
	}
	return end
}

// printed returns the places of the columns that are printed.
func (t *Table) printed() []int {
	var at []int
	for i := range t.Columns {
		if !t.Columns[i].DataOnly {
			at = append(at, i)
		}
	}
	return at
}
