package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	tenth := 0.1 // a constant 0.1 + 0.2 would be 0.3
	for _, c := range []struct{ values, want []float64 }{
		{nil, []float64{}},
		{[]float64{7}, []float64{1}},
		{[]float64{0.3, 0.1, 0.2}, []float64{3, 1, 2}},
		{[]float64{5, 2, 5, 1, 5}, []float64{4, 2, 4, 1, 4}},
		{[]float64{tenth + 0.2, 0.3, 0.5, -0.5}, []float64{2.5, 2.5, 4, 1}}, // but for rounding
	} {
		if got := Ranks(c.values); !slices.Equal(got, c.want) {
			t.Errorf("ranks of %v are %v, want %v", c.values, got, c.want)
		}
	}
}

func TestCliques(t *testing.T) {
	for _, c := range []struct {
		n      int
		differ [][2]int
		want   [][2]int
	}{
		{0, nil, nil},
		{1, nil, nil},
		{3, nil, [][2]int{{0, 2}}},
		{3, [][2]int{{0, 2}}, [][2]int{{0, 1}, {1, 2}}},
		{4, [][2]int{{0, 1}, {0, 2}, {0, 3}}, [][2]int{{1, 3}}},
		{4, [][2]int{{1, 2}}, [][2]int{{0, 1}, {2, 3}}}, // though 0 and 3 are alike
		{2, [][2]int{{0, 1}}, nil},
		{5, [][2]int{{0, 3}, {0, 4}, {1, 4}}, [][2]int{{0, 2}, {1, 3}, {2, 4}}},
	} {
		differ := func(i, j int) bool { return slices.Contains(c.differ, [2]int{i, j}) }
		if got := Cliques(c.n, differ); !slices.Equal(got, c.want) {
			t.Errorf("%d things that differ in %v: %v, want %v", c.n, c.differ, got, c.want)
		}
	}
}

// By hand, and as R's p.adjust(p, "holm") has them.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.25}, []float64{0.25}},
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.5, 0.25, 0.75}, []float64{1, 0.75, 1}},
		{[]float64{0.03125, math.NaN(), 0.0625}, []float64{0.0625, math.NaN(), 0.0625}},
	} {
		got := Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 1e-15) || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

// Holm's method is the closed test of Bonferroni's: a hypothesis is rejected if every set of
// hypotheses that holds it is. So its p-value is the largest of those sets'.
func TestHolmIsClosedBonferroni(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		p := make([]float64, 1+rng.IntN(7))
		for i := range p {
			p[i] = math.Floor(20*rng.Float64()*rng.Float64()) / 20 // with ties
		}
		before := slices.Clone(p)
		got := Holm(p)
		for i := range p {
			want := 0.0
			for set := range 1 << len(p) {
				if set>>i&1 == 0 {
					continue
				}
				least, size := 1.0, 0.0
				for j := range p {
					if set>>j&1 == 1 {
						least = min(least, p[j])
						size++
					}
				}
				want = max(want, min(1, size*least))
			}
			if !near(got[i], want, 1e-15) {
				t.Fatalf("Holm(%v)[%d] = %v, want %v", p, i, got[i], want)
			}
		}
		if !slices.Equal(p, before) {
			t.Fatal("the argument was changed")
		}
	}
}
