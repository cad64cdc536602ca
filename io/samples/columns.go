package samples

import (
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// A Column is a flat column of a table of any make: one of the three slices holds its
// values, whole numbers, other numbers or text.
type Column struct {
	Name   string
	Ints   []int64
	Floats []float64
	Texts  []string
}

// Columns are the columns of a file that was asked for some of them.
type Columns struct {
	Rows  int
	All   []string // the names of all columns, in the file's order
	Found []Column
}

// ReadColumns reads those of the named columns that a Parquet or Arrow file has, for
// tables other than a dataset's. The file is checked as a dataset's are: its seal, nulls,
// NaN and infinities.
func ReadColumns(path string, names ...string) (*Columns, error) {
	columns := new(Columns)
	d := &Dataset{mem: memory.NewGoAllocator()}
	_, err := d.with(path, func(f *table) error {
		columns.Rows, columns.All = f.rows, f.names()
		for _, name := range names {
			c := f.find(name)
			if c == nil {
				continue
			}
			values, err := f.flat(c)
			if err != nil {
				return err
			}
			columns.Found = append(columns.Found, values)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return columns, nil
}

// flat reads a column that is no list.
func (t *table) flat(c *column) (values Column, err error) {
	values.Name = c.name
	switch {
	case c.list:
		err = t.wrongType(c, "a number or text")
	case c.kind == integer:
		err = t.ints(c, func(_ int, v []int64) error {
			values.Ints = append(values.Ints, v...)
			return nil
		})
	case c.kind == number:
		values.Floats, err = t.allFloats(c)
	case c.kind == text:
		values.Texts, err = t.allTexts(c)
	default:
		err = t.wrongType(c, "a number or text")
	}
	return values, err
}
