package pcst

// A promise is an edge whose active cluster will reach a dead single node before the cluster can die. The node
// will be absorbed by then. Other edges that would reach the node later need no event, because the absorption
// examines all the node's edges.

// promised reports whether the dead single node c has a promise that reaches it before edge e, which reaches it at
// time t. If not, and if the active cluster at the other end of e dies after t, then e becomes the promise.
//
// A promise holds until the node is absorbed, because an active cluster only gains time by merging. The exception
// is a merging with the root's cluster, which stops the growth. So there are no promises with a root.
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

// reach removes from the batch read at time t the edges between an active cluster and a dead single node. It
// queues each for the time at which the cluster has reached the node; nothing can happen on the edge before.
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
