package results

import (
	"fmt"
	"math"
	"slices"

	"graphda/io/columnar"
)

// ReadParquet reads a file of a ParquetWriter, whose rows have nothing but what is in its columns, and its metadata.
func ReadParquet(path string, layout Layout) (rows []Row, metadata map[string]string, err error) {
	_, err = columnar.Read(path, allocator, func(t *columnar.File) error {
		rows, metadata = make([]Row, t.Rows), t.Metadata
		for i := range rows {
			rows[i].Params = make([]float64, len(layout))
		}
		for _, c := range columnsOf(layout) {
			c.blank(rows)
			from, err := t.Need(c.Name)
			if from != nil {
				err = readColumn(t, from, c, layout, rows)
			} else if c.role != RoleIdentity { // a column that a later version has
				err = nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return rows, metadata, err
}

// readColumn reads a column of a file into its rows.
func readColumn(t *columnar.File, from *columnar.Column, c column, layout Layout, rows []Row) error {
	absent := from.Nullable(func(int) {})
	switch c.at(&Row{Params: make([]float64, len(layout))}).(type) {
	case *string:
		return t.Texts(absent, into(rows, func(r *Row, v string) { *c.at(r).(*string) = v }))
	case *int:
		return t.Ints(absent, into(rows, func(r *Row, v int64) { *c.at(r).(*int) = int(v) }))
	case *int64:
		return t.Ints(absent, into(rows, func(r *Row, v int64) { *c.at(r).(*int64) = v }))
	}
	at := slices.IndexFunc(layout, func(p ParamColumn) bool { return p.Name == c.Name && p.Words != nil })
	if at < 0 {
		return t.Floats(from.OrNaN(), into(rows, func(r *Row, v float64) { *c.at(r).(*float64) = v }))
	}
	var unknown error
	err := t.Texts(absent, into(rows, func(r *Row, word string) {
		if k := slices.Index(layout[at].Words, word); k >= 0 {
			r.Params[at] = float64(k)
		} else if r.Params[at] = math.NaN(); word != "" {
			unknown = fmt.Errorf("unknown word %q, want one of %q", word, layout[at].Words)
		}
	}))
	if err != nil {
		return err
	}
	return columnar.Locate(unknown, t.Path, c.Name)
}

// into sets values of consecutive rows.
func into[T any](rows []Row, set func(*Row, T)) func(int, []T) error {
	return func(row int, values []T) error {
		for i, v := range values {
			set(&rows[row+i], v)
		}
		return nil
	}
}
