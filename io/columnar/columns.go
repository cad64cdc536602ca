package columnar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// columns are the flat columns of a file, in memory.
type columns struct {
	names  []string
	index  []string // names of the columns in which pandas keeps the index of its rows
	values []values
	rows   int
	row    int // the one that Next has gone to
}

// values are those of a column: one of the slices holds them, none if they are not wanted.
type values struct {
	ints   []int64
	floats []float64
	texts  []string
	null   map[int]bool // the rows that have none
}

func openColumns(path string, o dataframe.Options) (dataframe.Source, error) {
	c := &columns{row: -1}
	_, err := Read(path, func(f *File) (err error) {
		c.names, c.rows = f.Names(), f.Rows
		var pandas struct {
			Columns []any `json:"index_columns"` // names; a range of numbers is no column
		}
		_ = json.Unmarshal([]byte(f.Metadata["pandas"]), &pandas) // what cannot be read says nothing
		for _, name := range pandas.Columns {
			if name, ok := name.(string); ok {
				c.index = append(c.index, name)
			}
		}
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

// flat reads a column that is no list. Values may be null or not finite.
func (t *File) flat(c *Column) (v values, err error) {
	v.null = map[int]bool{}
	nullable := c.Nullable(func(row int) { v.null[row] = true })
	switch {
	case !c.Flat():
		err = t.WrongType(c, "a number or text")
	case c.Kind == Integer:
		v.ints, err = All(v.ints, nullable, t.Ints)
	case c.Kind == Number:
		v.floats, err = All(v.floats, nullable, t.Floats)
	default:
		v.texts, err = t.AllTexts(nullable)
	}
	return v, err
}

func (c *columns) Columns() []string { return c.names }
func (c *columns) Index() []string   { return c.index }

func (c *columns) Next() error {
	if c.row++; c.row >= c.rows {
		return io.EOF
	}
	return nil
}

func (c *columns) Row() dataframe.Row { return dataframe.Index(c.row) }

func (c *columns) Text(i int) string {
	switch v := &c.values[i]; {
	case v.null[c.row]:
		return ""
	case v.ints != nil:
		return strconv.FormatInt(v.ints[c.row], 10)
	case v.floats != nil:
		return dataframe.FormatNumber(v.floats[c.row])
	case v.texts != nil:
		return strings.TrimSpace(v.texts[c.row])
	}
	return ""
}

func (c *columns) Number(i int) (float64, error) {
	switch v := &c.values[i]; {
	case v.null[c.row]:
		return 0, errors.New("is null, want a finite number")
	case v.ints != nil:
		return float64(v.ints[c.row]), nil
	case v.floats != nil:
		if x := v.floats[c.row]; x-x != 0 {
			return 0, fmt.Errorf("is %v, want a finite number", x)
		}
		return v.floats[c.row], nil
	}
	return dataframe.Number(c.Text(i))
}

func (c *columns) Real(i int) bool { return c.values[i].floats != nil }

func (c *columns) Close() error { return nil }
