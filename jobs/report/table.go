package report

import (
	"fmt"
	"io"
	"slices"
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
	Left     bool // words are set left, and are text in Arrow; numbers are set right
	DataOnly bool // for CSV and Arrow, not printed
}

// heading is the column's heading in one line.
func (c *Column) heading() string { return strings.TrimSpace(c.Group + " " + c.Head) }

// A Value is one entry of a table.
type Value struct {
	Text string // as printed
	Data string // as in CSV; a number in shortest form, or empty
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

// A Format is a way to lay out tables.
type Format struct {
	Name      string
	Extension string // of its files
	Binary    bool   // not for a terminal
	write     func(*Table, io.Writer) error
}

var formats = []Format{
	{Name: "text", Extension: ".txt", write: (*Table).Text},
	{Name: "markdown", Extension: ".md", write: (*Table).Markdown},
	{Name: "latex", Extension: ".tex", write: (*Table).LaTeX},
	{Name: "csv", Extension: ".csv", write: (*Table).CSV},
	{Name: "arrow", Extension: ".arrow", Binary: true, write: (*Table).Arrow},
}

// FileFormats are all formats, the one for people first.
func FileFormats() []Format { return slices.Clone(formats) }

// Formats are the names of the formats that can be printed.
func Formats() []string {
	var names []string
	for _, f := range formats {
		if !f.Binary {
			names = append(names, f.Name)
		}
	}
	return names
}

// Write writes the table in the format of that name, one of FileFormats.
func (t *Table) Write(w io.Writer, format string) error {
	var names []string
	for _, f := range formats {
		if f.Name == format {
			return f.write(t, w)
		}
		names = append(names, f.Name)
	}
	return fmt.Errorf("report: no format %q; known: %s", format, strings.Join(names, ", "))
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
