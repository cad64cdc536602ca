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
	Params: append(append([]Param{gammaParam, sParam}, graphParams...), everyParam), Needs: NeedsGraph,
	New: func(ws *Workspace, s Settings) Rule {
		return &graphdaRule{dual: newDual(ws.problem.P), graphModel: newGraphModel(ws, s), gamma: s.Get("gamma"),
			every: int(s.Get("every"))}
	},
}

var everyParam = required("every", "k", "find a new support only after every k-th sample; in between, w uses the "+
	"entries of the averaged gradient on the last support").whole().atLeast(1).or(1).omitDefault()

var graphStoIHT = Method{
	Name: "graphstoiht", Label: "GraphStoIHT", Source: "Zhou 2019, section 5.2: StoIHT with head and tail projections",
	Update: "w = tail(w − (η/√t)·head(g))",
	Params: append([]Param{etaParam, sParam}, graphParams...), Needs: NeedsGraph,
	New: func(ws *Workspace, s Settings) Rule {
		return &graphstoihtRule{graphModel: newGraphModel(ws, s), eta: s.Get("eta")}
	},
}

// A graphModel computes the head and tail projections of a method with a graph.
type graphModel struct {
	ws         *Workspace
	search     *projection.Search
	head, tail target
	stats      SearchStats
	support    []int32
	padded     []float64 // scratch vector that ends with a zero for each connector; nil without connectors
}

type target struct {
	window  projection.Window
	options projection.Options
}

func newGraphModel(ws *Workspace, s Settings) graphModel {
	options := projection.Options{Clusters: int(s.Get("components")), Root: int(s.Get("root")),
		MaxIter: int(s.Get("max_iter"))}
	omega, search, head := s.Get("omega"), s.Word("search"), s.Word("head")
	if ws.search == nil {
		ws.search = projection.NewSearch(ws.problem.Graph)
	}
	gm := graphModel{
		ws:     ws,
		search: ws.search,
		head:   target{projection.HeadWindow(ws.problem.Graph.NumNodes(), omega), options},
		tail:   target{projection.TailWindow(int(s.Get("s")), omega), options},
	}
	if nodes := ws.problem.Graph.NumNodes(); nodes > ws.problem.P {
		gm.padded = make([]float64, nodes)
	}
	if search != "paper" {
		gm.head.options.Warm, gm.tail.options.Warm = new(projection.Warm), new(projection.Warm)
	}
	if search == "lazy" {
		gm.tail.options.Cut = s.Get("cut")
	}
	if head == "lazy" || head == "auto" && search == "lazy" {
		gm.head.options.Kept = &projection.Kept{Least: s.Get("keep"), Below: ws.problem.P}
	}
	return gm
}

func (gm *graphModel) Searches() SearchStats { return gm.stats }

func (gm *graphModel) remember(m *Memory) {
	for _, side := range []struct {
		name string
		*target
	}{{"head", &gm.head}, {"tail", &gm.tail}} {
		if warm := side.options.Warm; warm != nil {
			m.Number(side.name+"_scale", &warm.Ratio)
		}
		if kept := side.options.Kept; kept != nil {
			m.Set(side.name, &kept.Nodes)
			m.Number(side.name+"_share", &kept.Found)
			m.Number(side.name+"_floor", &kept.Floor)
		}
	}
	m.Count("solves", &gm.stats.Solves)
	m.Count("unbracketed", &gm.stats.Unbracketed)
	m.Count("kept_heads", &gm.stats.KeptHeads)
	m.Number("head_bound", &gm.stats.HeadBound)
}

// project returns the support of v's projection, without connectors. It is valid until the next call. If v is not
// finite, the error wraps ErrDiverged.
func (gm *graphModel) project(v []float64, to *target) ([]int32, error) {
	found := &gm.ws.found
	if gm.padded != nil {
		copy(gm.padded, v)
		v = gm.padded
	}
	err := gm.search.Project(found, v, to.window, to.options)
	if errors.Is(err, projection.ErrNotFinite) {
		return nil, fmt.Errorf("%w: %w", ErrDiverged, err)
	}
	if err != nil {
		return nil, err
	}
	gm.stats.add(found)
	return projection.Below(found.Nodes, gm.ws.problem.P), nil
}

func (s *SearchStats) add(found *projection.Result) {
	s.Solves += found.Solves
	switch found.Status {
	case projection.Exhausted, projection.Unreachable:
		s.Unbracketed++
	case projection.Certified:
		s.KeptHeads++
	}
	if bound := math.Sqrt(found.Share); bound > 0 && (s.HeadBound == 0 || bound < s.HeadBound) {
		s.HeadBound = bound
	}
}

// graphdaRule is graph dual averaging: Zhou, Chen and Ying, Dual averaging method for online graph-structured sparsity,
// KDD 2019, Algorithm 1. Both projections get the sum of the gradients instead of their average ḡ_t. This does not
// change the supports. A round solves about 2·max_iter Steiner forests.
type graphdaRule struct {
	dual
	graphModel
	gamma float64
	every int // number of rounds from one projection to the next
}

var (
	_ Rule     = (*graphdaRule)(nil)
	_ searcher = (*graphdaRule)(nil)
)

func (r *graphdaRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	if t%r.every != 0 {
		r.support = append(r.support[:0], m.Support...)
		m.takeSum(&r.dual, step(r.gamma, t), r.support)
		return nil
	}
	head, err := r.project(r.sum, &r.head)
	if err != nil {
		return err
	}
	b := r.ws.scratch
	clear(b)
	for _, i := range head {
		b[i] = r.sum[i]
	}
	tail, err := r.project(b, &r.tail)
	if err != nil {
		return err
	}
	r.support = r.support[:0]
	for _, i := range tail { // the tail may have nodes outside the head
		if b[i] != 0 {
			r.support = append(r.support, i)
		}
	}
	m.takeSum(&r.dual, step(r.gamma, t), r.support)
	return nil
}

func (r *graphdaRule) Remember(m *Memory) {
	r.dual.Remember(m)
	r.remember(m)
}

// graphstoihtRule is stochastic iterative hard thresholding with head and tail projections in place of the s largest
// entries. A round solves about 2·max_iter Steiner forests.
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
	head, err := r.project(v, &r.head)
	if err != nil {
		return err
	}
	next := 0
	for i := range v { // v = w − η·(g restricted to the head)
		inHead := next < len(head) && head[next] == int32(i)
		if inHead {
			next++
			v[i] = m.W[i] - eta*v[i]
		} else {
			v[i] = m.W[i]
		}
	}
	tail, err := r.project(v, &r.tail)
	if err != nil {
		return err
	}
	m.clear()
	m.Support = append(m.Support, tail...)
	for _, i := range tail {
		m.W[i] = v[i]
	}
	m.Intercept -= eta * g.Intercept
	return nil
}

func (r *graphstoihtRule) Remember(m *Memory) { r.remember(m) }
