package projection

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSoftThreshold(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct{ x, t, want float64 }{
		{3, 1, 2},
		{-3, 1, -2},
		{1, 1, 0},
		{-1, 1, 0},
		{0.5, 1, 0},
		{-0.5, 1, 0},
		{0, 0, 0},
		{2.5, 0, 2.5},
		{-2.5, 0, -2.5},
		{2, inf, 0},
		{inf, 1, inf},
		{-inf, 1, -inf},
		{math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64},
	}
	for _, test := range tests {
		if got := SoftThreshold(test.x, test.t); got != test.want {
			t.Errorf("SoftThreshold(%v, %v) = %v, want %v", test.x, test.t, got, test.want)
		}
	}
}

// TestSoftThresholdMinimises compares the threshold with points on both sides of it.
func TestSoftThresholdMinimises(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 1000 {
		x, threshold := r.NormFloat64(), r.ExpFloat64()/2
		value := func(z float64) float64 { return (z-x)*(z-x)/2 + threshold*math.Abs(z) }
		z := SoftThreshold(x, threshold)
		for _, d := range []float64{-0.1, -1e-4, 1e-4, 0.1} {
			if value(z+d) < value(z) {
				t.Fatalf("SoftThreshold(%v, %v) = %v, but %v is better", x, threshold, z, z+d)
			}
		}
	}
}

func TestGroupFactor(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct{ norm, t, want float64 }{
		{2, 1, 0.5},
		{4, 1, 0.75},
		{1, 1, 0},
		{1, 2, 0},
		{0, 0, 0},
		{0, 1, 0},
		{3, 0, 1},
		{inf, 1, 1},
		{1, inf, 0},
		{math.SmallestNonzeroFloat64, 0, 1},
	}
	for _, test := range tests {
		if got := GroupFactor(test.norm, test.t); got != test.want {
			t.Errorf("GroupFactor(%v, %v) = %v, want %v", test.norm, test.t, got, test.want)
		}
	}
}
