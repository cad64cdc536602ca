package learners_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"graphda/learners"
)

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

// near tells whether two numbers agree to a relative tolerance, subnormal ones to their
// last place.
func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= max(tolerance*math.Abs(b), math.SmallestNonzeroFloat64)
}

// TestLossGradient compares ∂ℓ/∂z with central differences, which are exact for squares
// and for the logistic loss differ by a factor of about 1 + h²/6.
func TestLossGradient(t *testing.T) {
	const h = 1.0 / (1 << 13)
	r := rand.New(rand.NewPCG(1, 7))
	zs := []float64{0, -700, 700, -36.7, 36.7, -1e-3, 1e-3}
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

// TestLogisticDigits compares with log(1 + e^−m) and its derivative in 200 bits for
// margins small enough that e^−m is a ratio of powers.
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
