package learners_test

import (
	"math/rand/v2"
	"testing"

	"graphda/learners"
)

// TestMarginalLevel: on noise with a few true features the share of false ones is q·(1 − true/p) in the mean, and nearly
// all true ones are found. On a constant feature, and on one that is constant in each class, nothing is said.
func TestMarginalLevel(t *testing.T) {
	const p, n, truths, draws = 200, 120, 20, 40
	r := rand.New(rand.NewPCG(8, 7))
	for _, loss := range []string{"logistic", "least_squares"} {
		share, found := 0.0, 0
		for range draws {
			l := newLearner(t, learners.NewWorkspace(&learners.Problem{P: p}), "marginal", loss, map[string]float64{"q": 0.2})
			for k := range n {
				x, y := make([]float64, p), float64(1-k%2*2)
				for i := range x {
					if x[i] = r.NormFloat64(); i < truths {
						x[i] += 0.45 * y
					}
				}
				x[p-1], x[p-2] = 3, y
				must(t, l.Learn(x, y))
			}
			all, false := 0.0, 0.0
			for i, w := range l.Model().W[:p-2] {
				if w != 0 {
					all++
					if i >= truths {
						false++
					} else {
						found++
					}
				}
			}
			if w := l.Model().W[p-1]; w != 0 {
				t.Errorf("%s: weight %v of a constant", loss, w)
			}
			if w := l.Model().W[p-2]; loss == "logistic" && w != 0 {
				t.Errorf("weight %v of a feature that is constant in each class", w)
			}
			share += false / max(all, 1) / draws
		}
		if share < 0.13 || share > 0.24 { // 0.18, standard error 0.01
			t.Errorf("%s: share of false features %.3f, want about 0.18", loss, share)
		}
		if found < draws*truths*9/10 {
			t.Errorf("%s: %d of %d true features found", loss, found, draws*truths)
		}
	}
}
