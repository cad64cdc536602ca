package pcst

import (
	"math"
	"math/bits"
	"slices"
)

const chunk = 128 // number of edges to read at a time

// A front visits the edges in the order of their first events. An edge's first event is at half of its cost.
type front struct {
	time       int64    // time of the next edge's event; math.MaxInt64 if there is no next edge
	edge       int32    // next edge
	word       uint64   // word of the next edge's event, or never outside the open bucket
	batch      []int32  // edges of the last chunk that are not idle
	pos        int      // index in batch of the next edge
	read       int      // number of edges read so far
	passedTime int64    // time of the last edge read
	passedEdge int32    // last edge read
	run        int      // number of edges with the smallest cost; 0 unless these are more than half
	chosen     []uint64 // scratch memory of loadRun: one bit for each edge, 0 between calls
}

func (f *front) setOrder(order []int32, edges []edge) {
	run := 0
	for run < len(order) && edges[order[run]].cost == edges[order[0]].cost {
		run++
	}
	f.run = 0
	if run > len(order)/2 {
		f.run = run
		f.chosen = slices.Grow(f.chosen[:0], (len(order)+63)/64)[:(len(order)+63)/64]
	}
	f.batch = slices.Grow(f.batch[:0], max(chunk, f.run))
}

func (s *Solver) resetFront() {
	f := &s.front
	f.batch, f.pos, f.read = f.batch[:0], 0, 0
	f.passedTime, f.passedEdge = -1, -1
	s.setFront()
}

func (s *Solver) loadBatch(t int64) {
	f := &s.front
	if f.read == 0 && f.run > 0 {
		s.loadRun(t)
		return
	}
	edges := s.order[f.read:min(f.read+chunk, len(s.order))]
	ends := s.ends[f.read:][:len(edges)]
	batch := f.batch[:chunk]
	k := 0
	for i, e := range edges {
		a, b := s.nodes[ends[i][0]].label, s.nodes[ends[i][1]].label
		batch[k] = e
		k += 1 - idle(a, b, &s.clusters[a], &s.clusters[b], t)
	}
	f.batch, f.pos = batch[:k], 0
	s.pass(f.read + len(edges))
}

// loadRun reads all edges of the least cost at once. Their first events are at time t, before any clusters merge. Only
// edges whose moats meet at t go into the batch. If one end of an edge is dead, loadRun queues the edge for the time at
// which the other end alone fills its cost. If both ends are dead, the edge is idle.
func (s *Solver) loadRun(t int64) {
	f := &s.front
	cost := 2 * t
	for _, u := range s.stop.alive {
		if s.clusters[u].dies <= t {
			continue
		}
		for _, arc := range s.g.Arcs(u) {
			ed := &s.edges[arc.Edge]
			if ed.cost != cost {
				continue
			}
			c := &s.clusters[arc.Node]
			if c.dies >= t {
				f.chosen[arc.Edge>>6] |= 1 << (arc.Edge & 63)
			} else if at := cost - c.dies; !s.promised(c, s.clusters[u].dies, arc.Edge, at) {
				ed.key = at
				s.queue.put(at, arc.Edge)
			}
		}
	}
	batch, k := f.batch[:f.run], 0
	for i, w := range f.chosen {
		for ; w != 0; w &= w - 1 {
			batch[k] = int32(i<<6 + bits.TrailingZeros64(w))
			k++
		}
		f.chosen[i] = 0
	}
	f.batch, f.pos = batch[:k], 0
	s.pass(f.run)
}

func (s *Solver) pass(read int) {
	f := &s.front
	f.read = read
	f.passedEdge = s.order[read-1]
	f.passedTime = s.edges[f.passedEdge].cost >> 1
}

func (s *Solver) setFront() {
	var e int32
	if s.front.pos < len(s.front.batch) {
		e = s.front.batch[s.front.pos]
	} else if s.front.read < len(s.order) {
		e = s.order[s.front.read]
	} else {
		s.front.time = math.MaxInt64
		s.front.word = never
		return
	}
	s.front.edge = e
	s.front.time = s.edges[e].cost >> 1
	s.front.word = s.frontWord()
}

func (s *Solver) frontWord() uint64 {
	if s.front.time>>s.queue.shift != s.queue.open {
		return never
	}
	return s.queue.word(s.front.time, s.front.edge)
}
