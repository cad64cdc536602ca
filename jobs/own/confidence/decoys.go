package confidence

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"graphda/graph"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

// keep returns the indices of the contrasts to keep, by the rules in the comment of Find. If v is 0, it uses the rule
// for q. It keeps or drops contrasts of equal size together, so the order of features does not matter.
func keep(contrasts []float64, v int, q float64) []int {
	var kept, positive []int
	negative := 0
	order := bySize(contrasts)
	for k, j := range order {
		switch w := contrasts[j]; {
		case w > 0:
			positive = append(positive, j)
		case w < 0:
			negative++
		default:
			return kept
		}
		if k+1 < len(order) && math.Abs(contrasts[order[k+1]]) == math.Abs(contrasts[j]) {
			continue
		}
		if v > 0 && negative < v || float64(1+negative) <= q*float64(len(positive)) {
			kept = slices.Clone(positive)
		}
	}
	return kept
}

// bySize returns the indices of the contrasts by falling absolute value.
func bySize(contrasts []float64) []int {
	order := make([]int, len(contrasts))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(contrasts[b]), math.Abs(contrasts[a]))
	})
	return order
}

// A doubled problem has all features and their decoys. A feature and its decoy are adjacent, in random order.
type doubled struct {
	problem *learners.Problem
	real    []int // for each feature j: its index in problem; its decoy has the index real[j]^1
	from    []int // for each sample: the sample that provides the decoys' values
	whole   *learning.Split
}

// double makes decoys: in sample i, the decoys have the values of sample from[i]. All decoys share this permutation, so
// decoys are correlated with each other as the features are. A feature and its decoy have the same neighbours: the
// feature's neighbours in the network, and the neighbours' decoys. A connector has no decoy.
func double(rng *rand.Rand, whole *learning.Split, from []int) (*doubled, error) {
	p := whole.Problem.P
	t := &doubled{whole: whole, real: make([]int, p), from: from}
	for j := range p {
		t.real[j] = 2*j + rng.IntN(2)
	}
	var edges []graph.Edge
	var costs []float64
	old := whole.Problem.Graph
	connectors := old.NumNodes() - p
	indices := func(node int32) []int32 {
		if k := node - int32(p); k >= 0 {
			return []int32{int32(2*p) + k}
		}
		return []int32{2 * node, 2*node + 1}
	}
	for i, e := range old.Edges() {
		for _, u := range indices(e.U) {
			for _, v := range indices(e.V) {
				edges, costs = append(edges, graph.Edge{U: u, V: v}), append(costs, old.Costs()[i])
			}
		}
	}
	g, err := graph.New(2*p+connectors, edges, costs)
	t.problem = &learners.Problem{P: 2 * p, Graph: g}
	return t, err
}

// fill writes sample i's values of the features and decoys to dst.
func (t *doubled) fill(dst []float64, i int) {
	own, other := t.whole.Train.Row(i), t.whole.Train.Row(t.from[i])
	for j, at := range t.real {
		dst[at], dst[at^1] = own[j], other[j]
	}
}

// contrasts returns the contrast of each feature, as Find defines it. The absolute weights in w̄ break ties.
func (t *doubled) contrasts(learned []half) []float64 {
	const little = 1e-3
	contrasts := make([]float64, len(t.real))
	for j, at := range t.real {
		contrasts[j] = selecting(learned, at) - selecting(learned, at^1)
	}
	for j, at := range t.real {
		size := 0.0
		for _, h := range learned {
			size += math.Abs(h.wbar[at]) - math.Abs(h.wbar[at^1])
		}
		contrasts[j] += little * size
	}
	return contrasts
}

func selecting(learned []half, index int) (n float64) {
	for _, h := range learned {
		if h.w[index] != 0 {
			n++
		}
	}
	return n
}
