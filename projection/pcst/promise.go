package pcst

// A promise is an edge along which an active cluster will reach a dead single node before the cluster can die. At that
// time at the latest, the node is absorbed. Other edges that would reach the node later need no event, because all the
// node's edges are examined when it is absorbed.

// promised reports whether the dead single node c has a promise that is filled before edge e. Edge e is filled at time
// t if the active cluster at its other end lives until then. If c has no such promise, and the active cluster dies
// after t, e becomes the promise.
//
// A promise holds until the node is absorbed, because merging only gives an active cluster more time. The exception is
// a merging with the root's cluster, which never grows. So there are no promises with a root.
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

// reach removes from the batch read at time t the edges between an active cluster and a dead single node. Unless the
// node has an earlier promise, such an edge is queued for the time at which the cluster reaches the node.
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
