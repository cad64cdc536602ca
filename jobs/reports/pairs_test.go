package reports

import (
	"strings"
	"testing"

	"graphda/jobs/selection"
)

// The differences of two series, here of a method's two variants, are those of the chosen rows.
func TestPairs(t *testing.T) {
	run := drawnRun(t, "name: duel, kind: pairs, measure: test_auc, methods: [graphda], datasets: [one]",
		"name: crowd, kind: pairs, measure: f1")
	grid, printed := printOf(t, run, "")
	line := chartOf(t, printed, "duel").Panels[0].Lines[0]
	first := choose(grid, ofMethod("one", "graphda", 40).and("search", 0), selection.W)
	second := choose(grid, ofMethod("one", "graphda", 40).and("search", 1), selection.W)
	if len(line.Points) != 3 || len(first) != 3 || len(second) != 3 {
		t.Fatalf("%d points of %d and %d trials", len(line.Points), len(first), len(second))
	}
	for _, p := range line.Points {
		want := 0.0
		for k := range first {
			if float64(first[k].Trial) == p.X {
				want += first[k].W.TestAUC
			}
			if float64(second[k].Trial) == p.X {
				want -= second[k].W.TestAUC
			}
		}
		if p.Y != want {
			t.Errorf("trial %v: %v, want %v", p.X, p.Y, want)
		}
	}
	if why := printed["crowd"].NotDrawn; !strings.Contains(why, "it compares two methods, and there are 3") {
		t.Errorf("three series: %q", why)
	}
}
