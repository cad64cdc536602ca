package pcst

import "math"

const chunk = 128 // edges read at a time

// A front walks through the edges in the order of their first events, at half their cost.
type front struct {
	time       int64   // of the next edge; math.MaxInt64 if there is none
	edge       int32   // the next edge
	word       uint64  // its event, never if not in the open bucket
	batch      []int32 // what is left of the chunk last read
	pos        int     // the next of batch
	read       int     // edges of the order read so far
	passedTime int64   // of the last edge read: who wakes looks at no later one
	passedEdge int32   // that edge
}

func (s *Solver) resetFront() {
	s.front = front{batch: s.front.batch[:0], passedTime: -1, passedEdge: -1}
	s.setFront()
}

// loadBatch reads the next chunk of the static order and leaves out its idle edges.
func (s *Solver) loadBatch(t int64) {
	f := &s.front
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
	f.read += len(edges)
	f.passedEdge = edges[len(edges)-1]
	f.passedTime = s.edges[f.passedEdge].cost >> 1
}

// setFront finds the next edge: of a chunk that is not read yet, the first.
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

// frontWord returns the next edge's event in the open bucket, or never.
func (s *Solver) frontWord() uint64 {
	if s.front.time>>s.queue.shift != s.queue.open {
		return never
	}
	return s.queue.word(s.front.time, s.front.edge)
}
