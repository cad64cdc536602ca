package learners

import "math"

var stoIHT = Method{
	Name: "stoiht", Label: "StoIHT", Source: "Nguyen 2017, block size 1",
	Update: "w = top-s of w − (η/√t)·g",
	Params: []Param{etaParam, sParam},
	New: func(ws *Workspace, s Settings) Rule {
		return &stoihtRule{ws: ws, eta: s.Get("eta"), s: int(s.Get("s"))}
	},
}

// stoihtRule is stochastic iterative hard thresholding with blocks of one sample: Nguyen, Needell and Woolf, Linear
// convergence of stochastic iterative greedy algorithms with sparse constraints, IEEE Trans. Information Theory 2017. A
// round takes O(p) time.
type stoihtRule struct {
	ws  *Workspace
	eta float64
	s   int
}

var _ Rule = (*stoihtRule)(nil)

func (r *stoihtRule) Step(m *Model, g Gradient, t int) error {
	eta := r.eta / math.Sqrt(float64(t))
	v := r.ws.scratch
	for i, x := range g.X {
		v[i] = m.W[i] - eta*(g.Scale*x)
	}
	m.clear()
	m.Support = r.ws.selector.Top(m.Support, v, r.s)
	for _, i := range m.Support {
		m.W[i] = v[i]
	}
	m.Intercept -= eta * g.Intercept
	return nil
}

func (r *stoihtRule) Remember(*Memory) {}
