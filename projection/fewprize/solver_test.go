package fewprize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"graphda/graph"
	"graphda/io/seal/sealtest"
	"graphda/projection/pcst"
	"graphda/projection/pcst/pcsttest"
)

// The forests are those of the solver for any number of prizes, whatever the ties.
func TestForestsEqualThoseOfPcst(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	instances := 20_000
	if text := os.Getenv("GRAPHDA_INSTANCES"); text != "" {
		instances = must1(strconv.Atoi(text))
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
	must(t, NewSolver(must1(NewIndex(g))).Solve(&got, Query{Prizes: pairs, Scale: scale, Trees: trees}))
	if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
		t.Fatalf("instance %d: %d nodes, edges %v, costs %v, scale %v, prizes %v, %d trees:\n got %v\nwant %v", i,
			g.NumNodes(), g.Edges(), g.Costs(), scale, pairs, trees, got, want)
	}
	return true
}

// Costs of one query and nodes left out give the forests of a graph that has these costs and lacks these nodes, with
// pruning and without, and the next query finds the graph as it was.
func TestQueriesChangeTheGraph(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	for i := range 20_000 {
		in := pcsttest.New(r, 12+i%2*68)
		few := List(fewer(r, in.Prizes))
		if in.Root >= 0 || len(few) <= in.Clusters || slices.Max(append(in.Graph.Costs(), 0)) == 0 {
			continue
		}
		q := Query{Prizes: few, Scale: in.Scale, Trees: in.Clusters, Costs: map[int32]float64{}, Unpruned: i%3 == 0}
		g := apart(t, in.Graph)
		changed, numbers := change(t, r, g, &q)
		s := NewSolver(must1(NewIndex(g)))
		var before, got, after, want pcst.Forest
		plain := Query{Prizes: few, Scale: in.Scale, Trees: in.Clusters}
		must(t, s.Solve(&before, plain))
		s.epoch = math.MaxUint32 // epochs begin again
		must(t, s.Solve(&got, q))
		must(t, s.Solve(&after, plain))
		other := must1(NewIndex(changed))
		must(t, NewSolver(other).Solve(&want, Query{Prizes: few, Scale: q.Scale, Trees: q.Trees, Unpruned: q.Unpruned}))
		for k, e := range want.Edges {
			want.Edges[k] = numbers[e]
		}
		if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
			t.Fatalf("instance %d: %d nodes, edges %v, costs %v, query %+v:\n got %v\nwant %v", i, g.NumNodes(), g.Edges(),
				g.Costs(), q, got, want)
		}
		if !slices.Equal(before.Nodes, after.Nodes) || !slices.Equal(before.Edges, after.Edges) {
			t.Fatalf("instance %d: the query has left something behind", i)
		}
	}
}

// apart adds two nodes joined by the dearest edge, so that changes of others keep the units of costs.
func apart(t *testing.T, g *graph.Graph) *graph.Graph {
	n := int32(g.NumNodes())
	most := 2 * slices.Max(g.Costs())
	g = must1(graph.New(int(n)+2, append(slices.Clone(g.Edges()), graph.Edge{U: n, V: n + 1}),
		append(slices.Clone(g.Costs()), most)))
	return g
}

// change draws costs and nodes to leave out, and returns the graph that has these costs and no edges at these nodes,
// and the numbers that its edges have in g.
func change(t *testing.T, r *rand.Rand, g *graph.Graph, q *Query) (*graph.Graph, []int32) {
	prized := map[int32]bool{}
	for _, p := range q.Prizes {
		prized[p.Node] = true
	}
	gone := map[int32]bool{}
	for u := range int32(g.NumNodes() - 2) {
		if !prized[u] && r.IntN(5) == 0 {
			gone[u] = true
			q.Without = append(q.Without, u)
		}
	}
	costs := slices.Clone(g.Costs())
	for e := range costs[:len(costs)-1] {
		if r.IntN(3) == 0 {
			costs[e] = min(costs[e]*[]float64{0, 0.25, 0.5, 1, 2}[r.IntN(5)], costs[len(costs)-1])
			q.Costs[int32(e)] = costs[e]
		}
	}
	var edges []graph.Edge
	var kept []float64
	var numbers []int32
	for e, ends := range g.Edges() {
		if !gone[ends.U] && !gone[ends.V] {
			edges, kept, numbers = append(edges, ends), append(kept, costs[e]), append(numbers, int32(e))
		}
	}
	return must1(graph.New(g.NumNodes(), edges, kept)), numbers
}

// What must not be asked for is refused, and an error leaves the solver fit for use.
func TestErrors(t *testing.T) {
	g := graph.Grid(3, 3)
	s := NewSolver(must1(NewIndex(g)))
	var f pcst.Forest
	nan, inf := math.NaN(), math.Inf(1)
	for _, prizes := range [][]Prize{{{9, 1}}, {{-1, 1}}, {{0, nan}}, {{0, -1}}, {{0, inf}}, {{4, 1}, {4, 0}}} {
		if s.Solve(&f, Query{Prizes: prizes, Scale: 1, Trees: 1}) == nil {
			t.Errorf("prizes %v: no error", prizes)
		}
	}
	for _, scale := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if s.Solve(&f, Query{Prizes: []Prize{{0, 1}}, Scale: scale, Trees: 1}) == nil {
			t.Errorf("scale %v: no error", scale)
		}
	}
	if s.Solve(&f, Query{Prizes: nil, Scale: 1, Trees: 0}) == nil {
		t.Error("0 trees: no error")
	}
	must(t, s.Solve(&f, Query{Prizes: []Prize{{0, 3}, {8, 0}, {2, 2}, {1, 0}}, Scale: 1, Trees: 1}))
	if !slices.Equal(f.Nodes, []int32{0, 1, 2}) || len(f.Edges) != 2 {
		t.Errorf("forest %v", f)
	}
	must(t, s.Solve(&f, Query{Prizes: []Prize{{8, 1}}, Scale: 1, Trees: 2}))
	if !slices.Equal(f.Nodes, []int32{8}) || len(f.Edges) != 0 {
		t.Errorf("forest of one prize: %v", f)
	}
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

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
