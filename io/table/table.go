package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/message"
)

// A Table is a finished table: what stands where, as words and numbers.
type Table struct {
	Name     string // of its files
	Title    string
	Subtitle string
	Columns  []Column
	Rows     [][]Cell // each as long as Columns
	PerGroup int      // rows that belong together, one below the other; 0: each stands alone
	Best     string   // what the mark of best cells means; "" is BestMeans' own words
	Notes    []string
	Page     string // path of a page that shows all columns, if there is one

	width int  // terminal columns that text is fitted to; 0: notes to Width, and all columns
	dense bool // rows have no blank line between them although words are wrapped
}

// A Column heads the cells at its place in every row.
type Column struct {
	Key      string // the heading in data files
	Group    string // the heading shared with neighbouring columns, if any
	Head     string
	Words    bool // words are set left, numbers right
	Wrap     int  // terminal columns that its words are wrapped to in text; 0: they are not
	DataOnly bool // for data files, not printed
	Estimate bool // data files have its Std, Low and High too, as Key_std, Key_ci_low, Key_ci_high
}

// Heading is the column's heading in one line.
func (c *Column) Heading() string { return strings.TrimSpace(c.Group + " " + c.Head) }

// A Format is a form that tables are written in.
type Format struct {
	Name      string
	Extension string // of its files; "" if it is printed only
	write     func(*Table, io.Writer) error
}

// formats are all there are, the one for people first. A new format is a file that writes it
// and one line here.
var formats = []Format{
	textFormat,
	markdownFormat,
	latexFormat,
	csvFormat,
	jsonFormat,
}

// FileFormats returns the formats of tables in files, the one for people first.
func FileFormats() []Format {
	return slices.DeleteFunc(slices.Clone(formats), func(f Format) bool { return f.Extension == "" })
}

// Formats are the names of the formats that can be printed.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Write writes the table in the format of that name, one of Formats.
func (t *Table) Write(w io.Writer, format string) error {
	for _, f := range formats {
		if f.Name == format {
			return f.write(t, w)
		}
	}
	return fmt.Errorf("unknown format %q; known: %s", format, strings.Join(Formats(), ", "))
}

// As returns a function that writes the table in the format of that name, as package seal takes one for a file.
func (t *Table) As(format string) func(io.Writer) error {
	return func(w io.Writer) error { return t.Write(w, format) }
}

// Print writes tables in the format of that name: text fitted to a width, if that is not 0, with a blank line between
// them, JSON as one array.
func Print(w io.Writer, format string, width int, all ...*Table) error {
	if format == jsonFormat.Name {
		return writeJSON(w, all...)
	}
	for i, t := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if width > 0 && format == textFormat.Name {
			t = t.fit(width)
		}
		if err := t.Write(w, format); err != nil {
			return err
		}
	}
	return nil
}

// Printed returns the places of the columns that are printed.
func (t *Table) Printed() []int {
	var at []int
	for i := range t.Columns {
		if !t.Columns[i].DataOnly {
			at = append(at, i)
		}
	}
	return at
}

// At returns the place of the column with a key, -1 if there is none.
func (t *Table) At(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// Span returns the end of the run of printed columns that share the heading of the k-th; a
// column without one stands alone.
func (t *Table) Span(at []int, k int) int {
	group, end := t.Columns[at[k]].Group, k+1
	for group != "" && end < len(at) && t.Columns[at[end]].Group == group {
		end++
	}
	return end
}

// Marked tells whether any cell is the best of its column, and whether any differs.
func (t *Table) Marked() (best, off bool) {
	for _, row := range t.Rows {
		for i := range row {
			best, off = best || row[i].Best, off || row[i].Off
		}
	}
	return best, off
}

// BestMeans says what the mark of best cells means.
func (t *Table) BestMeans() string { return cmp.Or(t.Best, "the best of its column") }

// printable returns the table with names that do no harm in print: a terminal obeys control
// characters, and a line break would end a row.
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

// notes returns the footnotes, those that explain the marks in use first.
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
