package fewprize

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"graphda/projection/pcst"
	"graphda/projection/units"
)

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
	for _, p := range prizes {
		if err := s.addTerminal(p); err != nil {
			return err
		}
	}
	if err := s.leaveOut(query.Without); err != nil {
		return err
	}
	if err := s.setCosts(query.Costs); err != nil {
		return err
	}
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

func (s *Solver) addTerminal(p Prize) error {
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
	s.prizes = append(s.prizes, p)
	s.terms = append(s.terms, terminal{node: p.Node, cluster: i, next: i, asleep: -1})
	dies := units.Whole(p.Prize, s.rate.Times(p.Prize))
	s.clusters = append(s.clusters, cluster{dies: dies, size: 1, place: i})
	return nil
}

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

// setCosts sets the costs of this solve. An arc that costs more than its place among the node's arcs says is examined
// too early, which does no harm. One that costs less is examined apart, as soon as the node has been reached.
func (s *Solver) setCosts(costs map[int32]float64) error {
	for u := range s.lowered {
		s.setRoughs(u)
	}
	s.costs, s.lowered = nil, nil
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
		s.nodes[u].least, s.nodes[u].second = 0, 0 // so that it is due when it has been reached
		for a := s.from[u]; a < s.from[u+1]; a++ {
			if s.arcs[a].edge == e {
				s.lowered[u] = append(s.lowered[u], a)
			}
		}
	}
}
