package pcst

import "math"

// grow runs the growth phase until at most g clusters are active.
func (s *Solver) grow() {
	q := &s.queue
	for {
		b := q.next()
		if s.front.time < math.MaxInt64 {
			if f := s.front.time >> q.shift; b < 0 || f < b {
				b = f
			}
		}
		if b < 0 {
			return
		}
		q.advance(b, s.edges)
		s.front.word = s.frontWord()
		if s.bucket() {
			return
		}
	}
}

// bucket handles the events of the open bucket and reports whether the growth has ended.
func (s *Solver) bucket() (done bool) {
	q := &s.queue
	mask := uint64(1)<<q.edgeBits - 1
	for {
		// The next event.
		w := min(q.sorted[q.at], q.late[0], s.front.word)
		if w == never {
			return false
		}
		e := int32(w & mask)
		t := q.base + int64(w>>q.edgeBits)
		if t >= s.stop.guard && s.settled(t) {
			return true
		}
		if w == q.sorted[q.at] {
			q.at++
		} else if w == q.late[0] {
			q.popLate()
		} else if s.front.pos == len(s.front.batch) {
			s.loadBatch(t)
			s.setFront()
			continue
		} else {
			s.front.pos++
			s.setFront()
		}

		// What is left of the edge.
		ed := &s.edges[e]
		x, y := &s.nodes[ed.ends[0]], &s.nodes[ed.ends[1]]
		a, b := x.label, y.label
		ca, cb := &s.clusters[a], &s.clusters[b]
		r := ed.cost - (min(t, ca.dies) - ca.off - x.w) - (min(t, cb.dies) - cb.off - y.w)
		liveA, liveB := (t-ca.dies)>>63, (t-cb.dies)>>63 // −1 if active
		both := liveA & liveB
		open := (liveA | liveB) & (-int64(a^b) >> 63) // −1 if it shrinks
		if open&((r+both-1)>>63) != 0 {
			s.join(e, a, b, t)
			continue
		}
		if a != b && (^liveA&int64(1-ca.size)|^liveB&int64(1-cb.size)) < 0 {
			s.sleepBoth(e, ca, cb, t)
		}
		r = r >> uint(both&1)
		ed.key = t + r
		q.put(t+r, e, int(open&1))
	}
}

const chunk = 128

// A front walks through the edges in the order of their first events, at half their cost.
type front struct {
	time       int64   // of the next edge; math.MaxInt64 if there is none
	edge       int32   // the next edge
	word       uint64  // its event, never if not in the open bucket
	batch      []int32 // what is left of the chunk last read
	pos        int     // the next of batch
	read       int     // edges of the order read so far
	passedTime int64   // of the last edge read
	passedEdge int32   // that edge
}

func (s *Solver) resetFront() {
	s.front = front{batch: s.front.batch[:0], passedTime: -1, passedEdge: -1}
	s.setFront()
}

// loadBatch takes the next chunk of the static order, without the edges inside a
// cluster or between two single nodes that are dead now.
func (s *Solver) loadBatch(t int64) {
	end := min(s.front.read+chunk, len(s.order))
	out := s.front.batch[:chunk]
	k := 0
	for i := s.front.read; i < end; i++ {
		e := s.order[i]
		ed := &s.edges[e]
		a, b := s.nodes[ed.ends[0]].label, s.nodes[ed.ends[1]].label
		ca, cb := &s.clusters[a], &s.clusters[b]
		out[k] = e
		drop := (ca.dies - t - 1) & (cb.dies - t - 1) & int64(ca.size-2) & int64(cb.size-2)
		drop |= (int64(a^b) - 1)
		k += int(1 + drop>>63)
	}
	s.front.batch = out[:k]
	s.front.pos = 0
	s.front.read = end
	last := s.order[end-1]
	s.front.passedTime, s.front.passedEdge = s.edges[last].cost>>1, last
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

// sleepBoth puts edge e on the lists of those of its clusters that are dead.
func (s *Solver) sleepBoth(e int32, ca, cb *cluster, t int64) {
	if t >= ca.dies && ca.size > 1 {
		s.sleep(e, 0, ca)
	}
	if t >= cb.dies && cb.size > 1 {
		s.sleep(e, 1, cb)
	}
}

// sleep puts half-edge side of e on the list of the dead cluster c, if it is not there.
func (s *Solver) sleep(e int32, side int, c *cluster) {
	if s.listed[e]&(1<<side) != 0 {
		return
	}
	s.listed[e] |= 1 << side
	s.edges[e].next[side] = c.asleep
	c.asleep = 2*e + int32(side)
}

// join merges the clusters a and b, one of which is active, along edge e.
func (s *Solver) join(e, a, b int32, t int64) {
	if t >= s.clusters[a].dies {
		a, b = b, a
	}
	ca, cb := &s.clusters[a], &s.clusters[b]
	if b == int32(s.opt.Root) {
		s.freeze(e, a, b, t)
		return
	}
	dead := t >= cb.dies
	k := s.record(merging{edge: e, a: ca.tree, b: cb.tree ^ int32((cb.dies-t-1)>>63)}, t)
	whole := cluster{
		dies:    min(ca.dies+max(0, cb.dies-t), maxTime),
		size:    ca.size + cb.size,
		tree:    k,
		asleep:  -1,
		witness: ca.witness,
	}
	if cb.witness == s.stop.scans && !dead {
		if ca.witness == s.stop.scans {
			s.stop.dropWitness()
		}
		whole.witness = s.stop.scans
	}
	if dead && ca.size < cb.size && cb.dies <= s.stop.scanned {
		s.stop.alive = append(s.stop.alive, b)
	}
	asleep, size := cb.asleep, cb.size
	into, from, off, offFrom := a, b, ca.off, cb.off+max(0, t-cb.dies)
	if ca.size < cb.size {
		into, from, off, offFrom = b, a, offFrom, off
	}
	whole.off = off
	s.clusters[from].size, s.clusters[from].dies = 0, -1
	s.clusters[into] = whole
	s.relabel(into, from, offFrom-off)
	if !dead {
		return
	}
	if size == 1 {
		s.wakeNode(b, t)
	} else {
		s.wakeList(asleep, t)
	}
}

// relabel moves the nodes of b to a, adding delta to each w.
func (s *Solver) relabel(a, b int32, delta int64) {
	s.nodes[a].next, s.nodes[b].next = s.nodes[b].next, s.nodes[a].next
	for u := s.nodes[a].next; ; {
		x := &s.nodes[u]
		x.w += delta
		x.label = a
		if u == b {
			return
		}
		u = x.next
	}
}

// freeze joins the active cluster a to the root's cluster b.
func (s *Solver) freeze(e, a, b int32, t int64) {
	ca, cb := &s.clusters[a], &s.clusters[b]
	cb.tree = s.record(merging{edge: e, a: ca.tree, b: cb.tree}, t)
	if ca.witness == s.stop.scans {
		s.stop.dropWitness()
	}
	cb.size += ca.size
	s.relabel(b, a, ca.off-cb.off-t)
	ca.size, ca.dies = 0, -1
}

// wakeNode evaluates the edges of u, which was a dead single node until now.
func (s *Solver) wakeNode(u int32, t int64) {
	nu := s.nodes[u]
	moat := t - s.clusters[nu.label].off - nu.w
	for _, arc := range s.g.Arcs(u) {
		e := arc.Edge
		ed := &s.edges[e]
		y := &s.nodes[arc.Node]
		c := &s.clusters[y.label]
		half := ed.cost >> 1
		if half > s.front.passedTime || half == s.front.passedTime && e > s.front.passedEdge {
			continue
		}
		r := max(0, ed.cost-moat-(min(t, c.dies)-c.off-y.w))
		live := (t - c.dies) >> 63
		differ := -int64(y.label^nu.label) >> 63
		if differ&^live&int64(1-c.size) < 0 {
			side := 0
			if ed.ends[1] == arc.Node {
				side = 1
			}
			s.sleep(e, side, c)
		}
		r >>= uint(live & 1)
		ed.key = t + r
		s.queue.put(t+r, e, int(differ&1))
	}
}

// wakeList evaluates the half-edges of the list from h on and empties it.
func (s *Solver) wakeList(h int32, t int64) {
	for h >= 0 {
		e, side := h>>1, int(h&1)
		ed := &s.edges[e]
		h = ed.next[side]
		s.listed[e] &^= 1 << side
		x := &s.nodes[ed.ends[side]]
		s.wakeEdge(e, side^1, x.label, t-s.clusters[x.label].off-x.w, t)
	}
}

// wakeEdge evaluates edge e, of which one end lies in the active cluster a with the
// given moat and the other is ends[side].
func (s *Solver) wakeEdge(e int32, side int, a int32, moat, t int64) {
	ed := &s.edges[e]
	y := &s.nodes[ed.ends[side]]
	if y.label == a {
		return
	}
	c := &s.clusters[y.label]
	r := max(0, ed.cost-moat-(min(t, c.dies)-c.off-y.w))
	if t < c.dies {
		r >>= 1
	} else if c.size > 1 {
		s.sleep(e, side, c)
	}
	ed.key = t + r
	s.queue.put(t+r, e, 1)
}

// record logs a merging at time t and returns its place in the merge tree.
func (s *Solver) record(m merging, t int64) int32 {
	if s.wide {
		s.times = append(s.times, t)
	}
	s.log = append(s.log, m)
	return int32(len(s.nodes) + len(s.log) - 1)
}
