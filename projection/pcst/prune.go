package pcst

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	kept   = 1 // mark of a place of the merge tree in the forest
	needed = 2 // mark of a node in the best part of its tree (see pruneStrong)
)

// A pruner holds the scratch memory for cutting the grown trees.
type pruner struct {
	marks    []uint8    // marks of each place of the merge tree
	good     []int32    // clusters whose trees are kept
	taken    []int32    // edges of the forest
	inTree   []uint64   // one bit for each edge, 0 between solves
	strong   []treeNode // for each node
	stripped []int32    // nodes in the order in which strip removed them
	lifetime []float64  // for each place
	due      bool       // whether the trees of the last solve must still be cut
}

func newPruner(n, m int) pruner {
	return pruner{
		marks:  make([]uint8, 2*n),
		good:   make([]int32, 0, n),
		taken:  make([]int32, 0, n),
		inTree: make([]uint64, (m+63)/64),
	}
}

// forget makes Extract return an empty forest.
func (s *Solver) forget() {
	s.trees.good = s.trees.good[:0]
	clear(s.pruner.marks)
	s.pruner.taken = s.pruner.taken[:0]
	s.pruner.due = false
}

// prune cuts the grown trees and returns the number of nodes left. With GWPruning the growth has counted the nodes, and
// Extract cuts the trees.
func (s *Solver) prune(prizes []float64, scale float64) (size int) {
	s.chooseGood(prizes)
	s.trees.good = s.trees.good[:0]
	for _, c := range s.pruner.good {
		s.trees.good = append(s.trees.good, s.clusters[c].tree)
		size += int(s.left[c])
	}
	s.pruner.due = s.opt.Pruning == GWPruning
	if s.pruner.due {
		return size
	}
	s.markGood(&s.trees)
	s.pruner.taken = s.pruner.taken[:len(s.trees.log)]
	if s.opt.Pruning == NoPruning {
		s.keepAll()
	} else {
		s.pruneSimple()
	}
	if s.opt.Pruning == StrongPruning {
		s.pruneStrong(prizes, scale)
	}
	return s.countNodes()
}

func (s *Solver) markGood(t *Trees) {
	clear(s.pruner.marks)
	for _, place := range t.good {
		s.pruner.marks[place] = kept
	}
}

func (s *Solver) countNodes() (count int) {
	marks := s.pruner.marks[:len(s.nodes)]
	for ; len(marks) >= 8; marks = marks[8:] {
		count += bits.OnesCount64(binary.LittleEndian.Uint64(marks) & (kept * 0x0101010101010101))
	}
	for _, m := range marks {
		count += int(m & kept)
	}
	return count
}

// keepAll keeps every edge with both of its sides. For clusters of a single node, it needs the marks of markGood.
func (s *Solver) keepAll() {
	for k, m := range s.trees.log {
		s.pruner.taken[k] = m.edge
		s.pruner.marks[m.a] |= kept
		s.pruner.marks[m.b^m.b>>31] |= kept
	}
}

func (s *Solver) pruneSimple() {
	n, j := len(s.nodes), 0
	for k := len(s.trees.log) - 1; k >= 0; k-- {
		m := s.trees.log[k]
		in := s.pruner.marks[n+k] & kept
		s.pruner.marks[m.a] |= in
		s.pruner.marks[m.b^m.b>>31] |= in
		s.pruner.taken[j] = m.edge
		j += int(in)
	}
	s.pruner.taken = s.pruner.taken[:j]
}

// pruneGW goes through the mergings of t in reverse, and drops each side that was dead and is not needed.
func (s *Solver) pruneGW(t *Trees) {
	s.markGood(t)
	n, j := len(s.nodes), 0
	taken := s.pruner.taken[:len(t.log)]
	for k := len(t.log) - 1; k >= 0; k-- {
		m := t.log[k]
		in, b := s.pruner.marks[n+k], m.b
		s.pruner.marks[m.a] = in
		if b < 0 {
			b = ^b
			in &= t.absorbed[b].needed
		}
		s.pruner.marks[b] = in
		taken[j] = m.edge
		j += int(in)
	}
	s.pruner.taken = taken[:j]
}

func (s *Solver) chooseGood(prizes []float64) {
	s.pruner.good = s.pruner.good[:0]
	if s.opt.Root >= 0 {
		s.pruner.good = append(s.pruner.good, int32(s.opt.Root))
		return
	}
	if s.stop.over && len(s.stop.alive) == s.opt.Clusters {
		s.pruner.good = append(s.pruner.good, s.stop.alive...)
		return
	}
	forever := 0
	for c := range s.clusters {
		if k := &s.clusters[c]; k.size > 0 {
			s.pruner.good = append(s.pruner.good, int32(c))
			if k.dies == maxTime {
				forever++
			}
		}
	}
	if len(s.pruner.good) <= s.opt.Clusters {
		return
	}
	if forever > 1 {
		s.setLifetimes(prizes)
	}
	later := func(a, b int32) int { return s.compareDeaths(b, a, prizes) }
	if s.opt.Clusters == 1 {
		s.pruner.good[0] = slices.MinFunc(s.pruner.good, later)
	} else {
		slices.SortFunc(s.pruner.good, later)
	}
	s.pruner.good = s.pruner.good[:s.opt.Clusters]
}

// compareDeaths compares the times at which clusters a and b would die, without the limit maxTime. On a tie, the
// cluster whose dearest node has the larger prize dies later. If the prizes are equal too, the higher index dies later.
func (s *Solver) compareDeaths(a, b int32, prizes []float64) int {
	ca, cb := &s.clusters[a], &s.clusters[b]
	order := cmp.Compare(ca.dies, cb.dies)
	if order == 0 && ca.dies == maxTime {
		order = cmp.Compare(s.pruner.lifetime[ca.tree], s.pruner.lifetime[cb.tree])
	}
	if order == 0 {
		u, v := s.dearest(a, prizes), s.dearest(b, prizes)
		order = cmp.Or(cmp.Compare(prizes[u], prizes[v]), cmp.Compare(u, v))
	}
	return order
}

// dearest returns the node with the largest prize in the cluster c. Ties go to the highest index.
func (s *Solver) dearest(c int32, prizes []float64) int32 {
	best := c
	for u := s.nodes[c].next; u != c; u = s.nodes[u].next {
		if prizes[u] > prizes[best] || prizes[u] == prizes[best] && u > best {
			best = u
		}
	}
	return best
}

// setLifetimes computes when the cluster at each place would die, without the limit maxTime. It divides times by 2^32,
// so that sums do not overflow.
func (s *Solver) setLifetimes(prizes []float64) {
	n := len(prizes)
	if s.pruner.lifetime == nil {
		s.pruner.lifetime = make([]float64, 2*n)
	}
	life := s.pruner.lifetime
	for u, p := range prizes {
		life[u] = p * 0x1p-32
	}
	for k, m := range s.trees.log {
		life[n+k] = life[m.a]
		if m.b >= 0 {
			life[n+k] += life[m.b] - s.rate.prize(s.times[k])
		}
	}
}

// Trees holds the trees of a solve with GWPruning, before they are cut.
type Trees struct {
	log      []merging
	absorbed []absorption // for each place of the merge tree
	good     []int32      // places of the trees that are kept
}

func newTrees(n int) Trees {
	return Trees{log: make([]merging, 0, n), absorbed: make([]absorption, 2*n), good: make([]int32, 0, n)}
}

// Keep moves the trees of the last Size, with GWPruning, to dst without copying. ExtractKept can later extract their
// forest.
func (s *Solver) Keep(dst *Trees) {
	if dst.absorbed == nil {
		*dst = newTrees(len(s.nodes))
	}
	*dst, s.trees = s.trees, *dst
	s.forget()
}

// Extract overwrites dst with the forest of the last Size or Solve. It is empty if the call failed or ended at a limit,
// or if Keep has moved the trees.
func (s *Solver) Extract(dst *Forest) {
	if s.pruner.due {
		s.pruneGW(&s.trees)
		s.pruner.due = false
	}
	s.extract(dst)
}

// ExtractKept overwrites dst with the forest of the trees that Keep has moved from s to t.
func (s *Solver) ExtractKept(dst *Forest, t *Trees) {
	s.pruneGW(t)
	s.extract(dst)
	s.forget()
}

func (s *Solver) extract(dst *Forest) {
	dst.Nodes = slices.Grow(dst.Nodes[:0], len(s.nodes))[:len(s.nodes)]
	k := 0
	for u := range dst.Nodes {
		dst.Nodes[k] = int32(u)
		k += int(s.pruner.marks[u] & kept)
	}
	dst.Nodes = dst.Nodes[:k]
	for _, e := range s.pruner.taken {
		s.pruner.inTree[e>>6] |= 1 << (e & 63)
	}
	dst.Edges = slices.Grow(dst.Edges[:0], len(s.pruner.taken))
	for i, w := range s.pruner.inTree {
		for ; w != 0; w &= w - 1 {
			dst.Edges = append(dst.Edges, int32(i<<6+bits.TrailingZeros64(w)))
		}
		s.pruner.inTree[i] = 0
	}
}
