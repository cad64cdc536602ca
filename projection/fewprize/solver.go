package fewprize

import (
	"fmt"
	"math"

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

// Suits reports whether this package finds pcst's forest of k prizes among n nodes, and is likely to be
// faster. Above n/100 prizes its mergings cost too much.
func Suits(k, n int, scale float64, opt pcst.Options) bool {
	return scale > 0 && opt.Root < 0 && opt.Pruning == pcst.GWPruning && k > opt.Clusters && k <= n/100
}

// A Solver finds forests on one graph. It is not safe for concurrent use: a worker owns one.
type Solver struct {
	*Index
	nodes []node
	epoch uint32 // of this solve; nodes of others are free

	trees    int // g, the number of trees
	prizes   []Prize
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
	for u := range s.nodes {
		arcs := ix.arcs[ix.from[u]:ix.from[u+1]]
		s.nodes[u].least = newRough(arcs[0].cost)
		s.nodes[u].second = newRough(arcs[min(1, len(arcs)-1)].cost)
	}
	return s
}

// Solve overwrites dst with a forest of at most the given number of trees, at least 1, pruned as
// pcst.GWPruning does, for the costs scale·c(e). Nodes may stand once in prizes, which are finite and
// at least 0; those of 0 are left out. The scale is finite and above 0. With more prizes than trees
// the forest is that of package pcst; else it is the nodes with prizes.
func (s *Solver) Solve(dst *pcst.Forest, prizes []Prize, scale float64, trees int) error {
	dst.Nodes, dst.Edges = dst.Nodes[:0], dst.Edges[:0]
	if !(scale > 0 && scale <= math.MaxFloat64) {
		return fmt.Errorf("fewprize: scale is %v, want a finite number above 0", scale)
	}
	if trees < 1 {
		return fmt.Errorf("fewprize: %d trees, want at least 1", trees)
	}
	s.trees = trees
	if err := s.reset(prizes, scale); err != nil {
		return err
	}
	s.grow()
	s.prune(dst)
	return nil
}

// reset prepares the growth.
func (s *Solver) reset(prizes []Prize, scale float64) error {
	if s.epoch++; s.epoch == 0 { // all epochs have been used
		for u := range s.nodes {
			s.nodes[u].epoch = 0
		}
		s.epoch = 1
	}
	if s.rate = units.NewRate(s.maxCost, scale, s.logCost); s.maxCost == 0 {
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
