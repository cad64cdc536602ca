package figures

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// A table writes CSV and keeps the first error.
type table struct{ w *csv.Writer }

func newTable(w io.Writer, heads ...string) table {
	t := table{csv.NewWriter(w)}
	t.row(heads...)
	return t
}

func (t table) row(values ...string) {
	// An error stays with the writer until it is asked for.
	_ = t.w.Write(values)
}

func (t table) close() error {
	t.w.Flush()
	return t.w.Error()
}

// number is the shortest decimal that reads back as v, or nothing if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
