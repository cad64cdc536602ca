package merge

import (
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// Cells of another variant are another series: chosen, counted and averaged apart.
func TestVariants(t *testing.T) {
	plan, rows := testPlan, testRows()
	plan.Cells = slices.Clone(plan.Cells)
	for i := range plan.Cells {
		switch c := &plan.Cells[i]; {
		case c.ID == "a02" || c.ID == "a12":
			c.Variant = "search=exact"
		case c.Method == "a":
			c.Variant = "search=paper"
		}
	}
	for i := range rows {
		if rows[i].Cell == "a02" || rows[i].Cell == "a12" {
			rows[i].Params[1] = 1
		}
	}
	s := collect(t, plan, rows).Summarize(rule(t, selection.Validation))
	variants := s.Variants("d", 10, "a")
	if len(variants) != 2 || len(s.Variants("d", 10, "b")) != 1 || s.Variants("d", 10, "c") != nil {
		t.Fatalf("%d variants of a, want 2", len(variants))
	}
	paper, exact := variants[0], variants[1]
	if (paper.Series != Series{"d", "a", "search=paper"}) || (exact.Series != Series{"d", "a", "search=exact"}) {
		t.Errorf("series %v and %v", paper.Series, exact.Series)
	}
	if s.Group("d", 10, "a") != paper {
		t.Error("the group of a method with variants is not that of the first")
	}
	wantStat(t, paper, "valid_accuracy", selection.W, 0.7, 0.1, 2) // a01, a10
	wantStat(t, exact, "valid_accuracy", selection.W, 0.7, 0.1, 2) // a02, a12
	wantStat(t, paper, "mistakes", selection.W, 3.5, 0.5, 2)
	wantStat(t, exact, "mistakes", selection.W, 3, 1, 2)
	if paper.Cells != 4 || exact.Cells != 2 {
		t.Errorf("%d and %d cells, want 4 and 2", paper.Cells, exact.Cells)
	}
	if want := []SettingCount{{"gamma=2", 1, ""}, {"gamma=1", 1, ""}}; !slices.Equal(paper.Settings[selection.W], want) {
		t.Errorf("settings %v, want %v: the variant is no hyperparameter", paper.Settings[selection.W], want)
	}
}

// A trial with a thinner grid is counted.
func TestPerTrial(t *testing.T) {
	plan := testPlan
	plan.Cells = slices.DeleteFunc(slices.Clone(plan.Cells), func(c Cell) bool { return c.ID == "a11" || c.ID == "a12" })
	rows := slices.DeleteFunc(testRows(), func(r results.Row) bool { return r.Cell == "a11" || r.Cell == "a12" })
	s := collect(t, plan, rows).Summarize(rule(t, selection.Validation))
	if a, b := s.Group("d", 5, "a"), s.Group("d", 5, "b"); a.PerTrial != [2]int{1, 3} || b.PerTrial != [2]int{1, 1} {
		t.Errorf("%v and %v cells a trial, want 1 to 3 and 1", a.PerTrial, b.PerTrial)
	}
}
