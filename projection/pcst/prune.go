package pcst

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

const (
	kept   = 1 // the place of the merge tree belongs to the forest
	needed = 2 // the place holds an end of an edge of the forest joined later
)

type pruner struct {
	marks    []uint8    // by place of the merge tree
	husk     []int32    // by place: the innermost husk around it, −1 for none
	outer    []int32    // by merging that made a husk: the husk around it
	good     []int32    // the clusters whose trees SimplePruning keeps
	taken    []int32    // the forest's edges
	inTree   []uint64   // a bit per edge, all 0 between solves
	strong   []treeNode // by node
	stripped []int32    // the nodes in the order in which pruneStrong met them
	lifetime []float64  // by place
}

func (p *pruner) init(n, m int) {
	p.marks = make([]uint8, 2*n)
	p.husk = make([]int32, 2*n)
	p.outer = make([]int32, n)
	p.taken = make([]int32, n)
	p.inTree = make([]uint64, (m+63)/64)
}

// prune cuts the grown trees and returns the number of nodes left.
func (s *Solver) prune(prizes []float64, scale float64) (size int) {
	clear(s.marks)
	s.chooseGood(prizes)
	for _, c := range s.good {
		s.marks[s.clusters[c].tree] = kept
	}
	s.taken = s.taken[:len(s.log)]
	switch s.opt.Pruning {
	case NoPruning:
		s.keepAll()
	case GWPruning:
		s.pruneGW()
	default:
		s.pruneSimple()
	}
	if s.opt.Pruning == StrongPruning {
		s.pruneStrong(prizes, scale)
	}
	return s.countNodes()
}

func (s *Solver) countNodes() (count int) {
	marks := s.marks[:len(s.nodes)]
	for ; len(marks) >= 8; marks = marks[8:] {
		count += bits.OnesCount64(binary.LittleEndian.Uint64(marks) & (kept * 0x0101010101010101))
	}
	for _, m := range marks {
		count += int(m & kept)
	}
	return count
}

// keepAll keeps every edge, and the good clusters of a single node.
func (s *Solver) keepAll() {
	for k, m := range s.log {
		s.taken[k] = m.edge
		s.marks[m.a] |= kept
		s.marks[m.b^m.b>>31] |= kept
	}
}

// pruneSimple keeps the trees of the good clusters.
func (s *Solver) pruneSimple() {
	n, j := len(s.nodes), 0
	for k := len(s.log) - 1; k >= 0; k-- {
		m := s.log[k]
		in := s.marks[n+k] & kept
		s.marks[m.a] |= in
		s.marks[m.b^m.b>>31] |= in
		s.taken[j] = m.edge
		j += int(in)
	}
	s.taken = s.taken[:j]
}

// pruneGW goes through the mergings in the good clusters from the last to the first. It
// drops a side that joined dead unless an edge kept so far, which joined later, ends in it.
func (s *Solver) pruneGW() {
	s.nestHusks()
	n, j := len(s.nodes), 0
	for k := len(s.log) - 1; k >= 0; k-- {
		m := s.log[k]
		dead := m.b >> 31
		b := m.b ^ dead
		in := s.marks[n+k] & kept
		s.marks[m.a] |= in
		in &= s.marks[b]/needed | uint8(1+dead)
		s.marks[b] |= in
		s.taken[j] = m.edge
		j += int(in)
		if in != 0 {
			for _, u := range s.edges[m.edge].ends {
				s.marks[u] |= needed
				for h := s.husk[u]; h >= 0 && s.marks[h]&needed == 0; h = s.outer[h-int32(n)] {
					s.marks[h] |= needed
				}
			}
		}
	}
	s.taken = s.taken[:j]
}

// nestHusks finds for every place the innermost husk around it: a cluster of several
// nodes that joined dead.
func (s *Solver) nestHusks() {
	n := len(s.nodes)
	for _, c := range s.good {
		s.husk[s.clusters[c].tree] = -1
	}
	for k := len(s.log) - 1; k >= 0; k-- {
		m := s.log[k]
		dead := m.b >> 31
		b := m.b ^ dead
		h := s.husk[n+k]
		s.husk[m.a] = h
		if int(b) >= n && dead != 0 {
			s.outer[int(b)-n] = h
			h = b
		}
		s.husk[b] = h
	}
}

// chooseGood picks the clusters whose trees are kept.
func (s *Solver) chooseGood(prizes []float64) {
	s.good = s.good[:0]
	if s.opt.Root >= 0 {
		s.good = append(s.good, int32(s.opt.Root))
		return
	}
	if s.stop.over && len(s.stop.alive) == s.opt.Clusters {
		s.good = append(s.good, s.stop.alive...)
		return
	}
	forever := 0
	for c := range s.clusters {
		if k := &s.clusters[c]; k.size > 0 {
			s.good = append(s.good, int32(c))
			if k.dies == maxTime {
				forever++
			}
		}
	}
	if len(s.good) <= s.opt.Clusters {
		return
	}
	if forever > 1 {
		s.setLifetimes(prizes)
	}
	slices.SortFunc(s.good, func(a, b int32) int { return s.compareDeaths(b, a, prizes) })
	s.good = s.good[:s.opt.Clusters]
}

// compareDeaths compares the times at which clusters a and b would die. Single nodes
// that round to the same time die in the order of their prizes; times beyond maxTime
// are compared without the limit.
func (s *Solver) compareDeaths(a, b int32, prizes []float64) int {
	ca, cb := &s.clusters[a], &s.clusters[b]
	order := cmp.Compare(ca.dies, cb.dies)
	if order == 0 && ca.dies == maxTime {
		order = cmp.Compare(s.lifetime[ca.tree], s.lifetime[cb.tree])
	} else if order == 0 && ca.size == 1 && cb.size == 1 {
		order = cmp.Compare(prizes[a], prizes[b])
	}
	return cmp.Or(order, cmp.Compare(ca.tree, cb.tree))
}

// setLifetimes finds when every cluster that ever was would die, without the limit of
// maxTime, in prizes' units and divided by 2^32 to be safe from overflow.
func (s *Solver) setLifetimes(prizes []float64) {
	n := len(prizes)
	if s.lifetime == nil {
		s.lifetime = make([]float64, 2*n)
	}
	for u, p := range prizes {
		s.lifetime[u] = p * 0x1p-32
	}
	for k, m := range s.log {
		life := s.lifetime[m.a]
		if m.b >= 0 {
			life += s.lifetime[m.b] - math.Ldexp(float64(s.times[k])/s.rate.mantissa, -s.rate.exponent-32)
		}
		s.lifetime[n+k] = life
	}
}

// forget leaves Extract an empty forest.
func (s *Solver) forget() {
	clear(s.marks)
	s.taken = s.taken[:0]
}

// Extract overwrites dst with the forest of the last Size or Solve.
func (s *Solver) Extract(dst *Forest) {
	dst.Nodes = slices.Grow(dst.Nodes[:0], len(s.nodes))[:len(s.nodes)]
	k := 0
	for u := range dst.Nodes {
		dst.Nodes[k] = int32(u)
		k += int(s.marks[u] & kept)
	}
	dst.Nodes = dst.Nodes[:k]
	for _, e := range s.taken {
		s.inTree[e>>6] |= 1 << (e & 63)
	}
	dst.Edges = slices.Grow(dst.Edges[:0], len(s.taken))
	for i, w := range s.inTree {
		for ; w != 0; w &= w - 1 {
			dst.Edges = append(dst.Edges, int32(i<<6+bits.TrailingZeros64(w)))
		}
		s.inTree[i] = 0
	}
}
