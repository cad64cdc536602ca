package learners_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

// A fixedRule plays models one after the other.
type fixedRule struct{ models []learners.Model }

func (r *fixedRule) Step(m *learners.Model, _ learners.Gradient, t int) error {
	if t > len(r.models) {
		return errors.New("no more models")
	}
	*m = r.models[t-1]
	return nil
}

func (r *fixedRule) Remember(*learners.Memory) {}

// TestAccounts follows three samples by hand, where w is 0, (1, 0) − 1, (0, −2) and w̄ is
// 0, (1, 0) − 1, (½, −1) − ½ as the samples come.
func TestAccounts(t *testing.T) {
	models := []learners.Model{
		{W: []float64{1, 0}, Intercept: -1},
		{W: []float64{0, -2}, Support: []int32{1}, Sparse: true},
		{W: []float64{4, 0}, Intercept: 1},
	}
	l := learners.NewLearner(&fixedRule{models: models}, learners.Logistic{}, 2)
	must(t, l.Learn([]float64{1, 1}, -1)) // scores 0 and 0 predict +1: both wrong
	must(t, l.Learn([]float64{3, 1}, 1))  // scores 2 and 2: both right
	must(t, l.Learn([]float64{3, 0.5}, 1))
	// The last scores are −1, which is wrong, and 1.5 − 0.5 − 0.5 = ½, which is right.
	if got := l.Account().MistakeAt; !slices.Equal(got, []int32{1, 3}) {
		t.Errorf("mistakes of w at %v, want [1 3]", got)
	}
	if got := l.AccountBar().MistakeAt; !slices.Equal(got, []int32{1}) {
		t.Errorf("mistakes of w̄ at %v, want [1]", got)
	}
	loss := func(margin float64) float64 { return math.Log(1 + math.Exp(-margin)) }
	if got, want := l.Account().Loss, loss(0)+loss(2)+loss(-1); math.Abs(got-want) > 1e-14 {
		t.Errorf("cumulative loss of w %v, want %v", got, want)
	}
	if got, want := l.AccountBar().Loss, loss(0)+loss(2)+loss(0.5); math.Abs(got-want) > 1e-14 {
		t.Errorf("cumulative loss of w̄ %v, want %v", got, want)
	}
	var average learners.Model
	l.Average(&average)
	if want := []float64{5.0 / 3, -2.0 / 3}; !slices.Equal(average.W, want) || average.Intercept != 0 || average.Sparse {
		t.Errorf("w̄ = %+v, want %v and 0", average, want)
	}
	if l.Searches() != (learners.SearchStats{}) {
		t.Errorf("a rule without searches has %+v", l.Searches())
	}
	if err := l.Learn([]float64{0, 0}, 1); err == nil || err.Error() != "sample 4: no more models" {
		t.Errorf("error %v, want that of the rule at sample 4", err)
	}
}

func TestAverageBeforeTheFirstSample(t *testing.T) {
	l := learners.NewLearner(&fixedRule{}, learners.Logistic{}, 2)
	average := learners.Model{W: []float64{7, 7, 7}, Intercept: 7, Support: []int32{1}, Sparse: true}
	l.Average(&average)
	if !slices.Equal(average.W, []float64{0, 0}) || average.Intercept != 0 || average.Sparse {
		t.Errorf("w̄ = %+v, want zeros", average)
	}
}

func TestCheckFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, m := range []learners.Model{{W: []float64{1, bad}}, {W: []float64{1, 2}, Intercept: bad}} {
			l := learners.NewLearner(&fixedRule{models: []learners.Model{m}}, learners.Logistic{}, 2)
			must(t, l.CheckFinite())
			must(t, l.Learn([]float64{0, 0}, 1))
			err := l.CheckFinite()
			if !errors.Is(err, learners.ErrDiverged) || !strings.HasPrefix(err.Error(), "sample 1: ") {
				t.Errorf("%+v: error %v", m, err)
			}
			if err := l.Learn([]float64{1, 1}, 1); !errors.Is(err, learners.ErrDiverged) || !strings.HasPrefix(err.Error(), "sample 2: ") {
				t.Errorf("%+v: error %v at the next sample", m, err)
			}
		}
	}
}

// TestCheckFiniteOfLargeModels checks the ends of float64: finite weights whose sum is not,
// and finite models whose average is not.
func TestCheckFiniteOfLargeModels(t *testing.T) {
	large := learners.Model{W: []float64{math.MaxFloat64, math.MaxFloat64}}
	l := learners.NewLearner(&fixedRule{models: []learners.Model{large, large}}, learners.Logistic{}, 2)
	must(t, l.Learn([]float64{0, 0}, 1))
	if err := l.CheckFinite(); err != nil {
		t.Errorf("a model of large finite weights: %v", err)
	}
	must(t, l.Learn([]float64{0, 0}, 1))
	if err := l.CheckFinite(); !errors.Is(err, learners.ErrDiverged) {
		t.Errorf("a sum of models that overflows: %v", err)
	}
}

// TestDivergence names the methods that diverge under a rate far too high: all but those
// whose step is bounded whatever the gradient.
func TestDivergence(t *testing.T) {
	bounded := []string{"adam", "adagrad", "marginal"}
	r := rand.New(rand.NewPCG(5, 7))
	pr := &learners.Problem{P: 12, Graph: graph.Grid(4, 3), Groups: [][]int32{{0, 1}}, Truth: []int32{1, 2}}
	d := newData(r, pr, learners.LeastSquares{}, 100)
	high := map[string]float64{"gamma": 1e-9, "eta": 1e9, "alpha": 1e9, "lambda": 0, "rho": 0, "s": 3, "q": 0.1}
	for _, m := range learners.Methods {
		params := map[string]float64{}
		for _, p := range m.Params {
			if v, ok := high[p.Name]; ok {
				params[p.Name] = v
			}
		}
		l := newLearner(t, learners.NewWorkspace(pr), m.Name, "least_squares", params)
		var err error
		for k := 0; k < len(d.x) && err == nil; k++ {
			err = l.Learn(d.x[k], d.y[k])
		}
		if diverged := errors.Is(err, learners.ErrDiverged); diverged == slices.Contains(bounded, m.Name) {
			t.Errorf("%s after %d samples: %v", m.Name, l.Samples(), err)
		}
	}
}

// BenchmarkCell runs the cell of the paper's tables: 400 samples on the 33 × 33 grid, the
// positive ones with a mean of 0.3 on a path of 26 nodes. Times and forests are reported per sample as well.
func BenchmarkCell(b *testing.B) {
	const side, samples = 33, 400
	pr := &learners.Problem{P: side * side, Graph: graph.Grid(side, side)}
	for row := int32(0); row < side; row += 3 {
		for col := int32(0); col < side; col += 3 {
			var group []int32
			for k := range int32(9) {
				group = append(group, (row+k/3)*side+col+k%3)
			}
			pr.Groups = append(pr.Groups, group)
		}
	}
	for u := range int32(26) {
		pr.Truth = append(pr.Truth, 16*side+u)
	}
	d := &data{}
	r := rand.New(rand.NewPCG(6, 7))
	for k := range samples {
		y := float64(1 - k%2*2)
		x := make([]float64, pr.P)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for _, i := range pr.Truth {
			x[i] += 0.3 * max(y, 0)
		}
		d.x, d.y = append(d.x, x), append(d.y, y)
	}
	params := map[string]float64{"lambda": 0.01, "gamma": 100, "rho": 0.001, "eta": 0.01, "alpha": 0.001, "s": 26, "q": 0.1}
	for _, loss := range learners.Losses {
		for _, m := range learners.Methods {
			searches := []float64{0}
			if m.Needs&learners.NeedsGraph != 0 {
				searches = []float64{0, 1, 2} // paper, warm, lazy
			}
			for _, search := range searches {
				name := fmt.Sprintf("method=%s/loss=%s", m.Name, loss.Name())
				given := map[string]float64{}
				for i := range m.Params {
					p := &m.Params[i]
					if v, ok := params[p.Name]; ok {
						given[p.Name] = v
					}
					if p.Name == "search" {
						given[p.Name] = search
						name += "/" + p.Name + "=" + p.Format(search)
					}
				}
				b.Run(name, func(b *testing.B) { benchmarkCell(b, pr, d, m.Name, loss.Name(), given) })
			}
		}
	}
}

// benchmarkCell runs passes over all samples.
func benchmarkCell(b *testing.B, pr *learners.Problem, d *data, method, loss string, given map[string]float64) {
	ws := learners.NewWorkspace(pr)
	var searches learners.SearchStats
	samples := float64(len(d.x))
	b.ReportAllocs()
	for b.Loop() {
		l := newLearner(b, ws, method, loss, given)
		for k, x := range d.x {
			must(b, l.Learn(x, d.y[k]))
		}
		searches = l.Searches()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/samples, "µs/sample")
	b.ReportMetric(float64(searches.Solves)/samples, "solves/sample")
}
