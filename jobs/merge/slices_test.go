package merge

import (
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// Slices along gamma: every cell of a method with gamma and a row is in the slice of its value,
// and in no other; at the checkpoints that were asked for.
func TestSlicesPartitionTheCells(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Method == "b" {
			rows[i].Params = []float64{nan, nan} // has no gamma
		}
		if rows[i].Cell == "a12" {
			rows[i].Error = "diverged"
		}
	}
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Cell == "a11" })
	plan := testPlan
	plan.Rules, plan.Along = []selection.Rule{rule(t, selection.Validation)}, []Along{{0, []int{10}}}
	grid := must1(Collect(plan, rows))
	cut := grid.Slices(0)
	if len(cut) != 3 {
		t.Fatalf("%d slices, want 3", len(cut))
	}
	for k, want := range []struct{ trials, failed int }{{2, 0}, {1, 0}, {2, 1}} {
		s := cut[k]
		if s.Value != float64(k+1) || s.Grid.Planned() != want.trials || s.Grid.Missing.N != 0 || s.Grid.Failed.N != want.failed {
			t.Errorf("slice %v: %d planned, %d missing, %d failed; want slice %d, %+v", s.Value, s.Grid.Planned(), s.Grid.Missing.N,
				s.Grid.Failed.N, k+1, want)
		}
		groups := s.Grid.Summarize(plan.Rules[0]).Groups
		if len(groups) != 1 || groups[0].Method != "a" || groups[0].Checkpoint != 10 || groups[0].Cells != want.trials {
			t.Errorf("slice %v has groups %+v", s.Value, groups)
		}
	}
}

// Within a slice the rule chooses among its cells only; the grid stays as it was.
func TestSlicesChooseAnew(t *testing.T) {
	grid := collect(t, testPlan, testRows())
	before := grid.Summarize(rule(t, selection.Validation))
	cut := grid.Slices(0)
	for k, want := range [][2]string{{"a00", "a10"}, {"a01", "a11"}, {"a02", "a12"}} {
		a := cut[k].Grid.Summarize(rule(t, selection.Validation)).Group("d", 10, "a")
		for trial, cell := range want {
			if got := a.Choices[trial].W.Cell; got != cell {
				t.Errorf("gamma = %v, trial %d: %s chosen, want %s", cut[k].Value, trial, got, cell)
			}
		}
	}
	after := grid.Summarize(rule(t, selection.Validation)).Group("d", 10, "a")
	if b := before.Group("d", 10, "a"); b.Choices[0].W != after.Choices[0].W || b.Stat("mistakes", selection.W) != after.Stat("mistakes", selection.W) {
		t.Error("cutting changed the grid")
	}
	if empty := collect(t, testPlan, nil).Slices(0); len(empty) != 0 {
		t.Errorf("%d slices of no rows", len(empty))
	}
}
