package fewprize

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"graphda/graph"
	"graphda/projection/pcst"
	"graphda/projection/pcst/pcsttest"
)

// The forests are those of the solver for any number of prizes, whatever the ties.
func TestForestsEqualThoseOfPcst(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	instances := 20_000
	if text := os.Getenv("GRAPHDA_INSTANCES"); text != "" {
		var err error
		instances, err = strconv.Atoi(text)
		must(t, err)
	}
	compared := 0
	for i := range instances {
		in := pcsttest.New(r, 12+i%2*68)
		if in.Root >= 0 {
			continue
		}
		prizes := fewer(r, in.Prizes)
		switch r.IntN(8) {
		case 0: // beyond what time can tell apart
			for u := range prizes {
				prizes[u] *= 1e9
			}
		case 1: // equal
			for u := range prizes {
				prizes[u] = min(prizes[u], 1)
			}
		}
		if compare(t, i, in.Graph, prizes, in.Scale, in.Clusters) {
			compared++
		}
	}
	if compared < instances/3 {
		t.Errorf("only %d instances compared", compared)
	}
}

// fewer sets a random share of the prizes to 0.
func fewer(r *rand.Rand, prizes []float64) []float64 {
	share := r.Float64()
	prizes = slices.Clone(prizes)
	for u := range prizes {
		if r.Float64() < share {
			prizes[u] = 0
		}
	}
	return prizes
}

func compare(t *testing.T, i int, g *graph.Graph, prizes []float64, scale float64, trees int) bool {
	t.Helper()
	pairs := List(prizes)
	if len(pairs) <= trees {
		return false
	}
	var got, want pcst.Forest
	opt := pcst.Options{Clusters: trees, Root: -1, Pruning: pcst.GWPruning}
	must(t, pcst.NewSolver(g).Solve(&want, prizes, scale, opt))
	ix, err := NewIndex(g)
	must(t, err)
	must(t, NewSolver(ix).Solve(&got, pairs, scale, trees))
	if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
		t.Fatalf("instance %d: %d nodes, edges %v, costs %v, scale %v, prizes %v, %d trees:\n got %v\nwant %v", i,
			g.NumNodes(), g.Edges(), g.Costs(), scale, pairs, trees, got, want)
	}
	return true
}

// What must not be asked for is refused, and an error leaves the solver fit for use.
func TestErrors(t *testing.T) {
	g := graph.Grid(3, 3)
	ix, err := NewIndex(g)
	must(t, err)
	s := NewSolver(ix)
	var f pcst.Forest
	nan, inf := math.NaN(), math.Inf(1)
	for _, prizes := range [][]Prize{{{9, 1}}, {{-1, 1}}, {{0, nan}}, {{0, -1}}, {{0, inf}}, {{4, 1}, {4, 0}}} {
		if s.Solve(&f, prizes, 1, 1) == nil {
			t.Errorf("prizes %v: no error", prizes)
		}
	}
	for _, scale := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if s.Solve(&f, []Prize{{0, 1}}, scale, 1) == nil {
			t.Errorf("scale %v: no error", scale)
		}
	}
	if s.Solve(&f, nil, 1, 0) == nil {
		t.Error("0 trees: no error")
	}
	must(t, s.Solve(&f, []Prize{{0, 3}, {8, 0}, {2, 2}, {1, 0}}, 1, 1))
	if !slices.Equal(f.Nodes, []int32{0, 1, 2}) || len(f.Edges) != 2 {
		t.Errorf("forest %v", f)
	}
	must(t, s.Solve(&f, []Prize{{8, 1}}, 1, 2))
	if !slices.Equal(f.Nodes, []int32{8}) || len(f.Edges) != 0 {
		t.Errorf("forest of one prize: %v", f)
	}
}

// A solver's past does not show.
func TestSolverIsReusable(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for range 100 {
		in := pcsttest.New(r, 60)
		ix, err := NewIndex(in.Graph)
		must(t, err)
		used := NewSolver(ix)
		used.epoch = math.MaxUint32 - 2 // epochs begin again
		for range 5 {
			few := List(fewer(r, in.Prizes))
			var got, want pcst.Forest
			must(t, used.Solve(&got, few, in.Scale, 1))
			must(t, NewSolver(ix).Solve(&want, few, in.Scale, 1))
			if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
				t.Fatalf("used %v, new %v", got, want)
			}
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
