package table

import (
	"io"
	"math"

	"graphda/io/safefile"
)

// A field is a column of data files.
type field struct {
	*Column
	key    string
	column int
	value  func(*Number) float64 // a number's value for the column; nil for a column of words
}

// fields returns the table's columns in data files.
func (t *Table) fields() []field {
	var fields []field
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Words {
			fields = append(fields, field{Column: c, key: c.Key, column: i})
			continue
		}
		add := func(suffix string, value func(*Number) float64) {
			fields = append(fields, field{c, c.Key + suffix, i, value})
		}
		add("", func(n *Number) float64 { return n.Value })
		if c.Estimate {
			add("_std", func(n *Number) float64 { return n.Std })
			add("_ci_low", func(n *Number) float64 { return n.Low })
			add("_ci_high", func(n *Number) float64 { return n.High })
		}
	}
	return fields
}

func (f *field) word(row []Cell) string {
	if c := &row[f.column]; c.ID != "" {
		return c.ID
	}
	return row[f.column].Word
}

func (f *field) number(row []Cell) float64 {
	if n := row[f.column].Number; n != nil {
		return f.value(n)
	}
	return math.NaN()
}

func (f *field) text(row []Cell) string {
	if f.value == nil {
		return f.word(row)
	}
	v := f.number(row)
	if math.IsNaN(v) {
		return ""
	}
	if n := row[f.column].Number; n.Data != nil && f.key == f.Key {
		return n.Data(v)
	}
	return Shortest(v)
}

var csvFormat = Format{Name: "csv", Extension: ".csv", write: (*Table).CSV}

// CSVMime is the media type of CSV files.
const CSVMime = "text/csv;charset=utf-8"

// CSV writes the table for programs, without title and notes. Undefined numbers are empty.
func (t *Table) CSV(w io.Writer) error {
	c := safefile.NewCSVWriter(w)
	line := t.csvLines(c)
	for _, row := range t.Rows {
		line(func(f *field) string { return f.text(row) })
	}
	return c.Flush()
}

// csvLines writes the headings and returns a function that writes a line of fields. Some errors appear only in Flush.
func (t *Table) csvLines(c *safefile.CSVWriter) func(text func(*field) string) {
	fields := t.fields()
	record := make([]string, len(fields))
	line := func(text func(*field) string) {
		for i := range fields {
			record[i] = text(&fields[i])
		}
		_ = c.Write(record...)
	}
	line(func(f *field) string { return f.key })
	return line
}

// Grow prints a table like Print, with rows that are added one by one. For CSV, flush prints the rows. Other formats
// need all rows, so only end prints them. t.Columns must be set.
func (t *Table) Grow(w io.Writer, format string, width int) (add func(...Cell), flush, end func() error) {
	if format != csvFormat.Name {
		return func(row ...Cell) { t.Rows = append(t.Rows, row) }, func() error { return nil },
			func() error { return Print(w, format, width, t) }
	}
	c := safefile.NewCSVWriter(w)
	var line func(func(*field) string)
	return func(row ...Cell) {
		if line == nil {
			line = t.csvLines(c)
		}
		line(func(f *field) string { return f.text(row) })
	}, c.Flush, c.Flush
}
