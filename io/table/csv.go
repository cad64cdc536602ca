package table

import (
	"io"
	"math"

	"graphda/io/csvfile"
)

// A field is a column of data files.
type field struct {
	*Column
	key    string
	column int
	value  func(*Number) float64 // nil for words
}

// fields returns the columns of data files.
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

// word is the field's content in a row of words.
func (f *field) word(row []Cell) string {
	if c := &row[f.column]; c.ID != "" {
		return c.ID
	}
	return row[f.column].Word
}

// number is the field's content in a row of numbers, NaN where there is none.
func (f *field) number(row []Cell) float64 {
	if n := row[f.column].Number; n != nil {
		return f.value(n)
	}
	return math.NaN()
}

// text is the field's content as CSV has it.
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

var csvFormat = Format{Name: "csv", Extension: ".csv", Mime: CSVMime, write: unsealed((*Table).CSV)}

// CSVMime is the type of CSV files.
const CSVMime = "text/csv;charset=utf-8"

// CSV writes the table for programs, without title and notes. Numbers that are not defined
// are empty.
func (t *Table) CSV(w io.Writer) error {
	c := csvfile.NewWriter(w)
	fields := t.fields()
	record := make([]string, len(fields))
	for i := range fields {
		record[i] = fields[i].key
	}
	_ = c.Write(record...) // an error shows in Flush
	for _, row := range t.Rows {
		for i := range fields {
			record[i] = fields[i].text(row)
		}
		_ = c.Write(record...)
	}
	return c.Flush()
}
