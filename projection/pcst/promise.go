package pcst

// A promise is an edge along which an active cluster will reach a dead single node before the cluster can die. At that
// time or earlier, some cluster absorbs the node, and the solver examines all edges of the node. So edges that would
// reach the node later need no event.

// promised reports whether the moats fill a promise of the dead single node c before they fill edge e, at time t. If
// not, and the cluster at the other end of e dies after t, then e becomes the promise.
//
// A promise holds until a cluster absorbs the node, because merging gives an active cluster more time. This fails for
// the root's cluster, which never grows. So there are no promises with a root.
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

// reach removes edges between an active cluster and a dead single node from the batch of events at time t. Unless an
// earlier promise makes this unnecessary, it queues such an edge for the time at which the cluster reaches the node.
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
