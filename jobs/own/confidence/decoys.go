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

// keep returns the places of the contrasts that are kept. With v > 0 they are walked by size, the largest first: the
// positive ones before the v-th negative are kept. With v = 0 those of at least t are kept, for the least t at which
// the estimated share of false ones is at most q. Equal sizes go together, so that the order of features says
// nothing.
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

// bySize orders the features by the size of their contrasts, the largest first.
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

// A doubled problem has the features beside their decoys. Each has two indices; a coin tells which one is its own.
type doubled struct {
	problem *learners.Problem
	real    []int // by feature: the index that holds it; the other one is real^1
	from    []int // by sample: the sample whose values all its decoys have
	whole   *learning.Split
}

// double draws decoys: in sample i they have the values of sample from[i]. One permutation serves all, so that decoys
// are correlated with each other as the features are. An edge joins both indices of one end with both of the other. A
// connector has no values, and no decoy.
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

// fill makes a sample's features with their decoys.
func (t *doubled) fill(dst []float64, i int) {
	own, other := t.whole.Train.Row(i), t.whole.Train.Row(t.from[i])
	for j, at := range t.real {
		dst[at], dst[at^1] = own[j], other[j]
	}
}

// contrasts returns, by feature, how many more halves select it than its decoy. Where that is equal, the sizes of the
// weights in w̄ decide.
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

// selecting is how many halves select an index.
func selecting(learned []half, index int) (n float64) {
	for _, h := range learned {
		if h.w[index] != 0 {
			n++
		}
	}
	return n
}
