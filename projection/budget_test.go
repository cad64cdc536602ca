package projection

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/projection/pcst"
)

// bestOf returns the largest sum of squares on any support of the model, by brute force.
func bestOf(g *graph.Graph, w []float64, m Model) float64 {
	n := g.NumNodes()
	most := 0.0
	for set := 1; set < 1<<n; set++ {
		if bits.OnesCount(uint(set)) > m.Sparsity {
			continue
		}
		kept := 0.0
		for u, x := range w {
			if set>>u&1 != 0 {
				kept += x * x
			}
		}
		if kept > most && spanCost(g, set, m.Clusters) <= m.Budget {
			most = kept
		}
	}
	return most
}

// spanCost returns the least cost of a forest with at most g trees that spans the set, by Kruskal's algorithm, or
// NaN if there is none.
func spanCost(g *graph.Graph, set, clusters int) float64 {
	trees := bits.OnesCount(uint(set))
	order := make([]int, g.NumEdges())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.Costs()[a], g.Costs()[b]) })
	sets := graph.NewSets(g.NumNodes())
	cost := 0.0
	for _, i := range order {
		if trees <= clusters {
			break
		}
		e := g.Edges()[i]
		if (set>>e.U)&(set>>e.V)&1 == 0 || !sets.Join(e.U, e.V) {
			continue
		}
		cost += g.Costs()[i]
		trees--
	}
	if trees > clusters {
		return math.NaN()
	}
	return cost
}

// A budgetCase is a vector to project onto a model.
type budgetCase struct {
	g *graph.Graph
	w []float64
	m Model
}

func (c *budgetCase) String() string {
	return fmt.Sprintf("%+v of %v on %v with costs %v", c.m, c.w, c.g.Edges(), c.g.Costs())
}

// randomBudgetCase draws entries, costs and limits of several kinds. Unit costs cause many ties, and budgets are
// often met exactly or rule out edges.
func randomBudgetCase(tb testing.TB, r *rand.Rand) *budgetCase {
	n := 1 + max(r.IntN(9), r.IntN(9))
	most := n // the largest s
	if r.IntN(30) == 0 {
		n, most = 10+r.IntN(5), 3
	}
	kind := graphKinds[r.IntN(len(graphKinds))]
	c := &budgetCase{g: randomGraph(tb, r, n, kind.cost), w: randomVector(r, n, r.IntN(2) == 0)}
	switch r.IntN(4) {
	case 0:
		for i := range c.w {
			c.w[i] = math.Round(2 * c.w[i])
		}
	case 1:
		for i := range c.w {
			c.w[i] *= math.Exp(3 * r.NormFloat64())
		}
	}
	c.m = Model{Sparsity: 1 + r.IntN(1+r.IntN(most)), Clusters: 1 + r.IntN(3)}
	mean := 0.0
	for _, cost := range c.g.Costs() {
		mean += cost / float64(c.g.NumEdges())
	}
	switch r.IntN(6) {
	case 0:
		c.m.Budget = math.Inf(1)
	case 1:
		c.m.Budget = 0
	case 2:
		c.m.Budget = float64(r.IntN(n))
	default:
		c.m.Budget = mean * float64(n) * r.Float64()
	}
	return c
}

// enlarged returns the model with k times the capacity in both limits, which the results must satisfy.
func (m Model) enlarged(k float64) Model {
	if m.binds() {
		k *= 2
	}
	return Model{int(k*float64(m.Sparsity)+1e-6) + m.Clusters, m.Clusters, m.Budget * k}
}

// checkSupport checks that the result is a forest of the model.
func checkSupport(t *testing.T, c *budgetCase, got *BudgetResult, m Model) {
	t.Helper()
	cost, kept := 0.0, 0.0
	set := 0
	for _, u := range got.Nodes {
		set |= 1 << u
		kept += c.w[u] * c.w[u]
	}
	sets := graph.NewSets(len(c.w))
	for _, e := range got.Edges {
		cost += c.g.Costs()[e]
		ends := c.g.Edges()[e]
		if (set>>ends.U)&(set>>ends.V)&1 == 0 || !sets.Join(ends.U, ends.V) {
			t.Fatalf("%v: edge %v leaves the nodes %v or closes a cycle of %v", c, ends, got.Nodes, got.Edges)
		}
	}
	trees := len(got.Nodes) - len(got.Edges)
	if len(got.Nodes) > m.Sparsity || trees > m.Clusters || cost > m.Budget*(1+1e-8) {
		t.Fatalf("%v: %d nodes in %d trees of cost %v, want at most %+v", c, len(got.Nodes), trees, cost, m)
	}
	if !slices.IsSorted(got.Nodes) || !slices.IsSorted(got.Edges) {
		t.Fatalf("%v: not ascending: %v %v", c, got.Nodes, got.Edges)
	}
	if math.Abs(got.Kept-kept) > 1e-12*kept {
		t.Fatalf("%v: keeps %v, says %v", c, kept, got.Kept)
	}
}

// TestBudgetAgainstAllSupports compares Head and Tail with the best of all supports: their guarantees and bounds
// must hold.
func TestBudgetAgainstAllSupports(t *testing.T) {
	cases := 30000
	if testing.Short() {
		cases = 1500
	}
	r := rand.New(rand.NewPCG(1, 8))
	worstHead, worstTail, solves := 1.0, 1.0, 0
	for range cases {
		c := randomBudgetCase(t, r)
		b := must1(NewBudget(c.g, c.m))
		best, total := bestOf(c.g, c.w, c.m), floats.Dot(c.w, c.w)

		var got BudgetResult
		must(t, b.Head(&got, c.w))
		checkSupport(t, c, &got, c.m.enlarged(1))
		if got.Kept < best/8*(1-1e-9) {
			t.Fatalf("%v: head keeps %v of %v, want an eighth", c, got.Kept, best)
		}
		checkBound(t, c, &got, best, total)
		if best > 0 {
			worstHead = min(worstHead, got.Kept/best)
		}
		solves = max(solves, got.Solves)

		nu := []float64{2.01, DefaultNu, 3, 7, 50}[r.IntN(5)]
		must(t, b.Tail(&got, c.w, nu))
		checkSupport(t, c, &got, c.m.enlarged(nu))
		left, least := total-got.Kept, total-best
		if left > least*(1+9/(4*(nu-2)))+1e-9*total {
			t.Fatalf("%v: tail with nu = %v leaves %v, want at most %v times %v", c, nu, left, 1+9/(4*(nu-2)), least)
		}
		checkBound(t, c, &got, best, total)
		if least > 1e-6*total {
			worstTail = max(worstTail, left/least)
		}
		solves = max(solves, got.Solves)
	}
	t.Logf("%d cases: the worst head keeps %.3f of the best, the worst tail leaves %.3f times the least; at most %d solves",
		cases, worstHead, worstTail, solves)
}

func checkBound(t *testing.T, c *budgetCase, got *BudgetResult, best, total float64) {
	t.Helper()
	if got.Bound < best*(1-1e-9)-1e-12*total || got.Bound < got.Kept || got.Bound > total*(1+1e-9) {
		t.Fatalf("%v: bound %v, want at least the best, %v, and at most all, %v", c, got.Bound, best, total)
	}
}

// randomForest returns a graph without cycles, the forest of all its edges, and prizes, some of them 0.
func randomForest(tb testing.TB, r *rand.Rand, n int, cost func() float64) (*graph.Graph, *pcst.Forest, []float64) {
	tb.Helper()
	var edges []graph.Edge
	costs := []float64{}
	for v := int32(1); int(v) < n; v++ {
		if r.IntN(5) > 0 {
			edges = append(edges, graph.Edge{U: r.Int32N(v), V: v})
			costs = append(costs, cost())
		}
	}
	f := &pcst.Forest{}
	prizes := make([]float64, n)
	for u := range prizes {
		prizes[u] = float64(r.IntN(4)) * r.ExpFloat64()
		f.Nodes = append(f.Nodes, int32(u))
	}
	for e := range edges {
		f.Edges = append(f.Edges, int32(e))
	}
	return newGraph(tb, n, edges, costs), f, prizes
}

// TestPruneForest checks the pruner's lemma on random forests, and that pruned forests are valid.
func TestPruneForest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	worst := 1.0
	for range 20000 {
		g, f, prizes := randomForest(t, r, 2+r.IntN(12), func() float64 { return 1 + math.Floor(4*r.Float64()) })
		n, edges, total := g.NumNodes(), g.Edges(), floats.Sum(prizes)
		var p forestPruner
		p.init(g)
		all := p.price(f)
		limit := math.Floor(all * r.Float64())
		for range 2 { // pruning a second time must change nothing
			p.prune(f, prizes, limit)
			kept := 0.0
			for _, u := range f.Nodes {
				kept += prizes[u]
			}
			if p.price(f) > limit {
				t.Fatalf("price %v, want at most %v", p.price(f), limit)
			}
			if all > 0 {
				if share := kept / total * 3 * all / limit; limit > 0 && total > 0 {
					worst = min(worst, share/3)
					if share < 1 {
						t.Fatalf("keeps %v of %v for %v of %v", kept, total, limit, all)
					}
				}
			}
			trees := len(f.Nodes) - len(f.Edges)
			if trees > n-len(edges) {
				t.Fatalf("%d trees out of %d", trees, n-len(edges))
			}
		}
		for _, u := range p.nodeIn {
			if u != 0 {
				t.Fatal("counts are left behind")
			}
		}
	}
	t.Logf("the worst forest kept %.3f of its share", worst)
}

func TestBudgetScales(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for range 200 {
		c := randomBudgetCase(t, r)
		b := must1(NewBudget(c.g, c.m))
		var plain, small BudgetResult
		must(t, b.Tail(&plain, c.w, 3))
		must(t, b.Tail(&small, scaled(c.w, 0x1p-300), 3))
		if !slices.Equal(plain.Nodes, small.Nodes) || !slices.Equal(plain.Edges, small.Edges) || small.Kept != plain.Kept*0x1p-600 {
			t.Fatalf("%v: %+v, times 2^-300 %+v", c, plain, small)
		}
	}
}

func TestBudgetRefuses(t *testing.T) {
	g := graph.Grid(2, 2)
	for _, m := range []Model{{0, 1, 1}, {1, 0, 1}, {1, 1, -1}, {1, 1, math.NaN()}} {
		if _, err := NewBudget(g, m); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%+v: %v", m, err)
		}
	}
	b := must1(NewBudget(g, Model{2, 1, 1}))
	var dst BudgetResult
	if err := b.Head(&dst, []float64{0, math.Inf(1), 0, 0}); err == nil {
		t.Error("an infinite entry is taken")
	}
	for _, nu := range []float64{2, math.NaN(), math.Inf(1), -3} {
		if err := b.Tail(&dst, make([]float64, 4), nu); err == nil {
			t.Errorf("nu = %v is taken", nu)
		}
	}
	must(t, b.Head(&dst, make([]float64, 4)))
	if len(dst.Nodes) > 0 || dst.Solves > 0 || dst.Kept != 0 {
		t.Errorf("the head of zero is %+v", dst)
	}
}

func TestBudgetDoesNotAllocate(t *testing.T) {
	b := must1(NewBudget(graph.Grid(33, 33), Model{26, 2, 40}))
	vectors := drawVectors(rand.New(rand.NewPCG(4, 8)), 8, 33*33, true)
	var head, tail BudgetResult
	all := func() {
		for _, w := range vectors {
			must(t, b.Head(&head, w))
			must(t, b.Tail(&tail, w, DefaultNu))
		}
	}
	all()
	if n := testing.AllocsPerRun(5, all); n != 0 {
		t.Errorf("16 projections: %v allocations after the first, want 0", n)
	}
}
