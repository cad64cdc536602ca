package pcst

import (
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
)

// Reading all edges of the least cost at once, and queueing some of them, joins the same
// clusters in the same order as reading the edges chunk by chunk does, ties and all.
func TestRunIsReadAsChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for trial := range 3000 {
		g := graph.Grid(1+r.IntN(20), 2+r.IntN(20))
		if trial%2 == 1 { // most edges, not all, have the least cost
			costs := make([]float64, g.NumEdges())
			for e := range costs {
				costs[e] = 1 + float64(r.IntN(4)/3*r.IntN(3))
			}
			g = must1(graph.New(g.NumNodes(), g.Edges(), costs))
		}
		run, chunks := NewSolver(g), NewSolver(g)
		chunks.front.run = 0
		for range 3 {
			prizes := tiedPrizes(r, g.NumNodes())
			opt := Options{Clusters: 1 + r.IntN(3), Root: -1, Pruning: GWPruning}
			if r.IntN(4) == 0 {
				opt.Clusters, opt.Root = 0, r.IntN(g.NumNodes())
			}
			scale := []float64{1, 0.5, 0.7, 2}[r.IntN(4)]
			var a, b Forest
			must(t, run.Solve(&a, prizes, scale, opt))
			must(t, chunks.Solve(&b, prizes, scale, opt))
			if !slices.Equal(run.trees.log, chunks.trees.log) || !slices.Equal(a.Nodes, b.Nodes) || !slices.Equal(a.Edges, b.Edges) {
				t.Fatalf("trial %d, %d nodes, scale %v, %+v: %d mergings and forest %v, by chunks %d and %v",
					trial, g.NumNodes(), scale, opt, len(run.trees.log), a, len(chunks.trees.log), b)
			}
		}
	}
}

// tiedPrizes returns prizes of which a random part is 0, and the others are either
// multiples of 1/4 or squares of normal numbers.
func tiedPrizes(r *rand.Rand, n int) []float64 {
	prizes := make([]float64, n)
	zeros, tied := r.Float64(), r.IntN(2) == 0
	for u := range prizes {
		x := r.NormFloat64()
		switch {
		case r.Float64() < zeros:
		case tied:
			prizes[u] = float64(r.IntN(12)) / 4
		default:
			prizes[u] = x * x
		}
	}
	return prizes
}
