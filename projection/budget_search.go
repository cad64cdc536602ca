package projection

import (
	"errors"
	"fmt"
	"math"

	"graphda/projection/pcst"
)

// DefaultNu is the ν for which the paper's tail projection has c_T = √7.
const DefaultNu = 2.5

// A BudgetResult is the result of a projection. The next projection into the same BudgetResult reuses its slices.
type BudgetResult struct {
	Nodes  []int32 // the support, ascending
	Edges  []int32 // edges of a forest that spans the support, ascending
	Scale  float64 // scale λ of the forest that contains the support; 0 if there is no forest
	Solves int     // number of forests computed
	Kept   float64 // sum of the vector's squares on the support
	Bound  float64 // proven upper bound on Kept for any support of the model
}

// budgetRatio is 1 + δ: a bisection stops when high ≤ budgetRatio·low.
const budgetRatio = 1.125

// A square of at most negligible times the largest square counts as zero.
const negligible = 0x1p-200

// A budgetSearch is the state of one projection. It sums the prizes outside a forest, because these are few, and a
// small sum is more exact.
type budgetSearch struct {
	nodes, edges []int32 // best forest within the limit so far
	scale        float64 // scale of this forest
	left         float64 // prize outside this forest
	floor        float64 // proven lower bound on the prize outside any support of the model
	solves       int
	limit        float64 // largest price of a support's forest
	total        float64 // sum of all prizes
	least        float64 // smallest prize above 0
}

// Head overwrites dst with a support H that keeps much of the norm of w:
//
//	‖w_H‖² ≥ c_H²·max{‖w_S‖² : S in the model},  c_H² = 1/8
//
// The support has at most 2s + g nodes and g trees, and its edges cost at most 2B. (The paper has only c_H² = 1/14,
// because its pruning is coarser; see forestPruner.)
//
// Proof. Let C be the capacity, π* the prize of the best support of the model, and F_λ the solver's forest of
// scale λ. The forest satisfies λc(F_λ) + 2π(V∖F_λ) ≤ 2λC + 2(π(V) − π*), or
//
//	π(F_λ) ≥ π* − λC + λc(F_λ)/2.                                            (1)
//
// The bisection ends with scales r < l ≤ 9r/8, c(F_r) > 2C ≥ c(F_l). Let x = λ_r·C/π* and y = λ_l·C/π* ≤ 9x/8. By (1)
// and the pruner's lemma, F_r cut to C keeps at least π*((1−x)C/(3c(F_r)) + x/6), which is at least π*·min(x, 1)/6. If
// c(F_l) ≤ C, F_l keeps π*(1−y). Otherwise F_l cut to C keeps at least π*·min(1, 2−y)/6. The larger of the two kept
// prizes is smallest for x/6 = 1 − 9x/8, where it is π*/(7 + ¾). If c(F) ≤ 2C already at the lowest scale, where λC ≤
// π*/8, then this F cut to C keeps at least π*/(7 + ¾). ∎
//
// The result is the best of all forests found, each cut to C. A second bisection adds forests that need little cutting.
func (b *Budget) Head(dst *BudgetResult, w []float64) error {
	c := b.model.capacity()
	return b.project(dst, w, c, []float64{2 * c, c})
}

// Tail overwrites dst with a support T that leaves little of the norm of w outside:
//
//	‖w − w_T‖² ≤ c_T²·min{‖w − w_S‖² : S in the model},  c_T² = 1 + 9/(4(ν−2))
//
// for ν > 2. The support has at most 2νs + g nodes and g trees, and its edges cost at most 2νB. (The paper's tail
// theorem has c_T² = 1 + 3/(ν−2), which is 7 for ν = 2.5.)
//
// Proof. Use the notation of Head, and write π̄ for the prizes left outside. Then (1) reads π̄(F_λ) ≤ π̄* + λC −
// λc(F_λ)/2. A forest with 2C ≤ c(F) ≤ νC leaves at most π̄*, which is enough. Otherwise the bisection ends with c(F_r)
// > νC and c(F_l) < 2C. The first inequality gives λ_r·C(ν−2) ≤ 2π̄*. So F_l leaves at most π̄* + λ_l·C ≤ π̄*(1 +
// (9/8)·2/(ν−2)). The search begins at a scale where λC is at most 1/(8ν) of the smallest prize. If π̄* is 0, then by
// (1) the forest at this scale has a price of at most 2C and leaves less than the smallest prize outside, hence
// nothing. ∎ Head and Tail treat an entry below 2^-100 times the largest entry as zero. A sum of prices may exceed a
// limit by a relative 1e-9.
func (b *Budget) Tail(dst *BudgetResult, w []float64, nu float64) error {
	if !(nu > 2) || math.IsInf(nu, 1) {
		return fmt.Errorf("projection: nu is %v, want a number above 2", nu)
	}
	limit := nu * b.model.capacity()
	return b.project(dst, w, limit, []float64{limit})
}

// project searches for the best support whose price is at most limit. It bisects the scale for each threshold. The
// thresholds are prices in descending order, and the last one is the limit.
func (b *Budget) project(dst *BudgetResult, w []float64, limit float64, thresholds []float64) error {
	if len(w) != len(b.prizes) {
		panic("projection: the length of the vector differs from the graph's number of nodes")
	}
	*dst = BudgetResult{Nodes: dst.Nodes[:0], Edges: dst.Edges[:0]}
	exp, _, _, err := squares(b.prizes, w)
	if err != nil {
		return err
	}
	b.start(limit)
	if b.search.total == 0 {
		return nil
	}
	if err := b.descend(thresholds); err != nil {
		return err
	}
	s := &b.search
	dst.Nodes = append(dst.Nodes, s.nodes...)
	for _, e := range s.edges {
		dst.Edges = append(dst.Edges, b.edges[e])
	}
	for _, u := range s.nodes {
		dst.Kept += b.prizes[u]
	}
	dst.Solves = s.solves
	dst.Bound = math.Ldexp(max(s.total-s.floor, dst.Kept), 2*exp)
	dst.Kept, dst.Scale = math.Ldexp(dst.Kept, 2*exp), math.Ldexp(s.scale, 2*exp)
	return nil
}

func (b *Budget) start(limit float64) {
	s := &b.search
	*s = budgetSearch{nodes: s.nodes[:0], edges: s.edges[:0], limit: limit, left: math.Inf(1), least: math.Inf(1)}
	tiny := 0.0
	for _, p := range b.prizes {
		tiny = max(tiny, p*negligible)
	}
	for u, p := range b.prizes {
		if p <= tiny {
			b.prizes[u] = 0
			continue
		}
		s.total += p
		s.least = min(s.least, p)
	}
}

// descend bisects the scale for each threshold in turn. The forest's price is above the threshold only at the low end
// of the interval.
func (b *Budget) descend(thresholds []float64) error {
	s := &b.search
	low := s.least / (8 * s.limit)
	price, err := b.try(low)
	for _, threshold := range thresholds {
		if err != nil || s.settled() {
			return err
		}
		if price <= threshold {
			continue
		}
		// By (1) in Head for the empty support, c(F) ≤ 2π(V)/λ. The factor 3 instead of 2 allows for rounding.
		high, highPrice := 3*s.total/threshold, -1.0
		for high > budgetRatio*low && !s.settled() {
			scale := math.Sqrt(low) * math.Sqrt(high)
			if price, err = b.try(scale); err != nil {
				return err
			}
			if price > threshold {
				low = scale
			} else {
				high, highPrice = scale, price
			}
		}
		if highPrice < 0 && !s.settled() {
			highPrice, err = b.try(high)
		}
		low, price = high, highPrice
	}
	return err
}

// settled tells whether the best forest is provably as good as every support of the model.
func (s *budgetSearch) settled() bool { return s.left <= s.floor }

// try finds the forest of one scale and updates the best forest. It returns the forest's price before pruning.
func (b *Budget) try(scale float64) (price float64, err error) {
	s := &b.search
	s.solves++
	err = b.solver.Solve(&b.forest, b.prizes, scale, pcst.Options{Clusters: b.model.Clusters, Root: -1,
		Pruning: pcst.GWPruning})
	if err != nil {
		return 0, errors.Join(errors.New("projection: no forest"), err)
	}
	price = b.pruner.price(&b.forest)
	left := b.leftBy(&b.forest)
	s.floor = max(s.floor, left-scale*(b.model.capacity()-price/2))
	if price > s.limit*(1+slack) {
		b.pruner.prune(&b.forest, b.prizes, s.limit)
		left = b.leftBy(&b.forest)
	}
	if left < s.left {
		s.left, s.scale = left, scale
		s.nodes = append(s.nodes[:0], b.forest.Nodes...)
		s.edges = append(s.edges[:0], b.forest.Edges...)
	}
	return price, nil
}

func (b *Budget) leftBy(f *pcst.Forest) float64 {
	left, from := 0.0, int32(0)
	sum := func(to int32) {
		for _, p := range b.prizes[from:to] {
			left += p
		}
	}
	for _, u := range f.Nodes {
		sum(u)
		from = u + 1
	}
	sum(int32(len(b.prizes)))
	return left
}
