package pcst

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"graphda/graph"
	"graphda/projection/pcst/pcsttest"
)

func BenchmarkSolveGrid(b *testing.B) {
	for _, side := range []int{33, 100, 316, 1000} {
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			benchmarkPrizes(b, graph.Grid(side, side), 1)
		})
	}
}

// Grids whose costs are uniform in [0, 2) instead of 1.
func BenchmarkSolveRandomGrid(b *testing.B) {
	for _, side := range []int{33, 316} {
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			r := rand.New(rand.NewPCG(21, 1))
			g := graph.Grid(side, side)
			benchmarkPrizes(b, withCosts(b, r, g.NumNodes(), g.Edges()), 1)
		})
	}
}

func BenchmarkSolveGeometric(b *testing.B) {
	for _, n := range []int{1e4, 3e5} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(21, 2))
			benchmarkPrizes(b, withCosts(b, r, n, pcsttest.Geometric(r, n, 8).Edges), 1)
		})
	}
}

func BenchmarkSolveScaleFree(b *testing.B) {
	for _, n := range []int{1e4, 1e5} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(21, 3))
			benchmarkPrizes(b, withCosts(b, r, n, pcsttest.ScaleFree(r, n, 8).Edges), 1)
		})
	}
}

func withCosts(b *testing.B, r *rand.Rand, n int, edges []graph.Edge) *graph.Graph {
	costs := make([]float64, len(edges))
	for e := range costs {
		costs[e] = 2 * r.Float64()
	}
	return must1(graph.New(n, edges, costs))
}

// benchmarkPrizes solves for squares of normal numbers, then for such prizes of which
// half are 0. The prizes change from solve to solve: the same ones again and again teach
// the processor to predict their branches.
func benchmarkPrizes(b *testing.B, g *graph.Graph, scale float64) {
	for _, kind := range []string{"dense", "half"} {
		b.Run(kind, func(b *testing.B) {
			r := rand.New(rand.NewPCG(21, 4))
			prizes := make([][]float64, 64)
			for i := range prizes {
				prizes[i] = pcsttest.Draw(r, 0, g.NumNodes())
				for u := range prizes[i] {
					if kind == "half" && r.IntN(2) == 0 {
						prizes[i][u] = 0
					}
				}
			}
			s := NewSolver(g)
			opt := Options{Clusters: 1, Root: -1, Pruning: GWPruning}
			var f Forest
			must(b, s.Solve(&f, prizes[0], scale, opt))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				must(b, s.Solve(&f, prizes[i%len(prizes)], scale, opt))
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/float64(g.NumEdges()), "ns/edge")
		})
	}
}
