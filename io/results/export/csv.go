// Package export exports rows of results as CSV and Parquet, for people and programs, and reads such a Parquet file.
package export

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"graphda/io/results"
)

// A CSVWriter writes rows as CSV, in the given order. The columns are identity, parameters, measures and the error.
// Undefined measures are empty. Floats have the fewest digits that parse to the same value. There is no time, host or
// attempt, so two runs of the same cells give equal bytes.
type CSVWriter struct {
	b      *bufio.Writer
	fields []results.Field
	line   []byte
}

// NewCSV begins a file with the names of its columns. layout has the parameters, and more has further columns, such as
// SettingsColumn.
func NewCSV(w io.Writer, layout results.Layout, more ...string) *CSVWriter {
	c := &CSVWriter{b: bufio.NewWriterSize(w, 1<<16)} // Write and Close return errors
	hidden := func(f results.Field) bool { return !published(f.Name, f.Role, more) }
	c.fields = slices.DeleteFunc(results.Fields(layout), hidden)
	for _, f := range c.fields {
		c.line = append(appendText(c.line, f.Name), ',')
	}
	c.line[len(c.line)-1] = '\n'
	c.b.Write(c.line)
	return c
}

// Write adds rows.
func (c *CSVWriter) Write(rows []*results.Row) (err error) {
	for _, r := range rows {
		c.line = c.line[:0]
		for i := range c.fields {
			c.line = append(appendValue(c.line, &c.fields[i], r), ',')
		}
		c.line[len(c.line)-1] = '\n'
		_, err = c.b.Write(c.line)
	}
	return err
}

// Close writes buffered rows.
func (c *CSVWriter) Close() error { return c.b.Flush() }

// WriteCSV writes rows as a CSVWriter does.
func WriteCSV(w io.Writer, layout results.Layout, rows []*results.Row) error {
	c := NewCSV(w, layout)
	if err := c.Write(rows); err != nil {
		return err
	}
	return c.Close()
}

// published reports whether exported files have the named column. They have neither cost nor provenance, except the
// error, so that equal results give equal bytes.
func published(name string, role results.Role, more []string) bool {
	if name == results.SettingsColumn {
		return slices.Contains(more, name)
	}
	return role != results.RoleCost && role != results.RoleProvenance || name == results.ErrorColumn
}

// appendValue appends the value of a field, or nothing if the value is undefined.
func appendValue(line []byte, f *results.Field, r *results.Row) []byte {
	switch v := f.At(r).(type) {
	case *string:
		return appendText(line, *v)
	case *int:
		return strconv.AppendInt(line, int64(*v), 10)
	case *int64:
		return strconv.AppendInt(line, *v, 10)
	case *float64:
		switch {
		case *v != *v:
			return line
		case f.Words != nil:
			return appendText(line, f.Words[int(*v)])
		}
		return strconv.AppendFloat(line, *v, 'g', -1, 64)
	}
	panic("export: a column of moments is not published")
}

// appendText appends s, in quotation marks if CSV (RFC 4180) needs them.
func appendText(line []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",\r\n") {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}
