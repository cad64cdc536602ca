package pcst

import "math"

// join merges the clusters a and b along edge e. At least one of them must be active. For dead single nodes, except the
// root, use joinNode.
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
	// The third argument is ^cb.tree if b is dead, and cb.tree otherwise. The shift avoids a branch.
	tree := s.record(e, ca.tree, cb.tree^int32((cb.dies-t-1)>>63), t)
	left, witness := s.left[a], ca.witness
	if dead {
		s.absorbHusk(b, e)
		if ca.size < cb.size && cb.dies <= s.stop.scanned {
			s.stop.alive = append(s.stop.alive, b)
		}
	} else {
		left += s.left[b] + s.need(e)
		if cb.witness == s.stop.scans {
			if witness == s.stop.scans {
				s.stop.dropWitness()
			}
			witness = s.stop.scans
		}
	}
	dies := min(ca.dies+max(0, cb.dies-t), maxTime)
	off, offFrom := ca.off, cb.off+max(0, t-cb.dies)
	asleepA, asleep, sizeA, size := ca.asleep, cb.asleep, ca.size, cb.size
	// The larger cluster keeps its label.
	into, from := a, b
	if sizeA < size {
		into, from, off, offFrom = b, a, offFrom, off
	}
	s.left[into] = left
	gone := &s.clusters[from]
	gone.size, gone.dies = 0, -1
	whole := &s.clusters[into] // field by field, because the next read would wait for one wide store
	whole.dies, whole.off, whole.size = dies, off, sizeA+size
	whole.tree, whole.asleep, whole.witness = tree, asleepA, witness
	if !dead && s.limited(left, dies, t) {
		return
	}
	s.relabel(into, from, offFrom-off)
	switch {
	case dead:
		s.wakeList(asleep, t)
	case asleepA&asleep >= 0: // one or both clusters have sleeping edges
		whole.asleep = -1
		s.wakeList(asleepA, t)
		s.wakeList(asleep, t)
	}
}

// joinNode adds the dead single node u to the active cluster a along the edge e. Most mergings are of this kind.
func (s *Solver) joinNode(e, a, u int32, t int64) {
	c, gone := &s.clusters[a], &s.clusters[u]
	moat := gone.dies
	gone.size, gone.dies = 0, -1
	c.tree = s.record(e, c.tree, ^u, t)
	c.size++
	s.absorbNode(u, e)
	x, first := &s.nodes[u], &s.nodes[a]
	x.w = t - moat - c.off
	x.label = a
	x.next, first.next = first.next, u
	s.wakeNode(u, a, moat, c.dies, t)
}

// relabel moves the nodes of cluster b to cluster a, and adds delta to the field w of each node.
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

// freeze merges the active cluster a along the edge e into b, the root's cluster.
func (s *Solver) freeze(e, a, b int32, t int64) {
	ca, cb := &s.clusters[a], &s.clusters[b]
	cb.tree = s.record(e, ca.tree, cb.tree, t)
	if ca.witness == s.stop.scans {
		s.stop.dropWitness()
	}
	s.left[b] += s.left[a] + s.need(e)
	cb.size += ca.size
	s.relabel(b, a, ca.off-cb.off-t)
	ca.size, ca.dies = 0, -1
}

// wakeNode examines the edges of u that the front has passed, after the active cluster `own` has absorbed the dead
// single node u. The loop is wakeEdge inlined by hand, because a third of all events come from here.
//
// If few clusters were active at the start, most die before they fill an edge to a dead cluster. Such an edge sleeps on
// the list of its active side until this side merges with another active cluster, or dies and is absorbed.
func (s *Solver) wakeNode(u, own int32, moat, dies, t int64) {
	tooLate := int64(math.MaxInt64)
	if s.stop.few {
		tooLate = dies
	}
	for _, arc := range s.arcs.of(u) {
		y := &s.nodes[arc.Node]
		if y.label == own {
			continue
		}
		ed := &s.edges[arc.Edge]
		half := ed.cost >> 1
		if half > s.front.passedTime || half == s.front.passedTime && arc.Edge > s.front.passedEdge {
			break
		}
		c := &s.clusters[y.label]
		r := max(0, ed.cost-moat-(min(t, c.dies)-c.off-y.w))
		live := (t - c.dies) >> 63
		if ^live&int64(1-c.size) < 0 {
			side := 0
			if ed.ends[1] == arc.Node {
				side = 1
			}
			s.sleep(arc.Edge, side, c)
		}
		at := t + r>>uint(live&1)
		if live == 0 {
			if c.size == 1 && s.promised(c, dies, arc.Edge, at) {
				continue
			}
			if at >= tooLate {
				s.putOff(arc.Edge, u)
				continue
			}
		}
		ed.key = at
		s.queue.put(at, arc.Edge)
	}
}

// putOff puts edge e on the list of the active cluster at its end u. putOff runs only when u awakes, so the
// total work is linear.
//
//go:noinline
func (s *Solver) putOff(e, u int32) {
	side := 0
	if s.edges[e].ends[1] == u {
		side = 1
	}
	s.sleep(e, side, &s.clusters[s.nodes[u].label])
}

// wakeList wakes and removes all half-edges in the list that begins with h.
func (s *Solver) wakeList(h int32, t int64) {
	for h >= 0 {
		e, side := h>>1, int(h&1)
		ed := &s.edges[e]
		h = ed.next[side]
		s.listed[e] &^= 1 << side
		x, y := &s.nodes[ed.ends[side]], &s.nodes[ed.ends[side^1]]
		if x.label != y.label {
			s.wakeEdge(e, side^1, t-s.clusters[x.label].off-x.w, t)
		}
	}
}

// wakeEdge queues edge e after an end has become active again, with the given moat. The other end, ends[side], is in a
// different cluster.
func (s *Solver) wakeEdge(e int32, side int, moat, t int64) {
	ed := &s.edges[e]
	y := &s.nodes[ed.ends[side]]
	c := &s.clusters[y.label]
	r := max(0, ed.cost-moat-(min(t, c.dies)-c.off-y.w))
	live := (t - c.dies) >> 63 // −1 if the cluster at the other end is active
	if ^live&int64(1-c.size) < 0 {
		s.sleep(e, side, c)
	}
	ed.key = t + r>>uint(live&1)
	s.queue.put(ed.key, e)
}

// record logs a merging of the places a and b along edge e at time t, and returns the merging's place.
func (s *Solver) record(e, a, b int32, t int64) int32 {
	if s.wide {
		s.times = append(s.times, t)
	}
	k := len(s.trees.log)
	s.trees.log = s.trees.log[:k+1]
	m := &s.trees.log[k]
	m.edge, m.a, m.b = e, a, b
	return int32(len(s.nodes) + k)
}

func (s *Solver) sleepBoth(e int32, ca, cb *cluster, t int64) {
	if t >= ca.dies && ca.size > 1 {
		s.sleep(e, 0, ca)
	}
	if t >= cb.dies && cb.size > 1 {
		s.sleep(e, 1, cb)
	}
}

// sleep adds the half-edge of e at ends[side] to the list of its cluster c, unless a list already has it.
func (s *Solver) sleep(e int32, side int, c *cluster) {
	if s.listed[e]&(1<<side) != 0 {
		return
	}
	s.listed[e] |= 1 << side
	s.edges[e].next[side] = c.asleep
	c.asleep = 2*e + int32(side)
}
