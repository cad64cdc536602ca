package pcst

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"graphda/graph"
)

func BenchmarkSolveGrid(b *testing.B) {
	for _, side := range []int{33, 100, 316, 1000} {
		for _, kind := range []string{"dense", "half"} {
			b.Run(fmt.Sprintf("side=%d/%s", side, kind), func(b *testing.B) {
				g := graph.Grid(side, side)
				benchmarkSolve(b, g, kind == "half")
			})
		}
	}
}

func benchmarkSolve(b *testing.B, g *graph.Graph, half bool) {
	n := g.NumNodes()
	r := rand.New(rand.NewPCG(1, 1))
	prizes := make([][]float64, 64)
	for j := range prizes {
		prizes[j] = make([]float64, n)
		for u := range prizes[j] {
			x := r.NormFloat64()
			prizes[j][u] = x * x
			if half && r.IntN(2) == 0 {
				prizes[j][u] = 0
			}
		}
	}
	s := NewSolver(g)
	var f Forest
	i := 0
	for b.Loop() {
		must(b, s.Solve(&f, prizes[i%64], 1, Options{Clusters: 1, Root: -1, Pruning: GWPruning}))
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.NumEdges()), "ns/edge")
}
