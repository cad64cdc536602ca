package cox

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/seal/sealtest"
	"graphda/learners/learnertest"
)

// draw draws n samples in strata a and b, with many tied times.
func draw(rng *rand.Rand, n int) (y []float64, strata []string) {
	for range n {
		t := float64(1 + rng.IntN(n/3+1))
		if rng.Float64() < 0.4 {
			t = -t
		}
		y, strata = append(y, t), append(strata, string(rune('a'+rng.IntN(2))))
	}
	return y, strata
}

func scores(rng *rand.Rand, n int, scale float64) []float64 {
	eta := make([]float64, n)
	for i := range eta {
		eta[i] = scale * rng.NormFloat64()
	}
	return eta
}

func TestLossIsThatOfTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(40)
		y, strata := draw(rng, n)
		eta, residuals := scores(rng, n, 2), make([]float64, n)
		for _, of := range [][]string{nil, strata} {
			got, want := New(y, of).Residuals(residuals, eta), learnertest.PartialLoss(y, of, eta)
			if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
				t.Fatalf("loss %v, want %v\ny %v\nstrata %v", got, want, y, of)
			}
			for i := range eta { // residuals are the negative derivatives
				const h = 1e-5
				moved := slices.Clone(eta)
				moved[i] += h
				up := learnertest.PartialLoss(y, of, moved)
				moved[i] -= 2 * h
				if slope := (up - learnertest.PartialLoss(y, of, moved)) / (2 * h); math.Abs(slope+residuals[i]) > 1e-6 {
					t.Fatalf("residual %d is %v, the loss falls by %v", i, residuals[i], -slope)
				}
			}
		}
	}
}

// TestTiesByHand has two events at time 2 that share the risk set of all three samples, so L = 2·ln(e^a + e^b +
// e^c) − a − b. At time 5 only one sample is left.
func TestTiesByHand(t *testing.T) {
	eta, residuals := []float64{0.5, -0.25, 1}, make([]float64, 3)
	sum := math.Exp(0.5) + math.Exp(-0.25) + math.E
	if got, want := New([]float64{2, 2, 5}, nil).Residuals(residuals, eta), 2*math.Log(sum)-0.25; math.Abs(got-want) > 1e-14 {
		t.Errorf("loss %v, want %v", got, want)
	}
	for i, want := range []float64{1 - 2*math.Exp(0.5)/sum, 1 - 2*math.Exp(-0.25)/sum, -2 * math.E / sum} {
		if math.Abs(residuals[i]-want) > 1e-14 {
			t.Errorf("residual %d is %v, want %v", i, residuals[i], want)
		}
	}
}

func TestWhatDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := 5 + rng.IntN(30)
		y, strata := draw(rng, n)
		eta, residuals := scores(rng, n, 1), make([]float64, n)
		loss := New(y, strata).Residuals(residuals, eta)
		check := func(what string, y []float64, strata []string, eta []float64, at []int) {
			t.Helper()
			other := make([]float64, n)
			if got := New(y, strata).Residuals(other, eta); math.Abs(got-loss) > 1e-9 {
				t.Fatalf("%s: loss %v, was %v", what, got, loss)
			}
			for i, k := range at {
				if math.Abs(other[i]-residuals[k]) > 1e-9 {
					t.Fatalf("%s: residual %v, was %v", what, other[i], residuals[k])
				}
			}
		}
		same := make([]int, n)
		risen, shifted := make([]float64, n), make([]float64, n)
		order := rng.Perm(n)
		y2, strata2, eta2 := make([]float64, n), make([]string, n), make([]float64, n)
		for i, k := range order {
			same[i] = i
			risen[i] = math.Copysign(math.Pow(math.Abs(y[i]), 3)+7, y[i])
			shifted[i] = eta[i]
			if shifted[i] -= 3; strata[i] == "a" {
				shifted[i] += 800 // e^800 overflows; only differences within a stratum matter
			}
			y2[i], strata2[i], eta2[i] = y[k], strata[k], eta[k]
		}
		check("times that keep their order", risen, strata, eta, same)
		check("scores of a stratum shifted", y, strata, shifted, same)
		check("samples in another order", y2, strata2, eta2, order)
	}
}

func TestGradientIsThatOfTheLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, p = 40, 6
	y, strata := draw(rng, n)
	x, w := scores(rng, n*p, 1), scores(rng, p, 0.5)
	row := func(i int) []float64 { return x[i*p : (i+1)*p] }
	eta := func(w []float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			all[i] = floats.Dot(w, row(i))
		}
		return all
	}
	residuals, gradient := make([]float64, n), make([]float64, p)
	New(y, strata).Residuals(residuals, eta(w))
	Gradient(gradient, residuals, row)
	for j := range w {
		const h = 1e-5
		moved := slices.Clone(w)
		moved[j] += h
		up := learnertest.PartialLoss(y, strata, eta(moved))
		moved[j] -= 2 * h
		if slope := (up - learnertest.PartialLoss(y, strata, eta(moved))) / (2 * h * n); math.Abs(slope-gradient[j]) > 1e-7 {
			t.Errorf("gradient %d is %v, differences have %v", j, gradient[j], slope)
		}
	}
}

// TestRidgeIsTheLeast checks that the gradient is zero at the least value and that free weights are not shrunk.
func TestRidgeIsTheLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		const n, d, free, ridge = 60, 5, 2, 0.1
		y, strata := draw(rng, n)
		x := scores(rng, n*d, 1)
		row := func(i int) []float64 { return x[i*d : (i+1)*d] }
		r := New(y, strata)
		w := sealtest.Must1(r.Ridge(d, free, row, ridge))
		eta, residuals, gradient := make([]float64, n), make([]float64, n), make([]float64, d)
		for i := range eta {
			eta[i] = floats.Dot(w, row(i))
		}
		r.Residuals(residuals, eta)
		Gradient(gradient, residuals, row)
		floats.AddScaled(gradient[:d-free], ridge, w[:d-free])
		if steepest := floats.Norm(gradient, math.Inf(1)); steepest > 1e-4 {
			t.Fatalf("gradient %v at the least value", gradient)
		}
	}
}

func TestRidgeOfNothingOpen(t *testing.T) {
	y := []float64{3, -4, 5}
	row := func(int) []float64 { return []float64{1, 0} } // no feature varies within a risk set
	w, err := New(y, nil).Ridge(2, 1, row, 0.1)
	if err != nil || w[0] != 0 || w[1] != 0 {
		t.Errorf("weights %v, error %v, want 0", w, err)
	}
	none := func(int) []float64 { return nil }
	if w, err := New(y, nil).Ridge(0, 0, none, 0.1); err != nil || len(w) != 0 {
		t.Errorf("no columns: weights %v, error %v", w, err)
	}
}

// TestBaselineByHand has scores 0. At time 1 there is one event among 5 samples at risk, at time 2 two events
// among 4 (the third is censored), at time 6 one event.
func TestBaselineByHand(t *testing.T) {
	y := []float64{1, 2, 2, -2, 6}
	all := New(y, nil).Baselines(make([]float64, 5))
	if len(all) != 1 || !slices.Equal(all[0].Times, []float64{1, 2, 6}) || all[0].Last != 6 {
		t.Fatalf("baselines %+v", all)
	}
	for k, want := range []float64{0.2, 0.7, 1.7} {
		if math.Abs(all[0].Hazard[k]-want) > 1e-14 {
			t.Errorf("hazard %v at time %v, want %v", all[0].Hazard[k], all[0].Times[k], want)
		}
	}
	b := &all[0]
	for _, c := range []struct{ eta, time, want float64 }{
		{0, 0.5, 1}, {0, 1, math.Exp(-0.2)}, {0, 1.9, math.Exp(-0.2)}, {math.Ln2, 2, math.Exp(-1.4)}, {0, 6, math.Exp(-1.7)},
	} {
		if got := b.Survival(c.eta, c.time); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("survival %v at time %v, want %v", got, c.time, c.want)
		}
	}
	if got := b.Survival(0, 6.1); !math.IsNaN(got) {
		t.Errorf("survival %v after the last time, want none", got)
	}
}

// TestBaselinesByStratum checks that each stratum has the baseline that it would have alone.
func TestBaselinesByStratum(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	y, strata := draw(rng, 50)
	eta := scores(rng, 50, 1)
	all := New(y, strata).Baselines(eta)
	if len(all) != 2 || all[0].Stratum != "a" || all[1].Stratum != "b" {
		t.Fatalf("%d strata", len(all))
	}
	for _, b := range all {
		var own, of []float64
		for i := range y {
			if strata[i] == b.Stratum {
				own, of = append(own, y[i]), append(of, eta[i])
			}
		}
		alone := New(own, nil).Baselines(of)[0]
		if !slices.Equal(alone.Times, b.Times) || !floats.EqualApprox(alone.Hazard, b.Hazard, 1e-12) || alone.Last != b.Last {
			t.Errorf("stratum %s: %+v, alone %+v", b.Stratum, b, alone)
		}
	}
}
