package choice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
)

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Names are permuted among the measured nodes of edges: each has another's edges, and their costs stay.
func TestPermute(t *testing.T) {
	g := must1(graph.New(7, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 1, V: 5}}, []float64{1, 2, 3}))
	n := &Network{nodes: []int32{0, 1, 2}} // 5 is not measured
	moved := 0
	for k := 1; k <= 9; k++ {
		other := must1(n.Permute(g, k))
		var degrees []int
		for j := range int32(7) {
			if degrees = append(degrees, other.Degree(j)); other.Degree(j) != g.Degree(j) {
				moved++
			}
		}
		if !slices.Equal(degrees[3:], []int{0, 0, 1, 0}) || !slices.Equal(other.Costs(), g.Costs()) {
			t.Errorf("network %d: degrees %v, costs %v", k, degrees, other.Costs())
		}
		if slices.Sort(degrees); !slices.Equal(degrees, []int{0, 0, 0, 1, 1, 1, 3}) {
			t.Errorf("network %d: degrees %v", k, degrees)
		}
		if again := must1(n.Permute(g, k)); fmt.Sprint(again.Edges()) != fmt.Sprint(other.Edges()) {
			t.Error("a network is drawn twice")
		}
	}
	if moved == 0 {
		t.Error("nothing is permuted")
	}
}

// A selection is as stable as it is among what can be reached: all of a part is no choice.
func TestStabilityWithinReach(t *testing.T) {
	same := [][]int32{{0, 1, 2}, {0, 1, 2}}
	if s := Stability(same, 100, 3); !math.IsNaN(s) {
		t.Errorf("all that is within reach: %v", s)
	}
	near := [][]int32{{0, 1, 2}, {0, 1, 3}}
	if wide, narrow := Stability(near, 100, 100), Stability(near, 100, 4); wide < 0.6 || math.Abs(narrow+1.0/3) > 1e-12 {
		t.Errorf("%v among 100, %v among 4", wide, narrow)
	}
}

// Among networks that say nothing, nearly 1 in 10 passes. One that is better than all is compared with few.
func TestLevel(t *testing.T) {
	const datasets = 100_000
	r, passed := rand.New(rand.NewPCG(1, 1)), 0
	for range datasets {
		n := &Network{Splits: 1, Given: Benefit{Product: r.Float64()}}
		for next := n.Next(); next > 0; next = n.Next() {
			for len(n.Permuted) < next {
				n.Permuted = append(n.Permuted, Benefit{Product: r.Float64()})
			}
		}
		if n.Helps() {
			passed++
		}
	}
	if share := float64(passed) / datasets; share < 0.09 || share > 0.1 {
		t.Errorf("%.4f of the datasets pass", share)
	}
}

// Where nothing was found, no network is said to help, whatever the comparison says.
func TestNote(t *testing.T) {
	n := &Network{Splits: 5, Parts: []int{9}, Given: Benefit{Product: 1}, Permuted: make([]Benefit, 11)}
	for _, test := range []struct {
		found bool
		asked Network
		want  string
	}{
		{true, *n, "The network helps: it is better than 11 of 11 networks with permuted names."},
		{false, *n, "Whether the network helps cannot be told where nothing was found."},
		{true, Network{Splits: 5, Parts: []int{9}, Permuted: make([]Benefit, 4), Dropped: true},
			"The network is not shown to help: 4 of 4 networks with permuted names do as well. So GraphDA was not tried; " +
				"--method graphda tries it."},
		{true, Network{Parts: []int{9}}, "It was not tested whether the network helps."},
	} {
		if first, _, _ := strings.Cut(test.asked.Note("AUC", test.found, true), "\n"); first != test.want {
			t.Errorf("%q, want %q", first, test.want)
		}
	}
}
