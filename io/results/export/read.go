package export

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"graphda/io/columnar"
	"graphda/io/results"
)

// cellColumn holds the ids of cells. A small file lacks it.
const cellColumn = "cell"

// ReadParquet reads the rows and the metadata of a ParquetWriter's file. It sets only fields with a column in the file.
func ReadParquet(path string, layout results.Layout) (rows []results.Row, metadata map[string]string, err error) {
	_, err = columnar.Read(path, func(t *columnar.File) error {
		rows, metadata = make([]results.Row, t.Rows), t.Metadata
		for i := range rows {
			rows[i].Params = make([]float64, len(layout))
		}
		for _, f := range results.Fields(layout) {
			from, err := t.Need(f.Name)
			if from != nil {
				err = readColumn(t, from, f, rows)
			} else if f.Role != results.RoleIdentity || f.Name == cellColumn { // files may lack this column
				err = nil
				f.Blank(rows)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return rows, metadata, err
}

func readColumn(t *columnar.File, from *columnar.Column, f results.Field, rows []results.Row) error {
	absent := from.Nullable(func(int) {})
	switch {
	case f.Words != nil:
		var unknown error
		err := t.Texts(absent, into(rows, func(r *results.Row, word string) {
			at := f.At(r).(*float64)
			if k := slices.Index(f.Words, word); k >= 0 {
				*at = float64(k)
			} else if *at = math.NaN(); word != "" {
				unknown = fmt.Errorf("unknown word %q, want one of %q", word, f.Words)
			}
		}))
		if err != nil {
			return err
		}
		return columnar.Locate(unknown, t.Path, f.Name)
	case f.Type.ID() == arrow.FLOAT64:
		return t.Floats(from.OrNaN(), into(rows, func(r *results.Row, v float64) { *f.At(r).(*float64) = v }))
	case f.Type.ID() == arrow.INT64:
		return t.Ints(absent, into(rows, func(r *results.Row, v int64) {
			if at, is := f.At(r).(*int); is {
				*at = int(v)
			} else {
				*f.At(r).(*int64) = v
			}
		}))
	}
	return t.Texts(absent, into(rows, func(r *results.Row, v string) { *f.At(r).(*string) = v }))
}

// into returns a function for File.Floats and similar methods. It calls set with each row and its value.
func into[T any](rows []results.Row, set func(*results.Row, T)) func(int, []T) error {
	return func(row int, values []T) error {
		for i, v := range values {
			set(&rows[row+i], v)
		}
		return nil
	}
}
