package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/dataframe"
	"graphda/io/results"
	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

var must = sealtest.Must

// tidyRows returns rows of two datasets, two trials and two methods, with nearly every kind of value. Some have failed.
func tidyRows() (results.Layout, []*results.Row) {
	layout := results.Layout{{Name: "gamma"}, {Name: "s", Whole: true}, {Name: "search", Words: []string{"paper", "exact, or so"}}}
	var rows []*results.Row
	for _, dataset := range []string{"graph01", "graph02"} {
		for trial := range 2 {
			for m, method := range []string{"adam", "graphda"} {
				for k := range 3 {
					r := &results.Row{Cell: dataset + strconv.Itoa(trial) + method, Dataset: dataset, Trial: trial, Method: method,
						Params: []float64{0.1 + float64(k), math.NaN(), math.NaN()}, Checkpoint: 10 * (k + 1),
						W: results.NoMetrics(), Wbar: results.NoMetrics(), Solves: int64(k), HeadBound: math.NaN(), Host: "h",
						Seconds: float64(k) / 8}
					if m == 1 {
						r.Params[1], r.Params[2] = float64(20+k), 1
						r.W.Mistakes, r.W.F1, r.Wbar.TestMSE = float64(k), 1.0/3, math.Inf(1)
					}
					if k == 2 {
						r.Error = "it said \"no\""
					}
					rows = append(rows, r)
				}
			}
		}
	}
	return layout, rows
}

func writeParquet(t *testing.T, layout results.Layout, rows []*results.Row) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.parquet")
	must(t, seal.Write(path, func(w io.Writer) error {
		p := must1(NewParquet(w, layout))
		must(t, p.Write(rows[:7]))
		must(t, p.Write(rows[7:]))
		return p.Close()
	}))
	return path
}

// TestParquet checks that a group has one dataset, trial and method, and that columns are integers or plain strings.
func TestParquet(t *testing.T) {
	layout, rows := tidyRows()
	path := writeParquet(t, layout, rows)
	must(t, seal.IsSealed(path))
	f := must1(file.OpenParquetFile(path, false))
	defer f.Close()
	types := map[string]string{}
	for i := range f.MetaData().Schema.NumColumns() {
		c := f.MetaData().Schema.Column(i)
		types[c.Name()] = c.PhysicalType().String() + " " + c.LogicalType().String()
	}
	for name, want := range map[string]string{
		"cell": "BYTE_ARRAY String", "dataset": "BYTE_ARRAY String", "search": "BYTE_ARRAY String", "error": "BYTE_ARRAY String",
		"trial": "INT64 None", "checkpoint": "INT64 None", "s": "INT64 None", "mistakes": "INT64 None", "nonzeros_wbar": "INT64 None",
		"solves": "INT64 None", "gamma": "DOUBLE None", "f1": "DOUBLE None", "seconds": "DOUBLE None", "host": "", "started": "",
	} {
		if types[name] != want {
			t.Errorf("column %s is %q, want %q", name, types[name], want)
		}
	}
	schema := f.MetaData().Schema
	if last := schema.Column(schema.NumColumns() - 1).Name(); last != "seconds" {
		t.Errorf("the last column is %s, want seconds: the others are those of CSV", last)
	}
	if f.NumRowGroups() != 9 || f.NumRows() != int64(len(rows)) { // one group is cut where a batch ended
		t.Errorf("%d groups of %d rows, want 9 of %d", f.NumRowGroups(), f.NumRows(), len(rows))
	}
	at := 0
	for g := range f.NumRowGroups() {
		group := f.RowGroup(g)
		c := must1(group.MetaData().ColumnChunk(3))
		stats := must1(c.Statistics())
		if low, high := string(stats.EncodeMin()), string(stats.EncodeMax()); low != high || low != rows[at].Method {
			t.Errorf("group %d has methods %s to %s, want %s", g, low, high, rows[at].Method)
		}
		at += int(group.NumRows())
	}
	// A page of version 2 states its number of nulls, which other programs rely on. Arrow's writer does not know
	// it for columns without statistics.
	for j := range schema.NumColumns() {
		pages := must1(f.RowGroup(0).GetColumnPageReader(j))
		for pages.Next() {
			page, is := pages.Page().(*file.DataPageV2)
			if is && schema.Column(j).MaxDefinitionLevel() > 0 && page.NumNulls() == 0 {
				t.Errorf("a page of %s says that nothing is null", schema.Column(j).Name())
			}
		}
	}
}

func TestParquetRefuses(t *testing.T) {
	layout, rows := tidyRows()
	rows[4].W.Nonzeros = 2.5
	p := must1(NewParquet(io.Discard, layout))
	sealtest.WantError(t, p.Write(rows), `"nonzeros": 2.5, want a whole number`)
	if _, err := NewParquet(io.Discard, results.Layout{{Name: "f1"}}); err == nil {
		t.Error("a parameter of a measure's name passes")
	}
}

// TestParquetValues checks that the file has the same values as the CSV, and nulls where the CSV is empty.
func TestParquetValues(t *testing.T) {
	layout, rows := tidyRows()
	var text bytes.Buffer
	must(t, WriteCSV(&text, layout, rows))
	want := must1(csv.NewReader(&text).ReadAll())
	table := must1(dataframe.Open(writeParquet(t, layout, rows), dataframe.Options{}))
	if !slices.Equal(table.Columns(), append(want[0], "seconds")) {
		t.Errorf("columns %q, want %q and seconds", table.Columns(), want[0])
	}
	for i := range rows {
		if !table.Next() {
			t.Fatalf("%d rows, want %d: %v", i, len(rows), table.Err())
		}
		for k, v := range want[i+1] {
			if got := table.Text(k); got != v {
				t.Errorf("row %d, column %s: %q, want %q", i, want[0][k], got, v)
			}
		}
		if s := table.Text(len(want[0])); s != strconv.FormatFloat(rows[i].Seconds, 'g', -1, 64) {
			t.Errorf("row %d took %s seconds, want %v", i, s, rows[i].Seconds)
		}
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
