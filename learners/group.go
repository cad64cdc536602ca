package learners

import (
	"math"

	"graphda/projection"
)

var daGL = Method{
	Name: "da-gl", Label: "DA-GL", Source: "Yang 2010, equation 10",
	Update: "per group G: w_G = −(√t/γ)·[1 − λ√|G|/‖ḡ_G‖]₊·ḡ_G",
	Params: []Param{lambdaParam, gammaParam}, Needs: NeedsGroups,
	New: func(ws *Workspace, s Settings) Rule { return newGroupRule(ws, s, 0) },
}

var daSGL = Method{
	Name: "da-sgl", Label: "DA-SGL", Source: "Yang 2010, equation 11",
	Update: "c_i = [|ḡ_i| − λ·r_G]₊·sign(ḡ_i) with r_G = 1;  per group G: w_G = −(√t/γ)·[1 − λ√|G|/‖c_G‖]₊·c_G",
	Params: []Param{lambdaParam, gammaParam}, Needs: NeedsGroups,
	New: func(ws *Workspace, s Settings) Rule { return newGroupRule(ws, s, 1) },
}

// A groupLayout lists the members of all groups, one group after the other.
type groupLayout struct {
	offsets []int32 // group k has the members members[offsets[k]:offsets[k+1]]
	members []int32
	weight  []float64 // √|G|
}

func newGroupLayout(p int, groups [][]int32) *groupLayout {
	l := &groupLayout{offsets: []int32{0}}
	grouped := make([]bool, p)
	add := func(group ...int32) {
		l.members = append(l.members, group...)
		l.offsets = append(l.offsets, int32(len(l.members)))
		l.weight = append(l.weight, math.Sqrt(float64(len(group))))
	}
	for _, group := range groups {
		add(group...)
		for _, i := range group {
			grouped[i] = true
		}
	}
	for i := range p {
		if !grouped[i] {
			add(int32(i))
		}
	}
	return l
}

// groupRule is the dual averaging method for group lasso and sparse group lasso: Yang, Xu, King and Lyu, Online
// learning for group lasso, ICML 2010. A round takes O(p + m) time, where m is the number of members of all groups.
//
// With overlapping groups, a feature's weight is its thresholded gradient times the sum of its groups' factors.
type groupRule struct {
	dual
	*groupLayout
	lambda, gamma float64
	inner         float64 // r_G of sparse group lasso; 0 for group lasso
	c             []float64
}

var _ Rule = (*groupRule)(nil)

func newGroupRule(ws *Workspace, s Settings, inner float64) *groupRule {
	if ws.groups == nil {
		ws.groups = newGroupLayout(ws.problem.P, ws.problem.Groups)
	}
	return &groupRule{dual: newDual(ws.problem.P), groupLayout: ws.groups,
		lambda: s.Get("lambda"), gamma: s.Get("gamma"), inner: inner, c: ws.scratch}
}

func (r *groupRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	lambda := float64(t) * r.lambda // times t, because r.sum is t times the mean gradient
	for i, v := range r.sum {
		r.c[i] = projection.SoftThreshold(v, lambda*r.inner)
	}
	a := step(r.gamma, t)
	m.Sparse = false
	clear(m.W)
	for k, weight := range r.weight {
		group := r.members[r.offsets[k]:r.offsets[k+1]]
		square := 0.0
		for _, i := range group {
			square += r.c[i] * r.c[i]
		}
		factor := projection.GroupFactor(math.Sqrt(square), lambda*weight)
		if factor == 0 {
			continue
		}
		for _, i := range group {
			m.W[i] += a * factor * r.c[i]
		}
	}
	m.Intercept = a * r.intercept
	return nil
}
