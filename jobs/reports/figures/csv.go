package figures

import (
	"io"
	"math"
	"strconv"

	"graphda/io/csvfile"
)

// A table writes CSV and keeps the first error.
type table struct{ w *csvfile.Writer }

func newTable(w io.Writer, heads ...string) table {
	t := table{csvfile.NewWriter(w)}
	t.row(heads...)
	return t
}

func (t table) row(values ...string) {
	// An error stays with the writer until it is asked for.
	_ = t.w.Write(values...)
}

func (t table) close() error { return t.w.Flush() }

// number is the shortest decimal that reads back as v, or nothing if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
