package learners_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"graphda/learners"
	"graphda/learners/learnertest"
)

// Least squares has a closed form, which gonum's QR decomposition knows.
func TestHindsightLeastSquares(t *testing.T) {
	x, y := learnertest.Drawn(60, 5)
	support := []int32{0, 3, 4}
	for _, n := range []int{10, 33, 60} {
		got := must1(learners.Hindsight(learners.LeastSquares{}, 5, func(i int) []float64 { return x[i] }, y[:n], support))
		a := mat.NewDense(n, 4, nil)
		for i := range n {
			a.SetRow(i, []float64{x[i][0], x[i][3], x[i][4], 1})
		}
		var w, r mat.VecDense
		b := mat.NewVecDense(n, y[:n])
		must(t, w.SolveVec(a, b))
		r.MulVec(a, &w)
		r.SubVec(&r, b)
		if want := mat.Dot(&r, &r) / 2; math.Abs(got-want) > 1e-7 {
			t.Errorf("after %d samples %v, want %v", n, got, want)
		}
	}
}

// No model does better than the best one: not zero, and none near it.
func TestHindsightLogistic(t *testing.T) {
	x, y := learnertest.Drawn(200, 4)
	got := must1(learners.Hindsight(learners.Logistic{}, 4, func(i int) []float64 { return x[i] }, y, nil))
	if zero := 200 * math.Ln2; got >= zero || got < zero/3 {
		t.Errorf("least loss %v, that of the zero model is %v", got, zero)
	}
	total := func(w [5]float64) (sum float64) {
		for i := range x {
			z := w[4]
			for j, v := range x[i] {
				z += w[j] * v
			}
			l, _ := learners.Logistic{}.Eval(z, y[i])
			sum += l
		}
		return sum
	}
	// Coordinate descent by golden steps knows nothing of gradients.
	var w [5]float64
	for step := 1.0; step > 1e-7; step /= 2 {
		for improved := true; improved; {
			improved = false
			for j := range w {
				for _, s := range []float64{step, -step} {
					v := w
					v[j] += s
					if total(v) < total(w) {
						w, improved = v, true
					}
				}
			}
		}
	}
	if want := total(w); math.Abs(got-want) > 1e-6 {
		t.Errorf("least loss %v, coordinate descent finds %v", got, want)
	}
}

// With as many features as samples labels can be separated and targets interpolated.
func TestHindsightOfFewSamplesIsZero(t *testing.T) {
	x, y := learnertest.Drawn(12, 20)
	for _, loss := range learners.Losses {
		got, err := learners.Hindsight(loss, 20, func(i int) []float64 { return x[i] }, y, nil)
		if err != nil || got < 0 || got > 1e-4 {
			t.Errorf("%s: %v, %v, want about 0", loss.Name(), got, err)
		}
	}
}

// The gradient of what RidgeBeside minimises is zero at its model, which is zero outside the support.
func TestRidge(t *testing.T) {
	const n, p, ridge = 60, 7, 0.1
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, n*p)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	row := func(i int) []float64 { return x[i*p : (i+1)*p] }
	support := []int32{1, 4, 6}
	for _, loss := range learners.Losses {
		y := make([]float64, n)
		for i := range y {
			if y[i] = row(i)[1] - 2*row(i)[4] + 0.5 + rng.NormFloat64(); loss.Classifies() {
				y[i] = math.Copysign(1, y[i])
			}
		}
		m := must1(learners.RidgeBeside(loss, p, row, nil, y, nil, support, ridge))
		gradient := make([]float64, p+1)
		for i := range y {
			_, dz := loss.Eval(m.Score(row(i)), y[i])
			floats.AddScaled(gradient[:p], dz/n, row(i))
			gradient[p] += dz / n
		}
		floats.AddScaled(gradient[:p], ridge, m.W)
		for j, w := range m.W {
			switch in := slices.Contains(support, int32(j)); {
			case in && math.Abs(gradient[j]) > 1e-6:
				t.Errorf("%s: the gradient at feature %d is %g", loss.Name(), j, gradient[j])
			case !in && w != 0:
				t.Errorf("%s: feature %d has the weight %g", loss.Name(), j, w)
			}
		}
		if math.Abs(gradient[p]) > 1e-6 {
			t.Errorf("%s: the gradient at the intercept is %g", loss.Name(), gradient[p])
		}
	}
}
