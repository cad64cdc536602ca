package results

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A CSVWriter writes rows as CSV, in the order given: the columns of result files that say
// which row it is, with which parameters, what was computed, and the error. Undefined
// measures are empty; floats are in shortest round-trip form. The columns of time, host
// and attempt are left out, so equal content gives equal bytes: two runs of the same cells
// are compared by this file.
type CSVWriter struct {
	b      *bufio.Writer
	fields []Field
	line   []byte
}

// NewCSV begins a file with the names of its columns. The layout names the rows' parameters. More is nothing or
// SettingsColumn.
func NewCSV(w io.Writer, layout Layout, more ...string) *CSVWriter {
	c := &CSVWriter{b: bufio.NewWriterSize(w, 1<<16)} // errors stay with b and show in Write and Close
	c.fields = slices.DeleteFunc(Fields(layout), func(f Field) bool { return !published(f.Name, f.Role, more) })
	for i, f := range c.fields {
		c.line = appendText(separate(c.line, i), f.Name)
	}
	c.b.Write(append(c.line, '\n'))
	return c
}

// Write adds rows.
func (c *CSVWriter) Write(rows []*Row) (err error) {
	for _, r := range rows {
		c.line = c.line[:0]
		for i, f := range c.fields {
			c.line = appendValue(separate(c.line, i), f.Value(r))
		}
		_, err = c.b.Write(append(c.line, '\n'))
	}
	return err
}

// Close writes what is pending.
func (c *CSVWriter) Close() error { return c.b.Flush() }

// WriteCSV writes rows as a CSVWriter does.
func WriteCSV(w io.Writer, layout Layout, rows []*Row) error {
	c := NewCSV(w, layout)
	if err := c.Write(rows); err != nil {
		return err
	}
	return c.Close()
}

// published tells whether all of people's files have a column: not cost and provenance, but for the
// error, so that equal results are equal bytes. The settings are among more if there are any.
func published(name string, role Role, more []string) bool {
	if name == SettingsColumn {
		return slices.Contains(more, name)
	}
	return role != RoleCost && role != RoleProvenance || name == errorColumn
}

// separate appends a comma before all values but the first.
func separate(line []byte, i int) []byte {
	if i == 0 {
		return line
	}
	return append(line, ',')
}

// appendValue appends a field's value; nil is empty.
func appendValue(line []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(line, v)
	case int64:
		return strconv.AppendInt(line, v, 10)
	case float64:
		return strconv.AppendFloat(line, v, 'g', -1, 64)
	default:
		return line
	}
}

// appendText quotes a text where CSV (RFC 4180) needs it.
func appendText(line []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",\r\n") {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}

// A Field is a column of result files as other formats print it.
type Field struct {
	Name string
	Role Role
	// Value returns a row's value: nil for null, else a string (a parameter's word, a
	// time in RFC 3339), an int64 or a float64, which may be infinite.
	Value func(r *Row) any
}

// Fields lists the columns of result files with these hyperparameters, in their order.
func Fields(layout Layout) []Field {
	words := map[string][]string{}
	for _, p := range layout {
		words[p.Name] = p.Words
	}
	var fields []Field
	for _, c := range columnsOf(layout) {
		get := c.value
		choices := words[c.Name]
		fields = append(fields, Field{Name: c.Name, Role: c.role, Value: func(r *Row) any {
			switch v := get(r).(type) {
			case int:
				return int64(v)
			case float64:
				if math.IsNaN(v) {
					return nil
				}
				if choices != nil {
					return choices[int(v)]
				}
				return v
			case time.Time:
				if v.IsZero() {
					return nil
				}
				return v.UTC().Format(time.RFC3339Nano)
			case string:
				if v == "" && c.Nullable {
					return nil
				}
				return v
			default:
				return v
			}
		}})
	}
	return fields
}
