package pcst

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/io/seal/sealtest"
)

// rounds returns how many random instances a test tries: n, or fewer in short mode.
func rounds(n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

func (f *Forest) equal(o *Forest) bool {
	return slices.Equal(f.Nodes, o.Nodes) && slices.Equal(f.Edges, o.Edges)
}

// TestForestsEqualTheExactJudge compares with plain over the solver's own integers. There plain is exact, so the
// forests must be equal whatever the ties.
func TestForestsEqualTheExactJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for i := range rounds(20000) {
		in := newInstance(r, 40)
		if i%50 == 0 {
			in.scale, in.tied = 0, true
		}
		s := NewSolver(in.g)
		var f Forest
		must(t, s.Solve(&f, in.prizes, in.scale, in.opt))
		if s.wide {
			continue // plain does not limit lifetimes
		}
		prizes, costs := make([]int64, len(in.prizes)), make([]int64, len(s.edges))
		for u, p := range in.prizes {
			prizes[u] = wholePrize(p, s.rate.times(p))
		}
		for e := range costs {
			costs[e] = s.edges[e].cost
		}
		judge := newPlain(in.g, prizes, costs, in.opt)
		judge.grow()
		want := judge.forest(in.prizes, in.costs())
		if in.tied && in.opt.Pruning == StrongPruning { // equally good parts differ by rounding
			a, b := objective(in.g, &f, in.prizes, in.scale), objective(in.g, &want, in.prizes, in.scale)
			if math.Abs(a-b) > 1e-9*(1+b) {
				t.Fatalf("instance %d, %+v: objective %v, want %v", i, in.opt, a, b)
			}
		} else if !f.equal(&want) {
			t.Fatalf("instance %d, %d nodes, %+v:\n got %v\nwant %v", i, len(in.prizes), in.opt, f, want)
		}
		compared++
	}
	if compared < rounds(18000) {
		t.Errorf("only %d instances compared", compared)
	}
}

// TestForestsEqualTheFloatJudge compares with plain over float64. Without ties the forests must be equal; with
// ties plain may decide by its rounding errors.
func TestForestsEqualTheFloatJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	differ, tied, worse := 0, 0, 0.0
	for i := range rounds(20000) {
		in := newInstance(r, 60)
		var f Forest
		must(t, NewSolver(in.g).Solve(&f, in.prizes, in.scale, in.opt))
		checkForest(t, in.g, &f, in.opt)
		judge := newPlain(in.g, in.prizes, in.costs(), in.opt)
		judge.grow()
		want := judge.forest(in.prizes, in.costs())
		if in.tied {
			tied++
			worse += objective(in.g, &f, in.prizes, in.scale) / max(1e-9, objective(in.g, &want, in.prizes, in.scale))
		} else if !f.equal(&want) {
			differ++
			t.Logf("instance %d, %d nodes, %+v:\n got %v\nwant %v", i, len(in.prizes), in.opt, f, want)
		}
	}
	if differ > 0 {
		t.Errorf("%d forests without ties differ", differ)
	}
	if mean := worse / float64(tied); mean > 1.01 {
		t.Errorf("with ties the objective is %v times the judge's on average", mean)
	}
}

// checkForest checks that f is sorted, has no cycle, and has the right number of trees.
func checkForest(t *testing.T, g *graph.Graph, f *Forest, opt Options) {
	t.Helper()
	in, sets := make([]bool, g.NumNodes()), graph.NewSets(g.NumNodes())
	for i, u := range f.Nodes {
		if i > 0 && u <= f.Nodes[i-1] {
			t.Fatalf("nodes are not ascending: %v", f.Nodes)
		}
		in[u] = true
	}
	for i, e := range f.Edges {
		if i > 0 && e <= f.Edges[i-1] {
			t.Fatalf("edges are not ascending: %v", f.Edges)
		}
		if ends := g.Edges()[e]; !in[ends.U] || !in[ends.V] || !sets.Join(ends.U, ends.V) {
			t.Fatalf("edge %d closes a cycle or ends outside the nodes: %v", e, *f)
		}
	}
	trees := len(f.Nodes) - len(f.Edges)
	if opt.Root >= 0 && !slices.Contains(f.Nodes, int32(opt.Root)) {
		t.Fatalf("root %d is not in %v", opt.Root, *f)
	}
	if want := max(1, min(opt.Clusters, g.NumNodes())); opt.Pruning != NoPruning && trees > want {
		t.Fatalf("%d trees, want at most %d", trees, want)
	}
}

func gridInstance(side int) (*Solver, [][]float64) {
	r := rand.New(rand.NewPCG(5, 6))
	prizes := make([][]float64, 8)
	for i := range prizes {
		prizes[i] = draw(r, 0, side*side)
	}
	return NewSolver(graph.Grid(side, side)), prizes
}

func TestSolveDoesNotAllocate(t *testing.T) {
	s, prizes := gridInstance(33)
	for _, opt := range []Options{{1, -1, NoPruning}, {2, -1, SimplePruning}, {1, -1, GWPruning}, {3, -1, StrongPruning}, {0, 7, GWPruning}} {
		var f Forest
		solve := func() {
			for _, p := range prizes {
				for _, scale := range []float64{1e-20, 0.3, 1, 5} {
					must(t, s.Solve(&f, p, scale, opt))
				}
			}
		}
		solve()
		if n := testing.AllocsPerRun(5, solve); n != 0 {
			t.Errorf("%+v: %v allocations after warm-up, want 0", opt, n)
		}
	}
}

// TestSolverIsReusable checks that earlier solves do not change a result.
func TestSolverIsReusable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range rounds(300) {
		in := newInstance(r, 60)
		used := NewSolver(in.g)
		for range 20 {
			prizes, scale := draw(r, r.IntN(len(laws)), len(in.prizes)), math.Exp(3*r.NormFloat64())
			opt := Options{Clusters: 1 + r.IntN(3), Root: -1, Pruning: Prunings[r.IntN(4)]}
			switch r.IntN(6) {
			case 0:
				scale = 0
			case 1:
				opt.Clusters, opt.Root = 0, r.IntN(len(prizes))
			}
			var got, want Forest
			must(t, used.Solve(&got, prizes, scale, opt))
			must(t, NewSolver(in.g).Solve(&want, prizes, scale, opt))
			if !got.equal(&want) {
				t.Fatalf("a used solver found %v, a new one %v", got, want)
			}
			if size, err := used.Size(prizes, scale, opt, Limits{}); err != nil || size != len(want.Nodes) {
				t.Fatalf("Size is %d, %v, want %d", size, err, len(want.Nodes))
			}
		}
	}
}

// TestLargeGraph checks that sorting and touching ahead, which depend on the size of the graph, do not change results.
func TestLargeGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	side := 370 // more than touchFrom nodes
	s, prizes := gridInstance(side)
	opt := Options{Clusters: 1, Root: -1, Pruning: GWPruning}
	var f Forest
	must(t, s.Solve(&f, prizes[0], 0.7, opt))
	checkForest(t, s.g, &f, opt)
	if len(f.Nodes) < side*side/3 {
		t.Errorf("%d nodes, want a large tree", len(f.Nodes))
	}
	// Relabelled at random, the graph has different ties but about the same objective.
	perm := rand.New(rand.NewPCG(9, 9)).Perm(side * side)
	edges := slices.Clone(s.g.Edges())
	for e := range edges {
		edges[e] = graph.Edge{U: int32(perm[edges[e].U]), V: int32(perm[edges[e].V])}
	}
	g := must1(graph.New(len(perm), edges, nil))
	relabelled := make([]float64, len(perm))
	for u, p := range prizes[0] {
		relabelled[perm[u]] = p
	}
	var h Forest
	must(t, NewSolver(g).Solve(&h, relabelled, 0.7, opt))
	a, b := objective(s.g, &f, prizes[0], 0.7), objective(g, &h, relabelled, 0.7)
	if math.Abs(a-b) > 0.002*a {
		t.Errorf("objectives %v and %v, want about the same", a, b)
	}
}

type stored struct {
	Name           string
	Nodes          int
	Edges          [][2]int32
	Costs, Prizes  []float64
	Root, Clusters int // Root is −1 for none
	Pruning        Pruning

	// In golden.json.gz: the forest found by independent implementations of the published scheme.
	WantNodes     []int32 `json:"want_nodes"`
	WantEdges     []int32 `json:"want_edges"`
	WantObjective float64 `json:"want_objective"`

	// In jmp.json.gz: the least objective, and pcst_fast's objective by pruning.
	Optimum  float64
	PCSTFast map[Pruning]float64 `json:"pcst_fast"`
}

// readStored reads a file and checks that it has n problems.
func readStored(t *testing.T, name string, n int) (all []stored) {
	t.Helper()
	f := must1(os.Open("testdata/" + name))
	defer f.Close()
	must(t, json.NewDecoder(must1(gzip.NewReader(f))).Decode(&all))
	if len(all) != n {
		t.Fatalf("%s has %d problems, want %d", name, len(all), n)
	}
	return all
}

func (c *stored) graph() *graph.Graph {
	edges := make([]graph.Edge, len(c.Edges))
	for e, ends := range c.Edges {
		edges[e] = graph.Edge{U: ends[0], V: ends[1]}
	}
	return must1(graph.New(c.Nodes, edges, c.Costs))
}

func TestGolden(t *testing.T) {
	for i, c := range readStored(t, "golden.json.gz", 150) {
		g := c.graph()
		var f Forest
		must(t, NewSolver(g).Solve(&f, c.Prizes, 1, Options{Clusters: c.Clusters, Root: c.Root, Pruning: c.Pruning}))
		if !slices.Equal(f.Nodes, c.WantNodes) || !slices.Equal(f.Edges, c.WantEdges) {
			t.Errorf("case %d (root %d, %d clusters, %s):\n got %v %v\nwant %v %v", i, c.Root, c.Clusters, c.Pruning,
				f.Nodes, f.Edges, c.WantNodes, c.WantEdges)
		}
		if got := objective(g, &f, c.Prizes, 1); math.Abs(got-c.WantObjective) > 1e-9 {
			t.Errorf("case %d: objective %v, want %v", i, got, c.WantObjective)
		}
	}
}

// objective returns the costs of the forest's edges plus the prizes of the nodes outside.
func objective(g *graph.Graph, f *Forest, prizes []float64, scale float64) (sum float64) {
	for _, e := range f.Edges {
		sum += scale * g.Costs()[e]
	}
	for u, p := range prizes {
		if _, in := slices.BinarySearch(f.Nodes, int32(u)); !in {
			sum += p
		}
	}
	return sum
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

func BenchmarkSolveGrid(b *testing.B) {
	for _, side := range []int{33, 100, 316, 1000} {
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			benchmarkPrizes(b, graph.Grid(side, side), 1)
		})
	}
}

// benchmarkPrizes solves for squares of normal numbers ("dense"), then with half of these prizes set to 0
// ("half"). Every solve has new prizes; repeating them would train the processor's branch predictor.
func benchmarkPrizes(b *testing.B, g *graph.Graph, scale float64) {
	for _, kind := range []string{"dense", "half"} {
		b.Run(kind, func(b *testing.B) {
			r := rand.New(rand.NewPCG(21, 4))
			prizes := make([][]float64, 64)
			for i := range prizes {
				prizes[i] = draw(r, 0, g.NumNodes())
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

// checkNodes is the largest number of nodes for which every event checks clusters and edges. The queue is always
// checked.
const checkNodes = 300

func init() {
	check = (*Solver).checkEvent
}

// checkEvent panics if the state at an event at time t is wrong. It is called if invariants is true.
func (s *Solver) checkEvent(t int64) {
	s.checkQueue()
	if len(s.nodes) <= checkNodes {
		s.checkAlive(t)
		s.checkCircles()
		s.checkMoats(t)
	}
}

func broken(format string, args ...any) {
	panic("pcst: broken invariant: " + fmt.Sprintf(format, args...))
}

// checkQueue checks the order of the open bucket and of its heap of late events.
func (s *Solver) checkQueue() {
	q := &s.queue
	if !slices.IsSorted(q.sorted) || q.sorted[len(q.sorted)-1] != never {
		broken("the open bucket is not sorted")
	}
	for i, w := range q.late[1:] {
		if q.late[i/2] > w {
			broken("the late events are not a heap at %d", i+1)
		}
	}
}

// checkAlive panics if the growth should have ended before time t.
func (s *Solver) checkAlive(t int64) {
	count := 0
	for c := range s.clusters {
		if k := &s.clusters[c]; k.size > 0 && k.dies > t {
			count++
		}
	}
	if count <= s.opt.Clusters {
		broken("%d clusters are active at %d, which is enough", count, t)
	}
}

// checkCircles checks that every cluster's circle contains exactly its nodes.
func (s *Solver) checkCircles() {
	total := 0
	for c := range int32(len(s.clusters)) {
		size := int(s.clusters[c].size)
		total += size
		if size == 0 {
			continue
		}
		u := c
		for range size {
			if s.nodes[u].label != c {
				broken("node %d is labelled %d in the circle of cluster %d", u, s.nodes[u].label, c)
			}
			u = s.nodes[u].next
		}
		if u != c {
			broken("the circle of cluster %d has not %d nodes", c, size)
		}
	}
	if total != len(s.nodes) {
		broken("the clusters have %d nodes of %d", total, len(s.nodes))
	}
}

// checkMoats checks that no moat is negative. It also checks that no edge between clusters that can grow is
// overfilled, which would mean a missed event.
func (s *Solver) checkMoats(t int64) {
	moat := func(u int32) int64 {
		c := &s.clusters[s.nodes[u].label]
		return min(t, c.dies) - c.off - s.nodes[u].w
	}
	for u := range int32(len(s.nodes)) {
		if moat(u) < 0 {
			broken("the moat of node %d is %d", u, moat(u))
		}
	}
	for e := range s.edges {
		ed := &s.edges[e]
		u, v := ed.ends[0], ed.ends[1]
		if s.nodes[u].label != s.nodes[v].label && moat(u)+moat(v) > ed.cost {
			broken("edge %d of cost %d is filled by %d and %d", e, ed.cost, moat(u), moat(v))
		}
	}
}
