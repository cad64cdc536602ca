package fewprize

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/units"
)

// An Index has the arcs of a graph in the order in which balls grow over them. It is built once per
// graph and safe for concurrent use.
type Index struct {
	g       *graph.Graph
	maxCost float64
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
	ix := &Index{g: g, logCost: units.Precision(n), from: make([]int32, n+1), arcs: make([]arc, 0, 2*m+n)}
	for _, c := range g.Costs() {
		ix.maxCost = max(ix.maxCost, c)
	}
	for u := range n {
		ix.from[u] = int32(len(ix.arcs))
		for _, a := range g.Arcs(int32(u)) {
			cost := int64(0)
			if ix.maxCost > 0 {
				cost = units.Cost(g.Costs()[a.Edge], ix.maxCost, ix.logCost)
			}
			ix.arcs = append(ix.arcs, arc{cost, a.Node, a.Edge})
		}
		slices.SortFunc(ix.arcs[ix.from[u]:], func(a, b arc) int {
			return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.edge, b.edge))
		})
		ix.arcs = append(ix.arcs, arc{cost: sentinel, edge: -1})
	}
	ix.from[n] = int32(len(ix.arcs))
	return ix, nil
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
