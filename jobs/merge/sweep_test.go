package merge

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"graphda/io/results"
)

// sweptRows are those of a method with gamma ∈ {1, 2} × s ∈ {3, 5, 7} on two trials, with these F1 of
// the trials' cells, gamma by gamma; and of a method with one gamma. Each trial is a batch.
func sweptRows(f1 ...[]float64) (plan Plan, batches []Read) {
	plan = Plan{Checkpoints: []int{5, 10}, Features: map[string]int{"d": 10},
		Params: results.Layout{{Name: "gamma"}, {Name: "s"}, {Name: "search", Words: []string{"paper", "exact"}}},
		Sweeps: []Sweep{{"f1", 10}, {"mistakes", 10}}}
	for trial, values := range f1 {
		var b Batch
		add := func(method string, f1, gamma, s, search float64) {
			id := fmt.Sprintf("%s-%d-%v-%v", method, trial, gamma, s)
			b.Cells = append(b.Cells, Cell{ID: id, Dataset: "d", Trial: trial, Method: method})
			for _, checkpoint := range plan.Checkpoints {
				r := results.Row{Cell: id, Dataset: "d", Trial: trial, Method: method, Checkpoint: checkpoint,
					Params: []float64{gamma, s, search}, W: results.NoMetrics(), Wbar: results.NoMetrics()}
				if checkpoint == 10 {
					r.W.F1, r.W.Mistakes = f1, 100*f1
				}
				b.Rows = append(b.Rows, r)
			}
		}
		for i, v := range values {
			add("a", v, float64(1+i/3), float64(3+2*(i%3)), float64(i%2))
		}
		add("b", 0.5, 1, nan, nan)
		plan.Cells = append(plan.Cells, b.Cells...)
		batches = append(batches, func() (Batch, error) {
			return Batch{b.Cells, slices.Clone(b.Rows)}, nil
		})
	}
	return plan, batches
}

// By hand. Of the method with one gamma, and of a parameter of words, there is no profile; a cell
// that failed, and one whose F1 is not defined, do not count.
func TestProfilesByHand(t *testing.T) {
	plan, batches := sweptRows(
		[]float64{0.1, 0.4, 0.3 /* gamma = 1 */, 0.2, 0.8, 0.5 /* gamma = 2 */},
		[]float64{0.3, 0.2, 0.5, 0.6, nan, 0.9})
	second := batches[1]
	batches[1] = func() (Batch, error) {
		b, err := second()
		for i := range b.Rows {
			if r := &b.Rows[i]; r.Method == "a" && r.Params[0] == 2 && r.Params[1] == 7 {
				r.Error = "diverged"
			}
		}
		return b, err
	}
	grid := must1(Stream(plan, batches))
	a := Series{Dataset: "d", Method: "a"}
	stat := func(values ...float64) Stat { return statOf(values) }
	half := func(a, b float64) float64 { return (a + b) / 2 }
	want := []Profile{
		{a, 0, []float64{1, 2}, []Stat{stat(0.4, 0.5), stat(0.8, 0.6)}, []Stat{stat(0.3, 0.3), stat(0.5, 0.6)}},
		{a, 1, []float64{3, 5, 7}, []Stat{stat(0.2, 0.6), stat(0.8, 0.2), stat(0.5, 0.5)},
			[]Stat{stat(half(0.1, 0.2), half(0.3, 0.6)), stat(half(0.4, 0.8), 0.2), stat(half(0.3, 0.5), 0.5)}},
	}
	if got := grid.Profiles(Sweep{"f1", 10}); !reflect.DeepEqual(got, want) {
		t.Errorf("profiles\n%+v, want\n%+v", got, want)
	}
	fewest := grid.Profiles(Sweep{"mistakes", 10})[0] // of mistakes the fewest are best
	if best := []Stat{stat(10, 20), stat(20, 60)}; !reflect.DeepEqual(fewest.Best, best) {
		t.Errorf("the fewest mistakes are %+v, want %+v", fewest.Best, best)
	}
}
