package figurekinds

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/seal/sealtest"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/reportstest"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/learners"
	"graphda/learners/learnertest"
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// rankRun returns invented F1 values of two trials. Their mean is the method's value in the list, by dataset.
// NaN means no results.
func rankRun(t *testing.T, f1 map[string][]float64) *source.Source {
	t.Helper()
	values := map[string][]float64{}
	e := &experiment.Experiment{Name: "ranked"}
	for method, list := range f1 {
		e.Methods = append(e.Methods, experiment.Grid{Method: method})
		for d, v := range list {
			if !math.IsNaN(v) {
				values[fmt.Sprintf("d%d %s 100", d, method)] = []float64{v - 0.125, v + 0.125}
			}
			if name := fmt.Sprintf("d%d", d); !slices.Contains(e.Datasets, name) {
				e.Datasets = append(e.Datasets, name)
			}
		}
	}
	src := reportstest.Claimed(t, values)
	src.Run.Plan.Experiment, src.Run.Plan.Checkpoints = e, []int{100}
	for _, d := range e.Datasets {
		src.Run.Plan.Datasets = append(src.Run.Plan.Datasets, plan.Dataset{Name: d, Trials: make([]plan.TrialSummary, 2)})
	}
	return src
}

func rankedF1(t *testing.T, f1 map[string][]float64) source.Printed {
	t.Helper()
	printed := must1(Rankings(rankRun(t, f1), &experiment.Report{Name: "places", Kind: "ranks", Measure: "f1"}))
	if len(printed) != 1 {
		t.Fatalf("%d parts, want 1", len(printed))
	}
	if w := printed[0].Warnings; len(printed[0].Figures) > 0 && (len(w) != 1 || !strings.Contains(w[0].String(), "Only 2 trials")) {
		t.Errorf("warnings %v, want one of few trials", w)
	}
	return printed[0]
}

// Computed by hand. GraphDA is first on all 8 datasets, so p = 2/2⁸ against each, times 3 by Holm. DA-IHT and Adam tie
// on the first dataset and share the rank 2.5. DA-IHT is above Adam by the 4 smallest differences, and below by the 3
// largest. Of the 2⁷ signs, 37 have sums of ranks up to 10, so p = 2·37/2⁷.
func TestRanksByHand(t *testing.T) {
	p := rankedF1(t, map[string][]float64{
		"graphda":     {0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75},
		"da-iht":      {0.25, 0.26, 0.27, 0.28, 0.29, 0.30, 0.31, 0.32},
		"adam":        {0.25, 0.25, 0.25, 0.25, 0.25, 0.35, 0.37, 0.39},
		"best-subset": {1, 1, 1, 1, 1, 1, 1, 1},
	})
	at := map[string]int{}
	for i, c := range p.Main().Columns {
		at[c.Key] = i
	}
	const least = 2.0 / 256
	for i, want := range []struct {
		name, cliques string
		values        map[string]float64
	}{
		{"graphda", "", map[string]float64{"mean_rank": 1, "p_adam": least, "p_holm_adam": 3 * least,
			"p_da-iht": least, "p_holm_da-iht": 3 * least, "rank_d0": 1, "value_d0": 0.75}},
		{"da-iht", "A", map[string]float64{"mean_rank": (2.5 + 4*2 + 3*3) / 8, "p_adam": 74.0 / 128, "p_holm_adam": 74.0 / 128,
			"p_graphda": least, "rank_d0": 2.5, "rank_d1": 2, "rank_d7": 3, "value_d7": 0.32}},
		{"adam", "A", map[string]float64{"mean_rank": (2.5 + 4*3 + 3*2) / 8, "p_holm_graphda": 3 * least, "rank_d1": 3}},
	} {
		row := p.Main().Rows[i]
		if row[at["method"]].ID != want.name || row[at["cliques"]].Word != want.cliques {
			t.Errorf("line %d is of %s, cliques %q; want %s, %q", i, row[at["method"]].ID, row[at["cliques"]].Word, want.name,
				want.cliques)
		}
		for key, v := range want.values {
			if got := row[at[key]].Number.Value; math.Abs(got-v) > 1e-12 {
				t.Errorf("%s of %s is %v, want %v", key, want.name, got, v)
			}
		}
	}
	if len(p.Main().Rows) != 3 || !strings.Contains(reportstest.Written(t, p.Main(), "text"), "Best subset knows the true support") {
		t.Errorf("%d lines; the oracle takes no part, and that is said", len(p.Main().Rows))
	}
	diagram := p.Figures[0].(*figures.Ranking)
	if want := [][2]int{{1, 2}}; diagram.Name != "places-diagram" || !slices.Equal(diagram.Bars, want) {
		t.Errorf("diagram %s has bars %v, want %v", diagram.Name, diagram.Bars, want)
	}
}

// With 5 datasets no test can separate two methods, and the table says so.
func TestRanksOfFewDatasets(t *testing.T) {
	some := map[string][]float64{"graphda": {0.75, 0.75, 0.75, 0.75, 0.75}, "adam": {0.5, 0.5, 0.5, 0.5, 0.5}}
	p := rankedF1(t, some)
	if text := reportstest.Written(t, p.Main(), "text"); !strings.Contains(text, "No p below 0.05 is possible with 5 datasets and 1 pair: the smallest is 0.062.") {
		t.Errorf("no word of the least p in\n%s", text)
	}
	some["da-iht"] = []float64{0.5, math.NaN(), 0.5, math.NaN(), 0.5}
	p = rankedF1(t, some)
	if want := "ranks need at least 5 datasets on which every method has a value of F1 of w; there are 3"; p.NotDrawn != want {
		t.Errorf("it says %q, want %q", p.NotDrawn, want)
	}
	p = rankedF1(t, map[string][]float64{"graphda": some["graphda"], "best-subset": some["adam"]})
	if !strings.Contains(p.NotDrawn, "; there is 1") {
		t.Errorf("one method and an oracle: %q", p.NotDrawn)
	}
}

// For errors, the smallest value is best.
func TestRanksOfErrors(t *testing.T) {
	src := rankRun(t, map[string][]float64{"graphda": {1, 2, 3, 4, 5}, "adam": {2, 3, 4, 5, 6}})
	for i := range src.Summary.Groups {
		for k := range src.Summary.Groups[i].Choices {
			if row := src.Summary.Groups[i].Choices[k].W; row != nil {
				row.Measures[selection.W].TestMSE = row.Measures[selection.W].F1
			}
		}
	}
	printed := must1(Rankings(src, &experiment.Report{Name: "errors", Kind: "ranks", Measure: "test_mse"}))
	if row := printed[0].Main().Rows[0]; row[0].ID != "graphda" || row[2].Number.Value != 1 {
		t.Errorf("the first is %s of rank %v, want graphda of rank 1", row[0].ID, row[2].Number.Value)
	}
}

// TestComparator compares the least losses with Hindsight where the norm does not limit the model. Where it does, it
// checks the solution: the gap is a bound by convexity alone.
func TestComparator(t *testing.T) {
	x, y := learnertest.Drawn(300, 8)
	support := []int32{0, 1, 4, 5, 7}
	row := func(i int) []float64 { return x[i] }
	for _, loss := range []learners.Loss{learners.Logistic{}, learners.LeastSquares{}} {
		c := NewComparator(loss, row, y, support)
		for _, n := range []int{40, 100, 300} {
			free := sealtest.Must1(learners.Hindsight(loss, 8, row, y[:n], support))
			zero, _ := NewComparator(loss, row, y, support).Least(n, 0)
			last := zero
			for _, norm := range []float64{0.01, 0.1, 0.3, 1, 3, 100} {
				least, gap := c.Least(n, norm)
				if gap < 0 || norm < 100 && gap > 1e-6*zero {
					t.Errorf("%s, %d samples, norm %v: gap %v of %v", loss.Name(), n, norm, gap, zero)
				}
				if least < free-1e-6*zero || least > last+1e-6*zero {
					t.Errorf("%s, %d samples, norm %v: %v, want between %v of any norm and %v of less", loss.Name(),
						n, norm, least, free, last)
				}
				last = least
			}
			if last > free+2e-6*zero {
				t.Errorf("%s, %d samples: %v within norm 100, %v without", loss.Name(), n, last, free)
			}
		}
	}
}

// TestComparatorOfOneFeature compares with a search over all models of two numbers.
func TestComparatorOfOneFeature(t *testing.T) {
	x, y := learnertest.Drawn(50, 2)
	row := func(i int) []float64 { return x[i] }
	const norm = 0.4
	least, _ := NewComparator(learners.Logistic{}, row, y, []int32{1}).Least(len(y), norm)
	best := math.Inf(1)
	for k := range 4000 {
		for _, radius := range []float64{norm, norm * 0.99, norm / 2} {
			w, b := radius*math.Cos(float64(k)*math.Pi/2000), radius*math.Sin(float64(k)*math.Pi/2000)
			sum := 0.0
			for i := range y {
				l, _ := learners.Logistic{}.Eval(floats.Dot([]float64{w, b}, []float64{x[i][1], 1}), y[i])
				sum += l
			}
			best = min(best, sum)
		}
	}
	if least > best+1e-5 || least < best-1e-3 {
		t.Errorf("least loss %v, want at most %v and hardly less", least, best)
	}
}
