package pcst

import (
	"fmt"
	"slices"
)

// checkNodes limits the size of graphs whose clusters and edges are checked at every
// event; the queue is checked on all.
const checkNodes = 300

func init() {
	check = (*Solver).checkEvent
}

// checkEvent panics if the state at an event at time t is not what it should be. It is
// called if invariants is true.
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

// checkAlive checks that the growth had to go on.
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

// checkCircles checks that every cluster's circle has its nodes and no others.
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

// checkMoats checks that no moat is negative and that no edge between clusters that can
// grow is more than filled, which would be an event missed.
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
