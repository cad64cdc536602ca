package fewprize

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"graphda/graph"
	"graphda/graph/large"
	"graphda/projection/units"
)

// An Index has the arcs of a graph in the order in which balls grow over them. It is built once per
// graph and safe for concurrent use.
type Index struct {
	LargestCost float64 // the largest cost of an edge

	g       *graph.Graph
	logCost uint    // the largest cost has 1<<logCost units
	from    []int32 // by node: where its arcs begin
	arcs    []arc   // those of a node by (cost, edge), then a sentinel
}

type arc struct {
	cost     int64 // units, even
	to, edge int32
}

// sentinel is the cost of what ends a node's arcs. Half of it lies behind all deaths.
const sentinel = 2 * units.MaxTime

// NewIndex returns the index of g, in O(m·log(degree)) time. It takes 32 bytes an edge and 20 a node. The
// graph may have at most 2^31 − 1 arcs and nodes together.
func NewIndex(g *graph.Graph) (*Index, error) {
	n, m := g.NumNodes(), g.NumEdges()
	if 2*m+n > math.MaxInt32 {
		return nil, fmt.Errorf("fewprize: %d nodes and %d edges, want at most %d nodes and arcs together", n, m,
			math.MaxInt32)
	}
	ix := &Index{g: g, logCost: units.Precision(n), from: make([]int32, n+1), arcs: large.Make[arc](2*m + n)}
	for _, c := range g.Costs() {
		ix.LargestCost = max(ix.LargestCost, c)
	}
	for u := range n {
		ix.from[u+1] = ix.from[u] + int32(g.Degree(int32(u))) + 1
	}
	inParallel(n, func(u int) { ix.setArcs(int32(u)) })
	return ix, nil
}

// inParallel does something for all numbers below n.
func inParallel(n int, do func(i int)) {
	const share = 1 << 12
	var next atomic.Int64
	var done sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			for end := 0; end < n; {
				end = int(next.Add(share))
				for i := end - share; i < min(end, n); i++ {
					do(i)
				}
			}
		})
	}
	done.Wait()
}

// setArcs fills in the arcs of a node.
func (ix *Index) setArcs(u int32) {
	arcs, costs := ix.arcs[ix.from[u]:ix.from[u+1]], ix.g.Costs()
	for i, a := range ix.g.Arcs(u) {
		arcs[i] = arc{units.Cost(costs[a.Edge], ix.LargestCost, ix.logCost), a.Node, a.Edge}
	}
	last := len(arcs) - 1
	sortByCost(arcs[:last])
	arcs[last] = arc{cost: sentinel, edge: -1}
}

// sortByCost sorts the arcs of a node, which stand in the order of their edges, by (cost, edge).
func sortByCost(arcs []arc) {
	if len(arcs) > 32 {
		slices.SortFunc(arcs, func(a, b arc) int {
			if a.cost != b.cost {
				return cmp.Compare(a.cost, b.cost)
			}
			return cmp.Compare(a.edge, b.edge)
		})
		return
	}
	for i, a := range arcs {
		for ; i > 0 && arcs[i-1].cost > a.cost; i-- {
			arcs[i] = arcs[i-1]
		}
		arcs[i] = a
	}
}

// otherEnd returns the end of an edge that is not u.
func (ix *Index) otherEnd(edge, u int32) int32 {
	ends := ix.g.Edges()[edge]
	return ends.U ^ ends.V ^ u
}

// A rough is a cost in 16 bits, rounded down: the upper half of its float32.
type rough uint16

func newRough(cost int64) rough {
	f := float32(cost)
	if int64(f) > cost {
		f = math.Nextafter32(f, 0)
	}
	return rough(math.Float32bits(f) >> 16)
}

func (r rough) cost() int64 { return int64(math.Float32frombits(uint32(r) << 16)) }
