package pcst

type treeNode struct {
	worth  float64 // prize of the node plus max(0, worth − cost of the edge) of each branch
	parent int32   // edge towards the root of the tree; −1 at the root
	links  int32   // number of edges that are not stripped yet
	xor    int32   // exclusive or of the indices of these edges
}

// pruneStrong cuts every tree in s.pruner.taken to its best connected part: the part with the largest sum of prizes
// minus costs. In the root's tree the part must contain the root.
//
// The best part below a top node includes every branch worth more than its edge. strip removes leaf after leaf, so it
// computes the worth of a node after all its branches. The node with the highest worth becomes the top of the best
// part.
func (s *Solver) pruneStrong(prizes []float64, scale float64) {
	if s.pruner.strong == nil {
		s.pruner.strong = make([]treeNode, len(s.nodes))
	}
	for u := range s.pruner.strong {
		s.pruner.strong[u] = treeNode{worth: prizes[u], parent: -1}
	}
	for _, e := range s.pruner.taken {
		for _, u := range s.edges[e].ends {
			s.pruner.strong[u].links++
			s.pruner.strong[u].xor ^= e
		}
	}
	s.pruner.stripped = s.pruner.stripped[:0]
	for u := range int32(len(s.pruner.strong)) {
		s.strip(u, scale)
	}
	s.chooseTops()
	s.cutBranches(scale)
}

// strip removes node u if it is a leaf, then the next node towards the root, and so on.
func (s *Solver) strip(u int32, scale float64) {
	for s.pruner.strong[u].links == 1 && u != int32(s.opt.Root) {
		x := &s.pruner.strong[u]
		e := x.xor
		x.parent, x.links = e, 0
		s.pruner.stripped = append(s.pruner.stripped, u)
		up := s.otherEnd(e, u)
		y := &s.pruner.strong[up]
		y.links--
		y.xor ^= e
		if gain := x.worth - scale*s.g.Costs()[e]; gain > 0 {
			y.worth += gain
		}
		u = up
	}
}

func (s *Solver) otherEnd(e, u int32) int32 {
	return s.edges[e].ends[0] ^ s.edges[e].ends[1] ^ u
}

// chooseTops marks the top node of every tree's best part as needed. It passes the best top of each branch on to the
// node's parent.
func (s *Solver) chooseTops() {
	for u := range s.pruner.strong {
		s.pruner.strong[u].xor = int32(u) // xor now stores the best top in the node's branch
	}
	for _, u := range s.pruner.stripped {
		x := &s.pruner.strong[u]
		y := &s.pruner.strong[s.otherEnd(x.parent, u)]
		if s.pruner.strong[x.xor].worth > s.pruner.strong[y.xor].worth {
			y.xor = x.xor
		}
	}
	for u := range s.pruner.strong {
		if x := &s.pruner.strong[u]; x.parent < 0 && s.pruner.marks[u]&kept != 0 {
			top := x.xor
			if int32(u) == int32(s.opt.Root) {
				top = int32(s.opt.Root)
			}
			s.pruner.marks[top] |= needed
		}
	}
}

// cutBranches keeps the nodes that reach a top through branches that are worth more than their edges.
func (s *Solver) cutBranches(scale float64) {
	s.pruner.taken = s.pruner.taken[:0]
	for i := len(s.pruner.stripped) - 1; i >= 0; i-- {
		u := s.pruner.stripped[i]
		x := &s.pruner.strong[u]
		if s.pruner.marks[u]&needed != 0 {
			continue
		}
		up := s.otherEnd(x.parent, u)
		if s.pruner.marks[up]&needed != 0 && x.worth > scale*s.g.Costs()[x.parent] {
			s.pruner.marks[u] |= needed
			s.pruner.taken = append(s.pruner.taken, x.parent)
		}
	}
	for u := range s.pruner.strong {
		if s.pruner.marks[u] == kept {
			s.pruner.marks[u] = 0
		}
	}
}
