package fewprize

import (
	"fmt"
	"maps"
	"math"
	"slices"

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

// A Solver finds forests on one graph. It is not safe for concurrent use: a worker owns one.
type Solver struct {
	*Index
	nodes []node
	epoch uint32 // of this solve; nodes of others are free

	trees    int // g, the number of trees
	prizes   []Prize
	unit     float64 // the cost that has 1<<logCost units
	rate     units.Rate
	wide     bool // prizes may add up to units.MaxTime
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
	roughs   []roughs          // what nodes with such arcs have in other solves
	unpruned bool
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

// roughs are the static costs of a node.
type roughs struct {
	node          int32
	least, second rough
}

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
	s := &Solver{Index: ix, nodes: make([]node, len(ix.from)-1)}
	inParallel(len(s.nodes), func(u int) {
		arcs := ix.arcs[ix.from[u]:ix.from[u+1]]
		s.nodes[u].least = newRough(arcs[0].cost)
		s.nodes[u].second = newRough(arcs[min(1, len(arcs)-1)].cost)
	})
	return s
}

// Solve overwrites dst with a forest, pruned as pcst.GWPruning does unless the query wants it whole. With more
// prizes above 0 than trees the pruned forest is that of package pcst; else it is the nodes with prizes. Its time
// depends on how far the prizes reach and, if the costs of edges are lowered, on the degrees of their ends.
func (s *Solver) Solve(dst *pcst.Forest, q Query) error {
	dst.Nodes, dst.Edges = dst.Nodes[:0], dst.Edges[:0]
	if !(q.Scale > 0 && q.Scale <= math.MaxFloat64) {
		return fmt.Errorf("fewprize: scale is %v, want a finite number above 0", q.Scale)
	}
	if q.Trees < 1 {
		return fmt.Errorf("fewprize: %d trees, want at least 1", q.Trees)
	}
	s.trees, s.unpruned = q.Trees, q.Unpruned
	if err := s.reset(q); err != nil {
		return err
	}
	s.grow()
	s.prune(dst)
	return nil
}

// reset prepares the growth.
func (s *Solver) reset(query Query) error {
	prizes := query.Prizes
	if s.epoch++; s.epoch == 0 { // all epochs have been used
		for u := range s.nodes {
			s.nodes[u].epoch = 0
		}
		s.epoch = 1
	}
	if s.unit = s.LargestCost; s.unit == 0 { // of a graph whose edges cost nothing, the query's costs alone tell
		for _, c := range query.Costs {
			s.unit = max(s.unit, c)
		}
	}
	if s.rate = units.NewRate(s.unit, query.Scale, s.logCost); s.unit == 0 {
		most := 0.0 // all happens at time 0, and units need only tell prizes apart
		for _, p := range prizes {
			most = max(most, p.Prize)
		}
		s.rate = units.NewRate(max(most, math.SmallestNonzeroFloat64), 1, s.logCost)
	}
	s.prizes, s.terms, s.clusters = s.prizes[:0], s.terms[:0], s.clusters[:0]
	s.log, s.links = s.log[:0], s.links[:0]
	total := int64(0)
	for _, p := range prizes {
		if err := s.addTerminal(p, &total); err != nil {
			return err
		}
	}
	if err := s.leaveOut(query.Without); err != nil {
		return err
	}
	if err := s.setCosts(query.Costs); err != nil {
		return err
	}
	s.wide = total == units.MaxTime
	s.now, s.mark = 0, -1
	s.findStop()
	span := int64(4) << s.logCost
	if s.stop > 0 {
		span = min(span, s.stop)
	}
	s.queue.reset(span)
	for i := range s.terms {
		s.requeue(s.terms[i].node)
	}
	return nil
}

func (s *Solver) addTerminal(p Prize, total *int64) error {
	switch {
	case p.Node < 0 || int(p.Node) >= len(s.nodes):
		return fmt.Errorf("fewprize: node %d has a prize and is outside the graph's 0 to %d", p.Node, len(s.nodes)-1)
	case !(p.Prize >= 0 && p.Prize <= math.MaxFloat64):
		return fmt.Errorf("fewprize: the prize of node %d is %v, want a finite number of at least 0", p.Node, p.Prize)
	case s.nodes[p.Node].epoch == s.epoch:
		return fmt.Errorf("fewprize: node %d has two prizes", p.Node)
	case p.Prize == 0:
		return nil
	}
	i := int32(len(s.terms))
	x := &s.nodes[p.Node]
	x.w, x.term, x.arc, x.epoch, x.pos, x.at = 0, i, -1, s.epoch, noList, nowhere
	dies := units.Whole(p.Prize, s.rate.Times(p.Prize))
	*total = min(*total+dies, units.MaxTime)
	s.prizes = append(s.prizes, p)
	s.terms = append(s.terms, terminal{node: p.Node, cluster: i, next: i, asleep: -1})
	s.clusters = append(s.clusters, cluster{dies: dies, size: 1, place: i})
	return nil
}

// excluded is the terminal of a node that no ball reaches.
const excluded = -2

func (s *Solver) leaveOut(nodes []int32) error {
	for _, u := range nodes {
		if u < 0 || int(u) >= len(s.nodes) {
			return fmt.Errorf("fewprize: node %d is to be left out and is outside the graph's 0 to %d", u, len(s.nodes)-1)
		}
		x := &s.nodes[u]
		if x.epoch == s.epoch && x.term >= 0 {
			return fmt.Errorf("fewprize: node %d has a prize and is to be left out", u)
		}
		x.term, x.epoch = excluded, s.epoch
	}
	return nil
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

// setCosts sets the costs of this solve. An arc that costs more than its place among the node's arcs says is examined
// too early, which does no harm. One that costs less is examined apart, as soon as the node has been reached.
func (s *Solver) setCosts(costs map[int32]float64) error {
	for _, r := range s.roughs {
		s.nodes[r.node].least, s.nodes[r.node].second = r.least, r.second
	}
	s.roughs, s.costs, s.lowered = s.roughs[:0], nil, nil
	if len(costs) == 0 {
		return nil
	}
	s.costs, s.lowered = make(map[int32]int64, len(costs)), map[int32][]int32{}
	all := s.g.Costs()
	for _, e := range slices.Sorted(maps.Keys(costs)) {
		c := costs[e]
		switch {
		case e < 0 || int(e) >= len(all):
			return fmt.Errorf("fewprize: edge %d has a cost of its own and is outside the graph's 0 to %d", e, len(all)-1)
		case !(c >= 0 && c <= math.MaxFloat64):
			return fmt.Errorf("fewprize: the cost of edge %d is %v, want a finite number of at least 0", e, c)
		case c >= s.MaxCost():
			s.costs[e] = most
		default:
			s.costs[e] = units.Cost(c, s.unit, s.logCost)
		}
		if c < all[e] {
			s.lower(e)
		}
	}
	return nil
}

// lower lists the arcs of an edge at both ends.
func (s *Solver) lower(e int32) {
	ends := s.g.Edges()[e]
	for _, u := range [2]int32{ends.U, ends.V} {
		x := &s.nodes[u]
		if len(s.lowered[u]) == 0 {
			s.roughs = append(s.roughs, roughs{u, x.least, x.second})
			x.least, x.second = 0, 0 // so that it is due when it has been reached
		}
		for a := s.from[u]; a < s.from[u+1]; a++ {
			if s.arcs[a].edge == e {
				s.lowered[u] = append(s.lowered[u], a)
			}
		}
	}
}

// cost returns the cost of an arc in this solve.
func (s *Solver) cost(a *arc) int64 {
	if s.costs != nil {
		if c, ok := s.costs[a.edge]; ok {
			return c
		}
	}
	return a.cost
}
