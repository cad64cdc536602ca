package fewprize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"graphda/graph"
	"graphda/projection/pcst"
)

// attachment returns a graph of preferential attachment, five edges a node, costs drawn by law.
func attachment(tb testing.TB, n int, law func(r *rand.Rand) float64) *graph.Graph {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	edges, costs := make([]graph.Edge, 0, 5*n), make([]float64, 0, 5*n)
	for u := int32(1); int(u) < n; u++ {
		from := len(edges)
	draws:
		for k := 0; k < min(5, int(u)); {
			v := r.Int32N(u)
			if from > 0 && r.IntN(2) == 0 {
				v = edges[r.IntN(from)].V
			}
			for _, e := range edges[from:] {
				if e.V == v {
					continue draws
				}
			}
			edges, costs = append(edges, graph.Edge{U: u, V: v}), append(costs, law(r))
			k++
		}
	}
	return must1(graph.New(n, edges, costs))
}

// The queries of the table in BENCHMARKS.md: k random nodes with prizes near p. The prizes change from
// query to query.
func BenchmarkQueries(b *testing.B) {
	random := func(r *rand.Rand) float64 { return 0.01 + 1.99*r.Float64() }
	equal := func(*rand.Rand) float64 { return 1 }
	for _, n := range []int{2e5, 1e6} {
		for name, law := range map[string]func(*rand.Rand) float64{"random": random, "equal": equal} {
			g := attachment(b, n, law)
			few, dense := NewSolver(must1(NewIndex(g))), pcst.NewSolver(g)
			for _, k := range []int{3, 10, 100} {
				for _, p := range []float64{0.6, 1, 2, 2.5} {
					if (name == "random") != (p <= 1) {
						continue
					}
					at := fmt.Sprintf("nodes=%d/%s/k=%d/p=%v", n, name, k, p)
					b.Run(at+"/few", func(b *testing.B) { benchmarkQueries(b, few, dense, n, k, p, true) })
					b.Run(at+"/dense", func(b *testing.B) { benchmarkQueries(b, few, dense, n, k, p, false) })
				}
			}
		}
	}
}

func benchmarkQueries(b *testing.B, few *Solver, dense *pcst.Solver, n, k int, p float64, useFew bool) {
	r := rand.New(rand.NewPCG(uint64(k), 7))
	queries := make([][]Prize, 64)
	full := make([]float64, n)
	for i := range queries {
		for _, u := range r.Perm(n)[:k] {
			queries[i] = append(queries[i], Prize{int32(u), p * (0.75 + r.Float64()/2)})
		}
	}
	var f pcst.Forest
	i := 0
	for b.Loop() {
		q := queries[i%len(queries)]
		if i++; useFew {
			must(b, few.Solve(&f, Query{Prizes: q, Scale: 1, Trees: 1}))
			continue
		}
		for _, x := range q {
			full[x.Node] = x.Prize
		}
		must(b, dense.Solve(&f, full, 1, pcst.Options{Clusters: 1, Root: -1, Pruning: pcst.GWPruning}))
		for _, x := range q {
			full[x.Node] = 0
		}
	}
}
