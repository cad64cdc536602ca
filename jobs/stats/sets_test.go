package stats

import (
	"math"
	"testing"
)

// The tail agrees with counting: of 4 drawn of 10 with 5 marked, C(5,i)·C(5,4−i) of 210.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		k, n, m, of int
		want        float64
	}{{0, 4, 5, 10, 1}, {3, 4, 5, 10, 55.0 / 210}, {4, 4, 5, 10, 5.0 / 210}, {5, 4, 5, 10, 0}, {1, 8, 5, 10, 1},
		{4, 8, 5, 10, 1 - 10.0/45}, {6, 7, 6, 10000, 5.047567061295505e-21}} {
		if got := Overlap(c.k, c.n, c.m, c.of); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%d of %d drawn, %d of %d marked: %v, want %v", c.k, c.n, c.m, c.of, got, c.want)
		}
	}
}

// By hand: p·m/rank, none above a later one.
func TestFalseShares(t *testing.T) {
	want := []float64{0.04, 0.5, 0.04, 0.04 * 5 / 3}
	for i, got := range FalseShares([]float64{0.01, 0.5, 0.02, 0.05}) {
		if math.Abs(got-want[i]) > 1e-15 {
			t.Errorf("q %d: %v, want %v", i, got, want[i])
		}
	}
	if FalseShares(nil) == nil || len(FalseShares(nil)) != 0 {
		t.Error("no tests have q-values")
	}
}
