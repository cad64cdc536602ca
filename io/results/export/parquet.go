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
	parquetschema "github.com/apache/arrow/go/v15/parquet/schema"

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
	columns []tidyColumn
	small   bool // groups end where they are full alone
}

// A tidyColumn is a column of people's files.
type tidyColumn struct {
	results.Field
	empty arrowio.ParquetColumn // without values
}

// mostGroup is the most rows of a group, which are in memory twice while they are written.
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
		p.columns = slices.DeleteFunc(p.columns, func(c tidyColumn) bool { return c.Name == cellColumn })
	}
	for i := range p.columns {
		c := &p.columns[i]
		if c.empty, err = c.out(nil); err != nil {
			return nil, err
		}
		c.empty.Dictionary = c.empty.Dictionary || p.small
		l.Columns = append(l.Columns, c.empty)
	}
	p.w, err = arrowio.NewParquetWriter(w, l)
	return p, err
}

// tidyColumns are those of people's files, and last those of cost.
func tidyColumns(layout results.Layout, more []string) []tidyColumn {
	var shared, costs []tidyColumn
	for _, f := range results.Fields(layout) {
		switch {
		case published(f.Name, f.Role, more):
			shared = append(shared, tidyColumn{Field: f})
		case f.Role == results.RoleCost:
			costs = append(costs, tidyColumn{Field: f})
		}
	}
	return append(shared, costs...)
}

// Write adds rows.
func (p *ParquetWriter) Write(rows []*results.Row) error {
	for len(rows) > 0 {
		n, first := 1, rows[0]
		for n < min(len(rows), mostGroup) && (p.small || rows[n].Dataset == first.Dataset &&
			rows[n].Trial == first.Trial && rows[n].Method == first.Method) {
			n++
		}
		var columns []arrowio.ParquetColumn
		for _, c := range p.columns {
			group, out := rows[:n], c.empty
			out.Write = func(w file.ColumnChunkWriter) error { // one column after the other is in memory
				full, err := c.out(group)
				if err != nil {
					return err
				}
				return full.Write(w)
			}
			columns = append(columns, out)
		}
		if err := arrowio.WriteRowGroup(p.w, columns...); err != nil {
			return fmt.Errorf("results: %w", err)
		}
		rows = rows[n:]
	}
	return nil
}

// out returns the column of some rows.
func (c *tidyColumn) out(rows []*results.Row) (out arrowio.ParquetColumn, err error) {
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
		out = gather(c, rows, func(r *results.Row) (parquet.ByteArray, bool) {
			if v := number(r); v == v {
				return text(c.Words[int(v)]), false
			}
			return nil, true
		})
	case c.Whole:
		out = gather(c, rows, func(r *results.Row) (int64, bool) {
			v := number(r)
			if v == v && v != math.Trunc(v) || math.Abs(v) > 1<<53 {
				err = fmt.Errorf("%v, want a whole number", v)
			}
			return int64(v), v != v
		})
	case c.Type.ID() == arrow.FLOAT64:
		out = gather(c, rows, func(r *results.Row) (float64, bool) { v := number(r); return v, v != v })
	case c.Type.ID() == arrow.INT64:
		out = gather(c, rows, func(r *results.Row) (int64, bool) {
			if v, ok := c.At(r).(*int); ok {
				return int64(*v), false
			}
			return *c.At(r).(*int64), false
		})
	default:
		out = gather(c, rows, func(r *results.Row) (parquet.ByteArray, bool) {
			s := *c.At(r).(*string)
			return text(s), c.Nullable && s == ""
		})
	}
	isText := out.Node.(*parquetschema.PrimitiveNode).PhysicalType() == parquet.Types.ByteArray
	out.Dictionary, out.Stats = isText, c.Role == results.RoleIdentity
	return out, err
}

// gather returns a column of the values of rows that are not null.
func gather[T int64 | float64 | parquet.ByteArray](c *tidyColumn, rows []*results.Row,
	value func(*results.Row) (v T, null bool)) arrowio.ParquetColumn {
	values, present := make([]T, 0, len(rows)), make([]int16, len(rows))
	for i, r := range rows {
		if v, null := value(r); !null {
			values, present[i] = append(values, v), 1
		}
	}
	if !c.Nullable {
		present = nil
	}
	return arrowio.Flat(c.Name, values, present)
}

// Close writes the end of the file.
func (p *ParquetWriter) Close() error { return p.w.Close() }
