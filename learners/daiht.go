package learners

var daIHT = Method{
	Name: "da-iht", Label: "DA-IHT", Source: "Zhou 2019, Theorem 2",
	Update: "w = −(√t/γ)·(top-s of ḡ)",
	Params: []Param{gammaParam, sParam},
	New: func(ws *Workspace, s Settings) Rule {
		return &daihtRule{dual: newDual(ws.problem.P), ws: ws, gamma: s.Get("gamma"), s: int(s.Get("s"))}
	},
}

// daihtRule is dual averaging with iterative hard thresholding: Zhou, Chen and Ying, KDD 2019, Theorem 2. Every set of
// s features is allowed as a support. A round takes O(p) time.
type daihtRule struct {
	dual
	ws    *Workspace
	gamma float64
	s     int
	top   []int32
}

var _ Rule = (*daihtRule)(nil)

func (r *daihtRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	r.top = r.ws.selector.Top(r.top[:0], r.sum, r.s)
	m.takeSum(&r.dual, step(r.gamma, t), r.top)
	return nil
}

var bestSubset = Method{
	Name: "best-subset", Label: "Best subset", Source: "for comparison: it knows the true support",
	Update: "w = −(√t/γ)·(ḡ on the true support)",
	Params: []Param{gammaParam}, Needs: NeedsTruth,
	New: func(ws *Workspace, s Settings) Rule {
		return &bestSubsetRule{dual: newDual(ws.problem.P), truth: ws.problem.Truth, gamma: s.Get("gamma")}
	},
}

type bestSubsetRule struct {
	dual
	truth []int32
	gamma float64
}

var _ Rule = (*bestSubsetRule)(nil)

func (r *bestSubsetRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	m.takeSum(&r.dual, step(r.gamma, t), r.truth)
	return nil
}
