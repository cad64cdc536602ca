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

// A ParquetWriter writes rows as a Parquet file with a seal, in the order given, with the
// columns of WriteCSV and after them the seconds: plain strings, 64-bit integers where values are
// whole numbers, and floats; what is not defined is null. A group of rows has those of one dataset,
// trial and method, and the statistics of these columns, so that who asks for some of them reads no
// others.
type ParquetWriter struct {
	w       *file.Writer
	columns []*tidyColumn
	out     []arrowio.ParquetColumn // of columns
	rows    int                     // of the group that is not written yet
	small   bool                    // groups end where they are full alone
}

// A tidyColumn is a column of people's files.
type tidyColumn struct {
	results.Field
	arrowio.ParquetColumn                    // of the group that is not written yet
	add                   func(*results.Row) // adds a row's value to the group
	err                   error              // a value that the column cannot have
}

// mostGroup is the most rows of a group, which is in memory until it is written.
const mostGroup = 1 << 16

// NewParquet begins a file, with the same columns as NewCSV. What Write has given to w is a Parquet file after Close.
func NewParquet(w io.Writer, layout results.Layout, more ...string) (*ParquetWriter, error) {
	return NewSmallParquet(w, layout, nil, more...)
}

// NewSmallParquet is NewParquet for a file of few rows with metadata, which takes less room than it is quick to read.
// It leaves out the ids of cells: the reader is to know them by dataset, trial, method and parameters.
func NewSmallParquet(w io.Writer, layout results.Layout, metadata map[string]string,
	more ...string) (*ParquetWriter, error) {
	err := layout.Validate()
	if err != nil {
		return nil, err
	}
	// A page of version 2 says how many of its values are null, which Arrow knows by the column's
	// statistics alone: without them it writes 0, and polars and hyparquet refuse the file.
	l := arrowio.ParquetLayout{Codec: compress.Codecs.Snappy, OldPages: true, Metadata: metadata}
	p := &ParquetWriter{columns: tidyColumns(layout, more), small: metadata != nil}
	if p.small {
		l.Codec, l.Dictionary = compress.Codecs.Gzip, 1<<17 // numbers that hardly repeat are smaller without
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

// tidyColumns are those of people's files, and last those of cost.
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

// Write adds rows. It copies what it does not write at once.
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

// endGroup writes the rows of the group that is not written yet.
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

// begin makes the column ready for rows.
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

// gather has the column gather the values of rows that are not null. Each group uses the memory of the group before.
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

// Close writes the rows that are not written yet, and the end of the file.
func (p *ParquetWriter) Close() error {
	if err := p.endGroup(); err != nil {
		return err
	}
	return p.w.Close()
}
