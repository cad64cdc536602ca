package learners

import (
	"errors"
	"fmt"
	"math"

	"graphda/projection"
)

var graphDA = Method{
	Name: "graphda", Label: "GraphDA", Source: "Zhou 2019, Algorithm 1",
	Update: "b = head(ḡ);  w = tail(−(√t/γ)·b)",
	Params: append([]Param{gammaParam, sParam}, graphParams...), Needs: NeedsGraph,
	New: func(ws *Workspace, s Settings) Rule {
		return &graphdaRule{dual: newDual(ws.problem.P), graphModel: newGraphModel(ws, s), gamma: s.Get("gamma")}
	},
}

var graphStoIHT = Method{
	Name: "graphstoiht", Label: "GraphStoIHT", Source: "Zhou 2019, section 5.2: StoIHT with head and tail projections",
	Update: "w = tail(w − (η/√t)·head(g))",
	Params: append([]Param{etaParam, sParam}, graphParams...), Needs: NeedsGraph,
	New: func(ws *Workspace, s Settings) Rule {
		return &graphstoihtRule{graphModel: newGraphModel(ws, s), eta: s.Get("eta")}
	},
}

// A graphModel is the weighted graph model that a graph method projects onto.
type graphModel struct {
	ws         *Workspace
	search     *projection.Search
	head, tail window
	clusters   int
	maxIter    int
	stats      SearchStats
	support    []int32
}

func newGraphModel(ws *Workspace, s Settings) graphModel {
	omega := s.Get("omega")
	gm := graphModel{
		ws:       ws,
		search:   ws.graphSearch(),
		head:     window{Window: projection.HeadWindow(ws.problem.P, omega)},
		tail:     window{Window: projection.TailWindow(int(s.Get("s")), omega)},
		clusters: int(s.Get("components")),
		maxIter:  int(s.Get("max_iter")),
	}
	if s.Get("search") == warmSearch {
		gm.head.warm, gm.tail.warm = new(projection.Warm), new(projection.Warm)
	}
	return gm
}

// A window is what one of the two projections looks for, and where it starts.
type window struct {
	projection.Window
	warm *projection.Warm // nil for the paper's search
}

// Searches returns what the projections have cost so far.
func (gm *graphModel) Searches() SearchStats { return gm.stats }

// project returns the support of v's projection onto the window, valid until the next
// call. A vector that is no longer finite is a divergence.
func (gm *graphModel) project(v []float64, to window) ([]int32, error) {
	found := &gm.ws.found
	options := projection.Options{Clusters: gm.clusters, MaxIter: gm.maxIter, Warm: to.warm}
	err := gm.search.Project(found, v, to.Window, options)
	if errors.Is(err, projection.ErrNotFinite) {
		return nil, fmt.Errorf("%w: %w", ErrDiverged, err)
	}
	if err != nil {
		return nil, err
	}
	gm.stats.Solves += found.Solves
	if found.Status == projection.Exhausted || found.Status == projection.Unreachable {
		gm.stats.Unbracketed++
	}
	return found.Nodes, nil
}

// graphdaRule is graph dual averaging: Zhou, Chen and Ying, Dual averaging method for
// online graph-structured sparsity, KDD 2019, Algorithm 1, with the averaged gradient and
// t from 1 as in its Theorem 1. Both projections are of the gradients' sum: scaling a
// vector scales its prizes and the search's interval alike and leaves its forests as they
// are. About 2·max_iter Steiner forests a round.
type graphdaRule struct {
	dual
	graphModel
	gamma float64
}

var (
	_ Rule     = (*graphdaRule)(nil)
	_ searcher = (*graphdaRule)(nil)
)

func (r *graphdaRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	head, err := r.project(r.sum, r.head)
	if err != nil {
		return err
	}
	b := r.ws.scratch
	clear(b)
	for _, i := range head {
		b[i] = r.sum[i]
	}
	tail, err := r.project(b, r.tail)
	if err != nil {
		return err
	}
	r.support = r.support[:0]
	for _, i := range tail { // a tree may pass through nodes outside the head
		if b[i] != 0 {
			r.support = append(r.support, i)
		}
	}
	m.takeSum(&r.dual, step(r.gamma, t), r.support)
	return nil
}

// graphstoihtRule is StoIHT with head and tail projections in the place of top-s. About
// 2·max_iter Steiner forests a round.
type graphstoihtRule struct {
	graphModel
	eta float64
}

var (
	_ Rule     = (*graphstoihtRule)(nil)
	_ searcher = (*graphstoihtRule)(nil)
)

func (r *graphstoihtRule) Step(m *Model, g Gradient, t int) error {
	eta := r.eta / math.Sqrt(float64(t))
	v := r.ws.scratch
	for i, x := range g.X {
		v[i] = g.Scale * x
	}
	head, err := r.project(v, r.head)
	if err != nil {
		return err
	}
	next := 0
	for i := range v { // v = w − η·(g on the head)
		inHead := next < len(head) && head[next] == int32(i)
		if inHead {
			next++
			v[i] = m.W[i] - eta*v[i]
		} else {
			v[i] = m.W[i]
		}
	}
	tail, err := r.project(v, r.tail)
	if err != nil {
		return err
	}
	m.clear()
	m.Support = append(m.Support, tail...)
	for _, i := range tail {
		m.W[i] = v[i]
	}
	m.Intercept -= eta * g.Scale
	return nil
}
