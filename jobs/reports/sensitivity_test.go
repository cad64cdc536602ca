package reports

import (
	"math"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/tablekinds"
)

// The curves are the best and the median of all rows with a value, trial by trial; the table has
// their highest and lowest points.
func TestSensitivity(t *testing.T) {
	run := drawnRun(t, "name: depends, kind: sensitivity, measure: test_auc, checkpoint: 20, datasets: [one]",
		"name: errs, kind: sensitivity, measure: test_error, methods: [adam]")
	grid, _ := printOf(t, run, "")
	printed := reportsOf(t, run, "depends")
	if len(printed) != 2 || printed[0].Main() == nil || len(printed[1].Figures) != 1 {
		t.Fatalf("%d parts, want a table and a figure", len(printed))
	}
	chart := printed[1].Figures[0].(*figures.Chart)
	panels := []struct {
		title, param string
		of           cut
		values       []float64
	}{
		{"Adam: alpha", "alpha", seriesCut(0, "one", 20), []float64{0.0005, 0.001, 0.1}},
		{"GraphDA search=paper: gamma", "gamma", seriesCut(1, "one", 20), []float64{5, 20}},
		{"GraphDA search=paper: s", "s", seriesCut(1, "one", 20), []float64{2, 4, 6}},
		{"GraphDA search=warm: gamma", "gamma", seriesCut(2, "one", 20), []float64{5, 20}},
		{"GraphDA search=warm: s", "s", seriesCut(2, "one", 20), []float64{2, 4, 6}},
	}
	if len(chart.Panels) != len(panels) || len(printed[0].Main().Rows) != len(panels) {
		t.Fatalf("%d panels and %d lines, want %d", len(chart.Panels), len(printed[0].Main().Rows), len(panels))
	}
	for i, want := range panels {
		p := &chart.Panels[i]
		if p.Title != want.title || len(p.XLabels) != len(want.values) || len(p.Lines) != 2 {
			t.Fatalf("panel %q with %d values and %d lines, want %q with %d and 2", p.Title, len(p.XLabels), len(p.Lines),
				want.title, len(want.values))
		}
		row := printed[0].Main().Rows[i]
		for k, take := range []func([]float64) float64{slices.Max[[]float64], middle} {
			var means []float64
			for j, v := range want.values {
				reached := reachedOf(grid.Rows, want.of.and(want.param, v), take)
				mean := tablekinds.MeanOf(reached)
				if got := p.Lines[k].Points[j].Y; math.Abs(got-mean) > 1e-12 || len(reached) != 3 {
					t.Errorf("%s, %s, %s = %v: %v, want %v of 3 trials", want.title, p.Lines[k].Key, want.param, v, got, mean)
				}
				means = append(means, mean)
			}
			at, high, low := row[4+3*k].Number.Value, row[5+3*k].Number.Value, row[6+3*k].Number.Value
			if math.Abs(high-slices.Max(means)) > 1e-12 || math.Abs(low-slices.Min(means)) > 1e-12 ||
				math.Abs(means[slices.Index(want.values, at)]-high) > 1e-12 {
				t.Errorf("%s: highest %v at %v, lowest %v, of %v", want.title, high, at, low, means)
			}
		}
	}

	printed = reportsOf(t, run, "errs")
	if len(printed) != 3 || printed[0].Main().Name != "errs-one" || printed[0].Main().Columns[5].Head != "lowest" {
		t.Errorf("of two datasets there are %d parts, want two tables, of an error with the lowest first, and a figure",
			len(printed))
	}
}

// middle is the median.
func middle(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// reachedOf takes a value of the test AUC of the rows of each trial.
func reachedOf(rows []*results.Row, of cut, take func([]float64) float64) []float64 {
	byTrial := map[int][]float64{}
	for _, r := range rows {
		if of(r) {
			byTrial[r.Trial] = append(byTrial[r.Trial], r.W.TestAUC)
		}
	}
	var all []float64
	for trial := range len(byTrial) {
		all = append(all, take(byTrial[trial]))
	}
	return all
}
