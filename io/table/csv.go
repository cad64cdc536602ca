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

var csvFormat = Format{Name: "csv", Extension: ".csv", write: unsealed((*Table).CSV)}

// CSVMime is the type of CSV files.
const CSVMime = "text/csv;charset=utf-8"

// CSV writes the table for programs, without title and notes. Numbers that are not defined
// are empty.
func (t *Table) CSV(w io.Writer) error {
	rows := t.beginCSV(w)
	for _, row := range t.Rows {
		_ = rows.Add(row...) // an error shows in Flush
	}
	return rows.Flush()
}

// Rows print a table whose rows come one by one: CSV as they come, the other formats in the end, since they need all
// rows.
type Rows struct {
	table  *Table
	csv    *csvfile.Writer // nil in another format
	fields []field
	print  func() error // what is left in the end
}

// Begin prints a table, in the format of that name and fitted to a width as Print does it, of rows that are to come.
func (t *Table) Begin(w io.Writer, format string, width int) *Rows {
	if format == csvFormat.Name {
		return t.beginCSV(w)
	}
	return &Rows{table: t, print: func() error { return Print(w, format, width, t) }}
}

func (t *Table) beginCSV(w io.Writer) *Rows {
	r := &Rows{csv: csvfile.NewWriter(w), fields: t.fields()}
	r.print = r.csv.Flush
	_ = r.line(func(f *field) string { return f.key }) // an error shows in Flush
	return r
}

// Add adds a row. An error may show only in Flush, or in the end.
func (r *Rows) Add(row ...Cell) error {
	if r.csv == nil {
		r.table.Rows = append(r.table.Rows, row)
		return nil
	}
	return r.line(func(f *field) string { return f.text(row) })
}

func (r *Rows) line(text func(*field) string) error {
	record := make([]string, len(r.fields))
	for i := range r.fields {
		record[i] = text(&r.fields[i])
	}
	return r.csv.Write(record...)
}

// Flush prints the rows that are there, if they are CSV.
func (r *Rows) Flush() error {
	if r.csv == nil {
		return nil
	}
	return r.csv.Flush()
}

// End prints what is left.
func (r *Rows) End() error { return r.print() }
