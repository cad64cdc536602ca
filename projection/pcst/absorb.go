package pcst

// An absorption is the merging of a dead cluster (a single node or a husk) into an active cluster. A dead cluster is
// needed if a later edge ends in it and pruning keeps this edge. GWPruning removes all other dead clusters. Pruning
// always keeps an edge that merged two active clusters. So a needed cluster stays needed, and the solver knows at any
// time how many nodes pruning will leave.
type absorption struct {
	edge   int32
	left   int32 // number of nodes that pruning leaves of the dead cluster if it is needed
	around int32 // place of the next larger absorbed husk around this cluster, or −1
	needed uint8 // 1 if the dead cluster is needed, else 0
}

func (s *Solver) absorbNode(u, e int32) {
	s.trees.absorbed[u] = absorption{edge: e, left: 1, around: -1}
	s.inside[u] = u + 1
}

func (s *Solver) absorbHusk(b, e int32) {
	place := s.clusters[b].tree
	s.trees.absorbed[place] = absorption{edge: e, left: s.left[b], around: -1}
	for u := s.nodes[b].next; ; u = s.nodes[u].next {
		s.wrap(u, place)
		if u == b {
			return
		}
	}
}

func (s *Solver) wrap(u, p int32) {
	if s.inside[u] == 0 {
		s.inside[u] = p + 1
		return
	}
	x := &s.trees.absorbed[s.inside[u]-1]
	for x.around >= 0 && x.around != p {
		x = &s.trees.absorbed[x.around]
	}
	x.around = p
}

// need records that edge e joins two active clusters. It marks the absorbed clusters that become needed, and returns
// how many of their nodes pruning leaves.
func (s *Solver) need(e int32) (left int32) {
	ends := s.edges[e].ends
	pending := append(s.pending[:0], ends[0], ends[1])
	for len(pending) > 0 {
		u := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for p := s.inside[u] - 1; p >= 0; p = s.trees.absorbed[p].around {
			if x := &s.trees.absorbed[p]; x.needed == 0 {
				x.needed = 1
				left += x.left
				ends := s.edges[x.edge].ends
				pending = append(pending, ends[0], ends[1])
			}
		}
	}
	return left
}
