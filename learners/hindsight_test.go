package learners_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"graphda/graph"
	"graphda/learners"
	"graphda/learners/learnertest"
)

// TestHindsightLeastSquares compares with the closed form, computed by gonum's QR decomposition.
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

// TestHindsightLogistic checks that no other model does better: neither zero nor models near the best.
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
	// Coordinate descent with shrinking steps uses no gradients.
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

// TestHindsightOfFewSamplesIsZero has more features than samples, so labels can be separated and targets interpolated.
func TestHindsightOfFewSamplesIsZero(t *testing.T) {
	x, y := learnertest.Drawn(12, 20)
	for _, loss := range learners.Losses {
		got, err := learners.Hindsight(loss, 20, func(i int) []float64 { return x[i] }, y, nil)
		if err != nil || got < 0 || got > 1e-4 {
			t.Errorf("%s: %v, %v, want about 0", loss.Name(), got, err)
		}
	}
}

// TestRidge checks that the gradient of RidgeBeside's objective is zero at its model, and that the model is zero
// outside the support.
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

// TestRidgeBeside compares with results worked out by hand. A model of one indicator has the log-odds of each of
// its groups, or their means for numbers, and its residuals are uncorrelated with the indicator. Coding the groups
// differently changes no score. A ridge on a feature does not shrink the covariates' weights.
func TestRidgeBeside(t *testing.T) {
	group := []float64{1, 1, 1, 1, 0, 0, 0, 0, 0}
	y := []float64{1, 1, 1, -1, 1, -1, -1, -1, -1}
	none := func(int) []float64 { return nil }
	columns := func(of func(g float64) []float64) (rows [][]float64) {
		for _, g := range group {
			rows = append(rows, of(g))
		}
		return rows
	}
	codes := [][][]float64{columns(func(g float64) []float64 { return []float64{g} }),
		columns(func(g float64) []float64 { return []float64{g - 4.0/9, 5.0/9 - g} }), columns(func(g float64) []float64 { return []float64{7 - 3*g} })}
	for _, loss := range []learners.Loss{learners.Logistic{}, learners.LeastSquares{}} {
		want := map[float64]float64{1: math.Log(3), 0: math.Log(1.0 / 4)}
		if !loss.Classifies() {
			want = map[float64]float64{1: 0.5, 0: -0.6}
		}
		for k, code := range codes {
			m := must1(learners.RidgeBeside(loss, 0, none, code, y, nil, nil, 1))
			sum := 0.0
			for i, g := range group {
				z := m.ScoreBeside(nil, code[i])
				if math.Abs(z-want[g]) > 1e-4 {
					t.Errorf("%s, code %d: score %v of group %v, want %v", loss.Name(), k, z, g, want[g])
				}
				_, dz := loss.Eval(z, y[i])
				sum += dz * code[i][0]
			}
			if math.Abs(sum) > 1e-4 {
				t.Errorf("%s, code %d: the errors go together with the group: %v", loss.Name(), k, sum)
			}
		}
		row := func(i int) []float64 { return []float64{y[i]} }
		m := must1(learners.RidgeBeside(loss, 1, row, codes[0], y, nil, []int32{0}, 1e9))
		if math.Abs(m.W[0]) > 1e-6 || math.Abs(m.ScoreBeside(row(0), codes[0][0])-want[1]) > 1e-4 {
			t.Errorf("%s: with a feature under a large penalty: %+v", loss.Name(), m)
		}
	}
}

// TestLearnFrom checks that an offset is added to the score. For numbers, every method learns as if the offset had
// been subtracted from the target. For labels, the first step is the loss's gradient at the offset.
func TestLearnFrom(t *testing.T) {
	x, y, offset := [][]float64{{1, 2}, {-1, 0.5}, {0.25, -1}}, []float64{3, -1, 2}, []float64{0.5, -2, 1}
	g := graph.Grid(1, 2)
	ws := learners.NewWorkspace(&learners.Problem{P: 2, Graph: g, Groups: [][]int32{{0}, {1}}, Truth: []int32{0}})
	given := map[string]float64{"alpha": 0.1, "lambda": 0.01, "gamma": 5, "rho": 0, "eta": 0.1, "s": 2, "q": 0.5}
	for _, m := range learners.Methods {
		learner := func(loss learners.Loss) *learners.Learner {
			return newLearner(t, ws, m.Name, loss.Name(), among(m, given))
		}
		a, b := learner(learners.LeastSquares{}), learner(learners.LeastSquares{})
		for i := range x {
			must(t, a.LearnFrom(offset[i], 1, x[i], y[i]))
			must(t, b.Learn(x[i], y[i]-offset[i]))
		}
		if !slices.Equal(a.Model().W, b.Model().W) || a.Model().Intercept != b.Model().Intercept || a.Account().Loss != b.Account().Loss ||
			a.AccountBar().Loss != b.AccountBar().Loss {
			t.Errorf("%s: %+v, want %+v", m.Name, a.Model(), b.Model())
		}
		if m.Name != "da-iht" {
			continue
		}
		l := learner(learners.Logistic{})
		must(t, l.LearnFrom(offset[0], 3, x[0], 1))
		want := 3 / (1 + math.Exp(0.5)) / 5 // three times the error times 1/γ
		if got := l.Model().W; math.Abs(got[0]-want) > 1e-15 || math.Abs(got[1]-2*want) > 1e-15 || l.Account().Mistakes != 0 {
			t.Errorf("%v, want %v and twice that", got, want)
		}
	}
}

// TestRidgeWeighted checks that a sample with weight 2 counts like two samples, and one with weight 0 like none.
func TestRidgeWeighted(t *testing.T) {
	x, y := []float64{0.5, -1, 2, 0.25, -0.5}, []float64{1, -1, 1, -1, 1}
	weight := []float64{2, 1, 0, 3, 1}
	var copies, labels []float64
	for i, w := range weight {
		for range int(w) {
			copies, labels = append(copies, x[i]), append(labels, y[i])
		}
	}
	row := func(x []float64) func(int) []float64 { return func(i int) []float64 { return x[i : i+1] } }
	for _, loss := range learners.Losses {
		got := must1(learners.RidgeBeside(loss, 1, row(x), nil, y, weight, []int32{0}, 0.7/5))
		want, err := learners.RidgeBeside(loss, 1, row(copies), nil, labels, nil, []int32{0}, 0.7/7) // the penalty is per sample
		must(t, err)
		if math.Abs(got.W[0]-want.W[0]) > 1e-5 || math.Abs(got.Intercept-want.Intercept) > 1e-5 {
			t.Errorf("%s: %v %v, want %v %v", loss.Name(), got.W, got.Intercept, want.W, want.Intercept)
		}
	}
}

func TestLossValues(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		loss     learners.Loss
		z, y     float64
		want, dz float64
	}{
		{learners.Logistic{}, 0, 1, math.Ln2, -0.5},
		{learners.Logistic{}, 0, -1, math.Ln2, 0.5},
		{learners.Logistic{}, 1, 1, 0.31326168751822286, -0.2689414213699951},
		{learners.Logistic{}, 1, -1, 1.3132616875182228, 0.7310585786300049},
		{learners.Logistic{}, -700, 1, 700, -1},
		{learners.Logistic{}, 700, 1, 9.859676543759771e-305, -9.859676543759771e-305},
		{learners.Logistic{}, 1e308, 1, 0, 0},
		{learners.Logistic{}, 1e308, -1, 1e308, 1},
		{learners.Logistic{}, -math.MaxFloat64, 1, math.MaxFloat64, -1},
		{learners.Logistic{}, inf, 1, 0, 0},
		{learners.Logistic{}, inf, -1, inf, 1},
		{learners.Logistic{}, -inf, -1, 0, 0},
		{learners.LeastSquares{}, 3, 1, 2, 2},
		{learners.LeastSquares{}, -1.5, 0.5, 2, -2},
		{learners.LeastSquares{}, 2, 2, 0, 0},
		{learners.LeastSquares{}, 1e-160, 0, 5e-321, 1e-160},
		{learners.LeastSquares{}, 1.5e154, 0, 1.125e308, 1.5e154}, // the square overflows
		{learners.LeastSquares{}, 1e308, 0, inf, 1e308},
		{learners.LeastSquares{}, -inf, 0, inf, -inf},
	}
	for _, test := range tests {
		got, dz := test.loss.Eval(test.z, test.y)
		if !near(got, test.want, 1e-15) || !near(dz, test.dz, 1e-15) {
			t.Errorf("%s(%v, %v) = %v, %v, want %v, %v", test.loss.Name(), test.z, test.y, got, dz, test.want, test.dz)
		}
	}
}

// near reports whether two numbers agree to a relative tolerance, or subnormal numbers to their last place.
func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= max(tolerance*math.Abs(b), math.SmallestNonzeroFloat64)
}

// TestLossGradient compares ∂ℓ/∂z with central differences. They are exact for squares; for the logistic loss they
// differ by a factor of about 1 + h²/6.
func TestLossGradient(t *testing.T) {
	const h = 1.0 / (1 << 13)
	r := rand.New(rand.NewPCG(1, 7))
	zs := []float64{-700, 700, -36.7, 36.7, -1e-3, 1e-3} // without 0, ±1 and ±2, where losses may have a bend
	for range 2000 {
		zs = append(zs, 1400*(r.Float64()-0.5), 10*r.NormFloat64())
	}
	for _, loss := range learners.Losses {
		for _, z := range zs {
			for _, y := range []float64{-1, 1} {
				up, _ := loss.Eval(z+h, y)
				down, _ := loss.Eval(z-h, y)
				_, dz := loss.Eval(z, y)
				if got := (up - down) / (2 * h); !near(got, dz, 1e-7) {
					t.Fatalf("%s(%v, %v): ∂ℓ/∂z = %v, differences say %v", loss.Name(), z, y, dz, got)
				}
			}
		}
	}
}

// TestLogisticDigits compares with log(1 + e^−m) and its derivative in 200 bits, for margins small enough that
// e^−m is a ratio of powers.
func TestLogisticDigits(t *testing.T) {
	for k := -40; k <= 40; k++ {
		z := float64(k) / 4
		loss, dz := learners.Logistic{}.Eval(z, 1)
		e := bigExp(-z)
		one := big.NewFloat(1).SetPrec(200)
		sum := new(big.Float).Add(one, e)
		want, _ := new(big.Float).Quo(e, sum).Float64()
		if !near(-dz, want, 4e-16) {
			t.Errorf("∂ℓ/∂z at %v is %v, want %v", z, dz, -want)
		}
		// e^ℓ = 1 + e^−m, to the precision of ℓ
		back := bigExp(loss)
		ratio, _ := back.Quo(back, sum).Float64()
		if math.Abs(ratio-1) > 4e-16*(1+math.Abs(loss)) {
			t.Errorf("ℓ at %v is %v: e^ℓ is %v times 1 + e^−m", z, loss, ratio)
		}
	}
}

// bigExp returns e^x from its power series.
func bigExp(x float64) *big.Float {
	sum := big.NewFloat(1).SetPrec(200)
	term := big.NewFloat(1).SetPrec(200)
	for k := 1; k <= 200; k++ {
		term.Mul(term, big.NewFloat(x))
		term.Quo(term, big.NewFloat(float64(k)))
		sum.Add(sum, term)
	}
	return sum
}

func TestLookupLoss(t *testing.T) {
	for _, want := range learners.Losses {
		if got, err := learners.LookupLoss(want.Name()); err != nil || got != want {
			t.Errorf("LookupLoss(%q) = %v, %v", want.Name(), got, err)
		}
	}
	_, err := learners.LookupLoss("least-squares")
	wantError(t, err, `unknown loss "least-squares"`, `did you mean "least_squares"?`, "logistic, least_squares")
}
