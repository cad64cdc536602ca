package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/message"
)

// A Table is a finished table of words and numbers.
type Table struct {
	Name     string // name of the table's files
	Title    string
	Subtitle string
	Columns  []Column
	Rows     [][]Cell
	PerGroup int    // number of rows in a group; 0 without groups
	Best     string // what the mark of the best cells means; "" means the default
	Notes    []string
	Page     string // path of a page with all columns, or ""

	width int  // width of text in terminal columns; 0 shows all columns
	dense bool // whether wrapped rows have no blank lines between them
	cut   bool // whether texts that are too wide are cut instead of wrapped
}

// A Column describes a column of a table.
type Column struct {
	Key      string // heading in data files
	Group    string // heading above neighbouring columns, or ""
	Head     string
	Words    bool // whether cells are words, aligned left, or numbers, aligned right
	Wrap     int  // width in terminal columns at which text wraps; 0 means no wrapping
	DataOnly bool // whether only data files have the column
	Estimate bool // whether data files also have the columns Key_std, Key_ci_low and Key_ci_high
}

// Heading returns the group's and the column's heading in one line.
func (c *Column) Heading() string { return strings.TrimSpace(c.Group + " " + c.Head) }

// A Format is a format for tables.
type Format struct {
	Name      string
	Extension string // extension of files; "" if the format is only for printing
	write     func(*Table, io.Writer) error
}

// formats lists all formats, text first. A new format needs a file with a Format, and a line here.
var formats = []Format{
	textFormat,
	markdownFormat,
	latexFormat,
	csvFormat,
	jsonFormat,
}

// FileFormats returns the formats for files, text first.
func FileFormats() []Format {
	return slices.DeleteFunc(slices.Clone(formats), func(f Format) bool { return f.Extension == "" })
}

// Formats returns the names of all formats.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Write writes the table in the named format, one of Formats.
func (t *Table) Write(w io.Writer, format string) error {
	for _, f := range formats {
		if f.Name == format {
			return f.write(t, w)
		}
	}
	return fmt.Errorf("unknown format %q; known: %s", format, strings.Join(Formats(), ", "))
}

// As returns a function for seal.Write that writes the table in the named format.
func (t *Table) As(format string) func(io.Writer) error {
	return func(w io.Writer) error { return t.Write(w, format) }
}

// Print writes tables in the named format. Text is at most width columns wide, unless width is 0. A blank line
// separates tables in text. In JSON, the tables are one array.
func Print(w io.Writer, format string, width int, all ...*Table) error {
	if format == jsonFormat.Name {
		return writeJSON(w, all...)
	}
	for i, t := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if width > 0 && format == textFormat.Name {
			page, left := t.Page, []string(nil)
			if t, left = t.fit(width); len(left) > 0 {
				t.Notes = append(t.Notes, fmt.Sprintf("… %s: %s; see %s", message.Count(len(left), "more column"),
					strings.Join(left, ", "), strings.TrimSuffix("--wide or "+page, " or ")))
			}
		}
		if err := t.Write(w, format); err != nil {
			return err
		}
	}
	return nil
}

// First returns the table with at most n rows. A note says where to find more.
func (t *Table) First(n int, where string) *Table {
	first := *t
	if more := len(t.Rows) - n; more > 0 {
		first.Rows = t.Rows[:n]
		first.Notes = append(slices.Clone(t.Notes), fmt.Sprintf("… %s more in %s.", message.Number(more), where))
	}
	return &first
}

// Printed returns the indices of the printed columns.
func (t *Table) Printed() []int {
	var at []int
	for i := range t.Columns {
		if !t.Columns[i].DataOnly {
			at = append(at, i)
		}
	}
	return at
}

// At returns the index of the column with the given key, or -1.
func (t *Table) At(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// Span returns the end of the group at k: the columns at[k:end] share a group heading.
func (t *Table) Span(at []int, k int) int {
	group, end := t.Columns[at[k]].Group, k+1
	for group != "" && end < len(at) && t.Columns[at[end]].Group == group {
		end++
	}
	return end
}

// Marked reports whether any cell is Best, and whether any cell is Off.
func (t *Table) Marked() (best, off bool) {
	for _, row := range t.Rows {
		for i := range row {
			best, off = best || row[i].Best, off || row[i].Off
		}
	}
	return best, off
}

// BestMeans returns the meaning of the mark of best cells.
func (t *Table) BestMeans() string { return cmp.Or(t.Best, "the best of its column") }

// printable returns the table without control characters and line breaks.
func (t *Table) printable() *Table {
	prose := func(s string) string { return message.Text(strings.ReplaceAll(s, "\n", " ")) }
	p := *t
	p.Title, p.Subtitle, p.Notes = prose(t.Title), prose(t.Subtitle), slices.Clone(t.Notes)
	for i, note := range p.Notes {
		p.Notes[i] = prose(note)
	}
	p.Columns = slices.Clone(t.Columns)
	for i := range p.Columns {
		p.Columns[i].Group, p.Columns[i].Head = message.Text(t.Columns[i].Group), message.Text(t.Columns[i].Head)
	}
	p.Rows = make([][]Cell, len(t.Rows))
	for r := range t.Rows {
		p.Rows[r] = slices.Clone(t.Rows[r])
		for i := range p.Rows[r] {
			p.Rows[r][i].Word = message.Text(p.Rows[r][i].Word)
		}
	}
	return &p
}

// notes returns the footnotes, first the meanings of the marks.
func (t *Table) notes(bestMark, offMark string) []string {
	var notes []string
	best, off := t.Marked()
	if best {
		notes = append(notes, bestMark+" "+t.BestMeans())
	}
	if off {
		notes = append(notes, offMark+" differs from the published value")
	}
	return append(notes, t.Notes...)
}
