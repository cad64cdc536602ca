package merge

import (
	"math"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// Slices along gamma: every row of a method with gamma is in the slice of its value, in plan
// order, and in no other.
func TestSlicesPartitionTheRows(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Method == "b" {
			rows[i].Params = []float64{nan, nan} // has no gamma
		}
		if rows[i].Cell == "a12" {
			rows[i].Error = "diverged"
		}
	}
	grid := collect(t, testPlan, rows)
	cut, err := grid.Slices(0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*results.Row]int{}
	byKey := map[[2]any]*results.Row{}
	for _, r := range grid.Rows() {
		byKey[[2]any{r.Cell, r.Checkpoint}] = r
	}
	for k, s := range cut {
		if s.Value != float64(k+1) {
			t.Errorf("slice %d is of %v", k, s.Value)
		}
		last := -1
		for _, r := range s.Grid.Rows() {
			if r.Params[0] != s.Value {
				t.Errorf("the slice of %v holds a row of %v", s.Value, r.Params[0])
			}
			seen[byKey[[2]any{r.Cell, r.Checkpoint}]]++
			at := slices.IndexFunc(testPlan.Cells, func(c Cell) bool { return c.ID == r.Cell })*100 + r.Checkpoint
			if at <= last {
				t.Errorf("the rows of slice %v are not in plan order", s.Value)
			}
			last = at
		}
		if s.Grid.Planned() != 4 || len(s.Grid.Missing) != 0 || s.Grid.Foreign != 0 {
			t.Errorf("slice %v: %d planned, %d missing, %d foreign", s.Value, s.Grid.Planned(), len(s.Grid.Missing), s.Grid.Foreign)
		}
	}
	if len(cut) != 3 || len(cut[2].Grid.Failed) != 2 {
		t.Fatalf("%d slices", len(cut))
	}
	for _, r := range grid.Rows() {
		want := 1
		if math.IsNaN(r.Params[0]) {
			want = 0
		}
		if seen[r] != want {
			t.Errorf("%s at %d is in %d slices, want %d", r.Cell, r.Checkpoint, seen[r], want)
		}
	}
}

// Within a slice the rule chooses among its cells only; the grid stays as it was.
func TestSlicesChooseAnew(t *testing.T) {
	grid := collect(t, testPlan, testRows())
	before := grid.Summarize(rule(t, selection.Validation))
	cut, err := grid.Slices(0)
	if err != nil {
		t.Fatal(err)
	}
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
	if empty, err := collect(t, testPlan, nil).Slices(0); err != nil || len(empty) != 0 {
		t.Errorf("%d slices of no rows, error %v", len(empty), err)
	}
}
