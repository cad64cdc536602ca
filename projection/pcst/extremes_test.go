package pcst

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
)

func path(t *testing.T, costs ...float64) *graph.Graph {
	t.Helper()
	edges := make([]graph.Edge, len(costs))
	for i := range edges {
		edges[i] = graph.Edge{U: int32(i), V: int32(i + 1)}
	}
	return must1(graph.New(len(costs)+1, edges, costs))
}

func TestSmallForests(t *testing.T) {
	one := Options{Clusters: 1, Root: -1, Pruning: GWPruning}
	tests := []struct {
		name   string
		costs  []float64 // of a path's edges
		prizes []float64
		scale  float64
		opt    Options
		want   []int32
	}{
		{"the package comment's first example", []float64{4, 4}, []float64{3, 0, 2}, 1, one, []int32{0}},
		{"its second", []float64{4, 4}, []float64{9, 0, 5}, 1, one, []int32{0, 1, 2}},
		{"one node", nil, []float64{0}, 1, one, []int32{0}},
		{"no prizes: the last node stays", []float64{1, 1}, []float64{0, 0, 0}, 1, one, []int32{2}},
		{"more clusters than nodes", []float64{1, 1}, []float64{1, 0, 1}, 1, Options{9, -1, GWPruning}, []int32{0, 1, 2}},
		{"free edges", []float64{0, 0}, []float64{1, 0, 1}, 1, one, []int32{0, 1, 2}},
		{"scale 0", []float64{5, 5}, []float64{1, 0, 1}, 0, one, []int32{0, 1, 2}},
		{"free edges join the smallest prizes", []float64{0, 1}, []float64{1e-300, 1e-300, 1}, 1, Options{2, -1, GWPruning}, []int32{0, 1, 2}},
		{"prizes far below the costs", []float64{1e300, 1e300}, []float64{1e-300, 3e-300, 2e-300}, 1e8, one, []int32{1}},
		{"prizes far above the costs", []float64{1e-300, 1e-300}, []float64{1e300, 0, 1e300}, 1e-8, one, []int32{0, 1, 2}},
		{"costs that overflow with the scale", []float64{1e200, 1e200}, []float64{1, 2, 1}, 1e200, one, []int32{1}},
		{"subnormal costs", []float64{5e-324, 5e-324}, []float64{5e-324, 0, 5e-324}, 1, one, []int32{2}},
		{"subnormal costs, large prizes", []float64{5e-324, 5e-324}, []float64{1e-300, 0, 1e-300}, 1, one, []int32{0, 1, 2}},
		{"a root without a prize", []float64{1, 1}, []float64{0, 0, 9}, 1, Options{0, 0, GWPruning}, []int32{0, 1, 2}},
		{"a root out of reach", []float64{1, 1}, []float64{0, 0, 1}, 1, Options{0, 0, GWPruning}, []int32{0}},
	}
	for _, tt := range tests {
		var f Forest
		must(t, NewSolver(path(t, tt.costs...)).Solve(&f, tt.prizes, tt.scale, tt.opt))
		if !slices.Equal(f.Nodes, tt.want) {
			t.Errorf("%s: nodes %v, want %v", tt.name, f.Nodes, tt.want)
		}
	}
}

// TestLifetimesBeyondTheLimit solves for two components that would both live beyond maxTime. The one with more
// prize must be selected.
func TestLifetimesBeyondTheLimit(t *testing.T) {
	g := must1(graph.New(4, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 3}}, []float64{1, 1}))
	for _, tt := range []struct {
		prizes []float64
		want   []int32
	}{
		{[]float64{1e200, 2e200, 1e200, 1e200}, []int32{0, 1}},
		{[]float64{1e200, 1e200, 1e200, 2e200}, []int32{2, 3}},
		{[]float64{math.MaxFloat64, math.MaxFloat64, 1, 1}, []int32{0, 1}},
	} {
		var f Forest
		must(t, NewSolver(g).Solve(&f, tt.prizes, 1, Options{Clusters: 1, Root: -1, Pruning: GWPruning}))
		if !slices.Equal(f.Nodes, tt.want) {
			t.Errorf("prizes %v: nodes %v, want %v", tt.prizes, f.Nodes, tt.want)
		}
	}
}

// TestWildMagnitudes mixes numbers of all magnitudes. Every result must be a forest.
func TestWildMagnitudes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	wild := func() float64 {
		if r.IntN(8) == 0 {
			return 0
		}
		return math.Ldexp(0.5+r.Float64()/2, r.IntN(2097)-1073)
	}
	for range rounds(4000) {
		in := newInstance(r, 30)
		costs := make([]float64, in.g.NumEdges())
		for e := range costs {
			costs[e] = wild()
		}
		g := must1(graph.New(in.g.NumNodes(), in.g.Edges(), costs))
		for u := range in.prizes {
			in.prizes[u] = wild()
		}
		var f Forest
		must(t, NewSolver(g).Solve(&f, in.prizes, wild(), in.opt))
		checkForest(t, g, &f, in.opt)
	}
}

func TestRefusals(t *testing.T) {
	s := NewSolver(path(t, 1, 1))
	good, one := []float64{1, 1, 1}, Options{Clusters: 1, Root: -1, Pruning: GWPruning}
	tests := []struct {
		prizes []float64
		scale  float64
		opt    Options
		want   string
	}{
		{good[:2], 1, one, "2 prizes for 3 nodes"},
		{[]float64{1, -1, 1}, 1, one, "prize of node 1 is -1"},
		{[]float64{1, 1, math.NaN()}, 1, one, "prize of node 2 is NaN"},
		{[]float64{math.Inf(1), 1, 1}, 1, one, "prize of node 0 is +Inf"},
		{good, -1, one, "scale is -1"},
		{good, math.NaN(), one, "scale is NaN"},
		{good, math.Inf(1), one, "scale is +Inf"},
		{good, 1, Options{Clusters: 0, Root: -1, Pruning: GWPruning}, "0 clusters without a root"},
		{good, 1, Options{Clusters: 1, Root: 0, Pruning: GWPruning}, "1 clusters with a root"},
		{good, 1, Options{Clusters: 0, Root: 3, Pruning: GWPruning}, "root 3 does not exist"},
		{good, 1, Options{Clusters: 1, Root: -2, Pruning: GWPruning}, "root -2 does not exist"},
		{good, 1, Options{Clusters: 1, Root: -1, Pruning: "best"}, `pruning = "best", want one of [none simple gw strong]`},
	}
	for _, tt := range tests {
		f := Forest{Nodes: []int32{7}}
		err := s.Solve(&f, tt.prizes, tt.scale, tt.opt)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want one with %q", err, tt.want)
		}
		if len(f.Nodes) != 1 {
			t.Errorf("%s: the forest was changed", tt.want)
		}
		s.Extract(&f)
		if len(f.Nodes) != 0 || len(f.Edges) != 0 {
			t.Errorf("%s: Extract after the error gave %v", tt.want, f)
		}
	}
}
