package reports

import (
	"math"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/reports/figures"
	"graphda/jobs/selection"
)

// Seconds are those of the chosen rows, and of all; the score is theirs.
func TestCosts(t *testing.T) {
	run := drawnRun(t, "name: price, kind: cost, measure: test_auc, checkpoint: 20, datasets: [one]")
	grid, printed := printOf(t, run, "")
	chart := printed["price"].Figures[0].(*figures.Chart)
	parts := reportsOf(t, run)
	if len(parts) != 2 || len(parts[0].Main().Rows) != 3 || chart.Name != "price-front" || !chart.Panels[0].LogX {
		t.Fatalf("%d parts, want a table of three lines and a figure", len(parts))
	}
	last := 0.0
	for _, row := range parts[0].Main().Rows {
		k := slices.Index([]string{"Adam", "GraphDA search=paper", "GraphDA search=warm"}, row[0].Word)
		of := seriesCut(k, "one", 20)
		chosen := choose(grid, of, selection.W)
		mean, std := meanStd(chosen, func(r *results.Row) float64 { return r.Seconds })
		all, cells := 0.0, 0.0
		for _, r := range grid.Rows {
			if of(r) {
				all, cells = all+r.Seconds/3, cells+1.0/3
			}
		}
		auc, _ := meanStd(chosen, func(r *results.Row) float64 { return r.W.TestAUC })
		got := []float64{row[3].Number.Value, row[3].Number.Std, row[4].Number.Value, row[5].Number.Value, row[6].Number.Value}
		for i, want := range []float64{mean, std, cells, all, auc} {
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%s: number %d is %v, want %v", row[0].Word, i, got[i], want)
			}
		}
		if mean < last || all < mean {
			t.Errorf("%s: %v seconds after %v; %v of its grid", row[0].Word, mean, last, all)
		}
		last = mean
		l := chart.Panels[0].Lines[slices.IndexFunc(chart.Panels[0].Lines, func(l figures.Line) bool { return l.Label == row[0].Word })]
		if len(l.Points) != 1 || l.Points[0].X != row[3].Number.Value || l.Points[0].Y != row[6].Number.Value {
			t.Errorf("%s: points %v", row[0].Word, l.Points)
		}
	}
}
