package fewprize

import (
	"math"

	"graphda/graph/large"
	"graphda/projection/pcst"
	"graphda/projection/units"
)

// A Prize is what a node is worth.
type Prize struct {
	Node  int32
	Prize float64
}

// List returns the prizes above 0 of all nodes.
func List(prizes []float64) []Prize {
	var few []Prize
	for u, p := range prizes {
		if p != 0 {
			few = append(few, Prize{int32(u), p})
		}
	}
	return few
}

// Few reports whether this package is likely to be faster for k prizes among n nodes than pcst is: above that
// many its mergings cost too much.
func Few(k, n int) bool { return k <= max(64, n/100) }

// Suits reports whether this package finds pcst's forest of k prizes among n nodes, and is likely to be faster.
func Suits(k, n int, scale float64, opt pcst.Options) bool {
	return scale > 0 && opt.Root < 0 && opt.Pruning == pcst.GWPruning && k > opt.Clusters && Few(k, n)
}

// A Query is what to solve for.
type Query struct {
	Prizes []Prize // finite, at least 0; a node stands in it once at most
	Scale  float64 // factor on all costs, finite and above 0
	Trees  int     // at most, at least 1

	Costs    map[int32]float64 // of some edges, in this query alone, finite and at least 0; before the scale
	Without  []int32           // nodes that the forest may not have; none with a prize
	Unpruned bool              // all mergings of the trees that stay, also those that GWPruning drops
}

// A Solver finds forests on one graph. It is not safe for concurrent use: a worker owns one.
type Solver struct {
	*Index
	nodes []node
	epoch uint32 // of this solve; nodes of others are free

	trees    int // g, the number of trees
	prizes   []Prize
	unit     float64 // the cost that has 1<<logCost units
	rate     units.Rate
	terms    []terminal
	clusters []cluster
	log      []merging
	links    []link // of all lists

	now   int64 // time of the last event
	mark  int32 // the largest edge of the events at that time, −1 for none
	stop  int64 // when at most g clusters are active
	last  []int64
	queue queue

	touched int64 // keeps touch from being optimised away

	marks    []uint8 // by place: see prune.go
	lifetime []float64

	costs    map[int32]int64   // of this solve alone, by edge, in units; nil if there are none
	lowered  map[int32][]int32 // by node: its arcs that cost less in this solve
	unpruned bool
}

// A node of this epoch is labelled: it has been or will be reached by the ball of its terminal.
type node struct {
	w     int64 // distance from the terminal
	term  int32 // terminal; −1 for none
	arc   int32 // that reaches the node, −1 of a terminal
	epoch uint32
	pos   int32 // the next arc to examine; below 0, before the first, the list of arcs registered here
	at    int32 // its valid place in the queue
	// The two least costs of its arcs.
	least, second rough
}

// excluded is the terminal of a node that no ball reaches.
const excluded = -2

// A terminal is a node with a prize.
type terminal struct {
	off     int64 // its ball has the radius min(t, D) − off
	node    int32
	cluster int32
	next    int32 // in the circle of the cluster's terminals
	asleep  int32 // list of what is examined when its cluster merges
}

// A cluster is active at time t if t < dies. Its number is that of one of its terminals.
type cluster struct {
	dies  int64 // −1 if it has merged into another
	size  int32 // terminals
	place int32 // in the merge tree: a terminal, or k terminals and the number of a merging
}

// A merging joins the clusters of places a and b along an edge. If b was dead, its complement stands.
type merging struct {
	edge, a, b int32
	time       int64
}

// A link is an element of a list; −1 ends it.
type link struct{ what, next int32 }

// NewSolver returns a solver for the graph of an index.
func NewSolver(ix *Index) *Solver {
	s := &Solver{Index: ix, nodes: large.Make[node](len(ix.from) - 1)}
	inParallel(len(s.nodes), func(u int) { s.setRoughs(int32(u)) })
	return s
}

// setRoughs sets the least costs of a node.
func (s *Solver) setRoughs(u int32) {
	arcs := s.arcs[s.from[u]:s.from[u+1]]
	s.nodes[u].least, s.nodes[u].second = newRough(arcs[0].cost), newRough(arcs[min(1, len(arcs)-1)].cost)
}

// most is the largest cost in units that a solve may set: it lies behind all but the longest lives.
const most = units.MaxTime / 2

// MaxCost is what the costs that a query sets are cut to. Only in a graph whose edges cost nothing they may be any.
func (ix *Index) MaxCost() float64 {
	if ix.LargestCost == 0 {
		return math.Inf(1)
	}
	return ix.LargestCost * float64(int64(most)>>ix.logCost)
}
