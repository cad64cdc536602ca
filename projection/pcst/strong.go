package pcst

// A treeNode is what pruneStrong knows of a node of the grown trees.
type treeNode struct {
	worth  float64 // its prize and what its branches are worth beyond their edges' costs
	parent int32   // the edge towards the tree's root, −1 at the root
	links  int32   // edges of the tree not yet stripped
	xor    int32   // those edges' indices, combined by exclusive or
}

// pruneStrong cuts every tree in s.taken down to its most valuable connected part,
// the one of the highest prizes less costs. In the root's tree the part holds the root.
//
// The most valuable part below a given top node takes every branch worth more than its
// edge. Leaves are stripped one after the other, so that a node is worth what it will be
// once all its branches are known; the part of the tree is the one below the node of the
// highest worth.
func (s *Solver) pruneStrong(prizes []float64, scale float64) {
	if s.strong == nil {
		s.strong = make([]treeNode, len(s.nodes))
	}
	for u := range s.strong {
		s.strong[u] = treeNode{worth: prizes[u], parent: -1}
	}
	for _, e := range s.taken {
		for _, u := range s.edges[e].ends {
			s.strong[u].links++
			s.strong[u].xor ^= e
		}
	}
	s.stripped = s.stripped[:0]
	for u := range int32(len(s.strong)) {
		s.strip(u, scale)
	}
	s.chooseTops()
	s.cutBranches(scale)
}

// strip removes leaf u, and whatever becomes a leaf by that on the way to the root.
func (s *Solver) strip(u int32, scale float64) {
	for s.strong[u].links == 1 && u != int32(s.opt.Root) {
		x := &s.strong[u]
		e := x.xor
		x.parent, x.links = e, 0
		s.stripped = append(s.stripped, u)
		up := s.otherEnd(e, u)
		y := &s.strong[up]
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

// chooseTops marks the top node of every tree's best part as needed. Towards the root
// each node learns the best top of the nodes below it.
func (s *Solver) chooseTops() {
	for u := range s.strong {
		s.strong[u].xor = int32(u) // from here on: the best top in the branch
	}
	for _, u := range s.stripped {
		x := &s.strong[u]
		y := &s.strong[s.otherEnd(x.parent, u)]
		if s.strong[x.xor].worth > s.strong[y.xor].worth {
			y.xor = x.xor
		}
	}
	for u := range s.strong {
		if x := &s.strong[u]; x.parent < 0 && s.marks[u]&kept != 0 {
			top := x.xor
			if int32(u) == int32(s.opt.Root) {
				top = int32(s.opt.Root)
			}
			s.marks[top] |= needed
		}
	}
}

// cutBranches keeps the nodes that hang below a top by branches worth their edges.
func (s *Solver) cutBranches(scale float64) {
	s.taken = s.taken[:0]
	for i := len(s.stripped) - 1; i >= 0; i-- {
		u := s.stripped[i]
		x := &s.strong[u]
		if s.marks[u]&needed != 0 {
			continue
		}
		up := s.otherEnd(x.parent, u)
		if s.marks[up]&needed != 0 && x.worth > scale*s.g.Costs()[x.parent] {
			s.marks[u] |= needed
			s.taken = append(s.taken, x.parent)
		}
	}
	for u := range s.strong {
		if s.marks[u] == kept {
			s.marks[u] = 0
		}
	}
}
