package export

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/arrowio"
	"graphda/io/results"
)

// A ParquetWriter writes rows as a sealed Parquet file, in the given order. It has a CSVWriter's columns, followed by
// the cost. Undefined values are null. A row group holds rows of one dataset, trial and method, and has statistics of
// these columns, so a program can skip groups.
type ParquetWriter struct {
	w       *file.Writer
	columns []*tidyColumn
	out     []arrowio.ParquetColumn // schemas of the columns
	rows    int                     // number of rows in the current group
	small   bool                    // whether a group ends only when it is full
}

// A tidyColumn is a column of an exported file.
type tidyColumn struct {
	results.Field
	arrowio.ParquetColumn // values in the current group
	add                   func(*results.Row)
	err                   error // error of a value that does not fit the column
}

// mostGroup is the largest number of rows in a group. Memory holds one group.
const mostGroup = 1 << 16

// NewParquet begins a file with the same columns as NewCSV. The file is complete after Close.
func NewParquet(w io.Writer, layout results.Layout, more ...string) (*ParquetWriter, error) {
	return NewSmallParquet(w, layout, nil, more...)
}

// NewSmallParquet is like NewParquet, for a file with few rows and with metadata. The file is smaller, but slower to
// read. It has no ids of cells, which a reader can compute from the other columns.
func NewSmallParquet(w io.Writer, layout results.Layout, metadata map[string]string,
	more ...string) (*ParquetWriter, error) {
	err := layout.Validate()
	if err != nil {
		return nil, err
	}
	// A page of version 2 states its number of nulls. For a column without statistics, Arrow writes 0, so polars and
	// hyparquet refuse the file. Pages of version 1 avoid this.
	l := arrowio.ParquetLayout{Codec: compress.Codecs.Snappy, OldPages: true, Metadata: metadata}
	p := &ParquetWriter{columns: tidyColumns(layout, more), small: metadata != nil}
	if p.small {
		l.Codec, l.Dictionary = compress.Codecs.Gzip, 1<<17 // dictionaries enlarge numbers that seldom repeat
		p.columns = slices.DeleteFunc(p.columns, func(c *tidyColumn) bool { return c.Name == cellColumn })
	}
	for _, c := range p.columns {
		c.begin()
		c.Dictionary = c.Dictionary || p.small
		p.out = append(p.out, c.ParquetColumn)
	}
	l.Columns = p.out
	p.w, err = arrowio.NewParquetWriter(w, l)
	return p, err
}

// tidyColumns returns the columns of exported files. The cost columns are last.
func tidyColumns(layout results.Layout, more []string) []*tidyColumn {
	var shared, costs []*tidyColumn
	for _, f := range results.Fields(layout) {
		switch {
		case published(f.Name, f.Role, more):
			shared = append(shared, &tidyColumn{Field: f})
		case f.Role == results.RoleCost:
			costs = append(costs, &tidyColumn{Field: f})
		}
	}
	return append(shared, costs...)
}

// Write adds rows. It keeps no references to them.
func (p *ParquetWriter) Write(rows []*results.Row) error {
	for i, r := range rows {
		before := rows[max(i-1, 0)]
		another := r.Dataset != before.Dataset || r.Trial != before.Trial || r.Method != before.Method
		if another && !p.small || p.rows == mostGroup {
			if err := p.endGroup(); err != nil {
				return err
			}
		}
		for _, c := range p.columns {
			c.add(r)
		}
		p.rows++
	}
	if p.small {
		return nil
	}
	return p.endGroup()
}

func (p *ParquetWriter) endGroup() error {
	if p.rows == 0 {
		return nil
	}
	p.rows = 0
	if err := arrowio.WriteRowGroup(p.w, p.out...); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

func (c *tidyColumn) begin() {
	var last parquet.ByteArray
	text := func(s string) parquet.ByteArray { // most texts repeat
		if last == nil || string(last) != s {
			last = parquet.ByteArray(s)
		}
		return last
	}
	number := func(r *results.Row) float64 { return *c.At(r).(*float64) }
	switch {
	case c.Words != nil:
		gather(c, func(r *results.Row) (parquet.ByteArray, bool) {
			if v := number(r); v == v {
				return text(c.Words[int(v)]), false
			}
			return nil, true
		})
	case c.Whole:
		gather(c, func(r *results.Row) (int64, bool) {
			v := number(r)
			if v == v && v != math.Trunc(v) || math.Abs(v) > 1<<53 {
				c.err = fmt.Errorf("%v, want a whole number", v)
			}
			return int64(v), v != v
		})
	case c.Type.ID() == arrow.FLOAT64:
		gather(c, func(r *results.Row) (float64, bool) { v := number(r); return v, v != v })
	case c.Type.ID() == arrow.INT64:
		gather(c, func(r *results.Row) (int64, bool) {
			if v, ok := c.At(r).(*int); ok {
				return int64(*v), false
			}
			return *c.At(r).(*int64), false
		})
	default:
		gather(c, func(r *results.Row) (parquet.ByteArray, bool) {
			s := *c.At(r).(*string)
			return text(s), c.Nullable && s == ""
		})
	}
}

// gather lets c collect values of rows, except nulls. It reuses the previous group's memory.
func gather[T int64 | float64 | parquet.ByteArray](c *tidyColumn, value func(*results.Row) (v T, null bool)) {
	var values []T
	var present []int16
	if c.Nullable {
		present = []int16{}
	}
	c.add = func(r *results.Row) {
		v, null := value(r)
		if null {
			present = append(present, 0)
		} else {
			values, present = append(values, v), append(present, 1)
		}
	}
	c.ParquetColumn = arrowio.Flat(c.Name, values, present)
	_, isText := any(values).([]parquet.ByteArray)
	c.Dictionary, c.Stats = isText, c.Role == results.RoleIdentity
	c.ParquetColumn.Write = func(w file.ColumnChunkWriter) error {
		if c.err != nil {
			return c.err
		}
		err := arrowio.WriteTo(values, present, nil)(w)
		values, present = values[:0], present[:0]
		return err
	}
}

// Close writes the current group and the end of the file.
func (p *ParquetWriter) Close() error {
	if err := p.endGroup(); err != nil {
		return err
	}
	return p.w.Close()
}
