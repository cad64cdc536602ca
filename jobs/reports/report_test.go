package reports

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"graphda/io/results"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
)

// written returns a table in a format.
func written(t *testing.T, table *tables.Table, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := table.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fits fails if a line is wider than a terminal.
func fits(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > tables.Width {
			t.Errorf("a line is %d columns wide, more than %d:\n%s", n, tables.Width, line)
		}
	}
}

func publishedTable(t *testing.T) *paper.Table {
	t.Helper()
	table, ok := paper.Published("graph01")
	if !ok {
		t.Fatal("graph01 is not published")
	}
	return table
}

func TestClassificationGolden(t *testing.T) {
	plan, rows := invented(t, 20)
	table, err := classificationTable(summary(t, plan, rows), options)
	if err != nil {
		t.Fatal(err)
	}
	for format, name := range map[string]string{"text": "classification.txt", "markdown": "classification.md", "latex": "classification.tex", "csv": "classification.csv"} {
		golden(t, name, written(t, table, format))
	}
	fits(t, written(t, table, "text"))
}

func TestCompareGolden(t *testing.T) {
	plan, rows := invented(t, 20)
	c, err := compare(summary(t, plan, rows), options, publishedTable(t))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "compare.txt", written(t, c.table(), "text"))
	golden(t, "compare.md", written(t, c.table(), "markdown"))
	golden(t, "compare.csv", written(t, c.data(), "csv"))
	fits(t, written(t, c.table(), "text"))
}

// A report on an incomplete experiment says so, line by line.
func TestWarningsGolden(t *testing.T) {
	plan, rows := invented(t, 3)
	for i := range rows {
		switch r := &rows[i]; {
		case r.Method == "da-gl" && r.Trial == 1:
			r.Error = "loss is not finite"
		case r.Method == "adam":
			r.W.TestAUC = math.NaN()
			if r.Trial == 0 {
				r.W.TestAUC = 0.7
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Cell == "graphda-02-500" || r.Method == "stoiht" })
	table, err := classificationTable(summary(t, plan, rows), options)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "warnings.txt", written(t, table, "text"))
	fits(t, written(t, table, "text"))
}

func TestSettingsGolden(t *testing.T) {
	plan, rows := invented(t, 3)
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Cell == "graphda-02-500" })
	o := options
	o.Methods = []methodLabel{methods[8]}
	table, err := settingsTable(summary(t, plan, rows), o)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "settings.txt", written(t, table, "text"))
}

func TestRegressionGolden(t *testing.T) {
	plan, rows := invented(t, 6)
	for i := range rows {
		r := &rows[i]
		scale := float64(len(r.Method)) / 1000
		r.W.TestMSE, r.Wbar.TestMSE = scale*float64(1+r.Trial), 2*scale
		r.W.ValidMSE, r.Wbar.ValidMSE = r.W.TestMSE, r.Wbar.TestMSE
	}
	grid, err := merge.Collect(plan, rows)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := selection.Parse(selection.Validation, "", "least_squares")
	if err != nil {
		t.Fatal(err)
	}
	o := options
	o.Title = "Squared error"
	table, err := regressionTable(grid.Summarize(rule), o)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "regression.txt", written(t, table, "text"))
	golden(t, "regression.csv", written(t, table, "csv"))
	fits(t, written(t, table, "text"))
}

// The tolerance by hand: 2·std + half a unit of the last printed digit.
func TestNewMatch(t *testing.T) {
	miss := paper.Number{Value: 106, Digits: 0}
	accuracy := paper.Number{Value: 0.811, Digits: 3}
	for _, c := range []struct {
		name      string
		ours      merge.Stat
		published paper.Number
		tolerance float64
		want      verdict
	}{
		{"within the spread", merge.Stat{Mean: 0.8, Std: 0.01, N: 20}, accuracy, 0.0205, agrees},
		{"beyond it", merge.Stat{Mean: 0.79, Std: 0.01, N: 20}, accuracy, 0.0205, deviates},
		{"no spread, rounds to it", merge.Stat{Mean: 106.5, Std: 0, N: 20}, miss, 0.5, agrees},
		{"no spread, does not", merge.Stat{Mean: 106.6, Std: 0, N: 20}, miss, 0.5, deviates},
		{"half a unit, inexact in binary", merge.Stat{Mean: 0.8115, Std: 0, N: 20}, accuracy, 0.0005, agrees},
		{"one trial", merge.Stat{Mean: 0.5, Std: 0, N: 1}, accuracy, 0.0005, unjudged},
		{"no trial", merge.Stat{Mean: math.NaN(), Std: math.NaN()}, accuracy, math.NaN(), unjudged},
	} {
		m := newMatch(c.ours, c.published, 0)
		if m.Verdict != c.want || math.Abs(m.Tolerance-c.tolerance) > 1e-15 {
			t.Errorf("%s: %s with tolerance %v, want %s with %v", c.name, m.Verdict, m.Tolerance, c.want, c.tolerance)
		}
	}
}

// An end of a grid that a third of the trials chose is worth a word, of either model.
func TestEdgesAreNoted(t *testing.T) {
	for _, c := range []struct {
		w, wbar int // trials of 9 that choose gamma = 500
		want    string
	}{
		{2, 2, ""},
		{3, 0, "GraphDA: chose gamma=500, the largest of its grid, for w in 3 and for w̄ in 0 of 9 trials."},
		{1, 4, "GraphDA: chose gamma=500, the largest of its grid, for w in 1 and for w̄ in 4 of 9 trials."},
	} {
		plan, rows := invented(t, 9)
		for i := range rows {
			if r := &rows[i]; r.Method == "graphda" && r.Params[0] == 100 {
				r.W.ValidAccuracy, r.Wbar.ValidAccuracy = 0.9, 0.9
				if r.Trial < c.w {
					r.W.ValidAccuracy = 0
				}
				if r.Trial < c.wbar {
					r.Wbar.ValidAccuracy = 0
				}
			}
		}
		table, err := classificationTable(summary(t, plan, rows), options)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, note := range table.Notes {
			if strings.Contains(note, "of its grid") {
				got += note
			}
		}
		if got != c.want {
			t.Errorf("%d and %d of 9: %q, want %q", c.w, c.wbar, got, c.want)
		}
	}
}

// The standard error is that of the sample's deviation: of ±0.1 over 5 trials, 0.1/√4.
func TestStandardErrors(t *testing.T) {
	accuracy := paper.Number{Value: 0.811, Digits: 3}
	for _, c := range []struct {
		ours    merge.Stat
		overlap float64
		want    float64
		text    string
	}{
		{merge.Stat{Mean: 0.911, Std: 0.1, N: 5}, 0, 2, "+2.0"},
		{merge.Stat{Mean: 0.911, Std: 0.1, N: 5}, 0.6, 1, "+1.0"}, // s² = 0.1²·5/4, times 1/5 + 0.6
		{merge.Stat{Mean: 0.711, Std: 0.05, N: 2}, 0, -2, "-2.0"},
		{merge.Stat{Mean: 0.711, Std: 0, N: 20}, 0, math.NaN(), ""}, // no spread
		{merge.Stat{Mean: 0.711, Std: 0, N: 1}, 0, math.NaN(), ""},
		{merge.Stat{Mean: math.NaN(), Std: math.NaN()}, 0, math.NaN(), ""},
	} {
		m := newMatch(c.ours, accuracy, c.overlap)
		if math.Abs(m.Errors-c.want) > 1e-12 || math.IsNaN(m.Errors) != math.IsNaN(c.want) {
			t.Errorf("%v: %v standard errors, want %v", c.ours, m.Errors, c.want)
		}
		if cells := m.cells(); cells[3].Text() != c.text {
			t.Errorf("%v: printed as %q, want %q", c.ours, cells[3].Text(), c.text)
		}
	}
}

func TestCompareCounts(t *testing.T) {
	plan, rows := invented(t, 20)
	c, err := compare(summary(t, plan, rows), options, publishedTable(t))
	if err != nil {
		t.Fatal(err)
	}
	// Nine methods, three measures of w and four pairs. The accuracy of GraphDA's w̄ deviates.
	if len(c.Matches) != 99 || c.Judged != 99 || c.Agreeing != 98 {
		t.Errorf("%d of %d of %d agree, want 98 of 99 of 99", c.Agreeing, c.Judged, len(c.Matches))
	}
	plan, rows = invented(t, 1)
	o := options
	o.Methods = methods[7:]
	if c, err = compare(summary(t, plan, rows), o, publishedTable(t)); err != nil {
		t.Fatal(err)
	}
	if len(c.Matches) != 22 || c.Judged != 0 {
		t.Errorf("%d of %d are judged on one trial, want 0 of 22", c.Judged, len(c.Matches))
	}
}

// A method whose results are missing keeps its place; one that is not published, or
// published but not run, is named.
func TestCompareIncomplete(t *testing.T) {
	plan, rows := invented(t, 2)
	plan.Cells = slices.DeleteFunc(plan.Cells, func(c merge.Cell) bool { return c.Method == "adam" })
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Method == "stoiht" || r.Method == "adam" })
	s := summary(t, plan, rows)
	c, err := compare(s, options, publishedTable(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Matches) != 88 || c.Judged != 77 {
		t.Errorf("%d of %d are judged, want 77 of 88", c.Judged, len(c.Matches))
	}
	if got := c.verdict(); !strings.Contains(got, "76 of 77 values agree") || !strings.Contains(got, "11 are not judged") {
		t.Error(got)
	}
	text := written(t, c.table(), "text")
	for _, want := range []string{
		"StoIHT      ours           –", "Best subset is not in the published table.",
		"Adam is published, but not part of this experiment.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	o := options
	o.Methods = methods[9:]
	if _, err := compare(s, o, publishedTable(t)); err == nil || !strings.Contains(err.Error(), "graph01") {
		t.Errorf("%v, want an error that names the published table", err)
	}
}

func TestUnknownDatasetNamesWhatIsPlanned(t *testing.T) {
	plan, rows := invented(t, 1)
	o := options
	o.Checkpoint = 300
	if _, err := classificationTable(summary(t, plan, rows), o); err == nil || !strings.Contains(err.Error(), "graph01-mu0.3 at 400") {
		t.Errorf("%v, want an error that names what is planned", err)
	}
}

func TestBestIsMarkedAtPrintedPrecision(t *testing.T) {
	plan, rows := invented(t, 2)
	for i := range rows {
		r := &rows[i]
		r.W.Recall = 0.5
		switch r.Method {
		case "adam":
			r.W.Recall = 0.90004
		case "graphda":
			r.W.Recall = 0.90001
		case "best-subset":
			r.W.Recall = 1
		}
	}
	table, err := classificationTable(summary(t, plan, rows), options)
	if err != nil {
		t.Fatal(err)
	}
	column := slices.IndexFunc(table.Columns, func(c tables.Column) bool { return c.Key == "recall" })
	for i, row := range table.Rows {
		want := methods[i].Name == "adam" || methods[i].Name == "graphda"
		if row[column].Best != want {
			t.Errorf("%s with recall %s is marked %v, want %v", methods[i].Name, row[column].Text(), row[column].Best, want)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	r := results.Row{
		Cell: "c0ffee", Dataset: `a "b", c`, Trial: 3, Method: "graphda", Checkpoint: 400,
		Params: []float64{0.00005, 1}, W: results.NoMetrics(), Wbar: results.NoMetrics(),
		Solves: 18, Unbracketed: 2, Host: "node7", Attempt: "9", Seconds: 1.5, Error: "line 1\nline 2",
	}
	r.W.TestAccuracy, r.Wbar.F1, r.W.ValidMSE = 0.30000000000000004, 1.0/3, math.Inf(1)
	var b bytes.Buffer
	if err := results.WriteCSV(&b, layout, []*results.Row{&r}); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, name := range records[0] {
		got[name] = records[1][i]
	}
	for name, want := range map[string]string{
		"cell": "c0ffee", "dataset": `a "b", c`, "trial": "3", "method": "graphda", "gamma": "5e-05", "search": "exact",
		"checkpoint": "400", "test_accuracy": "0.30000000000000004", "valid_mse": "+Inf", "f1": "", "f1_wbar": "0.3333333333333333",
		"solves": "18", "unbracketed": "2", "error": "line 1\nline 2",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if n := 5 + len(layout) + 2*len(results.MetricColumns) + 5; len(got) != n {
		t.Errorf("%d columns, want %d: %v", len(got), n, records[0])
	}
	for name := range got {
		if slices.Contains([]string{"host", "attempt", "seconds", "started", "finished"}, name) {
			t.Errorf("column %s differs between equal runs", name)
		}
	}
}

// Equal content gives equal bytes, whatever the order of the rows and whenever and
// wherever they were computed.
func TestRowsAreByteIdentical(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want string
	for i := range 20 {
		plan, rows := invented(t, 4)
		if i > 0 {
			r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			for k := range rows {
				rows[k].Host, rows[k].Attempt = strconv.Itoa(r.IntN(9)), strconv.Itoa(r.IntN(9))
				rows[k].Seconds, rows[k].Started, rows[k].Finished = r.Float64(), time.Unix(r.Int64N(1e9), 0), time.Now()
			}
		}
		s := summary(t, plan, rows)
		var b bytes.Buffer
		if err := results.WriteCSV(&b, s.Grid.Params(), s.Grid.Rows()); err != nil {
			t.Fatal(err)
		}
		table, err := classificationTable(s, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.CSV(&b); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = b.String()
		} else if b.String() != want {
			t.Fatal("a permutation of the rows or other hosts changed the CSV")
		}
	}
}

func TestPrinting(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{percent(100), "100.0"}, {percent(99.994), "99.99"}, {percent(2.5638), "2.56"}, {percent(0), "0.00"},
		{count(133.45), "133.45"}, {count(1234.5), "1234.5"}, {count(12345.6), "12346"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Columns of words hold words, those of numbers numbers or a word that is printed in their
// place, in all tables there are.
func TestTablesAreTyped(t *testing.T) {
	printed, data := allTables(t, 3)
	for _, table := range append(printed, data...) {
		for k, c := range table.Columns {
			for i, row := range table.Rows {
				cell := &row[k]
				if c.Words && cell.Number != nil || !c.Words && !(cell.Number != nil || cell.Blank() || cell.Word == "best") {
					t.Errorf("%s: row %d, column %s: %+v", table.Title, i, c.Key, *cell)
				}
			}
		}
	}
}
