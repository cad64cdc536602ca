package learners_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

// A gradient of all samples is stepped along as that of one sample is, bit for bit, and leaves the intercept at 0: with
// least squares and a label of −1, the first sample of a learner has the gradient x.
func TestDescendIsAStepWithoutIntercept(t *testing.T) {
	problem := &learners.Problem{P: 12, Graph: graph.Grid(3, 4), Groups: [][]int32{{0, 1, 2}, {3, 4, 5, 6}}}
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, problem.P)
	for j := range x {
		x[j] = rng.NormFloat64()
	}
	for name, given := range map[string]map[string]float64{
		"graphda": {"gamma": 2, "s": 4}, "da-iht": {"gamma": 2, "s": 4},
		"l1-rda": {"gamma": 2, "lambda": 0.3, "rho": 0}, "da-gl": {"gamma": 2, "lambda": 0.2},
	} {
		online := newLearner(t, learners.NewWorkspace(problem), name, "least_squares", given)
		dense := newLearner(t, learners.NewWorkspace(problem), name, "least_squares", given)
		must(t, online.Learn(x, -1))
		must(t, dense.Descend(x))
		if a, b := online.Model(), dense.Model(); !slices.Equal(a.W, b.W) || b.Nonzeros() == 0 {
			t.Errorf("%s: a sample gives %v, a gradient %v", name, a.W, b.W)
		} else if a.Intercept == 0 || b.Intercept != 0 {
			t.Errorf("%s: intercept %v of a sample, %v of a gradient", name, a.Intercept, b.Intercept)
		}
		var average learners.Model
		if dense.Average(&average); !slices.Equal(average.W, dense.Model().W) || dense.Samples() != 1 {
			t.Errorf("%s: the average of one round is %v of %d rounds", name, average.W, dense.Samples())
		}
	}
}
