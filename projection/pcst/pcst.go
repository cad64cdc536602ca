package pcst

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
)

// A Pruning is a way to cut the grown trees before Solve returns them.
type Pruning string

// The ways of pruning. Later ways cut more.
const (
	NoPruning     Pruning = "none"   // keep all edges that merged clusters
	SimplePruning Pruning = "simple" // keep the trees of the clusters that are active at the end
	GWPruning     Pruning = "gw"     // also cut branches that were dead when they merged, unless a later edge needs them
	StrongPruning Pruning = "strong" // keep only the best connected part of every tree
)

var Prunings = []Pruning{NoPruning, SimplePruning, GWPruning, StrongPruning}

// Options says which forest Solve looks for.
type Options struct {
	Clusters int // number of trees, at least 1; with a root, 0
	Root     int // node that the forest must contain; −1 means none
	Pruning  Pruning
}

// A Forest is a set of trees in a graph.
type Forest struct {
	Nodes []int32 // ascending
	Edges []int32 // indices of the edges, ascending
}

func (o Options) validate(n int) error {
	var errs []error
	if !slices.Contains(Prunings, o.Pruning) {
		errs = append(errs, fmt.Errorf("pcst: pruning = %q, want one of %v", o.Pruning, Prunings))
	}
	switch {
	case o.Root < -1 || o.Root >= n:
		errs = append(errs, fmt.Errorf("pcst: root %d does not exist; want a node of the graph, 0 to %d, or −1 for no "+
			"root", o.Root, n-1))
	case o.Root >= 0 && o.Clusters != 0:
		errs = append(errs, fmt.Errorf("pcst: %d clusters with a root, want 0", o.Clusters))
	case o.Root < 0 && o.Clusters < 1:
		errs = append(errs, fmt.Errorf("pcst: %d clusters without a root, want at least 1", o.Clusters))
	}
	return errors.Join(errs...)
}

// A Solver finds prize-collecting Steiner forests on one graph, for any prizes and scales. It is not safe for
// concurrent use: give each goroutine its own Solver.
type Solver struct {
	g       *graph.Graph
	maxCost float64
	logCost uint // the largest cost has 1<<logCost units
	free    bool // whether all edges cost 0
	edges   []edge
	order   []int32    // indices of the edges, ordered by cost, then index
	ends    [][2]int32 // ends of the edges, in the same order
	arcs    arcs

	opt      Options
	rate     rate
	wide     bool // whether the sum of the prizes may reach maxTime
	nodes    []node
	clusters []cluster
	listed   []uint8 // for each edge: bit i is set if half-edge i sleeps
	times    []int64 // times of the mergings; only if wide is set
	queue    calendar
	front    front
	stop     stop
	limiter  limiter
	trees    Trees
	left     []int32 // for each cluster: number of nodes that GWPruning leaves
	inside   []int32 // for each node: 1 + place of the smallest absorbed cluster around it, or 0
	pending  []int32 // stack of nodes; scratch memory of the method Solver.need
	pruner   pruner
	touched  int64 // result of touch, which the compiler would otherwise remove
}

// NewSolver returns a solver for g, in O(m·log m) time. It takes some 70 bytes per edge, 120 per node, and 4 to 8 per
// queued event.
func NewSolver(g *graph.Graph) *Solver {
	n, m := g.NumNodes(), g.NumEdges()
	s := &Solver{
		g:        g,
		logCost:  precision(n),
		edges:    make([]edge, m),
		order:    make([]int32, m),
		ends:     make([][2]int32, m),
		arcs:     arcs{from: make([]int32, n+1), all: make([]graph.Arc, 2*m)},
		nodes:    make([]node, n),
		clusters: make([]cluster, n),
		listed:   make([]uint8, m),
		trees:    newTrees(n),
		left:     make([]int32, n),
		inside:   make([]int32, n),
		pending:  make([]int32, 0, 2*n+2),
		pruner:   newPruner(n, m),
	}
	for e, ends := range g.Edges() {
		s.edges[e].ends = [2]int32{ends.U, ends.V}
		s.maxCost = max(s.maxCost, g.Costs()[e])
	}
	s.setCosts(s.maxCost == 0)
	s.queue = newCalendar(m, s.logCost)
	s.stop.alive = make([]int32, 0, n)
	return s
}

// setCosts sets the costs of the edges, all to 0 if free is true, and sorts the edges.
func (s *Solver) setCosts(free bool) {
	s.free = free
	for e, c := range s.g.Costs() {
		s.order[e] = int32(e)
		s.edges[e].cost = 0
		if !free {
			s.edges[e].cost = wholeCost(c, s.maxCost, s.logCost)
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.edges[a].cost, s.edges[b].cost), cmp.Compare(a, b))
	})
	for i, e := range s.order {
		s.ends[i] = s.edges[e].ends
	}
	s.setArcs()
	s.front.setOrder(s.order, s.edges)
}

// Solve overwrites dst with a forest and reuses its slices. There is one prize per node, and edge e costs scale·c(e).
// Prizes and scale must be finite and at least 0. After an error dst is unchanged.
func (s *Solver) Solve(dst *Forest, prizes []float64, scale float64, opt Options) error {
	if _, err := s.Size(prizes, scale, opt, Limits{}); err != nil {
		return err
	}
	s.Extract(dst)
	return nil
}

// Size solves like Solve but returns only the number of the forest's nodes, which is faster. Extract then returns the
// forest. If a limit ends the growth early, there is no forest. Size then returns 0 for the limit Life, and a number
// above limits.Nodes for the limit Nodes.
func (s *Solver) Size(prizes []float64, scale float64, opt Options, limits Limits) (int, error) {
	if err := s.reset(prizes, scale, opt); err != nil {
		s.forget()
		return 0, err
	}
	s.setLimits(limits)
	s.grow()
	if s.limiter.over {
		s.forget()
		return s.limiter.size, nil
	}
	return s.prune(prizes, scale), nil
}

func (s *Solver) reset(prizes []float64, scale float64, opt Options) error {
	if err := opt.validate(len(s.nodes)); err != nil {
		return err
	}
	if len(prizes) != len(s.nodes) {
		return fmt.Errorf("pcst: %d prizes for %d nodes", len(prizes), len(s.nodes))
	}
	if !(scale >= 0 && scale <= math.MaxFloat64) {
		return fmt.Errorf("pcst: scale is %v, want a finite number of at least 0", scale)
	}
	for u, p := range prizes {
		if !(p >= 0 && p <= math.MaxFloat64) {
			return fmt.Errorf("pcst: the prize of node %d is %v, want a finite number of at least 0", u, p)
		}
	}
	s.opt = opt
	s.setRate(prizes, scale)
	s.resetClusters(prizes)
	clear(s.listed)
	s.trees.log, s.times = s.trees.log[:0], s.times[:0]
	s.queue.reset()
	s.resetFront()
	return nil
}

func (s *Solver) setRate(prizes []float64, scale float64) {
	if free := s.maxCost == 0 || scale == 0; free != s.free {
		s.setCosts(free)
	}
	if !s.free {
		s.rate = newRate(s.maxCost, scale, s.logCost)
		return
	}
	most := 0.0 // without costs, any unit that keeps prizes apart will do
	for _, p := range prizes {
		most = max(most, p)
	}
	if most == 0 {
		most = 1
	}
	s.rate = newRate(most, 1, s.logCost)
}

func (s *Solver) resetClusters(prizes []float64) {
	alive := s.stop.alive[:len(prizes)]
	k, total := 0, int64(0)
	for u := range s.nodes {
		s.nodes[u] = node{label: int32(u), next: int32(u)}
		s.left[u] = 1
	}
	clear(s.inside)
	clusters := s.clusters[:len(prizes)]
	for u, p := range prizes {
		d := wholePrize(p, s.rate.times(p))
		c := &clusters[u]
		c.dies, c.off, c.size, c.tree, c.asleep, c.witness = d, 0, 1, int32(u), -1, 0
		alive[k] = int32(u)
		k += int(-d >> 63 & 1)
		total = min(total+d, maxTime)
	}
	s.wide = total == maxTime
	if r := s.opt.Root; r >= 0 {
		s.clusters[r].dies = 0
	}
	s.stop = stop{alive: alive[:k], witnesses: s.stop.witnesses[:0]}
}
