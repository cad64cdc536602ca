package columnar

import (
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/tabular"
)

// columns are the flat columns of a file, in memory.
type columns struct {
	names  []string
	values []values
	rows   int
	row    int // the one that Next has gone to
}

// values are those of a column: one of the slices holds them, none if they are not wanted.
type values struct {
	ints   []int64
	floats []float64
	texts  []string
}

func openColumns(path string, o tabular.Options) (tabular.Source, error) {
	c := &columns{row: -1}
	_, err := Read(path, memory.NewGoAllocator(), func(f *File) (err error) {
		c.names, c.rows = f.Names(), f.Rows
		c.values = make([]values, len(f.Columns))
		for i := range f.Columns {
			if column := &f.Columns[i]; err == nil && (o.Wanted == nil || o.Wanted(column.Name)) {
				c.values[i], err = f.flat(column)
			}
		}
		return err
	})
	return c, err
}

// flat reads a column that is no list.
func (t *File) flat(c *Column) (v values, err error) {
	switch {
	case c.List || c.Kind == Other:
		err = t.WrongType(c, "a number or text")
	case c.Kind == Integer:
		err = t.Ints(c, func(_ int, more []int64) error {
			v.ints = append(v.ints, more...)
			return nil
		})
	case c.Kind == Number:
		v.floats, err = t.AllFloats(c)
	default:
		v.texts, err = t.AllTexts(c)
	}
	return v, err
}

func (c *columns) Columns() []string { return c.names }

func (c *columns) Next() error {
	if c.row++; c.row >= c.rows {
		return io.EOF
	}
	return nil
}

func (c *columns) Row() tabular.Row { return tabular.Index(c.row) }

func (c *columns) Text(i int) string {
	switch v := &c.values[i]; {
	case v.ints != nil:
		return strconv.FormatInt(v.ints[c.row], 10)
	case v.floats != nil:
		return strconv.FormatFloat(v.floats[c.row], 'g', -1, 64)
	case v.texts != nil:
		return strings.TrimSpace(v.texts[c.row])
	}
	return ""
}

func (c *columns) Number(i int) (float64, error) {
	switch v := &c.values[i]; {
	case v.ints != nil:
		return float64(v.ints[c.row]), nil
	case v.floats != nil:
		return v.floats[c.row], nil
	}
	return tabular.Number(c.Text(i))
}

func (c *columns) Real(i int) bool { return c.values[i].floats != nil }

func (c *columns) Close() error { return nil }
