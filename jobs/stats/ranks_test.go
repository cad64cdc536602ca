package stats

import (
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
