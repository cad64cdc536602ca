package projection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/projection/pcst"
)

// partsOf enumerates all sets of nodes and returns the parts of a forest: the sets that contain one connected
// piece of each tree, and the root if it is not −1. points are the parts' points.
func partsOf(g *graph.Graph, prizes []float64, root int) (sets []int, points []part) {
	label, trees := g.Components()
	for set := range 1 << g.NumNodes() {
		if root >= 0 && set>>root&1 == 0 {
			continue
		}
		p := part{}
		had := make([]bool, trees)
		for u := range label {
			if set>>u&1 != 0 {
				p.size++
				p.prize += prizes[u]
				had[label[u]] = true
			}
		}
		edges := 0
		for e, ends := range g.Edges() {
			if set>>ends.U&1 != 0 && set>>ends.V&1 != 0 {
				edges++
				p.cost += g.Costs()[e]
			}
		}
		if p.size-edges == trees && !slices.Contains(had, false) {
			sets, points = append(sets, set), append(points, p)
		}
	}
	return sets, points
}

// onHull reports whether p is a best point at some price per cost, up to rounding.
func onHull(p part, points []part) bool {
	const slack = 1e-9
	least, most := 0.0, math.Inf(1) // bounds of the price
	for _, q := range points {
		gain, cost := q.prize-p.prize, q.cost-p.cost
		switch {
		case cost > 0:
			least = max(least, (gain-slack)/cost)
		case cost < 0:
			most = min(most, (gain-slack)/cost)
		case gain > slack:
			return false
		}
	}
	return least <= most
}

// TestCutAgainstAllParts compares cuts of small forests with all their parts.
func TestCutAgainstAllParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	ended := map[string]int{}
	for i := range 4000 {
		unit := i%2 == 0
		g, f, prizes := randomForest(t, r, 1+r.IntN(9), func() float64 {
			if unit {
				return 1
			}
			return max(0, r.Float64()*4-1.5) // many cost nothing
		})
		if slices.Max(prizes) == 0 {
			continue
		}
		trees := len(f.Nodes) - len(f.Edges)
		window := Window{Low: trees + r.IntN(3)}
		window.High = window.Low + r.IntN(3)
		if len(f.Nodes) <= window.High {
			continue
		}
		root := -1
		if i%3 == 0 {
			root = int(f.Nodes[r.IntN(len(f.Nodes))])
		}
		var h hull
		h.init(g)
		h.cut(f, prizes, window, root)

		sets, points := partsOf(g, prizes, root)
		set := 0
		for _, u := range f.Nodes {
			set |= 1 << u
		}
		at := slices.Index(sets, set)
		if at < 0 {
			t.Fatalf("%v: nodes %v are not one connected part of each tree of %v", window, f.Nodes, g.Edges())
		}
		got := points[at]
		if !onHull(got, points) {
			t.Fatalf("%v: nodes %v of %v, costs %v, prizes %v are not on the hull", window, f.Nodes, g.Edges(), g.Costs(), prizes)
		}
		for _, q := range points {
			if q.cost <= got.cost && q.prize > got.prize+1e-9 {
				t.Fatalf("%v: %+v, but there is %+v", window, got, q)
			}
		}
		ended[checkSize(t, window, got, points, unit)]++
	}
	t.Log(ended)
	for _, how := range []string{"inside", "below", "above"} {
		if ended[how] < 50 {
			t.Errorf("cuts ended %v, want all three kinds", ended)
		}
	}
}

// checkSize checks the size of a cut and returns where it lies. With unit costs the size grows along the hull. The
// cut must then lie in the window if any vertex does, and otherwise be the last vertex below it.
func checkSize(t *testing.T, window Window, got part, points []part, unit bool) string {
	t.Helper()
	if window.Contains(got.size) {
		return "inside"
	}
	if got.size > window.High {
		if got.cost > 0 {
			t.Fatalf("%v: %+v is too large and not free", window, got)
		}
		return "above"
	}
	for _, q := range points {
		if unit && q.size > got.size && q.size <= window.High && strictlyOnHull(q, points) {
			t.Fatalf("%v: %+v, but the vertex %+v fits better", window, got, q)
		}
	}
	return "below"
}

// strictlyOnHull reports whether a point is a vertex that is not nearly on a line through others.
func strictlyOnHull(p part, points []part) bool {
	raised := slices.Clone(points)
	for i := range raised {
		if raised[i].cost != p.cost {
			raised[i].prize += 1e-6
		}
	}
	return onHull(p, raised)
}

// TestCut searches with Cut for vectors that change a little each time.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 13))
	for _, g := range []*graph.Graph{graph.Grid(12, 12), randomGraph(t, r, 150, func(r *rand.Rand) float64 { return 0.5 + r.Float64() })} {
		for clusters := 1; clusters <= 3; clusters++ {
			for _, warm := range []*Warm{nil, new(Warm)} {
				opt := Options{Clusters: clusters, MaxIter: 20, Warm: warm, Cut: 1.5}
				followCuts(t, g, TailWindow(20, 0.1), opt)
				if clusters == 1 {
					opt.Root = 77
					followCuts(t, g, TailWindow(20, 0.1), opt)
				}
			}
		}
	}
}

func followCuts(t *testing.T, g *graph.Graph, window Window, opt Options) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 13))
	search, solver := NewSearch(g), pcst.NewSolver(g)
	w := make([]float64, g.NumNodes())
	var got, plain Result
	solves, paperSolves := 0, 0
	for round := range 100 {
		for i := range w {
			w[i] += r.NormFloat64() / float64(1+round)
		}
		must(t, search.Project(&got, w, window, opt))
		checkCut(t, g, solver, w, window, opt, &got)
		must(t, search.Project(&plain, w, window, Options{Clusters: opt.Clusters, MaxIter: opt.MaxIter, Root: opt.Root}))
		solves += got.Solves
		paperSolves += plain.Solves
	}
	t.Logf("%d trees, warm %v: %d solves, paper %d", opt.Clusters, opt.Warm != nil, solves, paperSolves)
	if opt.Warm != nil && 4*solves > paperSolves {
		t.Errorf("%d trees: %d solves, the paper's search needs %d", opt.Clusters, solves, paperSolves)
	}
}

// checkCut checks that the result is the forest of its scale, or a part of that forest if it is too large.
func checkCut(t *testing.T, g *graph.Graph, solver *pcst.Solver, w []float64, window Window, opt Options, got *Result) {
	t.Helper()
	var f pcst.Forest
	prizes := squared(w)
	must(t, solver.Solve(&f, prizes, got.Scale, opt.solverOptions()))
	if len(f.Nodes) > window.High {
		var h hull
		h.init(g)
		h.cut(&f, prizes, window, opt.Root-1)
	}
	if !slices.Equal(f.Nodes, got.Nodes) {
		t.Fatalf("%v, %+v: nodes %v, the forest of its scale, cut, has %v", window, opt, got.Nodes, f.Nodes)
	}
	if len(got.Nodes) > window.High || (got.Status == Bracketed) != window.Contains(len(got.Nodes)) {
		t.Errorf("%v: %d nodes and status %v", window, len(got.Nodes), got.Status)
	}
	if opt.Root > 0 && !slices.Contains(got.Nodes, int32(opt.Root-1)) {
		t.Errorf("%+v: nodes %v lack the root", opt, got.Nodes)
	}
	sub, _, err := g.Induced(got.Nodes)
	must(t, err)
	if _, trees := sub.Components(); trees > opt.Clusters {
		t.Errorf("%d components, want at most %d", trees, opt.Clusters)
	}
}

// TestCutOfCheapCosts uses costs so low that the largest prize is no upper end for the scale. The search must
// raise the end before it cuts anything.
func TestCutOfCheapCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 13))
	g := cheapGrid(t, r, 1e-4)
	w := make([]float64, g.NumNodes())
	for i := range w {
		w[i] = 1 + r.Float64()
	}
	var got Result
	opt := Options{Clusters: 1, MaxIter: 20, Cut: 1.5}
	must(t, NewSearch(g).Project(&got, w, TailWindow(10, 0.1), opt))
	if got.Scale < 4 {
		t.Errorf("scale %v, at which all edges are still cheap", got.Scale)
	}
	checkCut(t, g, pcst.NewSolver(g), w, TailWindow(10, 0.1), opt, &got)
}

// cheapGrid returns an 8 × 8 grid whose costs are within 1 % of cost.
func cheapGrid(tb testing.TB, r *rand.Rand, cost float64) *graph.Graph {
	tb.Helper()
	edges := graph.Grid(8, 8).Edges()
	costs := make([]float64, len(edges))
	for i := range costs {
		costs[i] = cost * (1 + 0.01*r.Float64())
	}
	return newGraph(tb, 64, edges, costs)
}
