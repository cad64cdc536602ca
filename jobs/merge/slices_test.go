package merge

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/learners"
)

// Every cell that has a row and a gamma is in exactly one slice along gamma, at the requested checkpoints.
func TestSlicesPartitionTheCells(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Cell == "a12" {
			rows[i].Error = "diverged"
		}
	}
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Cell == "a11" })
	request := Request{Plan: testPlan(), Rules: []selection.Rule{rule(t, selection.Validation)}, Along: []Along{{"gamma", []int{10}}}}
	for i := range request.Plan.Cells {
		if c := &request.Plan.Cells[i]; c.Method == methodB {
			c.Method = &learners.Method{Name: "b", Params: []learners.Param{{Name: "eta"}}}
		}
	}
	grid := must1(merged(request, rows))
	cut := grid.Slices("gamma")
	if len(cut) != 3 {
		t.Fatalf("%d slices, want 3", len(cut))
	}
	for k, want := range []struct{ trials, failed int }{{2, 0}, {1, 0}, {2, 1}} {
		s := cut[k]
		if s.Value != float64(k+1) || s.Grid.Planned() != want.trials || s.Grid.Missing.N != 0 || s.Grid.Failed.N != want.failed {
			t.Errorf("slice %v: %d planned, %d missing, %d failed; want slice %d, %+v", s.Value, s.Grid.Planned(), s.Grid.Missing.N,
				s.Grid.Failed.N, k+1, want)
		}
		groups := s.Grid.Summarize(request.Rules[0]).Groups
		if len(groups) != 1 || groups[0].Method != "a" || groups[0].Checkpoint != 10 || groups[0].Cells != want.trials {
			t.Errorf("slice %v has groups %+v", s.Value, groups)
		}
	}
}

// Within a slice, a rule chooses only among the slice's cells. The grid does not change.
func TestSlicesChooseAnew(t *testing.T) {
	grid := collect(t, testPlan(), testRows())
	before := grid.Summarize(rule(t, selection.Validation))
	cut := grid.Slices("gamma")
	for k, want := range [][2]string{{"a00", "a10"}, {"a01", "a11"}, {"a02", "a12"}} {
		a := cut[k].Grid.Summarize(rule(t, selection.Validation)).Group("d", 10, "a")
		for trial, cell := range want {
			if got := a.Choices[trial].W.Cell.ID; got != cell {
				t.Errorf("gamma = %v, trial %d: %s chosen, want %s", cut[k].Value, trial, got, cell)
			}
		}
	}
	after := grid.Summarize(rule(t, selection.Validation)).Group("d", 10, "a")
	if b := before.Group("d", 10, "a"); b.Choices[0].W != after.Choices[0].W || b.Stat("mistakes", selection.W) != after.Stat("mistakes", selection.W) {
		t.Error("cutting changed the grid")
	}
	if empty := collect(t, testPlan(), nil).Slices("gamma"); len(empty) != 0 {
		t.Errorf("%d slices of no rows", len(empty))
	}
}

// Each variant is a separate series: it is chosen, counted and averaged separately.
func TestVariants(t *testing.T) {
	p := testPlan()
	for i := range p.Cells {
		if c := &p.Cells[i]; c.ID == "a02" || c.ID == "a12" {
			c.Values[1] = 1
		}
	}
	s := collect(t, p, testRows()).Summarize(rule(t, selection.Validation))
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

// PerTrial shows that a trial has fewer cells.
func TestPerTrial(t *testing.T) {
	p := testPlan()
	p.Cells = slices.DeleteFunc(p.Cells, func(c plan.Cell) bool { return c.ID == "a11" || c.ID == "a12" })
	rows := slices.DeleteFunc(testRows(), func(r results.Row) bool { return r.Cell == "a11" || r.Cell == "a12" })
	s := collect(t, p, rows).Summarize(rule(t, selection.Validation))
	if a, b := s.Group("d", 5, "a"), s.Group("d", 5, "b"); a.PerTrial != [2]int{1, 3} || b.PerTrial != [2]int{1, 1} {
		t.Errorf("%v and %v cells a trial, want 1 to 3 and 1", a.PerTrial, b.PerTrial)
	}
}

// Computed by hand. One method has gamma ∈ {1, 2} × s ∈ {3, 5, 7} on two trials; another has one gamma. A single
// value and a parameter of words have no profile. A failed cell and a cell without a defined F1 do not count.
func TestProfilesByHand(t *testing.T) {
	method := &learners.Method{Name: "a", Params: []learners.Param{{Name: "gamma", Default: nan}, {Name: "s", Default: nan},
		{Name: "search", Words: search.Words, Default: nan}}}
	p := testPlan()
	p.Cells = nil
	var rows []results.Row
	for trial, f1 := range [][]float64{
		{0.1, 0.4, 0.3 /* gamma = 1 */, 0.2, 0.8, 0.5 /* gamma = 2 */, 0.5 /* of method b */},
		{0.3, 0.2, 0.5, 0.6, nan, 0.9, 0.5},
	} {
		for i, v := range f1 {
			c := plan.Cell{ID: fmt.Sprint(trial, i), Trial: trial, Method: methodB, Values: []float64{1}}
			if i < 6 {
				c.Method, c.Values = method, []float64{float64(1 + i/3), float64(3 + 2*(i%3)), float64(i % 2)}
			}
			p.Cells = append(p.Cells, c)
			for _, checkpoint := range p.Checkpoints {
				r := results.Row{Cell: c.ID, Dataset: "d", Trial: trial, Method: c.Method.Name, Checkpoint: checkpoint,
					W: results.NoMetrics(), Wbar: results.NoMetrics()}
				if checkpoint == 10 {
					r.W.F1, r.W.Mistakes = v, 100*v
				}
				if trial == 1 && i == 5 {
					r.Error = "diverged"
				}
				rows = append(rows, r)
			}
		}
	}
	sweeps := []experiment.Sweep{{Measure: "f1", Checkpoint: 10}, {Measure: "mistakes", Checkpoint: 10}}
	grid := must1(merged(Request{Plan: p, Sweeps: sweeps}, rows))
	a := Series{Dataset: "d", Method: "a"}
	stat := func(values ...float64) Stat { return statOf(values) }
	half := func(a, b float64) float64 { return (a + b) / 2 }
	want := []Profile{
		{a, "gamma", []float64{1, 2}, []Stat{stat(0.4, 0.5), stat(0.8, 0.6)}, []Stat{stat(0.3, 0.3), stat(0.5, 0.6)}},
		{a, "s", []float64{3, 5, 7}, []Stat{stat(0.2, 0.6), stat(0.8, 0.2), stat(0.5, 0.5)},
			[]Stat{stat(half(0.1, 0.2), half(0.3, 0.6)), stat(half(0.4, 0.8), 0.2), stat(half(0.3, 0.5), 0.5)}},
	}
	if got := grid.Profiles(sweeps[0]); !reflect.DeepEqual(got, want) {
		t.Errorf("profiles\n%+v, want\n%+v", got, want)
	}
	fewest := grid.Profiles(sweeps[1])[0] // fewer mistakes are better
	if best := []Stat{stat(10, 20), stat(20, 60)}; !reflect.DeepEqual(fewest.Best, best) {
		t.Errorf("the fewest mistakes are %+v, want %+v", fewest.Best, best)
	}
}
