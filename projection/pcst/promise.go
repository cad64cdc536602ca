package pcst

// An active cluster that will reach a dead single node before it can die is a promise: the
// node will be absorbed by then. Edges that would reach the node later need no event, since
// a node's edges are examined when it is absorbed.

// promised reports whether the dead single node c is promised to an edge that reaches it
// before edge e does, at time t. If not, e is the promise from now on, provided that the
// active cluster at its other end dies after t.
//
// A promise holds until the node is absorbed: an active cluster that merges only gains time.
// The root's cluster is the exception: what merges with it stops growing.
func (s *Solver) promised(c *cluster, dies int64, e int32, t int64) bool {
	if s.opt.Root >= 0 {
		return false
	}
	if p := c.asleep; p >= 0 {
		if at := s.edges[p].key; at < t || at == t && p < e {
			return true
		}
	}
	if t < dies {
		c.asleep = e
	}
	return false
}

// reach takes the edges between an active cluster and a dead single node from the batch
// read at time t, and queues them for when the cluster has reached the node, before which
// nothing can happen.
func (s *Solver) reach(t int64) {
	k := 0
	for _, e := range s.front.batch {
		ed := &s.edges[e]
		x, y := &s.nodes[ed.ends[0]], &s.nodes[ed.ends[1]]
		ca, cb := &s.clusters[x.label], &s.clusters[y.label]
		if t >= ca.dies {
			x, y, ca, cb = y, x, cb, ca
		}
		s.front.batch[k] = e
		if t >= ca.dies || t < cb.dies || cb.size > 1 {
			k++
			continue
		}
		at := ed.cost + ca.off + x.w - (cb.dies - cb.off - y.w)
		if !s.promised(cb, ca.dies, e, at) {
			ed.key = at
			s.queue.put(at, e)
		}
	}
	s.front.batch = s.front.batch[:k]
}
