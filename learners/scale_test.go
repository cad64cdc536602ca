package learners_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

// lattice returns a side × side grid whose nodes have 20 neighbours, that is about ten
// edges a node, with costs in [½, 1½).
func lattice(b *testing.B, side int) *graph.Graph {
	r := rand.New(rand.NewPCG(8, 1))
	near := [][2]int{{0, 1}, {0, 2}, {1, -2}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {2, -1}, {2, 0}, {2, 1}}
	edges := make([]graph.Edge, 0, len(near)*side*side)
	for row := range side {
		for col := range side {
			for _, d := range near {
				if v, w := row+d[0], col+d[1]; v < side && 0 <= w && w < side {
					edges = append(edges, graph.Edge{U: int32(row*side + col), V: int32(v*side + w)})
				}
			}
		}
	}
	costs := make([]float64, len(edges))
	for e := range costs {
		costs[e] = 0.5 + r.Float64()
	}
	return must1(graph.New(side*side, edges, costs))
}

// BenchmarkScale builds a solver and runs one round of GraphDA, which is a head and a
// tail projection, on graphs of ten thousand and of a million nodes. The memory is what
// graph, solver and learner keep.
func BenchmarkScale(b *testing.B) {
	for _, side := range []int{100, 1000} {
		if testing.Short() && side > 100 {
			continue
		}
		b.Run(fmt.Sprintf("nodes=%d", side*side), func(b *testing.B) {
			before := heap()
			g := lattice(b, side)
			n, m := g.NumNodes(), float64(g.NumEdges())
			ws := learners.NewWorkspace(&learners.Problem{P: n, Graph: g})
			r := rand.New(rand.NewPCG(8, 2))
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			var l *learners.Learner
			round := func() {
				l = newLearner(b, ws, "graphda", "logistic", map[string]float64{"gamma": 100, "s": float64(n / 40)})
				must(b, l.Learn(x, 1))
			}
			round()
			kept := heap() - before
			solves, rounds := 0, 0
			for b.Loop() {
				round()
				solves += l.Searches().Solves
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(solves)/m, "ns/edge/solve")
			b.ReportMetric(float64(solves)/float64(rounds), "solves")
			b.ReportMetric(float64(kept)/m, "B/edge")
		})
	}
}

// heap returns the bytes that are in use after a collection.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
