package results

import (
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/columnar"
)

// A ParquetWriter writes rows as a tidy Parquet file with a seal, in the order given, with the
// columns of WriteCSV and after them the seconds: plain strings, 64-bit integers where values are
// whole numbers, and floats; what is not defined is null. A group of rows has those of one dataset,
// trial and method, and the statistics of these columns, so that who asks for some of them reads no
// others.
type ParquetWriter struct {
	w       *file.Writer
	columns []*parquetColumn

	// The values of a column of a group, one of the slices.
	texts   []parquet.ByteArray
	ints    []int64
	floats  []float64
	defined []int16 // 1 for a value, 0 for null
}

// A parquetColumn is a column of a Row as Parquet has it.
type parquetColumn struct {
	name     string
	at       func(*Row) any // a pointer to the value
	physical parquet.Type
	words    []string // of the values, which are their indices
	optional bool
	out      columnar.Out // for its schema
}

// mostGroup is the most rows of a group, which are in memory twice while they are written.
const mostGroup = 1 << 16

// NewParquet begins a file, with the same columns as NewCSV. What Write has given to w is a Parquet file after Close.
func NewParquet(w io.Writer, layout Layout, more ...string) (_ *ParquetWriter, err error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	// A page of version 2 says how many of its values are null, which Arrow knows by the column's
	// statistics alone: without them it writes 0, and polars and hyparquet refuse the file.
	l := columnar.Layout{Snappy: true, OldPages: true}
	p := &ParquetWriter{}
	for _, c := range tidyColumns(layout, more) {
		k := parquetOf(layout, c)
		k.out.Dictionary, k.out.Stats = k.physical == parquet.Types.ByteArray, c.role == RoleIdentity
		p.columns, l.Columns = append(p.columns, k), append(l.Columns, k.out)
	}
	p.w, err = columnar.NewParquetWriter(w, l)
	return p, err
}

// tidyColumns are those of people's files, and last those of cost.
func tidyColumns(layout Layout, more []string) []column {
	var shared, costs []column
	for _, c := range columnsOf(layout) {
		switch {
		case published(c.Name, c.role, more):
			shared = append(shared, c)
		case c.role == RoleCost:
			costs = append(costs, c)
		}
	}
	return append(shared, costs...)
}

func parquetOf(layout Layout, c column) *parquetColumn {
	k := &parquetColumn{name: c.Name, at: c.at, optional: c.Nullable}
	for _, p := range layout {
		if p.Name == c.Name {
			k.words = p.Words
		}
	}
	var defined []int16
	if k.optional {
		defined = []int16{}
	}
	switch {
	case c.whole || c.Type.ID() == arrow.INT64:
		k.physical, k.out = parquet.Types.Int64, columnar.Flat(k.name, []int64{}, defined)
	case c.Type.ID() == arrow.FLOAT64:
		k.physical, k.out = parquet.Types.Double, columnar.Flat(k.name, []float64{}, defined)
	default:
		k.physical, k.out = parquet.Types.ByteArray, columnar.Flat(k.name, []parquet.ByteArray{}, defined)
	}
	return k
}

// Write adds rows.
func (p *ParquetWriter) Write(rows []*Row) error {
	for len(rows) > 0 {
		n, first := 1, rows[0]
		for n < min(len(rows), mostGroup) && rows[n].Dataset == first.Dataset && rows[n].Trial == first.Trial &&
			rows[n].Method == first.Method {
			n++
		}
		if err := p.writeGroup(rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (p *ParquetWriter) writeGroup(rows []*Row) error {
	var columns []columnar.Out
	for _, k := range p.columns {
		out := k.out
		out.Write = func(w file.ColumnChunkWriter) error { return p.writeColumn(w, k, rows) }
		columns = append(columns, out)
	}
	if err := columnar.WriteRowGroup(p.w, columns...); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

func (p *ParquetWriter) writeColumn(w file.ColumnChunkWriter, k *parquetColumn, rows []*Row) error {
	p.texts, p.ints, p.floats, p.defined = p.texts[:0], p.ints[:0], p.floats[:0], p.defined[:0]
	for _, r := range rows {
		if err := p.add(k, r); err != nil {
			return err
		}
	}
	defined := p.defined
	if !k.optional {
		defined = nil
	}
	switch k.physical {
	case parquet.Types.Int64:
		return columnar.WriteTo(p.ints, defined, nil)(w)
	case parquet.Types.Double:
		return columnar.WriteTo(p.floats, defined, nil)(w)
	}
	return columnar.WriteTo(p.texts, defined, nil)(w)
}

// add adds the value of a row to the column at hand.
func (p *ParquetWriter) add(k *parquetColumn, r *Row) error {
	switch v := k.at(r).(type) {
	case *string:
		p.addText(*v, k.optional && *v == "")
	case *int:
		p.ints, p.defined = append(p.ints, int64(*v)), append(p.defined, 1)
	case *int64:
		p.ints, p.defined = append(p.ints, *v), append(p.defined, 1)
	case *float64:
		return p.addNumber(k, *v)
	}
	return nil
}

func (p *ParquetWriter) addText(s string, null bool) {
	if null {
		p.defined = append(p.defined, 0)
		return
	}
	p.defined = append(p.defined, 1)
	if n := len(p.texts); n > 0 && string(p.texts[n-1]) == s { // most texts repeat
		p.texts = append(p.texts, p.texts[n-1])
		return
	}
	p.texts = append(p.texts, parquet.ByteArray(s))
}

func (p *ParquetWriter) addNumber(k *parquetColumn, v float64) error {
	switch {
	case math.IsNaN(v):
		p.defined = append(p.defined, 0)
	case k.words != nil:
		p.addText(k.words[int(v)], false)
	case k.physical == parquet.Types.Double:
		p.floats, p.defined = append(p.floats, v), append(p.defined, 1)
	case v != math.Trunc(v) || math.Abs(v) > 1<<53:
		return fmt.Errorf("%v, want a whole number", v)
	default:
		p.ints, p.defined = append(p.ints, int64(v)), append(p.defined, 1)
	}
	return nil
}

// Close writes the end of the file.
func (p *ParquetWriter) Close() error { return p.w.Close() }
