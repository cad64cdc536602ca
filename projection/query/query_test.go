package query

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/graph"
	"graphda/io/seal/sealtest"
)

// A tiny is a graph and a query that all subgraphs are tried for.
type tiny struct {
	g                  *graph.Graph
	nodeCosts, weights []float64
	q                  Query
}

// drawTiny draws a graph of 3 to 8 nodes, with ties and costs of 0, connected unless kinds say otherwise.
func drawTiny(t *testing.T, r *rand.Rand, kinds string) tiny {
	n := 3 + r.IntN(6)
	var edges []graph.Edge
	var costs []float64
	cost := func() float64 { return []float64{0, 0.5, 1, 1, 2, 3 * r.Float64()}[r.IntN(6)] }
	for v := int32(1); int(v) < n; v++ {
		edges, costs = append(edges, graph.Edge{U: r.Int32N(v), V: v}), append(costs, cost())
	}
	for u := range int32(n) {
		for v := range u {
			if r.IntN(3) == 0 && !slices.Contains(edges, graph.Edge{U: v, V: u}) {
				edges, costs = append(edges, graph.Edge{U: v, V: u}), append(costs, cost())
			}
		}
	}
	costs[0] = max(costs[0], 0.5)
	g := must1(graph.New(n, edges, costs))
	x := tiny{g: g, q: Query{Prizes: map[int32]float64{}, Certify: true}}
	for u := range int32(n) {
		if r.IntN(2) == 0 {
			x.q.Prizes[u] = []float64{1, 2, 4 * r.Float64()}[r.IntN(3)]
		}
	}
	for _, kind := range kinds {
		x.add(r, kind)
	}
	return x
}

func (x *tiny) add(r *rand.Rand, kind rune) {
	n, m := x.g.NumNodes(), x.g.NumEdges()
	switch kind {
	case 'e':
		x.q.EdgePrizes = map[int32]float64{}
		for range min(m, 1+r.IntN(3)) {
			x.q.EdgePrizes[r.Int32N(int32(m))] = 3 * r.Float64()
		}
	case 'm':
		for range 1 + r.IntN(3) {
			if u := r.Int32N(int32(n)); !slices.Contains(x.q.Must, u) {
				x.q.Must = append(x.q.Must, u)
			}
		}
	case 'x':
		if u := r.Int32N(int32(n)); !slices.Contains(x.q.Must, u) {
			x.q.Without = append(x.q.Without, u)
		}
	case 'n':
		x.nodeCosts = make([]float64, n)
		for u := range x.nodeCosts {
			x.nodeCosts[u] = float64(r.IntN(3)) / 2
		}
	case '-':
		x.q.Prizes[r.Int32N(int32(n))] = -2 * r.Float64() * []float64{1, 1, 1e4}[r.IntN(3)]
	case 's':
		x.q.MaxNodes = 1 + r.IntN(n)
	case 'w':
		x.weights = make([]float64, n)
		for u := range x.weights {
			x.weights[u] = float64(r.IntN(4))
		}
		x.q.MaxWeight = float64(1 + r.IntN(8))
	case 'i':
		x.q.Improve = time.Minute
	case 'd', '0':
		var edges []graph.Edge
		costs := []float64{}
		for e, ends := range x.g.Edges() {
			if kind == '0' || r.IntN(2) == 0 {
				edges, costs = append(edges, ends), append(costs, x.g.Costs()[e]*float64(min(1, kind-'0')))
			}
		}
		x.g, _ = graph.New(n, edges, costs)
	case 'h':
		x.q.Prizes[r.Int32N(int32(n))] = 1e6
	case 't':
		for u := range x.q.Prizes {
			x.q.Prizes[u] = float64(r.IntN(3))
		}
	}
}

// value is the least of costs and lost prizes over all connected sets of nodes, the empty one among them; +Inf if there
// is none.
func (x *tiny) value() float64 {
	best := math.Inf(1)
	for set := range uint(1) << x.g.NumNodes() {
		best = min(best, x.valueOf(set))
	}
	return best
}

// valueOf is the least over the trees that span a set, +Inf if none does. Edges with prizes above their costs are
// free to be taken beside the tree.
func (x *tiny) valueOf(set uint) float64 {
	weight, value := 0.0, 0.0
	for u := range x.g.NumNodes() {
		in := set>>u&1 == 1
		p := x.q.Prizes[int32(u)]
		switch {
		case in && slices.Contains(x.q.Without, int32(u)), !in && slices.Contains(x.q.Must, int32(u)):
			return math.Inf(1)
		case in:
			weight++
			if x.weights != nil {
				weight += x.weights[u] - 1
			}
			value += max(0, -p)
			if x.nodeCosts != nil {
				value += x.nodeCosts[u]
			}
		default:
			value += max(0, p)
		}
	}
	if x.q.MaxNodes > 0 && bits.OnesCount(set) > x.q.MaxNodes || x.q.MaxWeight > 0 && weight > x.q.MaxWeight {
		return math.Inf(1)
	}
	type choice struct {
		net float64
		e   int
	}
	var inside []choice
	for e, ends := range x.g.Edges() {
		q := x.q.EdgePrizes[int32(e)]
		value += q
		if set>>ends.U&1 == 1 && set>>ends.V&1 == 1 {
			inside = append(inside, choice{x.g.Costs()[e] - q, e})
		}
	}
	slices.SortFunc(inside, func(a, b choice) int { return cmp.Compare(a.net, b.net) })
	sets, joins := graph.NewSets(x.g.NumNodes()), 0
	for _, c := range inside {
		ends := x.g.Edges()[c.e]
		if joined := sets.Join(ends.U, ends.V); joined {
			joins++
			value += c.net
		} else if c.net < 0 {
			value += c.net
		}
	}
	if set != 0 && joins != bits.OnesCount(set)-1 {
		return math.Inf(1)
	}
	return value
}

// Answers are what they say they are, keep to the query, and lie between the best and twice the best where that is
// promised; bounds never exceed the best.
func TestAnswersAgainstAll(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	instances := 60
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_INSTANCES")); err == nil {
		instances = n
	}
	for _, kinds := range []string{"", "e", "m", "x", "n", "-", "s", "w", "i", "em", "mx", "ms", "exmi", "nw", "emxn-wi", "d", "0m", "dn-", "dh", "tm",
		"0w", "0n-e", "mw", "h-m"} {
		above, most, gap, n := 0.0, 0.0, 0.0, 0
		for range instances {
			x := drawTiny(t, r, kinds)
			if x.q.MaxNodes > 0 && len(x.q.Must) > x.q.MaxNodes {
				continue
			}
			a, err := NewSolver(must1(NewGraph(x.g, x.nodeCosts, x.weights))).Solve(context.Background(), x.q)
			best := x.value()
			var refused *QueryError
			if errors.As(err, &refused) {
				if !math.IsInf(best, 1) && (len(x.q.Must) < 3 || x.q.MaxNodes+int(x.q.MaxWeight) == 0) {
					t.Fatalf("%s: %v, though %v can be had: %+v", kinds, err, best, x)
				}
				continue
			}
			must(t, err)
			set := uint(0)
			for _, u := range a.Nodes {
				set |= 1 << u
			}
			got, told := x.valueOf(set), a.Cost+a.Lost
			if got > told+1e-9 || math.IsInf(got, 1) {
				t.Fatalf("%s: %+v is worth %v and not %v: %+v", kinds, a, got, told, x)
			}
			if a.Bound > best+1e-9 {
				t.Fatalf("%s: bound %v above the best, %v: %+v", kinds, a.Bound, best, x)
			}
			if told > 2*best+1e-9 && !strings.ContainsAny(kinds, "n-sw") {
				t.Fatalf("%s: %v, more than twice the best, %v: %+v", kinds, told, best, x)
			}
			if told > 0 {
				above, most, gap, n = above+(told-best)/told, max(most, (told-best)/told), gap+a.Gap(), n+1
			}
		}
		t.Logf("%-8s of %d: above the best on average %.3f, at most %.3f; certified gap %.3f", kinds, n,
			above/float64(n), most, gap/float64(n))
	}
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

// Where many nodes have prizes another solver grows the forest. The answer is one tree with it too, with what a query
// must have and may not have, and no worse than twice its bound.
func TestManyPrizes(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	grid := graph.Grid(30, 30)
	g := must1(NewGraph(grid, nil, nil))
	for i := range 6 {
		q := Query{Prizes: map[int32]float64{}, EdgePrizes: map[int32]float64{}, Components: 1 + i%2}
		for range 150 {
			q.Prizes[r.Int32N(900)] = r.Float64()
		}
		if i > 1 {
			q.Must, q.Without, q.EdgePrizes[7] = []int32{0, 899}, []int32{31, 32, 500}, 2
		}
		if i > 3 {
			q.MaxNodes = 100
		}
		a := must1(NewSolver(g).Solve(context.Background(), q))
		sets, loops := graph.NewSets(900), 0
		for _, e := range a.Edges {
			if ends := grid.Edges()[e]; !sets.Join(ends.U, ends.V) {
				loops++
			}
		}
		if trees := len(a.Nodes) - len(a.Edges) + loops; trees < 1 || trees > q.Components || loops > 1 ||
			q.MaxNodes > 0 && len(a.Nodes) > q.MaxNodes {
			t.Errorf("query %d: %d trees of %d nodes, want at most %d", i, trees, len(a.Nodes), q.Components)
		}
		for _, u := range q.Without {
			if slices.Contains(a.Nodes, u) || !slices.Contains(a.Nodes, q.Must[0]) {
				t.Errorf("query %d: the answer has node %d, or lacks one that it must have: %v", i, u, a.Nodes)
			}
		}
	}
}

// A bound whose search is ended, after any amount of work, is no higher than the best, and says that it was ended.
func TestBoundEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	for i := range 300 {
		x := drawTiny(t, r, []string{"", "m", "e", "n"}[i%4])
		s, best := NewSolver(must1(NewGraph(x.g, x.nodeCosts, x.weights))), x.value()
		x.q.Components = 1
		for left := range 30 {
			in := s.prepare(&x.q)
			in.looked = mostLooked - left
			if bound := in.bound(context.Background()); bound > best+1e-9 {
				t.Fatalf("after %d nodes the bound is %v, the best %v: %+v", left, bound, best, x)
			}
			if left == 0 && len(in.worth) > 1 && !in.ended(context.Background()) {
				t.Fatalf("the search went on: %+v", x)
			}
		}
	}
}
